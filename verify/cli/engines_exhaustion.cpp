// `holdfast diff --exhaustive`.
#include "verify/base/errors.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/cli/interrupts.hpp"
#include "verify/diff/exhaustion.hpp"
#include "verify/diff/sizes.hpp"
#include "verify/report/exhaustion_result.hpp"

namespace holdfast::verify::cli {

report::Report run_exhaustion(const DiffOptions& asked, report::StatusLine& status) {
  const DiffOptions usual;
  if (asked.steps != usual.steps || asked.seconds != usual.seconds || asked.seed != usual.seed ||
      asked.sizes != usual.sizes)
    throw InputError(
        "--exhaustive has sizes of its own and an end of its own: expected no --steps, --time, "
        "--seed or --sizes beside it");
  const Stopwatch watch;
  const Interrupts interrupts;
  report::Report report;
  report.command = "diff";
  report.profile = "holdfast";
  const auto& rows = diff::exhaustion_sizes();
  status.start("going through every state, sizes", rows.size());
  for (const auto& row : rows) {
    const Stopwatch of_row;
    auto options = row.options;
    options.jobs = asked.jobs;
    options.stops = [] { return Interrupts::came(); };
    auto all = diff::exhaust(options);
    if (!all.broken.empty())
      throw InputError("the model breaks " + all.broken + " under holdfast, at the sizes '" +
                       std::string(row.name) + "'; nothing was compared");
    report::ExhaustionResult result;
    result.sizes = row.name;
    result.workloads = all.workloads;
    result.states = all.states;
    result.events = all.events;
    result.steps = all.steps;
    result.deepest = all.deepest;
    result.status = !all.difference.empty() ? report::DiffStatus::differs
                    : all.is_complete       ? report::DiffStatus::agrees
                                            : report::DiffStatus::unknown;
    result.what = std::move(all.difference);
    result.way = std::move(all.way);
    result.seconds = of_row.seconds();
    report.results.emplace_back(std::move(result));
    status.advance(1, std::string(row.name));
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
