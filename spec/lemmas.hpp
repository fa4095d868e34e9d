// What makes the properties inductive. Each lemma is proved like a property and may be used for
// every other; which obligation really needs which is the lemma plan of `holdfast prove`.
#pragma once

#include "spec/delivery.hpp"
#include "spec/pass.hpp"
#include "spec/planning.hpp"
#include "spec/properties.hpp"

namespace holdfast::spec {

/// Feature i starts before the end of n tokens of r and touches the window from the confirmed
/// tokens to the end of the look-ahead: the step cannot do without it.
template <class D>
Bool<D> is_needed(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> n) {
  return d.config.start(r, i) < s.computed(r) + n &&
         d.touches(r, i, settled(d, s, r), s.computed(r) + n + d.config.lookahead());
}

/// Steps whose gather is still to come or may be under way.
template <class D, class F>
Bool<D> all_running_steps(const D& d, const State<D>& s, F&& f) {
  return d.all_steps(s.executed() - 1, s.issued(),
                     [&](Step<D> k) -> Bool<D> { return d.implies(s.delivered() < k, f(k)); });
}

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

struct OutsidePassNothing {
  static constexpr PropertyInfo info{
      "outside-pass-nothing",
      "outside a pass nothing is scheduled, planned, retracted, pending or evicted"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(!s.in_pass(), !s.planning() && !s.retracting()) &&
           d.all_requests(
               [&](Request<D> r) -> Bool<D> { return d.implies(!s.in_pass(), !s.scheduled(r)); }) &&
           d.all_hashes([&](Hash<D> h) -> Bool<D> {
             return d.implies(!s.in_pass(), s.pending(h) == 0 && !s.evicted(h));
           });
  }
};

struct ScheduledHoldsNeeds {
  static constexpr PropertyInfo info{
      "scheduled-holds-needs",
      "a scheduled request holds every feature that its step cannot do without"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(s.scheduled(r) && is_needed<D>(d, s, r, i, s.tokens(r)), s.held(r, i));
      });
    });
  }
};

/// r holds feature i, or will once KV blocks are found.
template <class D>
Bool<D> has_chosen(const State<D>& s, Request<D> r, Feature<D> i) {
  return s.held(r, i) || s.chosen(r, i);
}

struct CursorHoldsNeeds {
  static constexpr PropertyInfo info{"cursor-holds-needs",
                                     "below the cursor the planned request holds or has chosen "
                                     "every feature that the step cannot do without"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(s.planning() && i < s.cursor() && is_needed<D>(d, s, r, i, s.plan_tokens()),
                       has_chosen<D>(s, r, i));
    });
  }
};

/// Up to where r may have had its features released: also what this pass schedules, where that is
/// when it happens.
template <class D>
Int<D> released_up_to(const D& d, const State<D>& s, Request<D> r) {
  const Int<D> before = settled(d, s, r);
  if (d.profile.release != Release::at_schedule) return before;
  const Int<D> scheduled = confirmed(s, r) + s.tokens(r);
  return d.ite(s.scheduled(r) && before < scheduled, scheduled, before);
}

/// n tokens of r compute an embedding of feature i, or those in doubt did.
template <class D>
Bool<D> is_computed(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> n) {
  return d.touches(r, i, settled(d, s, r), s.computed(r) + n);
}

// What outlives a profile that plans without the look-ahead.

struct ScheduledHoldsComputed {
  static constexpr PropertyInfo info{
      "scheduled-holds-computed",
      "a scheduled request holds every feature of which its step computes an embedding"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(
            s.scheduled(r) && d.touches(r, i, released_up_to(d, s, r), s.computed(r) + s.tokens(r)),
            s.held(r, i));
      });
    });
  }
};

struct CursorHoldsComputed {
  static constexpr PropertyInfo info{"cursor-holds-computed",
                                     "below the cursor the planned request holds or has chosen "
                                     "every feature of which the step computes an embedding"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(
          s.planning() && i < s.cursor() && is_computed<D>(d, s, r, i, s.plan_tokens()),
          has_chosen<D>(s, r, i));
    });
  }
};

struct CursorHoldsWanted {
  static constexpr PropertyInfo info{
      "cursor-holds-wanted",
      "while features are looked at, the planned request holds or has chosen every feature below "
      "the cursor that its window reaches"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(
          looking_at_feature(d, s) && i < s.cursor() && is_wanted<D>(d, s, r, i, s.plan_tokens()),
          has_chosen<D>(s, r, i));
    });
  }
};

