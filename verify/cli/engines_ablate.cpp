// `holdfast ablate`.
#include <utility>

#include "verify/ablate/ablate.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/prove/query.hpp"

namespace holdfast::verify::cli {

report::Report run_ablate(const AblateOptions& asked, report::StatusLine& status) {
  const Stopwatch watch;
  ablate::Options options;
  options.guard = asked.guard;
  options.scenarios = asked.scenarios;
  options.seed = asked.seed;
  options.timeout_ms = asked.timeout_ms;
  options.jobs = asked.jobs;
  report::Report report;
  report.command = "ablate";
  report.profile = "holdfast";
  report.solver = prove::solver_version();
  status.start("dropping", 0);
  for (auto& result : ablate::ablate(
           options, [&](const report::AblationResult& r) { status.advance(1, r.guard); }))
    report.results.emplace_back(std::move(result));
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
