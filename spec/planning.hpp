// Planning the encoder inputs of one request (`_try_schedule_encoder_inputs`): a cursor walks over its
// features; each small step deals with one feature, or evicts one entry for it.
#pragma once

#include "spec/encoder_cache.hpp"
#include "spec/scheduling_turn.hpp"

namespace holdfast::spec {

/// Where the planning window of n tokens for r ends: the drafter reads L further.
template <class D>
Int<D> window_end(const D& d, const State<D>& s, Request<D> r, Int<D> n) {
  if (d.profile.lookahead == Lookahead::unplanned) return s.computed(r) + n;
  return s.computed(r) + n + d.config.lookahead();
}

/// The cursor is at a feature that has an embedding in the window.
template <class D>
Bool<D> wants_feature(const D& d, const State<D>& s) {
  const Request<D> r = s.plan_request();
  return looking_at_feature(d, s) &&
         d.touches(r, s.cursor(), confirmed(s, r), window_end(d, s, r, s.plan_tokens()));
}

template <class D>
Hash<D> wanted_hash(const D& d, const State<D>& s) {
  return d.config.hash(s.plan_request(), s.cursor());
}

template <class D>
Int<D> wanted_embeds(const D& d, const State<D>& s) {
  return d.config.embeds(s.plan_request(), s.cursor());
}

template <class D>
Bool<D> same_size(const D& d, const State<D>& s) {
  return s.weight(wanted_hash(d, s)) == wanted_embeds(d, s);
}

/// The feature is not cached and can't be: no compute budget for it, or too few slots to reclaim.
template <class D>
Bool<D> cannot_get_in(const D& d, const State<D>& s) {
  return wants_feature(d, s) && !is_cached(s, wanted_hash(d, s)) &&
         (wanted_embeds(d, s) > s.compute() || !fits_reclaimable<D>(s, wanted_embeds(d, s), 0));
}

struct Skip {
  static constexpr RuleInfo info{"skip", "the feature has no embedding in the window",
                                 "Scheduler._try_schedule_encoder_inputs", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return looking_at_feature(d, s) && !wants_feature(d, s);
  }
  template <class D>
  static void effect(D&, State<D>& s) {
    s.cursor.set(s.cursor() + 1);
  }
};

struct Touch {
  static constexpr RuleInfo info{"touch", "a hit: the request references the entry",
                                 "EncoderCacheManager.check_and_update_cache", "vLLM #55546"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Hash<D> h = wanted_hash(d, s);
    const Bool<D> hit = wants_feature(d, s) && is_cached(s, h) && s.pending(h) == 0;
    if (d.profile.size_check == SizeCheck::ignored) return hit;
    return hit && same_size(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    reference<D>(d, s, s.plan_request(), s.cursor());
    s.cursor.set(s.cursor() + 1);
  }
};

struct Share {
  static constexpr RuleInfo info{"share", "a hash that this pass has ordered already is shared",
                                 "Scheduler._try_schedule_encoder_inputs (mm_hashes_to_schedule)",
                                 "vLLM #23544"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Hash<D> h = wanted_hash(d, s);
    const Bool<D> ordered = wants_feature(d, s) && is_cached(s, h) && s.pending(h) > 0;
    if (d.profile.size_check == SizeCheck::ignored) return ordered;
    return ordered && same_size(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    const Feature<D> i = s.cursor();
    if (d.profile.duplicate == Duplicate::charged_twice &&
        d.test("this request ordered it", s.ordered_by(d.config.hash(r, i)) == r &&
                                              fits_free<D>(s, d.config.embeds(r, i), 0)))
      allocate_entry<D>(d, s, r, i);
    else
      add_reference<D>(d, s, r, i);
    s.cursor.set(i + 1);
  }
};

struct Refuse {
  static constexpr RuleInfo info{"refuse", "an entry of that hash has another size: the request, alone, ends with an error",
                                 "Scheduler._try_schedule_encoder_inputs", "vLLM #55546"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    if (d.profile.size_check == SizeCheck::ignored) return false;
    return wants_feature(d, s) && is_cached(s, wanted_hash(d, s)) && !same_size(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    end_planning(s);
    end_request(d, s, r);
    begin_draining(s, r);
  }
};

struct Evict {
  static constexpr RuleInfo info{"evict", "the oldest freeable entry makes room",
                                 "EncoderCacheManager.can_allocate", ""};
  using Parameters = Roles<Role::hash>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Hash<D> h) {
    const Int<D> embeds = wanted_embeds(d, s);
    return wants_feature(d, s) && !is_cached(s, wanted_hash(d, s)) && embeds <= s.compute() &&
           !fits_free<D>(s, embeds, 0) && fits_reclaimable<D>(s, embeds, 0) && is_oldest(d, s, h);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Hash<D> h) {
    evict_entry(d, s, h);
  }
};

struct Allocate {
  static constexpr RuleInfo info{"allocate", "a miss: slots are taken and the encode is ordered",
                                 "EncoderCacheManager.allocate", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Int<D> embeds = wanted_embeds(d, s);
    return wants_feature(d, s) && !is_cached(s, wanted_hash(d, s)) && embeds <= s.compute() &&
           fits_free<D>(s, embeds, 0);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    const Feature<D> i = s.cursor();
    allocate_entry<D>(d, s, r, i);
    order_encode<D>(d, s, r, i);
    s.cursor.set(i + 1);
  }
};

struct Clip {
  static constexpr RuleInfo info{"clip", "the feature can't get in, but tokens before it can be computed",
                                 "Scheduler._try_schedule_encoder_inputs", "vllm-ascend #17195"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return cannot_get_in(d, s) && d.config.start(r, s.cursor()) > s.computed(r);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    s.plan_tokens.set(d.min(s.plan_tokens(), d.config.start(r, s.cursor()) - s.computed(r)));
    s.cursor.set(d.config.features(r));
  }
};

struct Abandon {
  static constexpr RuleInfo info{"abandon", "the feature can't get in and the window begins inside or behind it: no tokens; a waiting request's look-ups are undone",
                                 "Scheduler._try_schedule_encoder_inputs", "vLLM #31857"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Request<D> r = s.plan_request();
    return cannot_get_in(d, s) && d.config.start(r, s.cursor()) <= s.computed(r);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    give_up_turn(d, s);
  }
};

}  // namespace holdfast::spec
