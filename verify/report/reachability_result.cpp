#include "verify/report/reachability_result.hpp"

#include <cstdint>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {
namespace {

std::string word(ReachabilityStatus status) {
  switch (status) {
    case ReachabilityStatus::reached: return "reached";
    case ReachabilityStatus::unreached: return "unreached";
    case ReachabilityStatus::unknown: break;
  }
  return "unknown";
}

}  // namespace

Outcome ReachabilityResult::outcome() const {
  if (status == ReachabilityStatus::unknown) return Outcome::unknown;
  return as_expected() ? Outcome::expected : Outcome::violated;
}

Fields ReachabilityResult::fields() const {
  return {{"manager", manager},     {"rule", rule},         {"path", path},
          {"forbidden", forbidden}, {"modelled", modelled}, {"explored", explored},
          {"status", word(status)}};
}

TestCase ReachabilityResult::test_case() const {
  return {.group = rule,
          .name = fmt::format("{}: {} [{}]", manager, rule, path),
          .seconds = seconds,
          .message = fmt::format("{} [{}]: {}", rule, path, word(status)),
          .detail = fmt::format("modelled: {}, explored: {}", modelled, explored)};
}

std::string ReachabilityResult::tally(const All<ReachabilityResult>& all) {
  return counted(count(all, Outcome::expected), "rule path as it should be",
                 "rule paths as they should be");
}

void ReachabilityResult::print_tables(const All<ReachabilityResult>& all, Page& page) {
  struct Group {
    std::string manager;
    Mood mood = Mood::good;
    std::uint64_t paths = 0;
    std::uint64_t modelled = 0;
    std::uint64_t explored = 0;
    std::uint64_t forbidden = 0;
  };
  std::vector<Group> groups;
  for (const ReachabilityResult* path : all) {
    if (groups.empty() || groups.back().manager != path->manager) groups.push_back({path->manager});
    Group& group = groups.back();
    group.mood = worse(group.mood, mood_of(path->outcome()));
    ++group.paths;
    group.modelled += path->modelled ? 1 : 0;
    group.explored += path->explored ? 1 : 0;
    group.forbidden += path->forbidden && path->as_expected() ? 1 : 0;
  }
  Grid grid("Rule paths, each possible together with every invariant",
            {{"manager"},
             {"paths", Align::right},
             {"with a model", Align::right},
             {"taken by a run", Align::right},
             {"rightly impossible", Align::right}});
  for (const Group& group : groups) {
    grid.add(group.mood, {group.manager, grouped(group.paths), grouped(group.modelled),
                          grouped(group.explored), grouped(group.forbidden)});
  }
  page.print(grid);
}

void ReachabilityResult::print_details(const All<ReachabilityResult>& all, Page& page) {
  for (const ReachabilityResult* path : all) {
    if (path->as_expected()) continue;
    page.title(mood_of(path->outcome()),
               fmt::format("{} [{}] is {}", path->rule, path->path, word(path->status)));
    page.out() << fmt::format("    manager: {}\n    model: {}, run: {}\n", path->manager,
                              path->modelled, path->explored);
  }
}

}  // namespace holdfast::verify::report