struct LookingCutsNothing {
  static constexpr PropertyInfo info{"looking-cuts-nothing",
                                     "while features are looked at, the chunk cuts no item below "
                                     "the cursor that must not be split"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(looking_at_feature(d, s) && i < s.cursor(),
                       !is_cut(d, s, r, i, s.plan_tokens()));
    });
  }
};

struct CursorCutsNothing {
  static constexpr PropertyInfo info{
      "cursor-cuts-nothing",
      "where items must not be split, the chunk cuts no item below the cursor"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(s.planning() && i < s.cursor(), !is_cut(d, s, r, i, s.plan_tokens()));
    });
  }
};

struct ScheduledCutsNothing {
  static constexpr PropertyInfo info{"scheduled-cuts-nothing",
                                     "where items must not be split, no chunk ends inside a group"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(s.scheduled(r), !is_cut(d, s, r, i, s.tokens(r)));
      });
    });
  }
};

struct ChosenIsPromised {
  static constexpr PropertyInfo info{
      "chosen-is-promised",
      "only the planned request has chosen features: each below the cursor, not behind the "
      "window's start, and its slots are promised or allocated by an earlier occurrence"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        const Hash<D> h = d.config.hash(r, i);
        return d.implies(s.chosen(r, i),
                         s.planning() && s.plan_request() == r && i < s.cursor() &&
                             window_start(d, s, r) < d.config.end(r, i) &&
                             ((s.promised(h) == d.config.embeds(r, i) && s.weight(h) == 0) ||
                              (s.promised(h) == 0 && s.weight(h) == d.config.embeds(r, i) &&
                               s.refs(h, r) && d.config.features(r) <= s.cursor())));
      });
    });
  }
};

struct PromisedFitsSlots {
  static constexpr PropertyInfo info{
      "promised-fits-slots",
      "what is promised is not cached, fits what is free, and is promised to a turn"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return s.promised.sum() <= s.free() && d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return 0 <= s.promised(h) && d.implies(s.promised(h) > 0, s.planning() && s.weight(h) == 0);
    });
  }
};

struct PromisedFitsBudget {
  static constexpr PropertyInfo info{"promised-fits-budget",
                                     "what is promised fits the compute budget that is left"};
  template <class D>
  static Bool<D> holds(const D&, const State<D>& s) {
    return s.promised.sum() <= s.compute();
  }
};

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

struct BudgetIsWhole {
  static constexpr PropertyInfo info{"budget-is-whole",
                                     "the compute budget is never negative, and whole but for what "
                                     "is ordered unless somebody lacked KV blocks or was refused"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(s.in_pass(), 0 <= s.compute() &&
                                      (s.held_back() ||
                                       s.compute() == d.config.encoder_budget() - s.pending.sum()));
  }
};

struct CreditedNotNegative {
  static constexpr PropertyInfo info{"credited-not-negative",
                                     "an output never adds fewer than no tokens; nothing waits for "
                                     "them to be counted, but where releases come before"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return releases_before_credit(d.profile) ? Bool<D>(0 <= s.credited(r))
                                               : Bool<D>(s.credited(r) == 0);
    });
  }
};

struct OwedBehindPrompt {
  static constexpr PropertyInfo info{
      "owed-behind-prompt",
      "where features lie in the prompt, a request owes tokens, or waits for some to be counted, "
      "only once its prompt is computed"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    if (!d.assumptions.prompt_only_features) return true;
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      const Int<D> prompt = d.config.prompt(r);
      return d.implies(s.scheduled(r) && s.owed(r) > 0, prompt <= s.computed(r) + s.tokens(r)) &&
             d.implies(s.credited(r) > 0,
                       has_status(s, r, Status::running) && prompt <= s.computed(r)) &&
             d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
               return d.implies(s.step_tokens(k, r) > 0 && s.step_epoch(k, r) == s.epoch(r) &&
                                    s.step_owed(k, r) > 0,
                                prompt <= s.computed(r));
             });
    });
  }
};

struct PromisedIsChosen {
  static constexpr PropertyInfo info{"promised-is-chosen",
                                     "what is promised is promised to a chosen feature"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.promised(h) > 0, d.any_feature(r, [&](Feature<D> i) -> Bool<D> {
        return s.chosen(r, i) && d.config.hash(r, i) == h;
      }));
    });
  }
};

