// What must always hold, by the names of the command line. All of them are state predicates.
#pragma once

#include "spec/rules/encoder_cache.hpp"
#include "spec/rules/requests.hpp"
#include "spec/state.hpp"

namespace holdfast::spec::inline claims {

/// How a property is established.
enum class Proof : std::int8_t {
  inductive,  ///< every rule keeps it
  derived,  ///< it follows, in any one state, from the inductive ones and from those derived before
            ///< it
  explored,  ///< not proved: exploration looks for a violation
};

struct PropertyInfo {
  std::string_view name;
  std::string_view says;
  Proof proof = Proof::inductive;
  bool counts = false;  ///< its proof compares sums: who is missing in one is found in the other
};

/// Steps issued whose notices and encodes the worker has not applied.
template <class D, class F>
Bool<D> all_waiting_steps(const D& d, const State<D>& s, F&& f) {
  return d.all_steps(s.executed(), s.issued(), f);
}

template <class D>
Bool<D> referenced_is_cached(const D& d, const State<D>& s) {
  return d.all_hashes([&](Hash<D> h) -> Bool<D> {
    return d.all_requests(
        [&](Request<D> r) -> Bool<D> { return d.implies(s.refs(h, r), is_cached(s, h)); });
  });
}

template <class D>
Bool<D> held_is_referenced(const D& d, const State<D>& s) {
  return d.all_requests([&](Request<D> r) -> Bool<D> {
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(s.held(r, i), s.refs(d.config.hash(r, i), r));
    });
  });
}

template <class D>
Bool<D> unconfirmed_is_held(const D& d, const State<D>& s) {
  return d.all_requests([&](Request<D> r) -> Bool<D> {
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(!s.forgotten(r) && d.touches(r, i, settled(d, s, r), s.computed(r)),
                       s.held(r, i));
    });
  });
}

struct NoFreedWhileReferenced {
  static constexpr PropertyInfo info{
      "no-freed-while-referenced",
      "a referenced entry is cached, every occurrence held is behind a reference, and a reference "
      "lives until its last occurrence is confirmed",
      Proof::derived};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return referenced_is_cached(d, s) && held_is_referenced(d, s) && unconfirmed_is_held(d, s);
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
      "what the scheduler counts as cached is, or will be by that step, in the worker's store, and "
      "the worker keeps nothing else"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return all_waiting_steps(d, s,
                             [&](Step<D> k) -> Bool<D> {
                               return d.all_hashes([&](Hash<D> h) -> Bool<D> {
                                 return s.available(k, h) ==
                                        d.ite(
                                            s.step_encodes(k, h) > 0, s.step_encodes(k, h),
                                            d.ite(s.step_notices(k, h), 0, s.available(k - 1, h)));
                               });
                             }) &&
           d.all_hashes([&](Hash<D> h) -> Bool<D> {
             const Step<D> k = s.executed() + 1;
             const Int<D> before = s.available(s.executed(), h);
             if (d.profile.worker_order == WorkerOrder::encodes_first)
               return s.worker(h) == d.ite(s.half_done() && s.step_encodes(k, h) > 0,
                                           s.step_encodes(k, h), before);
             return s.worker(h) == d.ite(s.half_done() && s.step_notices(k, h), 0, before);
           });
  }
};

struct ExactSlots {
  static constexpr PropertyInfo info{"exact-slots",
                                     "the slot counters are exact: they say what is free and what "
                                     "could be, and stay between 0 and C"};
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
  static constexpr PropertyInfo info{"exact-budget",
                                     "the compute budget left in a pass is E minus the embeds of "
                                     "the encodes ordered and not withdrawn"};
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
      "placeholders are what is in flight: none without a step in flight, those of each such step "
      "at least, and never more than was computed",
      Proof::explored};
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
      "all-returned",
      "when every request is gone, every slot is reclaimable and no reference is left",
      Proof::derived, true};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(at_rest(s) && !s.in_pass() && d.all_requests([&](Request<D> r) -> Bool<D> {
      return has_status(s, r, Status::absent) || has_status(s, r, Status::finished);
    }),
                     s.reclaimable() == d.config.capacity() &&
                         d.all_hashes([&](Hash<D> h) -> Bool<D> { return s.refs.none(h); }));
  }
};

struct WholeItemsKept {
  static constexpr PropertyInfo info{"whole-items",
                                     "where items must not be split, no chunk ends inside one"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        const Int<D> end = s.computed(r) + s.tokens(r);
        return d.implies(d.config.whole_items() && s.scheduled(r),
                         !(d.config.start(r, i) < end && end < d.config.end(r, i)));
      });
    });
  }
};

