// Representation. `slots` says what is held, chosen and ordered (see there); this checks what
// callers hand in, and remembers
//   - `in_pass`: orders of `slots` stand only then; an allocation outside is ordered and over;
//   - `chooser`: the request whose inputs are chosen, `none` if none is;
//   - `freed`: the last notices, each pinned once;
//   - `requests`: its numbers are those of the holders of `slots`; the others have no inputs.
#include "holdfast/encoder_decoder_cache.hpp"

#include <vector>

#include "impl/assert.hpp"
#include "impl/input_slots.hpp"
#include "impl/interner.hpp"

namespace holdfast {

using impl::Index;
using impl::none;

struct EncoderDecoderCache::Impl {
  explicit Impl(Embeds capacity) : slots(capacity) {}

  impl::InputSlots slots;
  impl::Interner<RequestHandle> requests;
  bool in_pass = false;
  Index chooser = none;

  std::vector<Freed> freed;
  std::vector<InputId> all_inputs;
  std::vector<Order> pass_orders;

  // -- what callers can cause --

  [[nodiscard]] Error unknown(RequestHandle r) const {
    return requests.is_known(r) ? Error::none : Error::unknown_request;
  }
  [[nodiscard]] Error unknown(RequestHandle r, InputId i) const {
    if (!requests.is_known(r)) return Error::unknown_request;
    return i < slots.holder(r.index).inputs.size() ? Error::none : Error::unknown_input;
  }
  [[nodiscard]] bool others_have_chosen(RequestHandle r) const {
    return chooser != none && chooser != r.index;
  }

  // -- requests --

  Result<RequestHandle> add_request(std::string_view id, std::span<const Feature> features) {
    if (requests.find(id) != none) return Error::duplicate_request;
    for (const auto& f : features)
      if (f.embeds < 1 || f.embeds > largest_size) return Error::size_out_of_range;
    const Index n = requests.add(id);
    slots.add_holder(n, features);
    return requests.handle(n);
  }
  Error remove_request(RequestHandle r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (in_pass || chooser == r.index) return Error::wrong_time;
    slots.drop_all(r.index);
    slots.remove_holder(r.index);
    requests.forget(r.index);
    return Error::none;
  }

  // -- operations --

  Result<bool> check_and_update_cache(RequestHandle r, InputId i) const {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    return false;
  }
  Result<bool> can_allocate(RequestHandle r, InputId i, Embeds budget, Embeds planned) const {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    if (budget < 0 || budget > largest_size || planned < 0 || planned > largest_size)
      return Error::size_out_of_range;
    const auto& input = slots.input(r.index, i);
    if (input.is_held || input.is_chosen) return Error::already_held;
    return input.embeds <= budget && input.embeds + planned + slots.promised() <= slots.free();
  }
  Error allocate(RequestHandle r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    const auto& input = slots.input(r.index, i);
    if (input.is_held || input.is_chosen) return Error::already_held;
    if (input.embeds + slots.promised() > slots.free()) return Error::no_room;
    slots.take(r.index, i);
    if (!in_pass) slots.end_orders();
    return Error::none;
  }
  [[nodiscard]] Result<std::vector<InputId>> held(RequestHandle r) const {
    if (const Error e = unknown(r); e != Error::none) return e;
    std::vector<InputId> all;
    const auto& inputs = slots.holder(r.index).inputs;
    for (InputId i = 0; i < inputs.size(); ++i)
      if (inputs[i].is_held) all.push_back(i);
    return all;
  }
  Result<std::span<const InputId>> get_cached_input_ids(RequestHandle r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    all_inputs.clear();
    for (InputId i = 0; i < slots.holder(r.index).inputs.size(); ++i) all_inputs.push_back(i);
    return std::span<const InputId>(all_inputs);
  }
  Error free_encoder_input(RequestHandle r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    if (!slots.input(r.index, i).is_held) return Error::not_held;
    slots.drop(r.index, i);
    return Error::none;
  }
  Error free(RequestHandle r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (chooser == r.index) return Error::wrong_time;
    slots.drop_all(r.index);
    return Error::none;
  }
  Result<std::span<const Freed>> get_freed_mm_hashes() {
    if (in_pass) return Error::wrong_time;
    for (const auto& f : freed) slots.unpin(f.handle.index);
    freed.clear();
    const auto& hashes = slots.hashes();
    slots.take_freed([&](Index n) { freed.push_back({hashes.handle(n), hashes.name(n)}); });
    return std::span<const Freed>(freed);
  }
  Error reset() {
    if (in_pass || chooser != none) return Error::wrong_time;
    slots.reset();
    return Error::none;
  }