/// The turn has taken something of feature i's group.
template <class D>
Bool<D> is_open(const D& d, const State<D>& s, Feature<D> i) {
  return 1 <= s.opened() && same_group<D>(d, s.plan_request(), s.opened() - 1, i);
}

struct OpenGroupFits {
  static constexpr PropertyInfo info{
      "open-group-fits",
      "the group that a turn has begun lies behind the cursor's feature or fits to its end, and "
      "the window reaches into it; nothing is allocated before every feature was looked at"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    const Int<D> embeds = d.config.group_embeds(r, s.cursor()) + s.promised.sum();
    return 0 <= s.opened() && d.implies(!s.planning(), s.opened() == 0 && !s.granted()) &&
           d.implies(s.planning(), s.opened() <= s.cursor()) &&
           d.implies(s.granted(), d.config.features(r) <= s.cursor()) &&
           d.implies(
               looking_at_feature(d, s) && 1 <= s.opened(),
               d.config.group_start(r, s.opened() - 1) < window_end(d, s, r, s.plan_tokens())) &&
           d.implies(looking_at_feature(d, s) && is_open<D>(d, s, s.cursor()),
                     embeds <= s.compute() && embeds <= s.reclaimable());
  }
};

struct TokensWithinBudget {
  static constexpr PropertyInfo info{
      "tokens-within-budget",
      "the tokens scheduled in a pass fit its budget; only a scheduled request has some"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return s.tokens.sum() <= d.config.token_budget() &&
           d.implies(s.planning(), s.plan_tokens() <= tokens_left(d, s)) &&
           d.all_requests([&](Request<D> r) -> Bool<D> {
             return 0 <= s.tokens(r) && d.implies(!s.scheduled(r), s.tokens(r) == 0);
           });
  }
};

// Progress.

struct ReferencedOrFreeable {
  static constexpr PropertyInfo info{"referenced-or-freeable",
                                     "a cached entry is freeable, or somebody references it"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.implies(s.refs.none(h), s.freeable(h) == s.weight(h));
    });
  }
};

struct OccurrenceBehindReference {
  static constexpr PropertyInfo info{
      "occurrence-behind-reference",
      "behind every reference is an occurrence that its request holds"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.implies(s.refs(h, r), d.any_feature(r, [&](Feature<D> i) -> Bool<D> {
          return s.held(r, i) && d.config.hash(r, i) == h;
        }));
      });
    });
  }
};

/// Feature i of r is not needed any more, or r holds it or will, or is just being drained.
template <class D>
Bool<D> is_accounted_for(const D& d, const State<D>& s, Request<D> r, Feature<D> i) {
  const Bool<D> about_to_take =
      s.planning() && s.plan_request() == r && s.cursor() <= i && is_open<D>(d, s, i);
  return d.implies(
      d.touches(r, i, released_up_to(d, s, r), d.config.end(r, i)),
      has_chosen<D>(s, r, i) || about_to_take || (s.draining() && s.drain_request() == r));
}

struct HoldsTheEarlier {
  static constexpr PropertyInfo info{
      "holds-the-earlier",
      "who holds a feature holds every earlier one that is not behind the confirmed tokens, but "
      "for what its turn is about to take and while it is drained"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.all_features(r, [&](Feature<D> j) -> Bool<D> {
          return d.implies(i < j && s.held(r, j), is_accounted_for<D>(d, s, r, i)) &&
                 d.implies(i < j && s.chosen(r, j), is_accounted_for<D>(d, s, r, i));
        });
      });
    });
  }
};

struct HoldsTheGroup {
  static constexpr PropertyInfo info{
      "holds-the-group", "who holds a feature of a group holds, in the same sense, all of it"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.all_features(r, [&](Feature<D> j) -> Bool<D> {
          return d.implies(same_group<D>(d, r, i, j) && s.held(r, j),
                           is_accounted_for<D>(d, s, r, i)) &&
                 d.implies(same_group<D>(d, r, i, j) && s.chosen(r, j),
                           is_accounted_for<D>(d, s, r, i));
        });
      });
    });
  }
};

struct ConfirmedIsReleased {
  static constexpr PropertyInfo info{"confirmed-is-released",
                                     "in a pass with nothing in flight, no request holds what is "
                                     "confirmed, but for what waits for its tokens to be counted"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(
            s.in_pass() && s.issued() == s.delivered() && s.placeholders(r) == 0 && s.held(r, i),
            confirmed(s, r) - s.credited(r) < d.config.end(r, i) ||
                (s.draining() && s.drain_request() == r));
      });
    });
  }
};

