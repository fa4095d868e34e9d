#include "verify/report/exhaustion_result.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {

Outcome ExhaustionResult::outcome() const {
  switch (status) {
    case DiffStatus::agrees: return Outcome::expected;
    case DiffStatus::differs: return Outcome::violated;
    case DiffStatus::unknown: break;
  }
  return Outcome::unknown;
}

Fields ExhaustionResult::fields() const {
  Fields all = {{"sizes", sizes},   {"workloads", workloads}, {"states", states},
                {"events", events}, {"steps", steps},         {"deepest", deepest}};
  all.push_back({"status", word(status)});
  if (status == DiffStatus::differs) {
    all.push_back({"what", what});
    all.push_back({"way", way});
  }
  all.push_back({"seconds", seconds});
  return all;
}

TestCase ExhaustionResult::test_case() const {
  return {
      .group = "exhaustion",
      .name = sizes,
      .seconds = seconds,
      .message = status == DiffStatus::differs
                     ? fmt::format("the library parts from the model after {} events", way.size())
                     : "ended before every state was reached",
      .detail = fmt::format("{}\n{}", what, fmt::join(way, "\n"))};
}

std::string ExhaustionResult::tally(const All<ExhaustionResult>& all) {
  return counted(count(all, Outcome::expected), "size gone through without a difference",
                 "sizes gone through without a difference");
}

void ExhaustionResult::print_tables(const All<ExhaustionResult>& all, Page& page) {
  Grid grid("Every reachable state and every driving event in it, model and library side by side",
            {{"sizes"},
             {"workloads", Align::right},
             {"states", Align::right},
             {"events", Align::right},
             {"small steps", Align::right},
             {"deepest", Align::right},
             {"time", Align::right},
             {"outcome"}});
  for (const ExhaustionResult* r : all)
    grid.add(mood_of(r->outcome()),
             {r->sizes, grouped(r->workloads), grouped(r->states), grouped(r->events),
              grouped(r->steps), grouped(r->deepest), duration(r->seconds), word(r->status)});
  page.print(grid);
}

void ExhaustionResult::print_details(const All<ExhaustionResult>& all, Page& page) {
  for (const ExhaustionResult* r : all) {
    if (r->status != DiffStatus::differs) continue;
    page.title(Mood::bad, fmt::format("{}: the library parts from the model after {} events",
                                      r->sizes, r->way.size()));
    for (const auto& event : r->way) page.out() << "    " << event << '\n';
    page.out() << "    " << r->what << '\n';
  }
}

}  // namespace holdfast::verify::report
