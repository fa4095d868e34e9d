// Lemmas on who holds what while nothing moves: they lead to `progress`.
#pragma once

#include "spec/claims/properties.hpp"
#include "spec/claims/turn_lemmas.hpp"
#include "spec/rules/chunking.hpp"
#include "spec/rules/pass.hpp"

namespace holdfast::spec::inline claims {

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

}  // namespace holdfast::spec::inline claims
