// How many tokens a turn gets: planning may change what was in view at its beginning, because an
// item can't get in or must not be cut.
#pragma once

#include "spec/rules/planning.hpp"

namespace holdfast::spec::inline rules {

/// Tokens that the pass has not given away.
template <class D>
Int<D> tokens_left(const D& d, const State<D>& s) {
  return d.config.token_budget() - s.tokens.sum();
}

/// A chunk that would cut an item ends a look-ahead before its start.
constexpr bool rolls_back_lookahead(const Profile& p) {
  return p.whole_items == WholeItems::rolled_back ||
         p.whole_items == WholeItems::rolled_back_if_ahead;
}

/// Where a chunk may end that computes all of feature i's item: behind it, or at the prompt's end
/// if that is the nearest end the tail allows.
template <class D>
Int<D> whole_end(const D& d, Request<D> r, Feature<D> i) {
  const Int<D> end = item_end(d, r, i);
  if (d.profile.tail == Tail::cut_after_planning) return end;
  const Int<D> prompt = d.config.prompt(r);
  return d.ite(end < prompt && prompt < end + d.config.tail(), prompt, end);
}

/// The chunk would cut the item at the cursor.
template <class D>
Bool<D> cuts_item(const D& d, const State<D>& s) {
  return looking_at_feature(d, s) && is_cut(d, s, s.plan_request(), s.cursor(), s.plan_tokens());
}

template <class D>
Bool<D> can_grow(const D& d, const State<D>& s) {
  if (rolls_back_lookahead(d.profile)) return false;
  const Request<D> r = s.plan_request();
  return whole_end(d, r, s.cursor()) <= s.computed(r) + tokens_left(d, s);
}

/// What is left of the turn if the item at the cursor is not begun; nothing if that is not
/// positive.
template <class D>
Int<D> tokens_before_item(const D& d, const State<D>& s, bool keeps_lookahead_out) {
  const Request<D> r = s.plan_request();
  const Int<D> before = item_start(d, r, s.cursor()) - s.computed(r);
  return keeps_lookahead_out ? Int<D>(before - d.config.lookahead()) : before;
}
template <class D>
Int<D> tokens_before_cut(const D& d, const State<D>& s) {
  return tokens_before_item(d, s, rolls_back_lookahead(d.profile));
}
template <class D>
Int<D> tokens_before_blocked(const D& d, const State<D>& s) {
  return tokens_before_item(d, s, d.profile.clip == ClipTo::before_lookahead);
}

/// The rest of the turn's features are not looked at: the chunk ends before them.
template <class D>
void stop_looking(D& d, State<D>& s) {
  s.cursor.set(d.config.features(s.plan_request()));
}

struct Grow {
  static constexpr RuleInfo info{
      "grow", "the chunk would cut an item: it grows to the item's end",
      "Scheduler._try_schedule_encoder_inputs (disable_chunked_mm_input)", "vLLM #52306"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return cuts_item(d, s) && can_grow(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    s.plan_tokens.set(whole_end(d, r, s.cursor()) - s.computed(r));
  }
};

struct RollBack {
  static constexpr RuleInfo info{
      "roll_back", "the item can't be whole in this pass: the chunk ends where it starts",
      "Scheduler._try_schedule_encoder_inputs (disable_chunked_mm_input)", "vLLM #34220"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return cuts_item(d, s) && !can_grow(d, s) && tokens_before_cut(d, s) > 0;
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    s.plan_tokens.set(tokens_before_cut(d, s));
    stop_looking(d, s);
  }
};

struct Clip {
  static constexpr RuleInfo info{"clip",
                                 "the feature can't get in, but tokens before it can be computed",
                                 "Scheduler._try_schedule_encoder_inputs", "vllm-ascend #17195"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return cannot_get_in(d, s) && tokens_before_blocked(d, s) > 0;
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    s.plan_tokens.set(d.min(s.plan_tokens(), tokens_before_blocked(d, s)));
    stop_looking(d, s);
  }
};

struct Abandon {
  static constexpr RuleInfo info{
      "abandon",
      "an item can't get in, or not whole, and the window begins inside or behind its start: no "
      "tokens; a waiting request's look-ups are undone",
      "Scheduler._try_schedule_encoder_inputs", "vLLM #31857"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Bool<D> no_room = (cannot_get_in(d, s) && tokens_before_blocked(d, s) <= 0) ||
                            (cuts_item(d, s) && !can_grow(d, s) && tokens_before_cut(d, s) <= 0);
    if (d.profile.tail == Tail::cut_after_planning)
      return no_room || (planned(d, s) && s.plan_tokens() < d.config.tail());
    return no_room;
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    give_up_turn(d, s);
  }
};

struct Shorten {
  static constexpr RuleInfo info{"shorten", "the turn gets fewer tokens than were planned for",
                                 "Scheduler.schedule (num_prefill_lookahead)", ""};
  using Parameters = Roles<Role::tokens>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Int<D> n) {
    const Bool<D> fewer = planned(d, s) && 1 <= n && n < s.plan_tokens();
    if (d.profile.tail == Tail::cut_after_planning) return fewer;
    const Request<D> r = s.plan_request();
    return fewer &&
           d.all_features(r, [&](Feature<D> i) -> Bool<D> { return !is_cut(d, s, r, i, n); });
  }
  template <class D>
  static void effect(D&, State<D>& s, Int<D> n) {
    s.plan_tokens.set(n);
  }
};

}  // namespace holdfast::spec::inline rules
