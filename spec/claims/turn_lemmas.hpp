// Lemmas on the pass, and on the turn that a request has in it.
#pragma once

#include "spec/claims/properties.hpp"
#include "spec/rules/chunking.hpp"
#include "spec/rules/planning.hpp"

namespace holdfast::spec::inline claims {

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

/// Feature i starts before the end of n tokens of r and touches the window from the confirmed
/// tokens to the end of the look-ahead: the step cannot do without it.
template <class D>
Bool<D> is_needed(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> n) {
  return d.config.start(r, i) < s.computed(r) + n &&
         d.touches(r, i, settled(d, s, r), s.computed(r) + n + d.config.lookahead());
}

/// r holds feature i, or will once KV blocks are found.
template <class D>
Bool<D> has_chosen(const State<D>& s, Request<D> r, Feature<D> i) {
  return s.held(r, i) || s.chosen(r, i);
}

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

/// This one and the next outlive a profile that plans without the look-ahead.
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

}  // namespace holdfast::spec::inline claims
