// Representation. Nothing is shared: what is held is an input of a request, with slots of its own.
//   - free = C - the embeds of all inputs that are held; promised = those of the inputs chosen.
//   - An occurrence is `of_pass` if its encode was ordered in this pass; its order stands while it
//     is held. A reference (all occurrences of one hash in one request) is `of_pass` from its first
//     order of this pass until its last occurrence is freed; an entry counts those references, and
//     `pending` is its embeds as ordered last, 0 once nobody references it [spec: refs, pending].
//   - `ordered` is what the pass has spent of its budget: every order costs its embeds, and the
//     last one that leaves gives `pending` back.
//   - `allocated`: hashes that were ordered since the last notice, each once; `due`: those of which
//     the next notice tells, unless they are `allocated` again [spec: evicted].
//   - A hash is known while a feature has it, `allocated` or `due` list it, or the last notice
//     pins it.
#include "holdfast/encoder_decoder_cache.hpp"

#include <utility>
#include <vector>

#include "impl/assert.hpp"
#include "impl/interner.hpp"

namespace holdfast {

using impl::Index;
using impl::none;

struct EncoderDecoderCache::Impl {
  struct Entry {
    Index features = 0, pins = 0;
    Index references = 0;  ///< of this pass
    Embeds pending = 0;
    bool is_allocated = false, is_due = false;
  };
  struct Reference {
    Index entry = none;
    Index held = 0;
    bool is_of_pass = false;
  };
  struct Input {
    Embeds embeds = 0;
    Index entry = none, reference = none;
    Index order = none;  ///< of this pass, while it stands
    bool is_held = false, is_chosen = false;
  };
  struct Holder {
    std::vector<Input> inputs;
    std::vector<Reference> references;
  };
  struct Ordered {
    Index request = none;
    InputId input = 0;
    bool is_withdrawn = false;
  };

  explicit Impl(Embeds size) : capacity(size), free_slots(size) {}

  Embeds capacity, free_slots, promised = 0, ordered = 0;
  bool in_pass = false;
  Index chooser = none;
  std::vector<InputId> chosen;
  std::vector<Ordered> orders;
  std::vector<Index> allocated, due;

  impl::Interner<RequestHandle> requests;
  impl::Interner<HashHandle> hashes;
  std::vector<Holder> holders;
  std::vector<Entry> entries;

  std::vector<Freed> freed;
  std::vector<InputId> all_inputs;
  std::vector<Order> pass_orders;

  // -- what callers can cause --

  [[nodiscard]] Error unknown(RequestHandle r) const {
    return requests.is_known(r) ? Error::none : Error::unknown_request;
  }
  [[nodiscard]] Error unknown(RequestHandle r, InputId i) const {
    if (!requests.is_known(r)) return Error::unknown_request;
    return i < holders[r.index].inputs.size() ? Error::none : Error::unknown_input;
  }
  [[nodiscard]] bool others_have_chosen(RequestHandle r) const {
    return chooser != none && chooser != r.index;
  }

  // -- requests and hashes --

