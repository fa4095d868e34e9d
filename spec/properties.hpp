// What must always hold, by the names of the command line. All of them are state predicates.
#pragma once

#include "spec/encoder_cache.hpp"
#include "spec/state.hpp"

namespace holdfast::spec {

struct PropertyInfo {
  std::string_view name;
  std::string_view says;
  bool inductive = true;  ///< proved by `prove`; otherwise only explored
};

/// Steps issued whose notices and encodes the worker has not applied.
template <class D, class F>
Bool<D> all_waiting_steps(const D& d, const State<D>& s, F&& f) {
  return d.all_steps(s.executed(), s.issued(), f);
}

struct NoFreedWhileReferenced {
  static constexpr PropertyInfo info{
      "no-freed-while-referenced",
      "a referenced entry is cached, every occurrence held is behind a reference, and a reference lives until its last occurrence is confirmed"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
             return d.all_requests([&](Request<D> r) -> Bool<D> {
               return d.implies(s.refs(h, r), is_cached(s, h));
             });
           }) &&
           d.all_requests([&](Request<D> r) -> Bool<D> {
             return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
               return d.implies(s.held(r, i), s.refs(d.config.hash(r, i), r)) &&
                      d.implies(!s.forgotten(r) && d.touches(r, i, confirmed(s, r), s.computed(r)),
                                s.held(r, i));
             });
           });
  }
};

struct NoStaleNotice {
  static constexpr PropertyInfo info{
      "no-stale-notice",
      "a notice never names an entry that the scheduler holds at the end of that pass"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return all_waiting_steps(d, s, [&](Step<D> k) -> Bool<D> {
      return d.all_hashes([&](Hash<D> h) -> Bool<D> {
        return d.implies(s.step_notices(k, h), s.step_encodes(k, h) == 0 && s.available(k, h) == 0);
      });
    });
  }
};

struct NoInteriorMiss {
  static constexpr PropertyInfo info{
      "no-interior-miss",
      "the target's gather never misses; the drafter's misses only boundary features"};
  template <class D>
  static Bool<D> holds(const D&, const State<D>& s) {
    return !s.missed();
  }
};

struct NoGhostEntry {
  static constexpr PropertyInfo info{
      "no-ghost-entry",
      "what the scheduler counts as cached is, or will be by that step, in the worker's store, and the worker keeps nothing else"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return all_waiting_steps(d, s, [&](Step<D> k) -> Bool<D> {
             return d.all_hashes([&](Hash<D> h) -> Bool<D> {
               return s.available(k, h) ==
                      d.ite(s.step_encodes(k, h) > 0, s.step_encodes(k, h),
                            d.ite(s.step_notices(k, h), 0, s.available(k - 1, h)));
             });
           }) &&
           d.all_hashes([&](Hash<D> h) -> Bool<D> {
             return s.worker(h) == d.ite(s.dropped() && s.step_notices(s.executed() + 1, h), 0,
                                         s.available(s.executed(), h));
           });
  }
};

struct ExactSlots {
  static constexpr PropertyInfo info{
      "exact-slots",
      "the slot counters are exact: they say what is free and what could be, and stay between 0 and C"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return s.free() == d.config.capacity() - s.weight.sum() &&
           s.reclaimable() == s.free() + s.freeable.sum() && 0 <= s.free() &&
           s.free() <= s.reclaimable() && s.reclaimable() <= d.config.capacity();
  }
};

struct BoundedWorkerMemory {
  static constexpr PropertyInfo info{"bounded-worker-memory",
                                     "at every step the worker's store is at most C slots"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return s.worker.sum() <= d.config.capacity() &&
           d.all_steps(s.executed() - 1, s.issued(), [&](Step<D> k) -> Bool<D> {
             return s.available.sum(k) <= d.config.capacity();
           });
  }
};

struct ExactBudget {
  static constexpr PropertyInfo info{
      "exact-budget",
      "the compute budget left in a pass is E minus the embeds of the encodes ordered and not withdrawn"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(s.in_pass(), s.compute() == d.config.encoder_budget() - s.pending.sum() &&
                                      0 <= s.compute());
  }
};

struct SameSize {
  static constexpr PropertyInfo info{"same-size",
                                     "a request holds only entries of its own feature's size"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(s.held(r, i), s.weight(d.config.hash(r, i)) == d.config.embeds(r, i));
      });
    });
  }
};

struct ExactPlaceholders {
  static constexpr PropertyInfo info{
      "exact-placeholders",
      "placeholders are what is in flight: none without a step in flight, those of each such step at least, and never more than was computed",
      false};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      const auto in_flight = [&](Step<D> k) -> Bool<D> {
        return s.step_tokens(k, r) > 0 && s.step_epoch(k, r) == s.epoch(r);
      };
      return 0 <= s.placeholders(r) && s.placeholders(r) <= s.computed(r) &&
             d.implies(d.all_steps(s.delivered(), s.issued(),
                                   [&](Step<D> k) -> Bool<D> { return !in_flight(k); }),
                       s.placeholders(r) == 0) &&
             d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
               return d.implies(in_flight(k), s.step_owed(k, r) <= s.placeholders(r));
             });
    });
  }
};

struct AllReturned {
  static constexpr PropertyInfo info{
      "all-returned", "when every request is gone, every slot is reclaimable and no reference is left",
      false};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(at_rest(s) && !s.in_pass() && d.all_requests([&](Request<D> r) -> Bool<D> {
      return has_status(s, r, Status::absent) || has_status(s, r, Status::finished);
    }),
                     s.reclaimable() == d.config.capacity() &&
                         d.all_hashes([&](Hash<D> h) -> Bool<D> { return s.refs.none(h); }));
  }
};

struct EncdecExactSlots {
  static constexpr PropertyInfo info{
      "exact-slots", "encoder-decoder: the count of free slots is exact, and stays between 0 and C"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return s.free() == d.config.capacity() - s.charged.sum() && 0 <= s.free() &&
           s.free() <= d.config.capacity();
  }
};

struct EncdecAllReturned {
  static constexpr PropertyInfo info{
      "all-returned", "encoder-decoder: when every request is gone, every slot is free", false};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(at_rest(s) && !s.in_pass() && d.all_requests([&](Request<D> r) -> Bool<D> {
      return has_status(s, r, Status::absent) || has_status(s, r, Status::finished);
    }),
                     s.free() == d.config.capacity());
  }
};

/// What is taken for granted of the configuration; every reading makes sure of it.
template <class D>
Bool<D> is_well_formed(const D& d) {
  const auto& c = d.config;
  return 0 < c.capacity() && 0 < c.encoder_budget() && 0 <= c.lookahead() && 0 < c.depth() &&
         d.all_requests([&](Request<D> r) -> Bool<D> {
           return 0 <= c.features(r) && d.all_features(r, [&](Feature<D> i) -> Bool<D> {
             return 0 <= c.start(r, i) && c.start(r, i) < c.end(r, i) && 0 < c.embeds(r, i);
           });
         });
}

/// Assumption `sorted-spans`.
template <class D>
Bool<D> has_sorted_spans(const D& d) {
  const auto& c = d.config;
  return d.all_requests([&](Request<D> r) -> Bool<D> {
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> j) -> Bool<D> {
        return d.implies(i < j, c.end(r, i) <= c.start(r, j));
      });
    });
  });
}

/// Assumption `prompt-only-features`.
template <class D>
Bool<D> has_prompt_only_features(const D& d) {
  const auto& c = d.config;
  return d.all_requests([&](Request<D> r) -> Bool<D> {
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> { return c.end(r, i) <= c.prompt(r); });
  });
}

}  // namespace holdfast::spec
