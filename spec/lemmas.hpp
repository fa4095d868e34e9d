// What makes the properties inductive. Each lemma is proved like a property and may be used for every
// other; which obligation really needs which is the lemma plan of `holdfast prove`.
#pragma once

#include "spec/planning.hpp"
#include "spec/properties.hpp"

namespace holdfast::spec {

/// Feature i starts before the end of n tokens of r and touches the window from the confirmed tokens
/// to the end of the look-ahead: the step cannot do without it.
template <class D>
Bool<D> is_needed(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> n) {
  return d.config.start(r, i) < s.computed(r) + n &&
         d.touches(r, i, confirmed(s, r), s.computed(r) + n + d.config.lookahead());
}

/// Steps whose gather is still to come or may be under way.
template <class D, class F>
Bool<D> all_running_steps(const D& d, const State<D>& s, F&& f) {
  return d.all_steps(s.executed() - 1, s.issued(), [&](Step<D> k) -> Bool<D> {
    return d.implies(s.delivered() < k, f(k));
  });
}

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
      "freeable-unreferenced", "a freeable entry is cached, counts its own slots, is referenced by nobody and not pending"};
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
  static constexpr PropertyInfo info{"pending-cached", "an entry that is ordered is cached, with the slots ordered"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.pending(h) > 0, s.pending(h) == s.weight(h));
    });
  }
};

struct PendingEvicted {
  static constexpr PropertyInfo info{
      "pending-evicted", "an entry that is ordered although the last step leaves it with the worker was evicted in this pass"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.pending(h) > 0 && s.available(s.issued(), h) > 0, s.evicted(h));
    });
  }
};

struct CachedComesOrIsThere {
  static constexpr PropertyInfo info{
      "cached-comes-or-is-there", "a cached entry that is not ordered is what the last step leaves with the worker"};
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
      "there-is-cached-or-evicted", "what the last step leaves with the worker is cached or was evicted in this pass"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.available(s.issued(), h) > 0, is_cached(s, h) || s.evicted(h));
    });
  }
};

struct EvictedIsThere {
  static constexpr PropertyInfo info{
      "evicted-is-there", "only what the last step leaves with the worker is evicted"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.evicted(h), s.available(s.issued(), h) > 0);
    });
  }
};

struct OutsidePassNothing {
  static constexpr PropertyInfo info{
      "outside-pass-nothing", "outside a pass nothing is scheduled, planned, retracted, pending or evicted"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(!s.in_pass(), !s.planning() && !s.retracting()) &&
           d.all_requests([&](Request<D> r) -> Bool<D> {
             return d.implies(!s.in_pass(), !s.scheduled(r));
           }) &&
           d.all_hashes([&](Hash<D> h) -> Bool<D> {
             return d.implies(!s.in_pass(), s.pending(h) == 0 && !s.evicted(h));
           });
  }
};

struct ScheduledHoldsNeeds {
  static constexpr PropertyInfo info{
      "scheduled-holds-needs", "a scheduled request holds every feature that its step cannot do without"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(s.scheduled(r) && is_needed<D>(d, s, r, i, s.tokens(r)), s.held(r, i));
      });
    });
  }
};

struct CursorHoldsNeeds {
  static constexpr PropertyInfo info{
      "cursor-holds-needs", "below the cursor the planned request holds every feature that the step cannot do without"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(s.planning() && i < s.cursor() && is_needed<D>(d, s, r, i, s.plan_tokens()),
                       s.held(r, i));
    });
  }
};

struct StepsHaveNeeds {
  static constexpr PropertyInfo info{
      "steps-have-needs", "what a step cannot do without is with the worker once that step has encoded"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return all_running_steps(d, s, [&](Step<D> k) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
          const Int<D> end = s.step_computed(k, r) + s.step_tokens(k, r);
          return d.implies(s.step_tokens(k, r) > 0 && d.config.start(r, i) < end &&
                               d.touches(r, i, s.step_confirmed(k, r), end + d.config.lookahead()),
                           s.available(k, d.config.hash(r, i)) > 0);
        });
      });
    });
  }
};

struct CountsAreSound {
  static constexpr PropertyInfo info{
      "counts-are-sound", "drafts are covered by placeholders, placeholders by tokens, in this pass and in every step"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(s.scheduled(r), 1 <= s.tokens(r) && 0 <= s.drafts(r) &&
                                           s.drafts(r) <= s.owed(r) && s.owed(r) <= s.tokens(r)) &&
             d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
               return d.implies(s.step_tokens(k, r) > 0,
                                0 <= s.step_drafts(k, r) && s.step_drafts(k, r) <= s.step_owed(k, r));
             });
    });
  }
};