  // -- the pass --

  Error begin_pass() {
    if (in_pass) return Error::wrong_time;
    in_pass = true;
    return Error::none;
  }
  Result<Pass> end_pass() {
    if (!in_pass || chooser != none) return Error::wrong_time;
    pass_orders.clear();
    for (const auto& o : slots.orders()) {
      if (o.is_withdrawn) continue;
      const auto& input = slots.input(o.request, o.input);
      pass_orders.push_back(
          {slots.hashes().handle(input.entry), requests.handle(o.request), o.input, input.embeds});
    }
    slots.end_orders();
    in_pass = false;
    return Pass{pass_orders, {}};
  }

  // -- the promise --

  [[nodiscard]] Result<Found> look_up(RequestHandle r, InputId i) const {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    return Found::nothing;
  }
  Error choose(RequestHandle r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    if (others_have_chosen(r)) return Error::wrong_time;
    const auto& input = slots.input(r.index, i);
    if (input.is_held || input.is_chosen) return Error::already_held;
    if (input.embeds + slots.promised() > slots.free()) return Error::no_room;
    slots.choose(r.index, i);
    chooser = r.index;
    return Error::none;
  }
  Error allocate_chosen(RequestHandle r) { return settle(r, true); }
  Error forget_chosen(RequestHandle r) { return settle(r, false); }
  Error settle(RequestHandle r, bool is_taken) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (others_have_chosen(r)) return Error::wrong_time;
    slots.settle(r.index, is_taken);
    if (!in_pass) slots.end_orders();
    chooser = none;
    return Error::none;
  }

  void check_invariants() const {
    slots.check_invariants();
    const auto check = [](bool holds, const char* says) {
      if (!holds) impl::assertion_broken(__FILE__, __LINE__, "check_invariants", says);
    };
    check(in_pass || slots.orders().empty(), "orders stand in a pass only");
    check((chooser == none) == slots.chosen().empty(), "who has chosen is known");
    for (const InputId i : slots.chosen())
      check(slots.input(chooser, i).is_chosen, "what is chosen is its chooser's");
    for (const auto& f : freed)
      check(slots.entry(f.handle.index).pins == 1, "a notice is pinned once");
    for (Index n = 0; n < slots.num_holders(); ++n)
      check(requests.is_known(requests.handle(n)) || slots.holder(n).inputs.empty(),
            "who is gone has nothing");
  }
};

template <class Answer>
Answer EncoderDecoderCache::checked(Answer answer) const {
  if constexpr (impl::expensive_checks) impl_->check_invariants();
  return answer;
}

EncoderDecoderCache::EncoderDecoderCache() : impl_(std::make_unique<Impl>(0)) {}
Result<EncoderDecoderCache> EncoderDecoderCache::make(Embeds cache_size) {
  if (cache_size < 0 || cache_size > largest_size) return Error::size_out_of_range;
  EncoderDecoderCache cache;
  cache.impl_ = std::make_unique<Impl>(cache_size);
  return cache;
}
EncoderDecoderCache::EncoderDecoderCache(EncoderDecoderCache&&) noexcept = default;
EncoderDecoderCache& EncoderDecoderCache::operator=(EncoderDecoderCache&&) noexcept = default;
EncoderDecoderCache::~EncoderDecoderCache() = default;

