// The worker (`execute_model()`): for each step in order it drops, encodes, and gathers for the
// target model and then for the drafter.
#pragma once

#include "spec/profiles/profile.hpp"
#include "spec/state.hpp"

namespace holdfast::spec::inline rules {

/// Of the two halves of a step, dropping and encoding, the first is done: `half_done` says so,
/// whichever it is.
template <class D>
Bool<D> may_begin_step(const State<D>& s) {
  return s.executed() < s.issued() && !s.half_done();
}
template <class D>
void end_half(State<D>& s, bool is_first) {
  if (!is_first) s.executed.set(s.executed() + 1);
  s.half_done.set(is_first);
}

struct DropNotices {
  static constexpr RuleInfo info{"drop_notices", "the worker drops what the next step tells it to",
                                 "EncoderCache.free_encoder_cache", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    if (d.profile.worker_order == WorkerOrder::encodes_first) return s.half_done();
    return may_begin_step(s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Step<D> k = s.executed() + 1;
    s.worker.assign(
        [&](Hash<D> h) -> Int<D> { return d.ite(s.step_notices(k, h), 0, s.worker(h)); });
    end_half(s, d.profile.worker_order == WorkerOrder::drops_first);
  }
};

struct Encode {
  static constexpr RuleInfo info{"encode", "the worker encodes what the step orders",
                                 "GPUModelRunner._execute_mm_encoder, EncoderRunner", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    if (d.profile.worker_order == WorkerOrder::encodes_first) return may_begin_step(s);
    return s.half_done();
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Step<D> k = s.executed() + 1;
    s.worker.assign([&](Hash<D> h) -> Int<D> {
      return d.ite(s.step_encodes(k, h) > 0, s.step_encodes(k, h), s.worker(h));
    });
    end_half(s, d.profile.worker_order == WorkerOrder::encodes_first);
  }
};

/// The worker is at step k, which has tokens for r whose output is not processed yet.
template <class D>
Bool<D> is_running_step(const State<D>& s, Step<D> k, Request<D> r) {
  return s.delivered() < k && k == s.executed() && !s.half_done() && s.step_tokens(k, r) > 0;
}

/// Rejections that the worker knows of and the scheduler did not: the true start lies anywhere in
/// [confirmed, computed] at issue.
template <class D>
Bool<D> may_start_at(const D& d, const State<D>& s, Step<D> k, Request<D> r, Int<D> a) {
  return settled_at<D>(d, r, s.step_confirmed(k, r), s.step_computed(k, r)) <= a &&
         a <= s.step_computed(k, r);
}

template <class D>
void raise_miss(D& d, State<D>& s) {
  d.raises("Encoder cache miss");
  s.missed.set(true);
}

struct GatherTarget {
  static constexpr RuleInfo info{
      "gather_target", "the target model reads what it needs of feature i, from position a on",
      "EncoderRunner.gather_mm_embeddings", ""};
  using Parameters = Roles<Role::request, Role::feature, Role::position>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> a) {
    const Step<D> k = s.executed();
    return is_running_step<D>(s, k, r) && is_feature(d, r, i) && may_start_at<D>(d, s, k, r, a) &&
           d.touches(r, i, a, a + s.step_tokens(k, r));
  }
  template <class D>
  static void effect(D& d, State<D>& s, Request<D> r, Feature<D> i, Int<D>) {
    if (d.test("the entry is absent", s.worker(d.config.hash(r, i)) == 0)) raise_miss(d, s);
  }
};

struct GatherDraft {
  static constexpr RuleInfo info{"gather_draft",
                                 "the drafter reads L further on; for an absent boundary feature "
                                 "it falls back to token embeddings",
                                 "EncoderRunner.gather_mm_embeddings (num_lookahead)",
                                 "vLLM #46315, #29750"};
  using Parameters = Roles<Role::request, Role::feature, Role::position>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> r, Feature<D> i, Int<D> a) {
    const Step<D> k = s.executed();
    const Int<D> from = a + d.config.lookahead();
    return d.config.lookahead() > 0 && is_running_step<D>(s, k, r) && is_feature(d, r, i) &&
           may_start_at<D>(d, s, k, r, a) && d.touches(r, i, from, from + s.step_tokens(k, r));
  }
  template <class D>
  static void effect(D& d, State<D>& s, Request<D> r, Feature<D> i, Int<D> a) {
    if (!d.test("the entry is absent", s.worker(d.config.hash(r, i)) == 0)) return;
    const Bool<D> boundary = d.config.start(r, i) >= a + s.step_tokens(s.executed(), r);
    if (d.profile.lookahead == Lookahead::planned &&
        d.profile.whole_items != WholeItems::no_fallback &&
        d.test("it is a boundary feature", boundary))
      return;
    raise_miss(d, s);
  }
};

}  // namespace holdfast::spec::inline rules