struct OutputsOfTheEpoch {
  static constexpr PropertyInfo info{
      "outputs-of-the-epoch", "a step in flight is of the request's epoch, and then it is running, or of an older one"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.implies(s.step_tokens(k, r) > 0,
                         s.step_epoch(k, r) < s.epoch(r) ||
                             (s.step_epoch(k, r) == s.epoch(r) && has_status(s, r, Status::running)));
      });
    });
  }
};

struct WaitingComputedNothing {
  static constexpr PropertyInfo info{
      "waiting-computed-nothing", "only a running request has computed tokens or is scheduled"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(!has_status(s, r, Status::running),
                       s.computed(r) == 0 && s.placeholders(r) == 0 && !s.scheduled(r));
    });
  }
};

struct TurnIsSound {
  static constexpr PropertyInfo info{
      "turn-is-sound",
      "planning happens inside a pass, for a live request not yet scheduled, with tokens in view; a request being drained is not running"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.implies(s.planning(), s.in_pass() && !s.scheduled(r) && 1 <= s.plan_tokens() &&
                                       0 <= s.cursor() &&
                                       (has_status(s, r, Status::waiting) || has_status(s, r, Status::running))) &&
           d.implies(s.draining(), !has_status(s, s.drain_request(), Status::running)) &&
           d.implies(s.planning() && s.draining(), !(r == s.drain_request())) &&
           d.implies(s.retracting(), s.draining());
  }
};

struct PipelineInOrder {
  static constexpr PropertyInfo info{
      "pipeline-in-order", "steps are issued, then executed, then delivered; notices are applied only of an issued step"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return s.delivered() <= s.executed() && s.executed() <= s.issued() &&
           d.implies(s.dropped(), s.executed() < s.issued());
  }
};

// The encoder-decoder manager.

struct EncdecCharges {
  static constexpr PropertyInfo info{
      "encdec-charges", "an input is charged its own size while it is held, and nothing otherwise"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_indices([&](Feature<D> i) -> Bool<D> { return 0 <= s.charged(r, i); }) &&
             d.all_features(r, [&](Feature<D> i) -> Bool<D> {
               return s.charged(r, i) == d.ite(s.held(r, i), d.config.embeds(r, i), 0);
             });
    });
  }
};

struct EncdecOrders {
  static constexpr PropertyInfo info{
      "encdec-orders", "in a pass a request counts for an order only while the order stands and it holds the input"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.implies(s.refs(h, r), s.in_pass() && s.pending(h) > 0);
      });
    });
  }
};

struct EncdecScheduledOrders {
  static constexpr PropertyInfo info{
      "encdec-scheduled-orders", "a request scheduled from its first token on has every input ordered in this pass"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> p = s.plan_request();
    const auto ordered = [&](Request<D> r, Feature<D> i) -> Bool<D> {
      return s.held(r, i) && s.refs(d.config.hash(r, i), r);
    };
    return d.all_requests([&](Request<D> r) -> Bool<D> {
             return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
               return d.implies(s.scheduled(r) && s.computed(r) == 0, ordered(r, i));
             });
           }) &&
           d.all_features(p, [&](Feature<D> i) -> Bool<D> {
             return d.implies(s.planning() && i < s.cursor() && s.computed(p) == 0, ordered(p, i));
           });
  }
};

struct EncdecStepsHaveInputs {
  static constexpr PropertyInfo info{
      "encdec-steps-have-inputs", "the first step of a request encodes its inputs"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return all_running_steps(d, s, [&](Step<D> k) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
          return d.implies(s.step_tokens(k, r) > 0 && s.step_computed(k, r) == 0,
                           s.available(k, d.config.hash(r, i)) > 0);
        });
      });
    });
  }
};

struct EncdecToldNext {
  static constexpr PropertyInfo info{
      "encdec-told-next", "what the last step leaves with the worker is what is told next"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return (s.available(s.issued(), h) > 0) == s.evicted(h);
    });
  }
};

struct EncdecOutsidePassNothing {
  static constexpr PropertyInfo info{
      "encdec-outside-pass-nothing", "outside a pass nothing is scheduled, planned, retracted or ordered"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(!s.in_pass(), !s.planning() && !s.retracting()) &&
           d.all_requests([&](Request<D> r) -> Bool<D> {
             return d.implies(!s.in_pass(), !s.scheduled(r));
           }) &&
           d.all_hashes([&](Hash<D> h) -> Bool<D> {
             return d.implies(!s.in_pass(), s.pending(h) == 0);
           });
  }
};

}  // namespace holdfast::spec
