#include "verify/ablate/searches.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "spec/faults.hpp"
#include "verify/base/errors.hpp"
#include "verify/explore/explore.hpp"
#include "verify/explore/worlds.hpp"
#include "verify/refute/presets.hpp"

namespace holdfast::verify::ablate {

namespace {

using namespace explore::worlds;

explore::SearchOptions search(Workload world, explore::Choices choices) {
  explore::SearchOptions options;
  options.workloads = {std::move(world)};
  options.choices = choices;
  return options;
}

/// Two images over the same tokens.
WorkloadRequest pair(int first, int second, const Extent& extent = {}) {
  return group(image(first, extent), image(second, extent));
}

/// An item behind another, or beside it, needs what the first one has.
std::vector<explore::SearchOptions> scarce_slots() {
  // Drafts in doubt cover an item; the next one takes its slots.
  const auto three_slots = image(0, {.tokens = 3, .slots = 3});
  const auto in_doubt =
      two_in_flight(of_size(3, {with_output(2, prompt_of({three_slots, image(1)}))}));
  // The second occurrence of a hash lies in a longer item, and a third item takes its slot.
  const auto longer = image(0, {.tokens = 2, .mask = {{1, 1}}});
  const auto again = with_lookahead(2, tight({prompt_of({image(0), longer, image(1)})}));
  // Behind two occurrences of a hash, an item that needs every slot.
  const auto all_slots = roomy({prompt_of({image(0), image(0), large_image(1)})});
  // A group, whose first hash another request has in another size.
  const auto sizes = roomy({large_image(0), pair(0, 1)});
  // Groups behind text, an embed a pass.
  const auto slow_groups = with_lookahead(
      1, with_embeds_per_pass(
             1, roomy({prompt_of({text(), pair(0, 1)}), prompt_of({text(), pair(2, 3)})})));
  // The second of a group begins inside the first.
  const auto inside = whole_items(roomy({group(large_image(0), prompt_of({text(), image(1)}))}));
  // The prefix cache ends behind an item's only embedding, the drafter looks at the next.
  const auto begun = image(0, {.tokens = 3, .mask = {{0, 1}}});
  const auto behind_hit = with_lookahead(3, tight({prompt_of({begun, image(1)})}));
  // Behind a request that can't get in, one that could.
  const auto queue = roomy({large_image(0), prompt_of({text(), image(1)}), large_image(0)});
  return {search(in_doubt, {.tokens = 3, .drafts = 2}),
          search(again, {.tokens = 2}),
          search(all_slots, {.tokens = 2}),
          search(sizes, {.tokens = 2}),
          search(slow_groups, {.tokens = 1}),
          search(inside, {.tokens = 2}),
          search(behind_hit, {.tokens = 1, .hits = 1}),
          search(queue, {.tokens = 1})};
}

/// The order of items, the worker's room, and where a chunk may end.
std::vector<explore::SearchOptions> awkward_places() {
  const auto unsorted = listed_backwards(images(1, 0));
  // Another request has the slot that the first would need.
  const auto unsorted_behind = tight({image(2), unsorted});
  // A drafter looks past a short item at the next.
  const auto short_items = with_lookahead(2, with_tail(2, roomy({images(0, 1)})));
  // The worker has no room for a new entry beside the one that goes.
  const auto full = two_in_flight(tight({with_output(0, image(0)), with_output(0, image(1))}));
  // Two spans that begin together, and room for one of them at a time.
  const auto groups = roomy({pair(0, 1, {.tokens = 2}), pair(2, 3, {.tokens = 2})});
  // No chunk may end where the whole item does.
  const auto tail =
      with_lookahead(2, with_tail(2, whole_items(tight({prompt_of({long_image(0), text()})}))));
  // A whole item behind another, one look-ahead apart.
  const auto whole =
      with_lookahead(1, whole_items(tight({prompt_of({long_image(0), long_image(1)})})));
  return {search(tight({unsorted}), {.tokens = 2}),
          search(unsorted_behind, {.tokens = 2}),
          search(short_items, {.tokens = 2}),
          search(full, {.tokens = 1}),
          search(groups, {.tokens = 2}),
          search(whole_items(groups), {.tokens = 2}),
          search(tail, {.tokens = 3}),
          search(whole, {.tokens = 4})};
}

std::vector<explore::SearchOptions> searches(spec::Manager manager) {
  std::vector<explore::SearchOptions> all;
  for (const auto& fault : spec::faults) all.push_back(refute::preset(fault.profile.name));
  for (const auto& more : {scarce_slots(), awkward_places()})
    all.insert(all.end(), more.begin(), more.end());
  std::erase_if(
      all, [&](const explore::SearchOptions& o) { return o.workloads.front().manager != manager; });
  return all;
}

}  // namespace

std::optional<explore::Run> find_violation(
    const Dropped& dropped, const std::string& property, std::uint64_t most_states,
    const std::function<bool(const explore::Run&)>& accepts) {
  std::optional<explore::Run> shortest;
  for (auto& options : searches(dropped.manager)) {
    options.profile = dropped.profile;
    options.assumptions = dropped.assumptions;
    options.property = property;
    options.max_states = most_states;
    if (shortest) options.max_depth = shortest->actions.size() - 1;
    try {
      if (auto found = explore::explore(options);
          found.counterexample && accepts(*found.counterexample))
        shortest = std::move(found.counterexample);
    } catch (const InputError&) {
      // The workload breaks an assumption that this row makes.
    }
  }
  return shortest;
}

}  // namespace holdfast::verify::ablate
