// Lemmas on the cache manager. What makes the properties inductive: each lemma is proved like a
// property and may be used for every other; which obligation really needs which is the lemma plan
// of `holdfast prove`.
#pragma once

#include "spec/claims/properties.hpp"

namespace holdfast::spec::inline claims {

struct OrderStands {
  static constexpr PropertyInfo info{"order-stands",
                                     "while nobody lacks KV blocks, whoever ordered an encode in "
                                     "this pass references it and is scheduled, or is about to be"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.implies(
            s.pending(h) > 0 && !s.held_back() && s.ordered_by(h) == r,
            s.refs(h, r) && (s.scheduled(r) || (s.granted() && s.plan_request() == r)));
      });
    });
  }
};

struct ReferencedIsCached {
  static constexpr PropertyInfo info{"referenced-is-cached", "a referenced entry is cached"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return referenced_is_cached(d, s);
  }
};

struct HeldIsReferenced {
  static constexpr PropertyInfo info{"held-is-referenced",
                                     "every occurrence held is behind a reference"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return held_is_referenced(d, s);
  }
};

struct UnconfirmedIsHeld {
  static constexpr PropertyInfo info{
      "unconfirmed-is-held", "what a rejection may bring back is held, unless a reset took it"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return unconfirmed_is_held(d, s);
  }
};

struct SlotsNotNegative {
  static constexpr PropertyInfo info{"slots-not-negative", "every size is zero or more"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return 0 <= s.weight(h) && 0 <= s.freeable(h) && 0 <= s.pending(h) && 0 <= s.worker(h) &&
             d.all_steps(s.executed() - 1, s.issued(), [&](Step<D> k) -> Bool<D> {
               return 0 <= s.available(k, h) && 0 <= s.step_encodes(k, h);
             });
    });
  }
};

struct FreeableUnreferenced {
  static constexpr PropertyInfo info{
      "freeable-unreferenced",
      "a freeable entry is cached, counts its own slots, is referenced by nobody and not pending"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.freeable(h) > 0, s.freeable(h) == s.weight(h) && s.pending(h) == 0) &&
             d.all_requests([&](Request<D> r) -> Bool<D> {
               return d.implies(s.freeable(h) > 0, !s.refs(h, r));
             });
    });
  }
};

struct PendingCached {
  static constexpr PropertyInfo info{"pending-cached",
                                     "an entry that is ordered is cached, with the slots ordered"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.pending(h) > 0, s.pending(h) == s.weight(h));
    });
  }
};

struct PendingEvicted {
  static constexpr PropertyInfo info{"pending-evicted",
                                     "an entry that is ordered although the last step leaves it "
                                     "with the worker was evicted in this pass"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.pending(h) > 0 && s.available(s.issued(), h) > 0, s.evicted(h));
    });
  }
};

struct CachedComesOrIsThere {
  static constexpr PropertyInfo info{
      "cached-comes-or-is-there",
      "a cached entry that is not ordered is what the last step leaves with the worker"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(is_cached(s, h) && s.pending(h) == 0,
                       s.available(s.issued(), h) == s.weight(h));
    });
  }
};

struct ThereIsCachedOrEvicted {
  static constexpr PropertyInfo info{
      "there-is-cached-or-evicted",
      "what the last step leaves with the worker is cached or was evicted in this pass"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.available(s.issued(), h) > 0, is_cached(s, h) || s.evicted(h));
    });
  }
};

struct EvictedIsThere {
  static constexpr PropertyInfo info{"evicted-is-there",
                                     "only what the last step leaves with the worker is evicted"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.evicted(h), s.available(s.issued(), h) > 0);
    });
  }
};

}  // namespace holdfast::spec::inline claims