Result<RequestHandle> EncoderDecoderCache::add_request(std::string_view id,
                                                       std::span<const Feature> features) {
  return checked(impl_->add_request(id, features));
}
Error EncoderDecoderCache::remove_request(RequestHandle r) {
  return checked(impl_->remove_request(r));
}

RequestHandle EncoderDecoderCache::find_request(std::string_view id) const {
  const Index n = impl_->requests.find(id);
  return n == none ? RequestHandle{} : impl_->requests.handle(n);
}
Result<std::string_view> EncoderDecoderCache::request_id(RequestHandle r) const {
  if (!impl_->requests.is_known(r)) return Error::unknown_request;
  return impl_->requests.name(r.index);
}
Result<HashHandle> EncoderDecoderCache::find_mm_hash(std::string_view mm_hash) const {
  const Index n = impl_->slots.hashes().find(mm_hash);
  if (n == none) return Error::not_cached;
  return impl_->slots.hashes().handle(n);
}
Result<std::string_view> EncoderDecoderCache::mm_hash(HashHandle h) const {
  if (!impl_->slots.hashes().is_known(h)) return Error::not_cached;
  return impl_->slots.hashes().name(h.index);
}

Result<bool> EncoderDecoderCache::check_and_update_cache(RequestHandle r, InputId i) {
  return checked(impl_->check_and_update_cache(r, i));
}
Result<bool> EncoderDecoderCache::can_allocate(RequestHandle r, InputId i,
                                               Embeds encoder_compute_budget,
                                               Embeds num_embeds_to_schedule) {
  return checked(impl_->can_allocate(r, i, encoder_compute_budget, num_embeds_to_schedule));
}
Error EncoderDecoderCache::allocate(RequestHandle r, InputId i) {
  return checked(impl_->allocate(r, i));
}
Result<std::span<const InputId>> EncoderDecoderCache::get_cached_input_ids(RequestHandle r) {
  return checked(impl_->get_cached_input_ids(r));
}
Error EncoderDecoderCache::free_encoder_input(RequestHandle r, InputId i) {
  return checked(impl_->free_encoder_input(r, i));
}
Error EncoderDecoderCache::free(RequestHandle r) { return checked(impl_->free(r)); }
Result<std::span<const EncoderDecoderCache::Freed>> EncoderDecoderCache::get_freed_mm_hashes() {
  return checked(impl_->get_freed_mm_hashes());
}
Error EncoderDecoderCache::reset() { return checked(impl_->reset()); }

Embeds EncoderDecoderCache::cache_size() const { return impl_->slots.capacity(); }
Embeds EncoderDecoderCache::num_free_slots() const { return impl_->slots.free(); }
Embeds EncoderDecoderCache::num_freeable_slots() const { return impl_->slots.free(); }

Error EncoderDecoderCache::begin_pass() { return checked(impl_->begin_pass()); }
Result<EncoderDecoderCache::Pass> EncoderDecoderCache::end_pass() {
  return checked(impl_->end_pass());
}
bool EncoderDecoderCache::in_pass() const { return impl_->in_pass; }
Embeds EncoderDecoderCache::num_ordered_embeds() const { return impl_->slots.ordered(); }

Result<EncoderDecoderCache::Found> EncoderDecoderCache::look_up(RequestHandle r, InputId i) const {
  return impl_->look_up(r, i);
}
Error EncoderDecoderCache::choose(RequestHandle r, InputId i) {
  return checked(impl_->choose(r, i));
}
Error EncoderDecoderCache::allocate_chosen(RequestHandle r) {
  return checked(impl_->allocate_chosen(r));
}
Error EncoderDecoderCache::forget_chosen(RequestHandle r) {
  return checked(impl_->forget_chosen(r));
}
Embeds EncoderDecoderCache::num_promised_slots() const { return impl_->slots.promised(); }

Result<std::vector<InputId>> EncoderDecoderCache::held(RequestHandle r) const {
  return impl_->held(r);
}

void EncoderDecoderCache::check_invariants() const { impl_->check_invariants(); }

}  // namespace holdfast