struct NoHoldAndWait {
  static constexpr PropertyInfo info{"no-hold-and-wait",
                                     "a request that does not run holds no reference, but for its "
                                     "own turn and while it is drained"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(s.held(r, i), has_status(s, r, Status::running) ||
                                           (s.planning() && s.plan_request() == r) ||
                                           (s.draining() && s.drain_request() == r));
      });
    });
  }
};

struct RefusesImpossible {
  static constexpr PropertyInfo info{"refuses-impossible",
                                     "a request that waits or runs fits alone"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(has_status(s, r, Status::waiting) || has_status(s, r, Status::running),
                       fits_alone(d, r));
    });
  }
};

/// Nothing is in flight, nobody is scheduled in this pass, and nobody lacked KV blocks.
template <class D>
Bool<D> nothing_moves(const D& d, const State<D>& s) {
  return s.in_pass() && s.issued() == s.delivered() && !s.held_back() &&
         d.all_requests(
             [&](Request<D> r) -> Bool<D> { return s.placeholders(r) == 0 && !s.scheduled(r); });
}

struct Progress {
  static constexpr PropertyInfo info{
      "progress",
      "with nothing in flight, a pass in which every running request had its turn, or a waiting "
      "one did, schedules a token, unless KV blocks are lacking or a request is refused",
      Proof::derived, true};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Bool<D> all_had_their_turn = d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(has_status(s, r, Status::running), s.tried(r));
    });
    return d.implies(nothing_moves(d, s) && at_rest(s) && all_had_their_turn,
                     d.all_requests([&](Request<D> r) -> Bool<D> { return !s.tried(r); }));
  }
};

struct EncdecExactSlots {
  static constexpr PropertyInfo info{
      "exact-slots",
      "encoder-decoder: the count of free slots is exact, and stays between 0 and C"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return s.free() == d.config.capacity() - s.charged.sum() && 0 <= s.free() &&
           s.free() <= d.config.capacity();
  }
};

struct EncdecAllReturned {
  static constexpr PropertyInfo info{
      "all-returned", "encoder-decoder: when every request is gone, every slot is free",
      Proof::explored};
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
  return 0 < c.capacity() && 0 < c.encoder_budget() && 0 < c.token_budget() && 0 <= c.lookahead() &&
         0 < c.depth() && 0 <= c.tail() && d.all_requests([&](Request<D> r) -> Bool<D> {
           return 0 <= c.features(r) && d.all_features(r, [&](Feature<D> i) -> Bool<D> {
             return 0 <= c.group_start(r, i) && c.group_start(r, i) <= c.start(r, i) &&
                    c.start(r, i) < c.end(r, i) && c.end(r, i) <= c.group_end(r, i) &&
                    0 < c.embeds(r, i) && c.embeds(r, i) <= c.group_embeds(r, i) &&
                    d.implies(!c.grouped(r, i), c.group_start(r, i) == c.start(r, i) &&
                                                    c.group_end(r, i) == c.end(r, i) &&
                                                    c.group_embeds(r, i) == c.embeds(r, i));
           });
         });
}

/// Features i < j of r are of one group.
template <class D>
Bool<D> same_group(const D& d, Request<D> r, Feature<D> i, Feature<D> j) {
  return d.config.group_start(r, i) == d.config.group_start(r, j);
}

/// Assumption `sorted-spans`.
template <class D>
Bool<D> has_sorted_spans(const D& d) {
  const auto& c = d.config;
  return d.all_requests([&](Request<D> r) -> Bool<D> {
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> j) -> Bool<D> {
        return d.implies(i < j && !same_group(d, r, i, j),
                         c.group_end(r, i) <= c.group_start(r, j)) &&
               d.implies(i < j && same_group(d, r, i, j),
                         c.grouped(r, i) && c.grouped(r, j) && c.start(r, i) <= c.start(r, j) &&
                             c.group_end(r, i) == c.group_end(r, j) &&
                             c.embeds(r, i) + c.group_embeds(r, j) <= c.group_embeds(r, i));
      });
    });
  });
}

/// Assumption `disjoint-spans`.
template <class D>
Bool<D> has_disjoint_spans(const D& d) {
  return d.all_requests([&](Request<D> r) -> Bool<D> {
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> { return !d.config.grouped(r, i); });
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

}  // namespace holdfast::spec::inline claims
