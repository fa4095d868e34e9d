// The manager of encoder-decoder models such as Whisper (`EncoderDecoderCacheManager`). Nothing is
// shared: the encoder output is read in the step that encodes it (cross-attention keeps its own
// KV), so the slots are given back once a token was computed, and the worker is told one pass
// later.
#pragma once

#include "spec/rules/delivery.hpp"
#include "spec/rules/encoder_cache.hpp"
#include "spec/rules/pass.hpp"
#include "spec/rules/turn.hpp"
#include "spec/rules/worker.hpp"

namespace holdfast::spec::inline rules {

/// The cursor is at an input of a request that has computed nothing.
template <class D>
Bool<D> wants_input(const D& d, const State<D>& s) {
  return looking_at_feature(d, s) && s.computed(s.plan_request()) == 0;
}

template <class D>
Int<D> input_embeds(const D& d, const State<D>& s) {
  return d.config.embeds(s.plan_request(), s.cursor());
}

/// Gives the slots of an input back again, where the profile does. Whether it did.
template <class D>
bool credit_again(D& d, State<D>& s, Request<D> r, Feature<D> i) {
  if (d.profile.encdec_credit == EncdecCredit::once ||
      !d.test("it is credited already", !s.held(r, i)))
    return false;
  s.free.set(s.free() + d.config.embeds(r, i));
  return true;
}

/// Gives the slots of an input back, once.
template <class D>
void credit_input(D&, State<D>& s, Request<D> r, Feature<D> i) {
  s.free.set(s.free() + s.charged(r, i));
  s.charged.set(r, i, 0);
  s.held.set(r, i, false);
}

struct EncdecSkip {
  static constexpr RuleInfo info{"encdec_skip", "the input was read by an earlier step",
                                 "Scheduler._try_schedule_encoder_inputs", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return looking_at_feature(d, s) && s.computed(s.plan_request()) > 0;
  }
  template <class D>
  static void effect(D&, State<D>& s) {
    s.cursor.set(s.cursor() + 1);
  }
};

struct EncdecAllocate {
  static constexpr RuleInfo info{"encdec_allocate", "slots are taken and the encode is ordered",
                                 "EncoderDecoderCacheManager.allocate", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return wants_input(d, s) && !s.held(s.plan_request(), s.cursor()) &&
           input_embeds(d, s) <= s.compute() && fits_free<D>(s, input_embeds(d, s), 0);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    const Feature<D> i = s.cursor();
    s.free.set(s.free() - d.config.embeds(r, i));
    s.charged.set(r, i, d.config.embeds(r, i));
    s.held.set(r, i, true);
    s.refs.set(d.config.hash(r, i), r, true);
    order_encode<D>(d, s, r, i);
    s.cursor.set(i + 1);
  }
};

struct EncdecAbandon {
  static constexpr RuleInfo info{"encdec_abandon",
                                 "no slots or no compute budget for the input: no tokens",
                                 "Scheduler._try_schedule_encoder_inputs", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    // Only a waiting request has computed nothing.
    return wants_input(d, s) && has_status(s, s.plan_request(), Status::waiting) &&
           (input_embeds(d, s) > s.compute() || !fits_free<D>(s, input_embeds(d, s), 0));
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    PutBack::effect<D>(d, s);
    s.tried.set(r, true);
  }
};

struct EncdecDrop {
  static constexpr RuleInfo info{"encdec_drop",
                                 "one input of a request that is leaving is credited; an order of "
                                 "this pass that nobody else shares is withdrawn",
                                 "EncoderDecoderCacheManager.free", ""};
  using Parameters = Roles<Role::feature>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Feature<D> i) {
    if (d.profile.encdec_credit == EncdecCredit::every_call)
      return s.draining() && is_feature(d, s.drain_request(), i);
    return Drop::guard<D>(d, s, i);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Feature<D> i) {
    const Request<D> r = s.drain_request();
    const Hash<D> h = d.config.hash(r, i);
    if (d.profile.encdec_credit == EncdecCredit::every_call && credit_again<D>(d, s, r, i)) return;
    credit_input<D>(d, s, r, i);
    if (d.test("r holds another occurrence", d.any_feature(r, [&](Feature<D> j) -> Bool<D> {
          return s.held(r, j) && d.config.hash(r, j) == h;
        })))
      return;
    s.refs.set(h, r, false);
    if (d.test("nobody else ordered it in this pass", s.refs.none(h))) cancel_encode(d, s, h);
  }
};

struct EncdecRelease {
  static constexpr RuleInfo info{
      "encdec_release", "a token was computed: the slots of the input are given back, once",
      "Scheduler._free_encoder_inputs, EncoderDecoderCacheManager.free_encoder_input",
      "vLLM #55733"};
  using Parameters = Roles<Role::request, Role::feature>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> r, Feature<D> i) {
    const Bool<D> computed = !s.in_pass() && at_rest(s) && is_feature(d, r, i) && s.computed(r) > 0;
    if (d.profile.encdec_credit != EncdecCredit::once) return computed;
    return computed && s.held(r, i);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Request<D> r, Feature<D> i) {
    if (!credit_again<D>(d, s, r, i)) credit_input<D>(d, s, r, i);
  }
};

struct EncdecEndPass {
  static constexpr RuleInfo info{
      "encdec_end_pass",
      "the step is issued; the worker is told to drop what the pass before ordered",
      "EncoderDecoderCacheManager.get_freed_mm_hashes", "vLLM #32789"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return EndPass::guard<D>(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Step<D> k = s.issued() + 1;
    const bool early = d.profile.encdec_notice == EncdecNotice::same_pass;
    s.step_notices.assign_row(k, [&](Hash<D> h) -> Bool<D> {
      if (early) return s.pending(h) > 0;
      if (d.profile.encdec_notice == EncdecNotice::next_pass_all) return s.evicted(h);
      return s.evicted(h) && s.pending(h) == 0;
    });
    s.step_encodes.assign_row(k, [&](Hash<D> h) -> Int<D> { return s.pending(h); });
    s.available.copy_row(k, s.pending);
    s.evicted.assign([&](Hash<D> h) -> Bool<D> {
      if (early) return false;
      return s.pending(h) > 0;
    });
    s.refs.fill(false);
    issue_step<D>(d, s, k);
  }
};

struct EncdecReset {
  static constexpr RuleInfo info{
      "encdec_reset", "the manager forgets every input; the worker clears its store in queue order",
      "EncoderDecoderCacheManager.reset", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return Reset::guard<D>(d, s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    s.free.set(d.config.capacity());
    s.charged.fill(0);
    s.held.fill(false);
    s.evicted.fill(false);
    issue_clearing_step(s);
  }
};

struct EncdecRead {
  static constexpr RuleInfo info{"encdec_read",
                                 "cross-attention reads the input in the step that encodes it",
                                 "GPUModelRunner._extract_encoder_inputs", ""};
  using Parameters = Roles<Role::request, Role::feature>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> r, Feature<D> i) {
    const Step<D> k = s.executed();
    return is_running_step<D>(s, k, r) && is_feature(d, r, i) && s.step_computed(k, r) == 0;
  }
  template <class D>
  static void effect(D& d, State<D>& s, Request<D> r, Feature<D> i) {
    if (d.test("the entry is absent", s.worker(d.config.hash(r, i)) == 0)) raise_miss(d, s);
  }
};

}  // namespace holdfast::spec::inline rules
