// Representation. `entries` says what is cached, held, chosen and ordered (see there); this checks
// what callers hand in, and remembers
//   - `in_pass`: orders of `entries` stand only then; an allocation outside orders nothing;
//   - `chooser`: the request whose features are chosen, `none` if none is;
//   - `freed`: the last notices, each pinned once;
//   - `requests`: its numbers are those of the holders of `entries`; the others hold nothing and
//     have no features. No number is given anew in a pass, as orders and hand-overs name it.
// What is handed out as a span lies in a member of its own, which keeps its memory.
#include "holdfast/encoder_cache.hpp"

#include <algorithm>
#include <vector>

#include "impl/assert.hpp"
#include "impl/entries.hpp"
#include "impl/interner.hpp"

namespace holdfast {

using impl::Index;
using impl::Lookup;
using impl::none;

struct EncoderCache::Impl {
  explicit Impl(Embeds capacity) : entries(capacity) {}

  impl::Entries entries;
  impl::Interner<RequestHandle> requests;
  bool in_pass = false;
  Index chooser = none;

  std::vector<Freed> freed;
  std::vector<InputId> cached;
  std::vector<Order> orders;
  std::vector<HandOver> hand_overs;

  // -- what callers can cause --

  /// The number of a request, `none` where there is no such request.
  [[nodiscard]] Index number(RequestHandle r) const {
    return requests.is_known(r) ? r.index : none;
  }
  [[nodiscard]] Index number(std::string_view id) const { return requests.find(id); }

  [[nodiscard]] static Error unknown(Index r) {
    return r != none ? Error::none : Error::unknown_request;
  }
  [[nodiscard]] Error unknown(Index r, InputId i) const {
    if (r == none) [[unlikely]]
      return Error::unknown_request;
    if (i >= entries.holder(r).size) [[unlikely]]
      return Error::unknown_input;
    return Error::none;
  }
  [[nodiscard]] const impl::Feature& feature(Index r, InputId i) const {
    return entries.holder(r).features[i];
  }
  [[nodiscard]] bool others_have_chosen(Index r) const { return chooser != none && chooser != r; }

  // -- operations --

  Result<RequestHandle> add_request(std::string_view id, std::span<const Feature> features) {
    if (requests.find(id) != none) return Error::duplicate_request;
    for (const auto& f : features)
      if (f.embeds < 1 || f.embeds > largest_size) return Error::size_out_of_range;
    const Index n = requests.add(id);
    entries.add_holder(n, features);
    return requests.handle(n);
  }
  Error remove_request(Index r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (in_pass || chooser == r) return Error::wrong_time;
    entries.drop_all(r);
    entries.remove_holder(r);
    requests.forget(r);
    return Error::none;
  }

