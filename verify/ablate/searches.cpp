#include "verify/ablate/searches.hpp"

#include <algorithm>
#include <vector>

#include "spec/faults.hpp"
#include "verify/explore/explore.hpp"
#include "verify/refute/presets.hpp"
#include "verify/report/errors.hpp"

namespace holdfast::verify::ablate {

namespace {

/// Workloads that no fault asks for.
std::vector<SearchOptions> special_searches() {
  const auto search = [](Workload workload, Choices choices) {
    SearchOptions options;
    options.workloads = {std::move(workload)};
    options.choices = choices;
    return options;
  };
  // The feature that lies first comes second.
  Workload unsorted{.capacity = 1,
                    .encoder_budget = 1,
                    .hashes = 2,
                    .requests = {{2, 3, {{1, 2, 1, 0}, {0, 1, 1, 1}}}}};
  // The same, while another request has the slot that the first would need.
  Workload unsorted_behind{
      .capacity = 1,
      .encoder_budget = 1,
      .hashes = 3,
      .requests = {{1, 2, {{0, 1, 1, 2}}}, {2, 3, {{1, 2, 1, 0}, {0, 1, 1, 1}}}}};
  // A drafter looks past a short item at the next.
  Workload short_items{.capacity = 2,
                       .encoder_budget = 2,
                       .lookahead = 2,
                       .hashes = 2,
                       .requests = {{2, 3, {{0, 1, 1, 0}, {1, 2, 1, 1}}}},
                       .tail = 2};
  // The worker has no room for a new entry beside the one that goes.
  Workload full{.capacity = 1,
                .encoder_budget = 1,
                .depth = 2,
                .hashes = 2,
                .requests = {{1, 1, {{0, 1, 1, 0}}}, {1, 1, {{0, 1, 1, 1}}}}};
  // Two spans that begin together, and room for one of them at a time.
  Workload group{
      .capacity = 2,
      .encoder_budget = 2,
      .hashes = 4,
      .requests = {{2, 3, {{0, 2, 1, 0}, {0, 2, 1, 1}}}, {2, 3, {{0, 2, 1, 2}, {0, 2, 1, 3}}}}};
  Workload whole_group = group;
  whole_group.whole_items = true;
  Workload tail{.capacity = 1,
                .encoder_budget = 1,
                .lookahead = 2,
                .hashes = 1,
                .requests = {{3, 4, {{0, 2, 1, 0}}}},
                .tail = 2,
                .whole_items = true};
  // A whole item behind another, one look-ahead apart.
  Workload whole{.capacity = 1,
                 .encoder_budget = 1,
                 .lookahead = 1,
                 .hashes = 2,
                 .requests = {{4, 5, {{0, 2, 1, 0}, {2, 4, 1, 1}}}},
                 .whole_items = true};
  // Drafts in doubt cover an item; the next one takes its slots.
  Workload in_doubt{.capacity = 3,
                    .encoder_budget = 3,
                    .depth = 2,
                    .hashes = 2,
                    .requests = {{4, 6, {{0, 3, 3, 0}, {3, 4, 1, 1}}}}};
  // The second occurrence of a hash lies in a longer item, and a third item takes its slot.
  Workload again{.capacity = 1,
                 .encoder_budget = 1,
                 .lookahead = 2,
                 .hashes = 2,
                 .requests = {{4, 5, {{0, 1, 1, 0}, {1, 3, 1, 0, {{1, 1}}}, {3, 4, 1, 1}}}}};
  // Behind two occurrences of a hash, an item that needs every slot.
  Workload all_slots{.capacity = 2,
                     .encoder_budget = 2,
                     .hashes = 2,
                     .requests = {{4, 5, {{0, 1, 1, 0}, {1, 2, 1, 0}, {2, 4, 2, 1}}}}};
  // A group, whose first hash another request has in another size.
  Workload sizes{.capacity = 2,
                 .encoder_budget = 2,
                 .hashes = 2,
                 .requests = {{2, 3, {{0, 2, 2, 0}}}, {1, 2, {{0, 1, 1, 0}, {0, 1, 1, 1}}}}};
  // Groups behind text, an embed a pass.
  Workload slow_groups{
      .capacity = 2,
      .encoder_budget = 1,
      .lookahead = 1,
      .hashes = 4,
      .requests = {{2, 3, {{1, 2, 1, 0}, {1, 2, 1, 1}}}, {2, 3, {{1, 2, 1, 2}, {1, 2, 1, 3}}}}};
  // The second of a group begins inside the first.
  Workload inside{.capacity = 2,
                  .encoder_budget = 2,
                  .hashes = 2,
                  .requests = {{2, 3, {{0, 2, 2, 0}, {1, 2, 1, 1}}}},
                  .whole_items = true};
  // The prefix cache ends behind an item's only embedding, the drafter looks at the next.
  Workload behind_hit{.capacity = 1,
                      .encoder_budget = 1,
                      .lookahead = 3,
                      .hashes = 2,
                      .requests = {{4, 5, {{0, 3, 1, 0, {{0, 1}}}, {3, 4, 1, 1}}}}};
  // Behind a request that can't get in, one that could.
  Workload queue{
      .capacity = 2,
      .encoder_budget = 2,
      .hashes = 2,
      .requests = {{2, 3, {{0, 2, 2, 0}}}, {2, 3, {{1, 2, 1, 1}}}, {2, 3, {{0, 2, 2, 0}}}}};
  return {search(in_doubt, {.tokens = 3, .drafts = 2}),
          search(again, {.tokens = 2}),
          search(all_slots, {.tokens = 2}),
          search(sizes, {.tokens = 2}),
          search(slow_groups, {.tokens = 1}),
          search(inside, {.tokens = 2}),
          search(behind_hit, {.tokens = 1, .hits = 1}),
          search(queue, {.tokens = 1}),
          search(unsorted, {.tokens = 2}),
          search(unsorted_behind, {.tokens = 2}),
          search(short_items, {.tokens = 2}),
          search(full, {.tokens = 1}),
          search(group, {.tokens = 2}),
          search(whole_group, {.tokens = 2}),
          search(tail, {.tokens = 3}),
          search(whole, {.tokens = 4})};
}

std::vector<SearchOptions> searches(spec::Manager manager) {
  std::vector<SearchOptions> all;
  for (const auto& fault : spec::faults) all.push_back(preset(fault.profile.name));
  for (auto& one : special_searches()) all.push_back(std::move(one));
  std::erase_if(all,
                [&](const SearchOptions& o) { return o.workloads.front().manager != manager; });
  return all;
}

}  // namespace

std::optional<Run> find_violation(const Dropped& dropped, const std::string& property,
                                  std::uint64_t most_states,
                                  const std::function<bool(const Run&)>& accepts) {
  std::optional<Run> shortest;
  for (auto& options : searches(dropped.manager)) {
    options.profile = dropped.profile;
    options.assumptions = dropped.assumptions;
    options.property = property;
    options.max_states = most_states;
    if (shortest) options.max_depth = shortest->actions.size() - 1;
    try {
      if (auto found = explore(options); found.counterexample && accepts(*found.counterexample))
        shortest = std::move(found.counterexample);
    } catch (const InputError&) {
      // The workload breaks an assumption that this row makes.
    }
  }
  return shortest;
}

}  // namespace holdfast::verify::ablate
