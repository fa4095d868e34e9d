#include "verify/report/replay_result.hpp"

#include <fmt/format.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {
namespace {

std::string word(ReplayStatus status) {
  return status == ReplayStatus::conforms ? "conforms" : "diverges";
}

}  // namespace

Outcome ReplayResult::outcome() const {
  return status == ReplayStatus::conforms ? Outcome::expected : Outcome::violated;
}

Fields ReplayResult::fields() const {
  return {{"file", file},         {"events", events},     {"status", word(status)},
          {"line", line},         {"rule", rule},         {"property", property},
          {"expected", expected}, {"observed", observed}, {"profile", profile},
          {"declined", declined}, {"against", against}};
}

TestCase ReplayResult::test_case() const {
  return {.group = "trace",
          .name = file,
          .seconds = seconds,
          .message = fmt::format("{}:{}: {} diverges", file, line, rule),
          .detail = fmt::format("property: {}\nexpected: {}\nobserved: {}", property, expected,
                                observed)};
}

std::string ReplayResult::tally(const All<ReplayResult>& all) {
  return counted(count(all, Outcome::expected), "replay conforms", "replays conform");
}

void ReplayResult::print_tables(const All<ReplayResult>& all, Page& page) {
  Grid grid("Replays of recorded runs",
            {{"file"}, {"profile"}, {"events", Align::right}, {"time", Align::right}, {"outcome"}});
  for (const ReplayResult* replay : all) {
    std::string outcome = "conforms";
    if (replay->status == ReplayStatus::diverges) {
      outcome = fmt::format("diverges at line {}", replay->line);
    }
    if (replay->declined > 0) outcome += fmt::format(", {} declined", grouped(replay->declined));
    const auto who = replay->against == "impl" ? "impl as " + replay->profile : replay->profile;
    grid.add(mood_of(replay->outcome()),
             {replay->file, who, grouped(replay->events), duration(replay->seconds), outcome});
  }
  page.print(grid);
}

void ReplayResult::print_details(const All<ReplayResult>& all, Page& page) {
  for (const ReplayResult* replay : all) {
    if (replay->status == ReplayStatus::conforms) continue;
    page.title(Mood::bad, fmt::format("{}:{} diverges", replay->file, replay->line));
    page.fields({{"rule", replay->rule},
                 {"property", replay->property},
                 {"expected", replay->expected},
                 {"observed", replay->observed}},
                9);
  }
}

}  // namespace holdfast::verify::report
