// Planning the encoder inputs of one request (`_try_schedule_encoder_inputs`): a cursor walks over
// its features; each small step deals with one feature, or evicts one entry for it. A hit takes its
// reference at once; a miss is only chosen, its slots promised, until KV blocks are found.
#pragma once

#include "spec/rules/encoder_cache.hpp"
#include "spec/rules/turn.hpp"

namespace holdfast::spec::inline rules {

/// Where r's planning window begins.
template <class D>
Int<D> window_start(const D& d, const State<D>& s, Request<D> r) {
  return d.profile.window == Window::from_confirmed ? confirmed(s, r) : s.computed(r);
}

/// Where the planning window of n tokens for r ends: the drafter reads L further.
template <class D>
Int<D> window_end(const D& d, const State<D>& s, Request<D> r, Int<D> n) {
  if (d.profile.lookahead == Lookahead::unplanned) return s.computed(r) + n;
  return s.computed(r) + n + d.config.lookahead();
}

/// The same for feature i: a window that reaches into a group reaches to its end.
template <class D>
Int<D> window_end_for(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> n) {
  const Int<D> end = window_end(d, s, r, n);
  if (d.profile.groups == Groups::each_alone) return end;
  const auto& c = d.config;
  return d.ite(c.grouped(r, i) && c.group_start(r, i) < end && end < c.group_end(r, i),
               c.group_end(r, i), end);
}

/// n tokens for r need embeddings of feature i.
template <class D>
Bool<D> is_wanted(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> n) {
  return d.touches(r, i, window_start(d, s, r), window_end_for<D>(d, s, r, i, n));
}

/// What a group's chunk may not cut: the group, or the feature alone.
template <class D>
Int<D> item_start(const D& d, Request<D> r, Feature<D> i) {
  return d.profile.groups == Groups::as_one ? d.config.group_start(r, i) : d.config.start(r, i);
}
template <class D>
Int<D> item_end(const D& d, Request<D> r, Feature<D> i) {
  return d.profile.groups == Groups::as_one ? d.config.group_end(r, i) : d.config.end(r, i);
}
template <class D>
Int<D> item_embeds(const D& d, Request<D> r, Feature<D> i) {
  return d.profile.groups == Groups::as_one ? d.config.group_embeds(r, i) : d.config.embeds(r, i);
}

/// Items must not be split, and a chunk of n tokens for r would end inside that of feature i.
template <class D>
Bool<D> is_cut(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> n) {
  const Int<D> from = s.computed(r);
  const Int<D> start = item_start(d, r, i);
  const Bool<D> ends_before = d.config.whole_items() && from + n < item_end(d, r, i);
  switch (d.profile.whole_items) {
    case WholeItems::rolled_back:
      return ends_before && from <= start && start < window_end(d, s, r, n);
    case WholeItems::rolled_back_if_ahead:
      return ends_before && from < start && start < window_end(d, s, r, n);
    case WholeItems::split_at_start: return ends_before && from < start && start < from + n;
    default: return ends_before && start < from + n;
  }
}

/// The cursor is at a feature, and the chunk does not cut it.
template <class D>
Bool<D> looking_at_whole(const D& d, const State<D>& s) {
  return looking_at_feature(d, s) && !is_cut(d, s, s.plan_request(), s.cursor(), s.plan_tokens());
}

/// The feature at the cursor has an embedding in the window.
template <class D>
Bool<D> has_embeddings(const D& d, const State<D>& s) {
  return is_wanted(d, s, s.plan_request(), s.cursor(), s.plan_tokens());
}

/// The cursor is at a feature that is looked up.
template <class D>
Bool<D> wants_feature(const D& d, const State<D>& s) {
  if (d.profile.look_up == LookUp::embeddings)
    return looking_at_whole(d, s) && has_embeddings(d, s);
  const Request<D> r = s.plan_request();
  return looking_at_whole(d, s) && window_start(d, s, r) < d.config.end(r, s.cursor()) &&
         d.config.start(r, s.cursor()) < window_end_for<D>(d, s, r, s.cursor(), s.plan_tokens());
}

template <class D>
Hash<D> wanted_hash(const D& d, const State<D>& s) {
  return d.config.hash(s.plan_request(), s.cursor());
}

template <class D>
Int<D> wanted_embeds(const D& d, const State<D>& s) {
  return d.config.embeds(s.plan_request(), s.cursor());
}

/// Its entry is cached, or will be by what this turn has chosen already.
template <class D>
Bool<D> is_in_reach(const D& d, const State<D>& s) {
  const Hash<D> h = wanted_hash(d, s);
  return is_cached(s, h) || s.promised(h) > 0;
}

template <class D>
Bool<D> same_size(const D& d, const State<D>& s) {
  const Hash<D> h = wanted_hash(d, s);
  if (d.profile.size_check == SizeCheck::ignored) return true;
  return s.weight(h) + s.promised(h) == wanted_embeds(d, s);
}

/// The feature can't be had: no compute budget for it, or too few slots to reclaim, beside what is
/// promised. Of a group, the first feature that the request lacks answers for the rest.
template <class D>
Bool<D> cannot_get_in(const D& d, const State<D>& s) {
  const Request<D> r = s.plan_request();
  const Int<D> embeds = item_embeds(d, r, s.cursor()) + s.promised.sum();
  const Bool<D> scarce = embeds > s.compute() || embeds > s.reclaimable();
  if (d.profile.groups == Groups::each_alone)
    return wants_feature(d, s) && !is_in_reach(d, s) && scarce;
  return wants_feature(d, s) && scarce &&
         (!is_in_reach(d, s) || (d.config.grouped(r, s.cursor()) && !s.held(r, s.cursor())));
}

template <class D>
Bool<D> can_get_in(const D& d, const State<D>& s) {
  return wants_feature(d, s) && !cannot_get_in(d, s);
}

template <class D>
void next_feature(D&, State<D>& s) {
  s.cursor.set(s.cursor() + 1);
}

/// The turn takes something new: its group has begun to get in.
template <class D>
void open_group(D&, State<D>& s) {
  s.opened.set(s.cursor() + 1);
}

struct Skip {
  static constexpr RuleInfo info{"skip", "the feature has no embedding in the window",
                                 "Scheduler._try_schedule_encoder_inputs", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Bool<D> outside = looking_at_whole(d, s) && !wants_feature(d, s);
    if (d.profile.look_up == LookUp::embeddings) return outside;
    return outside || (can_get_in(d, s) && !is_in_reach(d, s) && !has_embeddings(d, s) &&
                       fits_free<D>(s, wanted_embeds(d, s), s.promised.sum()));
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    next_feature(d, s);
  }
};

struct Touch {
  static constexpr RuleInfo info{"touch", "a hit: the request references the entry",
                                 "EncoderCacheManager.check_and_update_cache", "vLLM #55546"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Hash<D> h = wanted_hash(d, s);
    return can_get_in(d, s) && is_cached(s, h) && s.promised(h) == 0 && same_size(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    if (d.test("r does not hold it yet", !s.held(r, s.cursor()))) {
      open_group(d, s);
      reference<D>(d, s, r, s.cursor());
    }
    next_feature(d, s);
  }
};

struct Share {
  static constexpr RuleInfo info{"share", "a hash that this turn has chosen already is shared",
                                 "Scheduler._try_schedule_encoder_inputs (mm_hashes_to_schedule)",
                                 "vLLM #23544"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return can_get_in(d, s) && s.promised(wanted_hash(d, s)) > 0 && same_size(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    s.chosen.set(s.plan_request(), s.cursor(), true);
    open_group(d, s);
    next_feature(d, s);
  }
};

struct Refuse {
  static constexpr RuleInfo info{
      "refuse", "an entry of that hash has another size: the request, alone, ends with an error",
      "Scheduler._try_schedule_encoder_inputs", "vLLM #55546"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return can_get_in(d, s) && is_in_reach(d, s) && !same_size(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    end_planning(s);
    end_request(d, s, r);
    s.held_back.set(true);
    begin_draining(s, r);
  }
};

struct Evict {
  static constexpr RuleInfo info{"evict", "the oldest freeable entry makes room",
                                 "EncoderCacheManager.can_allocate", ""};
  using Parameters = Roles<Role::hash>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Hash<D> h) {
    return can_get_in(d, s) && !is_in_reach(d, s) &&
           !fits_free<D>(s, wanted_embeds(d, s), s.promised.sum()) && is_oldest(d, s, h);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Hash<D> h) {
    evict_entry(d, s, h);
  }
};

struct Order {
  static constexpr RuleInfo info{
      "order", "a miss: the feature is chosen to be encoded, its slots are promised",
      "Scheduler._try_schedule_encoder_inputs (encoder_inputs_to_schedule)", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return can_get_in(d, s) && has_embeddings(d, s) && !is_in_reach(d, s) &&
           fits_free<D>(s, wanted_embeds(d, s), s.promised.sum());
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    s.chosen.set(s.plan_request(), s.cursor(), true);
    s.promised.set(wanted_hash(d, s), wanted_embeds(d, s));
    open_group(d, s);
    next_feature(d, s);
  }
};

struct Allocate {
  static constexpr RuleInfo info{
      "allocate", "KV blocks are found: a chosen feature takes its slots and its encode is ordered",
      "EncoderCacheManager.allocate", "vLLM #23544"};
  using Parameters = Roles<Role::feature>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Feature<D> i) {
    return planned(d, s) && is_feature(d, s.plan_request(), i) && s.chosen(s.plan_request(), i);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Feature<D> i) {
    const Request<D> r = s.plan_request();
    const Hash<D> h = d.config.hash(r, i);
    s.granted.set(true);
    s.chosen.set(r, i, false);
    if (d.test("an earlier occurrence has allocated it", is_cached(s, h))) {
      if (d.profile.duplicate == Duplicate::charged_twice &&
          d.test("there is room again", fits_free<D>(s, d.config.embeds(r, i), s.promised.sum())))
        allocate_entry<D>(d, s, r, i);
      else
        add_reference<D>(d, s, r, i);
      return;
    }
    s.promised.set(h, 0);
    allocate_entry<D>(d, s, r, i);
    order_encode<D>(d, s, r, i);
  }
};

}  // namespace holdfast::spec::inline rules
