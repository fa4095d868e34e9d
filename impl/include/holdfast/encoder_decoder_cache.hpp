// The slots of encoder outputs of encoder-decoder models such as Whisper: vLLM's
// `EncoderDecoderCacheManager`, repaired.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "holdfast/encoder_cache.hpp"
#include "holdfast/types.hpp"

namespace holdfast {

/// How many encoder outputs may be made at once. Nothing is shared or looked up again: an output is
/// read in the step that encodes it. An input takes its slots when it is allocated, and gives them
/// back once, however often it is freed.
///
/// The interface is that of `EncoderCache`, and what is said there holds here: of handles and
/// strings, refused calls, memory, passes, complexity and threads. Said below is what differs.
class EncoderDecoderCache {
 public:
  using Feature = EncoderCache::Feature;
  using Freed = EncoderCache::Freed;
  using Order = EncoderCache::Order;
  /// Each request has orders of its own, so that none is ever handed over.
  using Pass = EncoderCache::Pass;
  using Found = EncoderCache::Found;

  EncoderDecoderCache();
  [[nodiscard]] static Result<EncoderDecoderCache> make(Embeds cache_size);
  EncoderDecoderCache(EncoderDecoderCache&&) noexcept;
  EncoderDecoderCache& operator=(EncoderDecoderCache&&) noexcept;
  ~EncoderDecoderCache();

  // -- requests --

  /// O(features, times the different hashes among them).
  Result<RequestHandle> add_request(std::string_view id, std::span<const Feature> features);
  Error remove_request(RequestHandle r);
  Error remove_request(std::string_view id) { return remove_request(find_request(id)); }

  [[nodiscard]] RequestHandle find_request(std::string_view id) const;
  [[nodiscard]] Result<std::string_view> request_id(RequestHandle r) const;
  [[nodiscard]] Result<HashHandle> find_mm_hash(std::string_view mm_hash) const;
  [[nodiscard]] Result<std::string_view> mm_hash(HashHandle h) const;

  // -- vLLM's operations --

  /// No: nothing is looked up. Upstream: `check_and_update_cache`.
  Result<bool> check_and_update_cache(RequestHandle r, InputId i);
  Result<bool> check_and_update_cache(std::string_view id, InputId i) {
    return check_and_update_cache(find_request(id), i);
  }

  /// Whether its slots are free, within the compute budget; nothing is evicted.
  /// Requires: both numbers are 0 to `largest_size`: size_out_of_range; the input is neither held
  /// nor chosen: already_held. Upstream: `can_allocate`.
  Result<bool> can_allocate(RequestHandle r, InputId i, Embeds encoder_compute_budget,
                            Embeds num_embeds_to_schedule);
  Result<bool> can_allocate(std::string_view id, InputId i, Embeds encoder_compute_budget,
                            Embeds num_embeds_to_schedule) {
    return can_allocate(find_request(id), i, encoder_compute_budget, num_embeds_to_schedule);
  }

  /// Requires: the input is neither held nor chosen: already_held; its slots are free, beside what
  /// is chosen: no_room. Upstream: `allocate`.
  Error allocate(RequestHandle r, InputId i);
  Error allocate(std::string_view id, InputId i) { return allocate(find_request(id), i); }

  /// All of them, as upstream. O(features). Upstream: `get_cached_input_ids`.
  Result<std::span<const InputId>> get_cached_input_ids(RequestHandle r);
  Result<std::span<const InputId>> get_cached_input_ids(std::string_view id) {
    return get_cached_input_ids(find_request(id));
  }

  /// Its slots are free again. In a pass, an order of that input is taken back; the compute budget
  /// is, too, when nobody is left who ordered its hash. Errors: not_held, so that nothing is given
  /// back twice (vLLM #55733). Upstream: `free_encoder_input`.
  Error free_encoder_input(RequestHandle r, InputId i);
  Error free_encoder_input(std::string_view id, InputId i) {
    return free_encoder_input(find_request(id), i);
  }
  /// All that it holds. Requires: nothing of it is chosen: wrong_time. O(features).
  /// Upstream: `free`.
  Error free(RequestHandle r);
  Error free(std::string_view id) { return free(find_request(id)); }

  /// What was allocated between the last two calls of this, and not since: the worker has encoded
  /// and read it, and is to drop it. So call it once a pass, behind `end_pass`. The rest as there.
  /// Upstream: `get_freed_mm_hashes`, which names also what was allocated again (vLLM #32789).
  Result<std::span<const Freed>> get_freed_mm_hashes();

  /// Requires: outside a pass, and nothing is chosen: wrong_time. Upstream: `reset`.
  Error reset();

  [[nodiscard]] Embeds cache_size() const;
  [[nodiscard]] Embeds num_free_slots() const;
  [[nodiscard]] Embeds num_freeable_slots() const;  ///< the same: nothing is kept

  // -- a pass --

  Error begin_pass();
  Result<Pass> end_pass();
  [[nodiscard]] bool in_pass() const;
  /// What is spent of the pass's compute budget: every order costs its embeds, and the last that
  /// leaves of one hash gives back those that were ordered last.
  [[nodiscard]] Embeds num_ordered_embeds() const;

  // -- the promise --

  /// Nothing, ever.
  [[nodiscard]] Result<Found> look_up(RequestHandle r, InputId i) const;
  [[nodiscard]] Result<Found> look_up(std::string_view id, InputId i) const {
    return look_up(find_request(id), i);
  }
  /// Requires: nothing of another request is chosen: wrong_time; the input is neither held nor
  /// chosen: already_held; slots are free, beside what is chosen: no_room.
  Error choose(RequestHandle r, InputId i);
  Error choose(std::string_view id, InputId i) { return choose(find_request(id), i); }
  Error allocate_chosen(RequestHandle r);
  Error allocate_chosen(std::string_view id) { return allocate_chosen(find_request(id)); }
  Error forget_chosen(RequestHandle r);
  Error forget_chosen(std::string_view id) { return forget_chosen(find_request(id)); }
  [[nodiscard]] Embeds num_promised_slots() const;

  /// The inputs that a request holds, ascending. It allocates. O(features).
  [[nodiscard]] Result<std::vector<InputId>> held(RequestHandle r) const;

  void check_invariants() const;

 private:
  struct Impl;

  template <class Answer>
  Answer checked(Answer answer) const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
