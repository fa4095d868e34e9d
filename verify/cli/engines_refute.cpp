// `holdfast refute`.
#include <iterator>
#include <vector>

#include "spec/faults.hpp"
#include "verify/base/parallel.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/prove/query.hpp"
#include "verify/refute/refute.hpp"

namespace holdfast::verify::cli {

report::Report run_refute(const RefuteOptions& asked, report::StatusLine& status) {
  const Stopwatch watch;
  refute::Options options;
  options.bmc = asked.bmc;
  options.bmc_steps = static_cast<int>(asked.bmc_steps);
  options.seed = asked.seed;
  options.timeout_ms = asked.timeout_ms;
  options.scenarios = asked.scenarios;
  report::Report report;
  report.command = "refute";
  report.profile = asked.fault.empty() ? "every fault" : asked.fault;
  report.solver = prove::solver_version();
  std::vector<const spec::Fault*> faults;
  for (const auto& fault : spec::faults)
    if (asked.fault.empty() || asked.fault == fault.profile.name) faults.push_back(&fault);
  status.start("refuting", faults.size());
  std::vector<report::RefutationResult> results(faults.size());
  const auto work = [&](std::size_t n) {
    results[n] = refute::refute(*faults[n], options, [&](const std::string& stage) {
      status.advance(0, std::string(faults[n]->profile.name) + ": " + stage);
    });
    status.advance(1);
  };
  in_parallel(asked.jobs, faults.size(), work);
  std::move(results.begin(), results.end(), std::back_inserter(report.results));
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
