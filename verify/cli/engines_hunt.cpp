// `holdfast hunt`.
#include <string>

#include "spec/faults.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/cli/interrupts.hpp"
#include "verify/hunt/finding_result.hpp"
#include "verify/hunt/hunt.hpp"
#include "verify/trace/events_file.hpp"

namespace holdfast::verify::cli {

report::Report run_hunt(const HuntOptions& asked, report::StatusLine& status) {
  const Stopwatch watch;
  const auto seconds = static_cast<double>(asked.seconds);
  hunt::Options options;
  options.profile = *spec::profile_named(asked.profile);
  options.property = asked.property;
  options.bounds = hunt::Bounds(asked.sizes);
  options.seed = asked.seed;
  options.jobs = asked.jobs;
  options.scripts = static_cast<std::uint64_t>(asked.scripts);
  options.stops = [&] { return Interrupts::came() || (seconds > 0 && watch.seconds() > seconds); };
  options.on_scripts = [&](std::uint64_t scripts, std::uint64_t findings) {
    status.advance(scripts, std::to_string(findings) + (findings == 1 ? " finding" : " findings"));
  };
  trace::expect_writable(hunt::scenario_path(asked.scenarios, asked.profile, 1));
  status.start("hunting, scripts", options.scripts);
  hunt::Hunted found;
  {
    const Interrupts interrupts;
    found = hunt::hunt(options);
  }
  report::Report report;
  report.command = "hunt";
  report.profile = asked.profile;
  report.results.emplace_back(report::HuntResult{asked.profile, found.scripts, found.passes,
                                                 found.steps, found.given_up, found.exhausted,
                                                 asked.seed, watch.seconds()});
  std::size_t number = 0;
  for (const auto& finding : found.findings) {
    const auto file = hunt::scenario_path(asked.scenarios, asked.profile, ++number);
    report.results.emplace_back(hunt::result_of(finding, options.profile, file));
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