  Result<bool> check_and_update_cache(Index r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    const impl::Feature& f = feature(r, i);
    const Embeds cached_embeds = entries.entry(f.entry).embeds;
    if (cached_embeds == 0) return false;
    if (cached_embeds != f.embeds) return Error::wrong_size;
    entries.hold(r, i);
    return true;
  }
  Result<bool> can_allocate(Index r, InputId i, Embeds budget, Embeds planned) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    if (budget < 0 || budget > largest_size || planned < 0 || planned > largest_size)
      return Error::size_out_of_range;
    const impl::Feature& f = feature(r, i);
    const impl::Entry& entry = entries.entry(f.entry);
    if (entry.embeds + entry.promised > 0) return Error::already_cached;
    if (f.embeds > budget) return false;
    const Embeds wanted = f.embeds + planned + entries.promised();
    if (wanted > entries.reclaimable()) return false;
    while (wanted > entries.free()) entries.evict_oldest();
    return true;
  }
  Error allocate(Index r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    const impl::Feature& f = feature(r, i);
    const impl::Entry& entry = entries.entry(f.entry);
    if (entry.embeds + entry.promised > 0) return Error::already_cached;
    if (f.embeds + entries.promised() > entries.free()) return Error::no_room;
    if (in_pass)
      entries.allocate(r, i);
    else
      entries.take_slots(r, i);
    return Error::none;
  }
  Result<std::span<const InputId>> get_cached_input_ids(Index r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    cached.clear();
    const auto features = entries.holder(r).all();
    for (InputId i = 0; i < features.size(); ++i)
      if (entries.entry(features[i].entry).embeds > 0) cached.push_back(i);
    return std::span<const InputId>(cached);
  }
  [[nodiscard]] std::vector<HashHandle> all_cached() const {
    std::vector<HashHandle> all;
    for (Index n = 0; n < entries.bound(); ++n)
      if (entries.entry(n).embeds > 0) all.push_back(entries.hashes().handle(n));
    return all;
  }
  [[nodiscard]] std::vector<HashHandle> freeable() const {
    std::vector<HashHandle> all;
    for (Index n = entries.oldest(); n != none; n = entries.next_oldest(n))
      all.push_back(entries.hashes().handle(n));
    return all;
  }
  [[nodiscard]] Result<std::vector<RequestHandle>> holders(HashHandle h) const {
    if (!entries.hashes().is_known(h) || entries.entry(h.index).embeds == 0)
      return Error::not_cached;
    std::vector<RequestHandle> all;
    for (Index n = 0; n < entries.num_holders(); ++n) {
      const auto holds = [&](const impl::Feature& f) { return f.entry == h.index && f.is_held; };
      const auto features = entries.holder(n).all();
      if (std::any_of(features.begin(), features.end(), holds)) all.push_back(requests.handle(n));
    }
    return all;
  }
  [[nodiscard]] Result<std::vector<InputId>> held(Index r) const {
    if (const Error e = unknown(r); e != Error::none) return e;
    std::vector<InputId> all;
    const auto features = entries.holder(r).all();
    for (InputId i = 0; i < features.size(); ++i)
      if (features[i].is_held) all.push_back(i);
    return all;
  }
  Error free_encoder_input(Index r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    if (!feature(r, i).is_held) return Error::not_held;
    entries.drop(r, i);
    return Error::none;
  }
  Error free(Index r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (chooser == r) return Error::wrong_time;
    entries.drop_all(r);
    return Error::none;
  }
  Result<std::span<const Freed>> get_freed_mm_hashes() {
    if (in_pass) return Error::wrong_time;
    for (const auto& f : freed) entries.unpin(f.handle.index);
    freed.clear();
    const auto& hashes = entries.hashes();
    entries.take_freed([&](Index n) { freed.push_back({hashes.handle(n), hashes.name(n)}); });
    return std::span<const Freed>(freed);
  }
  Error reset() {
    if (in_pass || chooser != none) return Error::wrong_time;
    entries.reset();
    return Error::none;
  }

  // -- the pass --

  [[nodiscard]] Order order_of(const impl::Order& o) const {
    return {entries.hashes().handle(o.entry), requests.handle(o.request), o.input,
            entries.entry(o.entry).embeds};
  }
  Error begin_pass() {
    if (in_pass) return Error::wrong_time;
    in_pass = true;
    return Error::none;
  }
  Result<Pass> end_pass() {
    if (!in_pass || chooser != none) return Error::wrong_time;
    orders.clear();
    hand_overs.clear();
    for (const auto& o : entries.orders())
      if (!o.is_withdrawn) orders.push_back(order_of(o));
    for (const auto& h : entries.hand_overs()) {
      const impl::Order& o = entries.orders()[h.order];
      if (!o.is_withdrawn)
        hand_overs.push_back({requests.handle(h.from), h.from_input, order_of(o)});
    }
    entries.end_orders();
    in_pass = false;
    return Pass{orders, hand_overs};
  }

  // -- the promise --

