// The cache of encoder outputs of decoder-only models: vLLM's `EncoderCacheManager`, repaired.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "holdfast/types.hpp"

namespace holdfast {

/// Which encoder outputs the worker holds, who needs them, and which go when room is wanted. Sizes
/// are embeds: rows of encoder output, one slot each.
///
/// Without passes it is vLLM's manager, call by call, but for what is repaired: a hash that a
/// request has several times is held until the last of them is freed; an entry is never had at
/// another size than it was made with; what is cached again is not in the notices.
///
/// Between `begin_pass` and `end_pass` an allocation is an order that can be taken back. Once
/// nobody holds what was ordered, it is gone, and its slots and compute budget are free again;
/// where others have come to share it, it is handed over to the one that came first.
///
/// Requests and mm_hashes are any bytes, interned once. Each call takes a handle, or a request id
/// and looks that up. A handle of what is gone is refused, not mistaken.
///
/// A refused call changes nothing, and its `Error` is the first precondition that it broke. Nothing
/// throws but a failing allocation of memory; in the steady state, none is allocated.
/// Of all calls: unknown_request, unknown_input. O(1), where nothing else is said, by string with
/// the length of the id. Calls come from one thread at a time.
class EncoderCache {
 public:
  /// An input of a request, `mm_features[i]`.
  struct Feature {
    std::string_view mm_hash;
    Embeds embeds = 0;  ///< 1 to `largest_size`
  };

  /// What `get_freed_mm_hashes` tells of an entry.
  struct Freed {
    HashHandle handle;
    std::string_view mm_hash;
  };

  /// An encode that the pass has ordered (`scheduled_encoder_inputs`).
  struct Order {
    HashHandle mm_hash;
    RequestHandle request;
    InputId input = 0;
    Embeds embeds = 0;
  };

  /// Who ordered `order.mm_hash` gave it up in the same pass, and `order.request` has it now.
  struct HandOver {
    RequestHandle from;
    InputId from_input = 0;
    Order order;
  };

  /// What a pass has ordered, in the order of the calls. Valid until the next `end_pass`.
  struct Pass {
    std::span<const Order> orders;
    std::span<const HandOver> hand_overs;
  };

  /// What a look-up finds. `promised`: a feature of that hash is chosen, so choosing this one too
  /// costs nothing.
  enum class Found : std::uint8_t { nothing, promised, cached };

  /// A cache without slots.
  EncoderCache();
  /// A cache of `cache_size` slots, 0 to `largest_size`: size_out_of_range.
  [[nodiscard]] static Result<EncoderCache> make(Embeds cache_size);

  EncoderCache(EncoderCache&&) noexcept;  ///< the other may only be assigned to, or end
  EncoderCache& operator=(EncoderCache&&) noexcept;
  ~EncoderCache();

  // -- requests --

  /// A request comes. Its strings are copied.
  /// Errors: duplicate_request, size_out_of_range. O(features).
  Result<RequestHandle> add_request(std::string_view id, std::span<const Feature> features);
  /// It is gone: all that it holds is freed, and its handle is stale.
  /// Requires: outside a pass, and nothing of it is chosen: wrong_time. O(features).
  Error remove_request(RequestHandle r);
  Error remove_request(std::string_view id);

  /// The handle of a request; one that every call refuses where there is none.
  [[nodiscard]] RequestHandle find_request(std::string_view id) const;
  /// Valid until the request is removed.
  [[nodiscard]] Result<std::string_view> request_id(RequestHandle r) const;
  /// The handle of a hash; not_cached where nothing knows of it.
  [[nodiscard]] Result<HashHandle> find_mm_hash(std::string_view mm_hash) const;
  /// Valid as long as the handle. Errors: not_cached, where that is stale.
  [[nodiscard]] Result<std::string_view> mm_hash(HashHandle h) const;

  // -- vLLM's operations --

  /// Whether the entry of an input is cached. If so, the request holds the input from here on, and
  /// the entry can't be evicted. Errors: wrong_size, where the entry is cached at another size.
  /// Upstream: `check_and_update_cache`.
  Result<bool> check_and_update_cache(RequestHandle r, InputId i);
  Result<bool> check_and_update_cache(std::string_view id, InputId i);

  /// Whether an input can have its slots beside `num_embeds_to_schedule` embeds (and what is
  /// chosen) that are planned but not allocated, within a compute budget, in embeds, of
  /// `encoder_compute_budget`. Where the answer is yes, they are free now: what nobody holds was
  /// evicted for them, what nobody wanted for longest first.
  /// Requires: both are 0 to `largest_size`: size_out_of_range; the entry is neither cached nor
  /// promised: already_cached. O(1) and O(1) for each entry evicted.
  /// Upstream: `can_allocate`.
  Result<bool> can_allocate(RequestHandle r, InputId i, Embeds encoder_compute_budget,
                            Embeds num_embeds_to_schedule);
  Result<bool> can_allocate(std::string_view id, InputId i, Embeds encoder_compute_budget,
                            Embeds num_embeds_to_schedule);