  Index intern(std::string_view hash) {
    if (const Index known = hashes.find(hash); known != none) return known;
    const Index n = hashes.add(hash);
    if (n >= entries.size()) entries.resize(n + 1);
    entries[n] = {};
    return n;
  }
  void forget_if_unused(Index n) {
    const Entry& e = entries[n];
    if (e.features == 0 && e.pins == 0 && !e.is_allocated && !e.is_due) hashes.forget(n);
  }
  /// Which reference of the holder is of that entry; a new one if none is. Requests of this manager
  /// have few inputs.
  static Index reference_of(Holder& holder, Index entry) {
    for (Index n = 0; n < holder.references.size(); ++n)
      if (holder.references[n].entry == entry) return n;
    holder.references.push_back({entry});
    return static_cast<Index>(holder.references.size() - 1);
  }
  Result<RequestHandle> add_request(std::string_view id, std::span<const Feature> features) {
    if (requests.find(id) != none) return Error::duplicate_request;
    for (const auto& f : features)
      if (f.embeds < 1 || f.embeds > largest_size) return Error::size_out_of_range;
    const Index n = requests.add(id);
    if (n >= holders.size()) holders.resize(n + 1);
    for (const auto& f : features) {
      const Index entry = intern(f.mm_hash);
      ++entries[entry].features;
      holders[n].inputs.push_back({f.embeds, entry, reference_of(holders[n], entry)});
    }
    return requests.handle(n);
  }
  Error remove_request(RequestHandle r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (in_pass || chooser == r.index) return Error::wrong_time;
    drop_all(r.index);
    Holder& holder = holders[r.index];
    for (const auto& input : holder.inputs) {
      --entries[input.entry].features;
      forget_if_unused(input.entry);
    }
    holder.inputs.clear();
    holder.references.clear();
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
    const Input& input = holders[r.index].inputs[i];
    if (input.is_held || input.is_chosen) return Error::already_held;
    return input.embeds <= budget && input.embeds + planned + promised <= free_slots;
  }
  Error allocate(RequestHandle r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    const Input& input = holders[r.index].inputs[i];
    if (input.is_held || input.is_chosen) return Error::already_held;
    if (input.embeds + promised > free_slots) return Error::no_room;
    take(r.index, i);
    return Error::none;
  }
  void take(Index r, InputId i) {
    Input& input = holders[r].inputs[i];
    Reference& reference = holders[r].references[input.reference];
    Entry& e = entries[input.entry];
    free_slots -= input.embeds;
    input.is_held = true;
    ++reference.held;
    if (!in_pass) {
      remember_allocated(input.entry);
      return;
    }
    if (!reference.is_of_pass) ++e.references;
    reference.is_of_pass = true;
    e.pending = input.embeds;
    ordered += input.embeds;
    input.order = static_cast<Index>(orders.size());
    orders.push_back({r, i});
  }
  void remember_allocated(Index n) {
    if (entries[n].is_allocated) return;
    entries[n].is_allocated = true;
    allocated.push_back(n);
  }
  /// [spec: EncdecDrop]
  void drop(Index r, InputId i) {
    Input& input = holders[r].inputs[i];
    Reference& reference = holders[r].references[input.reference];
    Entry& e = entries[input.entry];
    free_slots += input.embeds;
    input.is_held = false;
    if (input.order != none) orders[input.order].is_withdrawn = true;
    input.order = none;
    if (--reference.held > 0 || !reference.is_of_pass) return;
    reference.is_of_pass = false;
    if (--e.references > 0) return;
    ordered -= e.pending;
    e.pending = 0;
  }
  void drop_all(Index r) {
    for (InputId i = 0; i < holders[r].inputs.size(); ++i)
      if (holders[r].inputs[i].is_held) drop(r, i);
  }
  [[nodiscard]] Result<std::vector<InputId>> held(RequestHandle r) const {
    if (const Error e = unknown(r); e != Error::none) return e;
    std::vector<InputId> all;
    const auto& inputs = holders[r.index].inputs;
    for (InputId i = 0; i < inputs.size(); ++i)
      if (inputs[i].is_held) all.push_back(i);
    return all;
  }
  Result<std::span<const InputId>> get_cached_input_ids(RequestHandle r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    all_inputs.clear();
    for (InputId i = 0; i < holders[r.index].inputs.size(); ++i) all_inputs.push_back(i);
    return std::span<const InputId>(all_inputs);
  }
  Error free_encoder_input(RequestHandle r, InputId i) {
    if (const Error e = unknown(r, i); e != Error::none) return e;
    if (!holders[r.index].inputs[i].is_held) return Error::not_held;
    drop(r.index, i);
    return Error::none;
  }
  Error free(RequestHandle r) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (chooser == r.index) return Error::wrong_time;
    drop_all(r.index);
    return Error::none;
  }
  /// [spec: EncdecEndPass]
  Result<std::span<const Freed>> get_freed_mm_hashes() {
    if (in_pass) return Error::wrong_time;
    unpin_notices();
    for (const Index n : due) {
      entries[n].is_due = false;
      if (entries[n].is_allocated) continue;
      ++entries[n].pins;
      freed.push_back({hashes.handle(n), hashes.name(n)});
    }
    due.clear();
    std::swap(due, allocated);
    for (const Index n : due) {
      entries[n].is_allocated = false;
      entries[n].is_due = true;
    }
    return std::span<const Freed>(freed);
  }
  void unpin_notices() {
    for (const auto& f : freed) {
      --entries[f.handle.index].pins;
      forget_if_unused(f.handle.index);
    }
    freed.clear();
  }
  Error reset() {
    if (in_pass || chooser != none) return Error::wrong_time;
    for (auto& holder : holders) {
      for (auto& input : holder.inputs) input.is_held = false;
      for (auto& reference : holder.references) reference.held = 0;
    }
    for (auto* list : {&allocated, &due}) {
      for (const Index n : *list) {
        bool& is_listed = list == &due ? entries[n].is_due : entries[n].is_allocated;
        is_listed = false;
        forget_if_unused(n);
      }
      list->clear();
    }
    free_slots = capacity;
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
    for (const auto& o : orders) {
      Input& input = holders[o.request].inputs[o.input];
      Entry& e = entries[input.entry];
      if (!o.is_withdrawn)
        pass_orders.push_back(
            {hashes.handle(input.entry), requests.handle(o.request), o.input, input.embeds});
      // What was taken back may leave a reference of the pass: another occurrence of its hash.
      if (e.pending > 0) remember_allocated(input.entry);
      input.order = none;
      holders[o.request].references[input.reference].is_of_pass = false;
      e.references = 0;
      e.pending = 0;
    }
    orders.clear();
    ordered = 0;
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
    Input& input = holders[r.index].inputs[i];
    if (input.is_held || input.is_chosen) return Error::already_held;
    if (input.embeds + promised > free_slots) return Error::no_room;
    input.is_chosen = true;
    promised += input.embeds;
    chosen.push_back(i);
    chooser = r.index;
    return Error::none;
  }
  Error allocate_chosen(RequestHandle r) { return settle(r, true); }
  Error forget_chosen(RequestHandle r) { return settle(r, false); }
  Error settle(RequestHandle r, bool is_taken) {
    if (const Error e = unknown(r); e != Error::none) return e;
    if (others_have_chosen(r)) return Error::wrong_time;
    for (const InputId i : chosen) {
      Input& input = holders[r.index].inputs[i];
      input.is_chosen = false;
      promised -= input.embeds;
      if (is_taken) take(r.index, i);
    }
    chosen.clear();
    chooser = none;
    return Error::none;
  }

