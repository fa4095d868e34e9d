#include "verify/report/exploration_result.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {
namespace {

std::string word(ExplorationStatus status) {
  switch (status) {
    case ExplorationStatus::holds: return "holds";
    case ExplorationStatus::violated: return "violated";
    case ExplorationStatus::unknown: break;
  }
  return "unknown";
}

/// The sizes that people think of first come first, the rest by their letters in the spec. How
/// spans are laid out is left to JSON.
std::string sizes_of(const ExplorationResult& exploration) {
  constexpr std::pair<const char*, const char*> shown[] = {
      {"requests", "requests"}, {"features", "features"}, {"hashes", "hashes"},
      {"capacity", "C"},        {"budget", "E"},          {"lookahead", "L"},
      {"depth", "depth"},       {"tokens", "tokens"},     {"drafts", "drafts"},
      {"token-budget", "B"},    {"hits", "hits"},         {"overlap", "overlap"},
      {"tail", "tail"}};
  std::vector<std::string> sizes;
  for (const auto& [name, label] : shown) {
    const auto found = exploration.sizes.find(name);
    if (found != exploration.sizes.end())
      sizes.push_back(fmt::format("{} {}", label, found->second));
  }
  for (const char* flag : {"whole-items", "disagree", "ranked", "encoder-decoder"}) {
    if (exploration.sizes.contains(flag)) sizes.emplace_back(flag);
  }
  return fmt::format("{}", fmt::join(sizes, " · "));
}

std::string rate(const ExplorationResult& exploration) {
  if (exploration.seconds <= 0) return "–";
  return grouped(
      static_cast<std::uint64_t>(static_cast<double>(exploration.states) / exploration.seconds));
}

}  // namespace

Outcome ExplorationResult::outcome() const {
  switch (status) {
    case ExplorationStatus::holds: return Outcome::expected;
    case ExplorationStatus::violated: return Outcome::violated;
    case ExplorationStatus::unknown: break;
  }
  return Outcome::unknown;
}

Fields ExplorationResult::fields() const {
  return {{"sizes", sizes}, {"states", states},   {"transitions", transitions},
          {"depth", depth}, {"seconds", seconds}, {"status", word(status)}};
}

TestCase ExplorationResult::test_case() const {
  std::vector<std::string> all;
  for (const auto& [name, size] : sizes) all.push_back(fmt::format("{} {}", name, size));
  return {.group = "reachability",
          .name = fmt::format("{}", fmt::join(all, ", ")),
          .seconds = seconds,
          .message = fmt::format("{}: {}", property, word(status)),
          .detail = fmt::format("{}", fmt::join(trace, "\n"))};
}

std::string ExplorationResult::tally(const All<ExplorationResult>& all) {
  return counted(count(all, Outcome::expected), "exploration holds", "explorations hold");
}

void ExplorationResult::print_tables(const All<ExplorationResult>& all, Page& page) {
  Grid grid("Explorations, every state at these sizes", {{"sizes"},
                                                         {"states", Align::right},
                                                         {"transitions", Align::right},
                                                         {"depth", Align::right},
                                                         {"time", Align::right},
                                                         {"states/s", Align::right}});
  for (const ExplorationResult* exploration : all) {
    grid.add(
        mood_of(exploration->outcome()),
        {sizes_of(*exploration), grouped(exploration->states), grouped(exploration->transitions),
         grouped(exploration->depth), duration(exploration->seconds), rate(*exploration)});
  }
  page.print(grid);
}

void ExplorationResult::print_details(const All<ExplorationResult>& all, Page& page) {
  for (const ExplorationResult* exploration : all) {
    if (exploration->status == ExplorationStatus::holds) continue;
    page.title(
        mood_of(exploration->outcome()),
        exploration->status == ExplorationStatus::violated
            ? fmt::format("{} is violated at {}", exploration->property, sizes_of(*exploration))
            : fmt::format("undecided at {}", sizes_of(*exploration)));
    page.trace(exploration->trace);
  }
}

}  // namespace holdfast::verify::report