  /// Takes the slots of an input; the request holds it. In a pass, its encode is ordered.
  /// Requires: the entry is neither cached nor promised: already_cached; its slots are free, beside
  /// those of what is chosen: no_room (`can_allocate` makes them so).
  /// Upstream: `allocate`.
  Error allocate(RequestHandle r, InputId i);
  Error allocate(std::string_view id, InputId i);

  /// The inputs of a request whose entries are cached, held by it or not, ascending. Valid until
  /// the next call of this. O(features). Upstream: `get_cached_input_ids`.
  Result<std::span<const InputId>> get_cached_input_ids(RequestHandle r);
  Result<std::span<const InputId>> get_cached_input_ids(std::string_view id);

  /// The request does not need that input any more. The entry stays, and may be evicted once nobody
  /// holds it. Errors: not_held. O(1) amortised over the calls of a pass, where an order is handed
  /// over.
  /// Upstream: `free_encoder_input`, which lets a not_held pass.
  Error free_encoder_input(RequestHandle r, InputId i);
  Error free_encoder_input(std::string_view id, InputId i);

  /// The request needs none of its inputs any more; to hold none is no error. In a pass this takes
  /// its orders back, or hands them over. Requires: nothing of it is chosen: wrong_time.
  /// O(features).
  /// Upstream: `free`.
  Error free(RequestHandle r);
  Error free(std::string_view id);

  /// What was evicted since the last call and is not cached again, each once, in that order: the
  /// worker is to drop it. Valid, as are its handles, until the next call of this.
  /// Requires: outside a pass, where orders can't be taken back any more: wrong_time. O(answer).
  /// Upstream: `get_freed_mm_hashes`, at the end of `schedule()`.
  Result<std::span<const Freed>> get_freed_mm_hashes();

  /// Forgets every entry; requests stay, and hold nothing. The worker has to clear its store.
  /// Requires: outside a pass, and nothing is chosen: wrong_time. O(requests and entries).
  /// Upstream: `reset`.
  Error reset();

  [[nodiscard]] Embeds cache_size() const;
  [[nodiscard]] Embeds num_free_slots() const;      ///< that hold nothing
  [[nodiscard]] Embeds num_freeable_slots() const;  ///< free, or held by nobody

  // -- a pass: orders that can be taken back --

  /// Requires: outside a pass: wrong_time.
  Error begin_pass();
  /// What the pass has ordered; orders stand from here on. Requires: in a pass, and nothing is
  /// chosen: wrong_time. O(orders and hand-overs).
  Result<Pass> end_pass();
  [[nodiscard]] bool in_pass() const;
  /// Embeds of the orders of this pass that stand: what is spent of its compute budget.
  [[nodiscard]] Embeds num_ordered_embeds() const;

  // -- the promise: inputs that one request will take once it has its KV blocks --

  /// What a look-up would find; takes nothing. Errors: wrong_size.
  [[nodiscard]] Result<Found> look_up(RequestHandle r, InputId i) const;
  [[nodiscard]] Result<Found> look_up(std::string_view id, InputId i) const;
  /// An input that is not cached is chosen: its slots are promised, or shared with another input of
  /// that hash that is chosen.
  /// Requires: nothing of another request is chosen: wrong_time; the entry is not cached and this
  /// input not chosen: already_cached; what it shares is of its size: wrong_size; slots are free,
  /// beside those of what is chosen: no_room.
  /// Upstream: `encoder_inputs_to_schedule`.
  Error choose(RequestHandle r, InputId i);
  Error choose(std::string_view id, InputId i);
  /// What is chosen is allocated, in that order. Requires: nothing of another request is chosen:
  /// wrong_time. O(chosen).
  Error allocate_chosen(RequestHandle r);
  Error allocate_chosen(std::string_view id);
  /// No KV blocks: it is not. The same.
  Error forget_chosen(RequestHandle r);
  Error forget_chosen(std::string_view id);
  /// Slots that are promised.
  [[nodiscard]] Embeds num_promised_slots() const;

  // -- all of it, for tests, tools and who wants to look: these allocate --

  /// The entries that are cached, in no order. O(hashes known). Upstream: the keys of `cached`.
  [[nodiscard]] std::vector<HashHandle> cached() const;
  /// Those of them that nobody holds, the next to be evicted first. O(answer).
  /// Upstream: the keys of `freeable`.
  [[nodiscard]] std::vector<HashHandle> freeable() const;
  /// The requests that hold an input of that hash, in no order. O(requests and their features).
  /// Errors: not_cached. Upstream: `cached[mm_hash]`.
  [[nodiscard]] Result<std::vector<RequestHandle>> holders(HashHandle h) const;
  /// The inputs that a request holds, ascending. O(features).
  [[nodiscard]] Result<std::vector<InputId>> held(RequestHandle r) const;

  /// Ends the program with what is broken, if something is. After every call in builds with
  /// HOLDFAST_EXPENSIVE_CHECKS. O(everything).
  void check_invariants() const;

 private:
  struct Impl;

  template <class Answer>
  Answer checked(Answer answer) const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
