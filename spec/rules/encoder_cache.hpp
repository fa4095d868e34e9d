// The cache manager of decoder-only models (`EncoderCacheManager`): what happens to entries.
// The rules of planning, passes and the pipeline are made of these.
#pragma once

#include "spec/profiles/profile.hpp"
#include "spec/state.hpp"

namespace holdfast::spec::inline rules {

template <class D>
Bool<D> is_cached(const State<D>& s, Hash<D> h) {
  return s.weight(h) > 0;
}

/// r references the entry of its feature i.
template <class D>
void add_reference(D& d, State<D>& s, Request<D> r, Feature<D> i) {
  s.refs.set(d.config.hash(r, i), r, true);
  s.held.set(r, i, true);
}

/// `check_and_update_cache` on a hit: r references the entry; it is no longer freeable.
template <class D>
void reference(D& d, State<D>& s, Request<D> r, Feature<D> i) {
  const Hash<D> h = d.config.hash(r, i);
  if (d.test("it was freeable", s.freeable(h) > 0)) {
    s.reclaimable.set(s.reclaimable() - s.freeable(h));
    s.freeable.set(h, 0);
  }
  add_reference<D>(d, s, r, i);
}

/// Whether h is the freeable entry that nobody has wanted for longest.
template <class D>
Bool<D> is_oldest(const D& d, const State<D>& s, Hash<D> h) {
  return s.freeable(h) > 0 && d.all_hashes([&](Hash<D> g) -> Bool<D> {
    return d.implies(s.freeable(g) > 0, s.order(h) <= s.order(g));
  });
}

/// `can_allocate` takes the slots of freeable entries, oldest first, when too few are free.
template <class D>
void evict_entry(D&, State<D>& s, Hash<D> h) {
  s.free.set(s.free() + s.weight(h));
  s.weight.set(h, 0);
  s.freeable.set(h, 0);
  s.evicted.set(h, true);
}

/// `can_allocate`: whether `embeds` slots, beside `planned` that are promised already, are free
/// now.
template <class D>
Bool<D> fits_free(const State<D>& s, Int<D> embeds, Int<D> planned) {
  return embeds + planned <= s.free();
}

/// `can_allocate`: whether they could be made free by evicting.
template <class D>
Bool<D> fits_reclaimable(const State<D>& s, Int<D> embeds, Int<D> planned) {
  return embeds + planned <= s.reclaimable();
}

/// `allocate`: slots for feature i of r.
template <class D>
void allocate_entry(D& d, State<D>& s, Request<D> r, Feature<D> i) {
  const Hash<D> h = d.config.hash(r, i);
  const Int<D> embeds = d.config.embeds(r, i);
  s.free.set(s.free() - embeds);
  s.reclaimable.set(s.reclaimable() - embeds);
  s.weight.set(h, embeds);
  add_reference<D>(d, s, r, i);
}

/// The pass orders the encode of feature i of r.
template <class D>
void order_encode(D& d, State<D>& s, Request<D> r, Feature<D> i) {
  const Hash<D> h = d.config.hash(r, i);
  s.pending.set(h, d.config.embeds(r, i));
  s.ordered_by.set(h, r);
  s.compute.set(s.compute() - d.config.embeds(r, i));
}

/// Takes the order back, and its compute budget.
template <class D>
void cancel_encode(D& d, State<D>& s, Hash<D> h) {
  if (d.profile.refund == Refund::given || (d.profile.refund == Refund::lost_to_a_plan &&
                                            d.test("nothing is chosen", s.promised.sum() == 0)))
    s.compute.set(s.compute() + s.pending(h));
  s.pending.set(h, 0);
  s.ordered_by.reset(h);
}

/// Whether orders of this pass may stand where a reference is dropped: outside a pass none does.
enum class Orders : std::int8_t { may_stand, none_stands };

/// Nobody references h any more. An entry that exists only as an order of this pass is withdrawn:
/// it is uncached and its slots are free; the worker hears of it only if it really has it. Any
/// other entry becomes freeable, the newest.
template <class D>
void let_go(D& d, State<D>& s, Hash<D> h, Orders orders) {
  if (orders == Orders::may_stand &&
      d.test("its encode was ordered in this pass", s.pending(h) > 0)) {
    s.free.set(s.free() + s.weight(h));
    s.reclaimable.set(s.reclaimable() + s.weight(h));
    s.weight.set(h, 0);
    cancel_encode(d, s, h);
  } else {
    s.reclaimable.set(s.reclaimable() + s.weight(h));
    s.freeable.set(h, s.weight(h));
    s.order.set(h, s.clock());
    s.clock.set(s.clock() + 1);
  }
}

/// `free_encoder_input`: feature i of r is no longer an occurrence behind r's reference. The
/// reference goes with the last occurrence of its hash in r (`takes_reference`), the entry with the
/// last reference.
template <class D>
void drop_occurrence(D& d, State<D>& s, Request<D> r, Feature<D> i,
                     Occurrence takes_reference = Occurrence::last,
                     Orders orders = Orders::may_stand) {
  const Hash<D> h = d.config.hash(r, i);
  s.held.set(r, i, false);
  if (orders == Orders::may_stand && d.profile.retraction == Retraction::entry_stays &&
      d.test("r is retracted and ordered it",
             s.retracting() && s.pending(h) > 0 && s.ordered_by(h) == r))
    cancel_encode(d, s, h);
  if (takes_reference == Occurrence::last &&
      d.test("r holds another occurrence", d.any_feature(r, [&](Feature<D> j) -> Bool<D> {
        return s.held(r, j) && d.config.hash(r, j) == h;
      })))
    return;
  if (d.profile.occurrence == Occurrence::first &&
      d.test("the reference is gone already", !s.refs(h, r)))
    return;
  s.refs.set(h, r, false);
  if (d.test("nobody else references it", s.refs.none(h))) let_go<D>(d, s, h, orders);
}

/// `get_freed_mm_hashes`: whether the worker is told at the end of this pass to drop h.
template <class D>
Bool<D> is_noticed(const D& d, const State<D>& s, Hash<D> h) {
  if (d.profile.notice == Notice::every_eviction) return s.evicted(h);
  if (d.profile.notice == Notice::never) return false;
  return s.evicted(h) && !is_cached(s, h);
}

/// `reset`: the manager forgets every entry and every reference.
template <class D>
void forget_everything(D& d, State<D>& s) {
  State<D>::reset_entries(s);
  s.free.set(d.config.capacity());
  s.reclaimable.set(d.config.capacity());
}

}  // namespace holdfast::spec::inline rules
