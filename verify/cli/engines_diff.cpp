// `holdfast diff`.
#include "verify/base/errors.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/cli/interrupts.hpp"
#include "verify/diff/diff.hpp"
#include "verify/diff/difference_result.hpp"
#include "verify/report/diff_result.hpp"
#include "verify/trace/events_file.hpp"

namespace holdfast::verify::cli {

report::Report run_diff(const DiffOptions& asked, report::StatusLine& status) {
  if (asked.exhaustive) return run_exhaustion(asked, status);
  const Stopwatch watch;
  const auto seconds = static_cast<double>(asked.seconds);
  diff::Options options;
  options.bounds = hunt::Bounds(asked.sizes);
  options.seed = asked.seed;
  options.jobs = asked.jobs;
  options.steps = static_cast<std::uint64_t>(asked.steps);
  options.stops = [&] { return Interrupts::came() || (seconds > 0 && watch.seconds() > seconds); };
  options.on_steps = [&](std::uint64_t steps) { status.advance(steps, ""); };
  const auto file = diff::scenario_path(asked.scenarios);
  trace::expect_writable(file);
  status.start("comparing, small steps", options.steps);
  diff::Compared compared;
  {
    const Interrupts interrupts;
    compared = diff::compare(options);
  }
  if (!compared.broken.empty())
    throw InputError("the model breaks " + compared.broken +
                     " under holdfast: `holdfast hunt` tells how; nothing was compared");
  report::DiffResult result;
  result.against = asked.against;
  result.seed = asked.seed;
  result.scripts = compared.scripts;
  result.passes = compared.passes;
  result.steps = compared.steps;
  result.encoder_decoder_steps = compared.encoder_decoder_steps;
  result.events = compared.events;
  if (compared.difference) diff::tell(*compared.difference, file, result);
  result.seconds = watch.seconds();
  report::Report report;
  report.command = "diff";
  report.profile = "holdfast";
  report.results.emplace_back(result);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