struct WaitingHoldsItsTurn {
  static constexpr PropertyInfo info{"waiting-holds-its-turn",
                                     "a waiting request in its turn holds only what the cursor has "
                                     "passed, not behind the window's start"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(s.planning() && has_status(s, r, Status::waiting) && s.held(r, i),
                       i < s.cursor() && window_start(d, s, r) < d.config.end(r, i));
    });
  }
};

struct TurnOpensGroups {
  static constexpr PropertyInfo info{
      "turn-opens-groups",
      "while features are looked at, what the turn chose in the cursor's group opened that group"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(looking_at_feature(d, s) && i < s.cursor() &&
                           same_group<D>(d, r, i, s.cursor()) &&
                           (s.chosen(r, i) || (s.held(r, i) && has_status(s, r, Status::waiting))),
                       is_open<D>(d, s, i));
    });
  }
};

struct TriedHoldsNothing {
  static constexpr PropertyInfo info{
      "tried-holds-nothing",
      "who could not get in, with nothing in flight and nobody scheduled, holds nothing"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(nothing_moves(d, s) && s.tried(r) && s.held(r, i),
                         s.draining() && s.drain_request() == r);
      });
    });
  }
};

struct WholeBudgetIsLeft {
  static constexpr PropertyInfo info{"whole-budget-is-left",
                                     "with nobody scheduled, every token of the pass is left, and "
                                     "an item that must not be cut fits",
                                     Proof::derived, true};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(nothing_moves(d, s), tokens_left(d, s) == d.config.token_budget()) &&
           d.implies(nothing_moves(d, s) && cuts_item(d, s) && tokens_before_cut(d, s) <= 0,
                     can_grow(d, s));
  }
};

struct BlockedTookNothing {
  static constexpr PropertyInfo info{
      "blocked-took-nothing",
      "with nothing in flight and nobody scheduled, a request whose window begins at an item that "
      "it can't have holds and has chosen nothing",
      Proof::derived};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
      return d.implies(nothing_moves(d, s) && Abandon::guard<D>(d, s),
                       !s.held(r, i) && !s.chosen(r, i));
    });
  }
};

struct TurnOvertakesNobody {
  static constexpr PropertyInfo info{"turn-overtakes-nobody",
                                     "a waiting request has its turn only if who could not get in "
                                     "before is less urgent, or it needs nothing"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.implies(s.planning() && has_status(s, r, Status::waiting),
                     may_be_admitted<D>(d, s, r));
  }
};

/// A running request other than r that has not had its turn in this pass holds something.
template <class D>
Bool<D> another_holds(const D& d, const State<D>& s, Request<D> r) {
  return !d.all_requests([&](Request<D> q) -> Bool<D> {
    return d.all_features(q, [&](Feature<D> i) -> Bool<D> {
      return !(s.held(q, i) && has_status(s, q, Status::running) && !s.tried(q) && !(q == r));
    });
  });
}

struct BlockedByAnother {
  static constexpr PropertyInfo info{
      "blocked-by-another",
      "with nothing in flight and nobody scheduled, what keeps an item out is held by another "
      "running request that has its turn still to come",
      Proof::derived, true};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(nothing_moves(d, s) && Abandon::guard<D>(d, s),
                     another_holds<D>(d, s, s.plan_request()));
  }
};

struct SomebodyIsInTheWay {
  static constexpr PropertyInfo info{
      "somebody-is-in-the-way",
      "who could not get in, with nothing in flight and nobody scheduled, waits for a running "
      "request that holds something and has its turn still to come"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(nothing_moves(d, s) && s.tried(r), another_holds<D>(d, s, r));
    });
  }
};

struct TriedIsLive {
  static constexpr PropertyInfo info{"tried-is-live",
                                     "a turn is had inside a pass, by a request that waits or "
                                     "runs, is not scheduled and not at its turn"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(!s.in_pass(), !s.held_back()) && d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(
          s.tried(r), s.in_pass() && !s.scheduled(r) && !(s.planning() && s.plan_request() == r) &&
                          (has_status(s, r, Status::waiting) || has_status(s, r, Status::running)));
    });
  }
};

struct StepsHaveNeeds {
  static constexpr PropertyInfo info{
      "steps-have-needs",
      "what a step cannot do without is with the worker once that step has encoded"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return all_running_steps(d, s, [&](Step<D> k) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
          const Int<D> end = s.step_computed(k, r) + s.step_tokens(k, r);
          return d.implies(
              s.step_tokens(k, r) > 0 && d.config.start(r, i) < end &&
                  d.touches(r, i,
                            settled_at<D>(d, r, s.step_confirmed(k, r), s.step_computed(k, r)),
                            end + d.config.lookahead()),
              s.available(k, d.config.hash(r, i)) > 0);
        });
      });
    });
  }
};

