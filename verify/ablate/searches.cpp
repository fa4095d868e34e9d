#include "verify/ablate/searches.hpp"

#include <algorithm>
#include <vector>

#include "verify/explore/explore.hpp"
#include "verify/explore/workloads.hpp"
#include "verify/refute/presets.hpp"
#include "verify/report/errors.hpp"

namespace holdfast::verify::ablate {

namespace {

constexpr std::uint64_t most_states = 100'000;

/// Workloads that no fault asks for.
std::vector<SearchOptions> special_searches() {
  const auto search = [](Workload workload, Choices choices) {
    SearchOptions options;
    options.workloads = {std::move(workload)};
    options.choices = choices;
    return options;
  };
  // The feature that lies first comes second.
  Workload unsorted{.capacity = 1, .encoder_budget = 1, .hashes = 2, .requests = {{2, 3, {{1, 2, 1, 0}, {0, 1, 1, 1}}}}};
  // A drafter looks past a short item at the next.
  Workload short_items{.capacity = 2, .encoder_budget = 2, .lookahead = 2, .hashes = 2,
                       .requests = {{2, 3, {{0, 1, 1, 0}, {1, 2, 1, 1}}}}, .tail = 2};
  // The worker has no room for a new entry beside the one that goes.
  Workload full{.capacity = 1, .encoder_budget = 1, .depth = 2, .hashes = 2,
                .requests = {{1, 1, {{0, 1, 1, 0}}}, {1, 1, {{0, 1, 1, 1}}}}};
  // Two spans that begin together, and room for one of them at a time.
  Workload group{.capacity = 2, .encoder_budget = 2, .hashes = 4,
                 .requests = {{2, 3, {{0, 2, 1, 0}, {0, 2, 1, 1}}}, {2, 3, {{0, 2, 1, 2}, {0, 2, 1, 3}}}}};
  Workload whole_group = group;
  whole_group.whole_items = true;
  Workload tail{.capacity = 1, .encoder_budget = 1, .lookahead = 2, .hashes = 1, .requests = {{3, 4, {{0, 2, 1, 0}}}}, .tail = 2, .whole_items = true};
  // A whole item behind another, one look-ahead apart.
  Workload whole{.capacity = 1, .encoder_budget = 1, .lookahead = 1, .hashes = 2,
                 .requests = {{4, 5, {{0, 2, 1, 0}, {2, 4, 1, 1}}}}, .whole_items = true};
  return {search(unsorted, {.tokens = 2}), search(short_items, {.tokens = 2}), search(full, {.tokens = 1}),
          search(group, {.tokens = 2}), search(whole_group, {.tokens = 2}), search(tail, {.tokens = 3}),
          search(whole, {.tokens = 4})};
}

std::vector<SearchOptions> searches(spec::Manager manager, bool thorough) {
  std::vector<SearchOptions> all;
  for (const auto& fault : spec::faults) all.push_back(preset(fault.profile.name));
  for (auto& one : special_searches()) all.push_back(std::move(one));
  if (thorough)
    for (const auto& sizes : standard_sizes()) all.push_back(options_for(sizes));
  std::erase_if(all, [&](const SearchOptions& o) { return o.workloads.front().manager != manager; });
  return all;
}

}  // namespace

std::optional<Run> find_violation(const Dropped& dropped, const std::string& property, bool thorough) {
  std::optional<Run> shortest;
  for (auto& options : searches(dropped.manager, thorough)) {
    options.profile = dropped.profile;
    options.assumptions = dropped.assumptions;
    options.property = property;
    options.max_states = most_states;
    if (shortest) options.max_depth = shortest->actions.size() - 1;
    try {
      if (auto found = explore(options); found.counterexample) shortest = std::move(found.counterexample);
    } catch (const InputError&) {
      // The workload breaks an assumption that this row makes.
    }
  }
  return shortest;
}

}  // namespace holdfast::verify::ablate
