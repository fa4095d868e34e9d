#include "verify/report/proof_result.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {
namespace {

std::string word(ProofStatus status) {
  switch (status) {
    case ProofStatus::proved: return "proved";
    case ProofStatus::failed: return "failed";
    case ProofStatus::unknown: break;
  }
  return "unknown";
}

}  // namespace

Outcome ProofResult::outcome() const {
  switch (status) {
    case ProofStatus::proved: return Outcome::proved;
    case ProofStatus::failed: return Outcome::violated;
    case ProofStatus::unknown: break;
  }
  return Outcome::unknown;
}

Fields ProofResult::fields() const {
  return {{"property", property},   {"rule", rule},       {"path", path},
          {"status", word(status)}, {"seconds", seconds}, {"manager", manager}};
}

TestCase ProofResult::test_case() const {
  return {.group = property,
          .name = manager.empty() ? fmt::format("{} [{}]", rule, path)
                                  : fmt::format("{}: {} [{}]", manager, rule, path),
          .seconds = seconds,
          .message = fmt::format("{}: {} by {}", property, word(status), rule),
          .detail = counterexample};
}

std::string ProofResult::tally(const All<ProofResult>& all) {
  return counted(count(all, Outcome::proved), "proved", "proved");
}

void ProofResult::print_tables(const All<ProofResult>& all, Page& page) {
  struct Group {
    std::string property;
    Mood mood = Mood::good;
    std::uint64_t obligations = 0;
    std::uint64_t proved = 0;
    double slowest = 0;
    double seconds = 0;
  };
  std::vector<Group> groups;  // in the order of their first obligation
  for (const ProofResult* proof : all) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return g.property == proof->property; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), Group{});
      group->property = proof->property;
    }
    group->mood = worse(group->mood, mood_of(proof->outcome()));
    ++group->obligations;
    group->proved += proof->status == ProofStatus::proved ? 1 : 0;
    group->slowest = std::max(group->slowest, proof->seconds);
    group->seconds += proof->seconds;
  }
  Grid grid("Proofs, for any size", {{"property"},
                                     {"obligations", Align::right},
                                     {"proved", Align::right},
                                     {"slowest", Align::right},
                                     {"solver time", Align::right}});
  for (const Group& group : groups) {
    grid.add(group.mood, {group.property, grouped(group.obligations), grouped(group.proved),
                          duration(group.slowest), duration(group.seconds)});
  }
  page.print(grid);
}

void ProofResult::print_details(const All<ProofResult>& all, Page& page) {
  for (const ProofResult* proof : all) {
    if (proof->status == ProofStatus::proved) continue;
    page.title(mood_of(proof->outcome()),
               proof->status == ProofStatus::failed
                   ? fmt::format("{} is not kept by {}", proof->property, proof->rule)
                   : fmt::format("{} undecided for {}", proof->property, proof->rule));
    if (!proof->manager.empty()) page.out() << "    manager: " << proof->manager << '\n';
    page.out() << "    path: " << proof->path << '\n';
    page.indented(proof->counterexample);
  }
}

}  // namespace holdfast::verify::report