struct CountsAreSound {
  static constexpr PropertyInfo info{
      "counts-are-sound",
      "drafts are covered by placeholders, placeholders by tokens, in this pass and in every step"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(s.scheduled(r), 1 <= s.tokens(r) && 0 <= s.drafts(r) &&
                                           s.drafts(r) < s.tokens(r) && s.drafts(r) <= s.owed(r) &&
                                           s.owed(r) <= s.tokens(r)) &&
             d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
               return d.implies(
                   s.step_tokens(k, r) > 0,
                   0 <= s.step_drafts(k, r) && s.step_drafts(k, r) <= s.step_owed(k, r));
             });
    });
  }
};

struct OutputsOfTheEpoch {
  static constexpr PropertyInfo info{
      "outputs-of-the-epoch",
      "a step in flight is of the request's epoch, and then it is running, or of an older one"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.implies(s.step_tokens(k, r) > 0,
                         s.step_epoch(k, r) < s.epoch(r) || (s.step_epoch(k, r) == s.epoch(r) &&
                                                             has_status(s, r, Status::running)));
      });
    });
  }
};

struct WaitingComputedNothing {
  static constexpr PropertyInfo info{"waiting-computed-nothing",
                                     "only a running request has computed tokens, but for a prefix "
                                     "hit in its turn, or is scheduled"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(!has_status(s, r, Status::running),
                       0 <= s.computed(r) &&
                           (s.computed(r) == 0 || (s.planning() && s.plan_request() == r)) &&
                           s.placeholders(r) == 0 && !s.scheduled(r));
    });
  }
};

struct TurnIsSound {
  static constexpr PropertyInfo info{
      "turn-is-sound",
      "planning happens inside a pass, for a live request not yet scheduled, with tokens in view; "
      "a request being drained does not run, unless a reset made it forget"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return d.implies(
               s.planning(),
               s.in_pass() && !s.scheduled(r) && 1 <= s.plan_tokens() && 0 <= s.cursor() &&
                   (has_status(s, r, Status::waiting) || has_status(s, r, Status::running))) &&
           d.implies(s.draining(), !has_status(s, s.drain_request(), Status::running) ||
                                       (s.forgotten(s.drain_request()) &&
                                        s.tried(s.drain_request()) && s.in_pass())) &&
           d.implies(s.planning() && s.draining(),
                     !(r == s.drain_request()) && d.config.features(r) <= s.cursor()) &&
           d.implies(s.retracting(), s.draining());
  }
};

struct PipelineInOrder {
  static constexpr PropertyInfo info{"pipeline-in-order",
                                     "steps are issued, then executed, then delivered; notices are "
                                     "applied only of an issued step"};
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
      "encdec-orders",
      "in a pass a request counts for an order only while the order stands and it holds the input"};
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
      "encdec-scheduled-orders",
      "a request scheduled from its first token on has every input ordered in this pass"};
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
    }) && d.all_features(p, [&](Feature<D> i) -> Bool<D> {
      return d.implies(s.planning() && i < s.cursor() && s.computed(p) == 0, ordered(p, i));
    });
  }
};

struct EncdecStepsHaveInputs {
  static constexpr PropertyInfo info{"encdec-steps-have-inputs",
                                     "the first step of a request encodes its inputs"};
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
    return d.all_hashes(
        [&](Hash<D> h) -> Bool<D> { return (s.available(s.issued(), h) > 0) == s.evicted(h); });
  }
};

struct EncdecOutsidePassNothing {
  static constexpr PropertyInfo info{"encdec-outside-pass-nothing",
                                     "outside a pass nothing is scheduled, planned, tried, "
                                     "retracted or ordered; no reset makes a request forget"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(!s.in_pass(), !s.planning() && !s.retracting()) &&
           d.all_requests([&](Request<D> r) -> Bool<D> {
             return !s.forgotten(r) && d.implies(!s.in_pass(), !s.scheduled(r) && !s.tried(r));
           }) &&
           d.all_hashes(
               [&](Hash<D> h) -> Bool<D> { return d.implies(!s.in_pass(), s.pending(h) == 0); });
  }
};

}  // namespace holdfast::spec
