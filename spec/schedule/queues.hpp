// What the scheduler has beside the model's state: who runs and who waits, KV blocks, the passes
// that are in flight. No rule reads it; the reference pass (schedule.hpp) decides by it which rule
// comes next. Counts in tokens and blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "spec/require.hpp"
#include "spec/state.hpp"

namespace holdfast::spec::inline schedule {

/// Whose turn comes first, and who gives KV blocks back.
enum class Policy : std::int8_t {
  fcfs,      ///< in the order of arrival; the last of the running ones
  priority,  ///< the more urgent, then the earlier; the least urgent, then the latest
};

/// The sizes of a pass that Config does not have (`SchedulerConfig`, `CacheConfig`).
template <class D>
struct Sizes {
  Manager manager = Manager::decoder_only;
  Policy policy = Policy::fcfs;
  Int<D> draft_tokens = 0;     ///< drafts proposed for a step: `num_speculative_tokens`
  Int<D> kv_blocks = 1 << 20;  ///< usable ones: `num_gpu_blocks` without the null block
  Int<D> kv_block_size = 1;    ///< tokens
  Int<D> kv_watermark_blocks =
      0;  ///< stay free when a waiting request is admitted beside running ones
  Int<D> long_prefill_threshold =
      0;                          ///< most tokens of a turn where others are there too; 0: no limit
  Int<D> max_num_seqs = 1 << 20;  ///< most running requests
  Int<D> max_model_len = 1 << 20;  ///< most tokens that a request may have

  /// Blocks that hold `tokens` of a request; none beyond `max_model_len`.
  [[nodiscard]] Int<D> blocks_for(Int<D> tokens) const {
    HOLDFAST_REQUIRE(kv_block_size > 0, "blocks that hold something");
    return (std::min(tokens, max_model_len) + kv_block_size - 1) / kv_block_size;
  }
};

/// What a request brings along, beside what Config says of it.
template <class D>
struct Arrival {
  Request<D> request{};
  Int<D> max_tokens = 1;  ///< outputs after which it is done
  Int<D> hit = 0;         ///< tokens that the prefix cache has of it, whenever it is admitted
};

/// A request in a queue (`Request`).
template <class D>
struct Sequence {
  Request<D> request{};
  Int<D> arrival = 0;  ///< the smaller, the earlier
  Int<D> max_tokens = 1;
  Int<D> hit = 0;
  Int<D> known = 0;   ///< prompt and outputs: `num_tokens`
  Int<D> drafts = 0;  ///< proposed for its next step: `spec_token_ids`
  Int<D> placeholders =
      0;              ///< `num_output_placeholders`, only with passes in flight beside each other
  Int<D> blocks = 0;  ///< KV blocks it has
  bool is_chunk = false;  ///< its last step ended before its last known token: `is_prefill_chunk`
  bool drops_stale = false;  ///< stale outputs bring no tokens: `drop_stale_output`
};

/// What a pass gives a request (`num_scheduled_tokens` and others).
template <class D>
struct Scheduled {
  Request<D> request{};
  Int<D> computed = 0;  ///< before the pass
  Int<D> tokens = 0;
  Int<D> drafts = 0;        ///< the last of the tokens
  Int<D> placeholders = 0;  ///< the request's, after the pass
  bool samples = false;     ///< it computes the last known token, so that a token comes of it
};

/// A step between its issue and the end of its delivery.
template <class D>
struct Flight {
  bool is_reset = false;
  Int<D> pass = 0;  ///< which pass it was to the caller
  std::vector<Scheduled<D>> scheduled;
};

template <class D>
struct Queues {
  /// Taken from the front, and put there, however many wait.
  using Sequences = std::deque<Sequence<D>>;

  explicit Queues(const Sizes<D>& s) : sizes(s), kv_free(s.kv_blocks) {}

  Sizes<D> sizes;
  Sequences running;
  Sequences waiting;  ///< in the order in which they are tried
  Int<D> kv_free = 0;
  Int<D> arrivals = 0;
  std::vector<Scheduled<D>> scheduled;  ///< in this pass so far, in the order of their turns
  std::vector<Flight<D>> in_flight;     ///< the first one is step `delivered + 1`

  /// The sequence of r in either queue, or null: it never came, or is gone.
  [[nodiscard]] Sequence<D>* find(Request<D> r) {
    for (auto* queue : {&running, &waiting})
      for (auto& q : *queue)
        if (q.request == r) return &q;
    return nullptr;
  }

  /// Takes r out of its queue, and its KV blocks back.
  void remove(Request<D> r) {
    for (auto* queue : {&running, &waiting}) {
      const auto found = std::find_if(queue->begin(), queue->end(),
                                      [r](const Sequence<D>& q) { return q.request == r; });
      if (found == queue->end()) continue;
      release_blocks(*found);
      queue->erase(found);
      return;
    }
  }

  /// KV blocks for the first `tokens` tokens of q, if `spare` more stay free (`allocate_slots`).
  bool allocate_slots(Sequence<D>& q, Int<D> tokens, Int<D> spare) {
    const Int<D> more = std::max<Int<D>>(sizes.blocks_for(tokens) - q.blocks, 0);
    if (more + spare > kv_free) return false;
    kv_free -= more;
    q.blocks += more;
    return true;
  }
  void release_blocks(Sequence<D>& q) { kv_free += std::exchange(q.blocks, 0); }

  /// Passes in flight, without resets.
  [[nodiscard]] std::size_t passes_in_flight() const {
    return static_cast<std::size_t>(std::count_if(in_flight.begin(), in_flight.end(),
                                                  [](const auto& f) { return !f.is_reset; }));
  }
};

/// Whether a is before b under the policy `priority`.
template <class D>
bool is_more_urgent(const D& d, const Sequence<D>& a, const Sequence<D>& b) {
  const auto rank = [&](const Sequence<D>& q) {
    return std::pair(d.config.priority(q.request), q.arrival);
  };
  return rank(a) < rank(b);
}

/// A new request, or one that was preempted, joins the waiting ones (`RequestQueue`).
template <class D>
void enqueue(const D& d, Queues<D>& queues, Sequence<D> q, bool in_front) {
  auto& waiting = queues.waiting;
  auto place = in_front ? waiting.begin() : waiting.end();
  if (queues.sizes.policy == Policy::priority)
    place = std::upper_bound(
        waiting.begin(), waiting.end(), q,
        [&](const Sequence<D>& a, const Sequence<D>& b) { return is_more_urgent(d, a, b); });
  waiting.insert(place, std::move(q));
}

/// Who gives its KV blocks back: the place in `running`. Requires: somebody runs.
template <class D>
std::size_t victim_of(const D& d, const Queues<D>& queues) {
  const auto& running = queues.running;
  HOLDFAST_REQUIRE(!running.empty(), "somebody runs");
  if (queues.sizes.policy == Policy::fcfs) return running.size() - 1;
  const auto least =
      std::max_element(running.begin(), running.end(),
                       [&](const auto& a, const auto& b) { return is_more_urgent(d, a, b); });
  return static_cast<std::size_t>(least - running.begin());
}

}  // namespace holdfast::spec::inline schedule