  [[nodiscard]] Result<Found> look_up(Index r, InputId i) const {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    switch (entries.look_up(r, i)) {
      case Lookup::miss: return Found::nothing;
      case Lookup::wrong_size: return Error::wrong_size;
      case Lookup::hit: break;
    }
    return entries.entry(feature(r, i).entry).embeds > 0 ? Found::cached : Found::promised;
  }
  Error choose(Index r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    if (others_have_chosen(r)) return Error::wrong_time;
    const impl::Feature& f = feature(r, i);
    const impl::Entry& entry = entries.entry(f.entry);
    if (entry.embeds > 0 || f.is_chosen) return Error::already_cached;
    if (entry.promised > 0 && entry.promised != f.embeds) return Error::wrong_size;
    if (entry.promised == 0 && f.embeds + entries.promised() > entries.free())
      return Error::no_room;
    entries.choose(r, i);
    chooser = r;
    return Error::none;
  }
  Error allocate_chosen(Index r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (others_have_chosen(r)) return Error::wrong_time;
    entries.allocate_chosen(r);
    if (!in_pass) entries.end_orders();
    chooser = none;
    return Error::none;
  }
  Error forget_chosen(Index r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (others_have_chosen(r)) return Error::wrong_time;
    entries.forget_chosen(r);
    chooser = none;
    return Error::none;
  }

  void check_invariants() const {
    entries.check_invariants();
    const auto check = [](bool holds, const char* says) {
      if (!holds) impl::assertion_broken(__FILE__, __LINE__, "check_invariants", says);
    };
    check(in_pass || entries.orders().empty(), "orders stand in a pass only");
    check((chooser == none) == entries.chosen().empty(), "who has chosen is known");
    for (const InputId i : entries.chosen())
      check(entries.holder(chooser).features[i].is_chosen, "what is chosen is its chooser's");
    for (const auto& f : freed) {
      check(entries.hashes().is_known(f.handle), "a notice names what is known");
      check(entries.entry(f.handle.index).pins == 1, "a notice is pinned once");
    }
    for (Index n = 0; n < entries.num_holders(); ++n)
      check(requests.is_known(requests.handle(n)) || entries.holder(n).size == 0,
            "who is gone has nothing");
  }
};

template <class Answer>
Answer EncoderCache::checked(Answer answer) const {
  if constexpr (impl::expensive_checks) impl_->check_invariants();
  return answer;
}

EncoderCache::EncoderCache() : impl_(std::make_unique<Impl>(0)) {}
Result<EncoderCache> EncoderCache::make(Embeds cache_size) {
  if (cache_size < 0 || cache_size > largest_size) return Error::size_out_of_range;
  EncoderCache cache;
  cache.impl_ = std::make_unique<Impl>(cache_size);
  return cache;
}
EncoderCache::EncoderCache(EncoderCache&&) noexcept = default;
EncoderCache& EncoderCache::operator=(EncoderCache&&) noexcept = default;
EncoderCache::~EncoderCache() = default;

Result<RequestHandle> EncoderCache::add_request(std::string_view id,
                                                std::span<const Feature> features) {
  return checked(impl_->add_request(id, features));
}
Error EncoderCache::remove_request(RequestHandle r) {
  return checked(impl_->remove_request(impl_->number(r)));
}
Error EncoderCache::remove_request(std::string_view id) {
  return checked(impl_->remove_request(impl_->number(id)));
}

RequestHandle EncoderCache::find_request(std::string_view id) const {
  const Index n = impl_->requests.find(id);
  return n == none ? RequestHandle{} : impl_->requests.handle(n);
}
Result<std::string_view> EncoderCache::request_id(RequestHandle r) const {
  if (!impl_->requests.is_known(r)) return Error::unknown_request;
  return impl_->requests.name(r.index);
}
Result<HashHandle> EncoderCache::find_mm_hash(std::string_view mm_hash) const {
  const Index n = impl_->entries.hashes().find(mm_hash);
  if (n == none) return Error::not_cached;
  return impl_->entries.hashes().handle(n);
}
Result<std::string_view> EncoderCache::mm_hash(HashHandle h) const {
  if (!impl_->entries.hashes().is_known(h)) return Error::not_cached;
  return impl_->entries.hashes().name(h.index);
}

