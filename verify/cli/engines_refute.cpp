// `holdfast refute`.
#include "verify/cli/engine_support.hpp"
#include "verify/cli/engines.hpp"
#include "verify/prove/query.hpp"
#include "verify/refute/refute.hpp"

namespace holdfast::verify {

Report run_refute(const RefuteArguments& arguments, Progress& progress) {
  const Stopwatch watch;
  refute::Options options;
  options.bmc = arguments.bmc;
  options.bmc_steps = static_cast<int>(arguments.bmc_steps);
  options.seed = arguments.seed;
  options.timeout_ms = arguments.timeout_ms;
  options.scenarios = arguments.scenarios;
  Report report;
  report.command = "refute";
  report.profile = arguments.fault.empty() ? "every fault" : arguments.fault;
  report.solver = prove::solver_version();
  progress.start("refuting", arguments.fault.empty() ? spec::faults.size() : 1);
  for (const auto& fault : spec::faults) {
    if (!arguments.fault.empty() && arguments.fault != fault.profile.name) continue;
    report.results.emplace_back(refute::refute(fault, options, [&](const std::string& stage) {
      progress.advance(0, std::string(fault.profile.name) + ": " + stage);
    }));
    progress.advance(1);
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify
