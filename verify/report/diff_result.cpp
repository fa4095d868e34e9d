#include "verify/report/diff_result.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {

Outcome DiffResult::outcome() const {
  switch (status) {
    case DiffStatus::agrees: return Outcome::account;
    case DiffStatus::differs: return Outcome::found;
    case DiffStatus::unknown: break;
  }
  return Outcome::unknown;
}

Fields DiffResult::fields() const {
  Fields all = {{"against", against}, {"seed", seed},
                {"scripts", scripts}, {"passes", passes},
                {"steps", steps},     {"encoder_decoder_steps", encoder_decoder_steps},
                {"events", events}};
  all.push_back({"status", word(status)});
  if (status == DiffStatus::differs) {
    all.push_back({"step", step});
    all.push_back({"repeats", repeats});
    all.push_back({"scenario", scenario});
    if (!asked.empty()) all.push_back({"asked", asked});
    all.push_back({"what", what});
  }
  all.push_back({"seconds", seconds});
  return all;
}

TestCase DiffResult::test_case() const {
  return {
      .group = "diff",
      .name = fmt::format("{}, seed {}", against, seed),
      .seconds = seconds,
      .message = status == DiffStatus::unknown
                     ? "nothing was compared"
                     : fmt::format("{} parts from the model after {} small steps", against, step),
      .detail = fmt::format("{}\n{}\n{}", scenario, what, fmt::join(trace, "\n"))};
}

std::string DiffResult::tally(const All<DiffResult>& all) {
  std::size_t differ = 0, unknown = 0;
  for (const DiffResult* result : all) {
    differ += result->status == DiffStatus::differs;
    unknown += result->status == DiffStatus::unknown;
  }
  if (unknown > 0) return "nothing was compared";
  return differ > 0 ? counted(differ, "difference", "differences")
                    : counted(all.size(), "comparison without a difference",
                              "comparisons without a difference");
}

void DiffResult::print_tables(const All<DiffResult>& all, Page& page) {
  Grid grid("Model and implementation side by side, both states after every event",
            {{"against"},
             {"scripts", Align::right},
             {"passes", Align::right},
             {"events", Align::right},
             {"small steps", Align::right},
             {"encoder-decoder", Align::right},
             {"seed", Align::right},
             {"time", Align::right}});
  for (const DiffResult* r : all)
    grid.add(
        mood_of(r->outcome()),
        {r->against, grouped(r->scripts), grouped(r->passes), grouped(r->events), grouped(r->steps),
         grouped(r->encoder_decoder_steps), std::to_string(r->seed), duration(r->seconds)});
  page.print(grid);
}

void DiffResult::print_details(const All<DiffResult>& all, Page& page) {
  for (const DiffResult* r : all) {
    if (r->status != DiffStatus::differs) continue;
    page.title(Mood::bad, fmt::format("{} parts from the model after {} small steps", r->against,
                                      grouped(r->step)));
    page.fields({{"scenario", r->scenario}, {"asked", r->asked}}, 13);
    if (!r->repeats)
      page.indented("not again in a run of its own: what was run before it matters, or chance");
    page.indented(r->what);
    for (const auto& line : r->trace) page.out() << "      " << line << '\n';
  }
}

}  // namespace holdfast::verify::report