Result<bool> EncoderCache::check_and_update_cache(RequestHandle r, InputId i) {
  return checked(impl_->check_and_update_cache(impl_->number(r), i));
}
Result<bool> EncoderCache::check_and_update_cache(std::string_view id, InputId i) {
  return checked(impl_->check_and_update_cache(impl_->number(id), i));
}
Result<bool> EncoderCache::can_allocate(RequestHandle r, InputId i, Embeds encoder_compute_budget,
                                        Embeds num_embeds_to_schedule) {
  return checked(
      impl_->can_allocate(impl_->number(r), i, encoder_compute_budget, num_embeds_to_schedule));
}
Result<bool> EncoderCache::can_allocate(std::string_view id, InputId i,
                                        Embeds encoder_compute_budget,
                                        Embeds num_embeds_to_schedule) {
  return checked(
      impl_->can_allocate(impl_->number(id), i, encoder_compute_budget, num_embeds_to_schedule));
}
Error EncoderCache::allocate(RequestHandle r, InputId i) {
  return checked(impl_->allocate(impl_->number(r), i));
}
Error EncoderCache::allocate(std::string_view id, InputId i) {
  return checked(impl_->allocate(impl_->number(id), i));
}
Result<std::span<const InputId>> EncoderCache::get_cached_input_ids(RequestHandle r) {
  return checked(impl_->get_cached_input_ids(impl_->number(r)));
}
Result<std::span<const InputId>> EncoderCache::get_cached_input_ids(std::string_view id) {
  return checked(impl_->get_cached_input_ids(impl_->number(id)));
}
Error EncoderCache::free_encoder_input(RequestHandle r, InputId i) {
  return checked(impl_->free_encoder_input(impl_->number(r), i));
}
Error EncoderCache::free_encoder_input(std::string_view id, InputId i) {
  return checked(impl_->free_encoder_input(impl_->number(id), i));
}
Error EncoderCache::free(RequestHandle r) { return checked(impl_->free(impl_->number(r))); }
Error EncoderCache::free(std::string_view id) { return checked(impl_->free(impl_->number(id))); }
Result<std::span<const EncoderCache::Freed>> EncoderCache::get_freed_mm_hashes() {
  return checked(impl_->get_freed_mm_hashes());
}
Error EncoderCache::reset() { return checked(impl_->reset()); }

Embeds EncoderCache::cache_size() const { return impl_->entries.capacity(); }
Embeds EncoderCache::num_free_slots() const { return impl_->entries.free(); }
Embeds EncoderCache::num_freeable_slots() const { return impl_->entries.reclaimable(); }

Error EncoderCache::begin_pass() { return checked(impl_->begin_pass()); }
Result<EncoderCache::Pass> EncoderCache::end_pass() { return checked(impl_->end_pass()); }
bool EncoderCache::in_pass() const { return impl_->in_pass; }
Embeds EncoderCache::num_ordered_embeds() const { return impl_->entries.ordered(); }

Result<EncoderCache::Found> EncoderCache::look_up(RequestHandle r, InputId i) const {
  return impl_->look_up(impl_->number(r), i);
}
Result<EncoderCache::Found> EncoderCache::look_up(std::string_view id, InputId i) const {
  return impl_->look_up(impl_->number(id), i);
}
Error EncoderCache::choose(RequestHandle r, InputId i) {
  return checked(impl_->choose(impl_->number(r), i));
}
Error EncoderCache::choose(std::string_view id, InputId i) {
  return checked(impl_->choose(impl_->number(id), i));
}
Error EncoderCache::allocate_chosen(RequestHandle r) {
  return checked(impl_->allocate_chosen(impl_->number(r)));
}
Error EncoderCache::allocate_chosen(std::string_view id) {
  return checked(impl_->allocate_chosen(impl_->number(id)));
}
Error EncoderCache::forget_chosen(RequestHandle r) {
  return checked(impl_->forget_chosen(impl_->number(r)));
}
Error EncoderCache::forget_chosen(std::string_view id) {
  return checked(impl_->forget_chosen(impl_->number(id)));
}
Embeds EncoderCache::num_promised_slots() const { return impl_->entries.promised(); }

std::vector<HashHandle> EncoderCache::cached() const { return impl_->all_cached(); }
std::vector<HashHandle> EncoderCache::freeable() const { return impl_->freeable(); }
Result<std::vector<RequestHandle>> EncoderCache::holders(HashHandle h) const {
  return impl_->holders(h);
}
Result<std::vector<InputId>> EncoderCache::held(RequestHandle r) const {
  return impl_->held(impl_->number(r));
}

void EncoderCache::check_invariants() const { impl_->check_invariants(); }

}  // namespace holdfast