  void check_invariants() const;
};

namespace {

void check(bool holds, const char* says) {
  if (!holds) impl::assertion_broken(__FILE__, __LINE__, "check_invariants", says);
}

}  // namespace

void EncoderDecoderCache::Impl::check_invariants() const {
  std::vector<Index> features(entries.size()), references(entries.size());
  Embeds held = 0, will_be = 0;
  std::size_t num_chosen = 0, num_orders = 0, standing = 0;
  for (const auto& holder : holders) {
    std::vector<Index> occurrences(holder.references.size());
    for (const auto& input : holder.inputs) {
      check(!(input.is_held && input.is_chosen), "what is chosen is not held");
      check(input.order == none || (in_pass && input.is_held), "an order stands while it is held");
      ++features[input.entry];
      held += input.is_held ? input.embeds : 0;
      will_be += input.is_chosen ? input.embeds : 0;
      num_chosen += input.is_chosen ? 1 : 0;
      num_orders += input.order != none ? 1 : 0;
      occurrences[input.reference] += input.is_held ? 1 : 0;
    }
    for (Index n = 0; n < occurrences.size(); ++n) {
      const Reference& reference = holder.references[n];
      check(reference.held == occurrences[n], "a reference counts its occurrences");
      check(!reference.is_of_pass || (in_pass && reference.held > 0), "who references it holds it");
      references[reference.entry] += reference.is_of_pass ? 1 : 0;
    }
  }
  check(free_slots == capacity - held, "free slots are those that no input has");
  check(promised == will_be && promised <= free_slots, "what is promised is free");
  check(num_chosen == chosen.size() && chosen.empty() == (chooser == none), "who chose is known");
  for (const auto& o : orders) standing += o.is_withdrawn ? 0 : 1;
  check(standing == num_orders, "an order that stands is an input's");
  std::size_t num_allocated = 0, num_due = 0, in_use = 0;
  for (Index n = 0; n < entries.size(); ++n) {
    const Entry& e = entries[n];
    check(e.features == features[n], "an entry counts the features of its hash");
    check(e.references == references[n], "an entry counts its references of this pass");
    check((e.pending > 0) == (e.references > 0), "what is referenced is pending");
    const bool is_needed = e.features > 0 || e.pins > 0 || e.is_allocated || e.is_due;
    check(hashes.is_known(hashes.handle(n)) == is_needed, "a hash is known while it is needed");
    in_use += is_needed ? 1 : 0;
    num_allocated += e.is_allocated ? 1 : 0;
    num_due += e.is_due ? 1 : 0;
  }
  check(hashes.size() == in_use, "as many hashes are known as are in use");
  check(num_allocated == allocated.size() && num_due == due.size(), "each is listed once");
}

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
  const Index n = impl_->hashes.find(mm_hash);
  if (n == none) return Error::not_cached;
  return impl_->hashes.handle(n);
}
Result<std::string_view> EncoderDecoderCache::mm_hash(HashHandle h) const {
  if (!impl_->hashes.is_known(h)) return Error::not_cached;
  return impl_->hashes.name(h.index);
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

Embeds EncoderDecoderCache::cache_size() const { return impl_->capacity; }
Embeds EncoderDecoderCache::num_free_slots() const { return impl_->free_slots; }
Embeds EncoderDecoderCache::num_freeable_slots() const { return impl_->free_slots; }

Error EncoderDecoderCache::begin_pass() { return checked(impl_->begin_pass()); }
Result<EncoderDecoderCache::Pass> EncoderDecoderCache::end_pass() {
  return checked(impl_->end_pass());
}
bool EncoderDecoderCache::in_pass() const { return impl_->in_pass; }
Embeds EncoderDecoderCache::num_ordered_embeds() const { return impl_->ordered; }

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
Embeds EncoderDecoderCache::num_promised_slots() const { return impl_->promised; }

Result<std::vector<InputId>> EncoderDecoderCache::held(RequestHandle r) const {
  return impl_->held(r);
}

void EncoderDecoderCache::check_invariants() const { impl_->check_invariants(); }

}  // namespace holdfast
