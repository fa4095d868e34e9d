// Between passes: outputs are delivered, inputs released, the cache reset.
#pragma once

#include "spec/rules/encoder_cache.hpp"
#include "spec/rules/turn.hpp"

namespace holdfast::spec::inline rules {

/// A delivery's own tokens are counted only behind the releases that it makes
/// (`_free_encoder_inputs`).
constexpr bool releases_before_credit(const Profile& p) {
  return p.release == Release::before_credit || p.release == Release::margin_before_credit;
}

struct Deliver {
  static constexpr RuleInfo info{"deliver",
                                 "the output of r in step k is processed; x drafts were rejected; "
                                 "a stale output changes no counter",
                                 "Scheduler.update_from_output", "vLLM #45347"};
  using Parameters = Roles<Role::step, Role::request, Role::rejected>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Step<D> k, Request<D> r, Int<D> rejected) {
    const Bool<D> ready =
        d.assumptions.fifo_delivery ? Bool<D>(k == s.delivered() + 1) : Bool<D>(s.delivered() < k);
    const Bool<D> delivers = !s.in_pass() && at_rest(s) && ready && k <= s.executed() &&
                             s.step_tokens(k, r) > 0 && 0 <= rejected &&
                             rejected <= s.step_drafts(k, r);
    if (!d.assumptions.prompt_only_features) return delivers;
    return delivers && d.implies(rejected > 0 && s.step_epoch(k, r) == s.epoch(r),
                                 d.config.prompt(r) <= s.computed(r) - rejected);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Step<D> k, Request<D> r, Int<D> rejected) {
    if (d.test("it is not stale", s.step_epoch(k, r) == s.epoch(r))) {
      s.computed.set(r, s.computed(r) - rejected);
      s.placeholders.set(r, s.placeholders(r) - s.step_owed(k, r));
      if (releases_before_credit(d.profile))
        s.credited.set(
            r, d.ite(s.step_drafts(k, r) < s.step_owed(k, r), s.step_owed(k, r) - rejected, 0));
    }
    s.step_tokens.set(k, r, 0);
  }
};

struct EndDeliver {
  static constexpr RuleInfo info{"end_deliver", "every output of the oldest step is processed",
                                 "Scheduler.update_from_output", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Step<D> k = s.delivered() + 1;
    return !s.in_pass() && at_rest(s) && k <= s.executed() &&
           d.all_requests([&](Request<D> r) -> Bool<D> { return s.step_tokens(k, r) == 0; });
  }
  template <class D>
  static void effect(D&, State<D>& s) {
    s.delivered.set(s.delivered() + 1);
  }
};

/// Whether feature i of r may be released: no later step can read it.
template <class D>
Bool<D> is_releasable(const D& d, const State<D>& s, Request<D> r, Feature<D> i) {
  const Int<D> end = d.config.end(r, i);
  switch (d.profile.release) {
    case Release::lookahead_margin:
      return !s.in_pass() && end + d.config.lookahead() <= confirmed(s, r);
    case Release::before_credit: return !s.in_pass() && end + s.credited(r) <= confirmed(s, r);
    case Release::margin_before_credit:
      return !s.in_pass() && end + d.config.lookahead() + s.credited(r) <= confirmed(s, r);
    case Release::optimistic: return !s.in_pass() && end <= s.computed(r);
    case Release::at_schedule: return end <= confirmed(s, r) + s.tokens(r);
    case Release::confirmed: break;
  }
  return !s.in_pass() && end <= confirmed(s, r);
}

/// No request holds an input that may be released.
template <class D>
Bool<D> everything_is_released(const D& d, const State<D>& s) {
  return d.all_requests([&](Request<D> r) -> Bool<D> {
    return d.all_features(
        r, [&](Feature<D> i) -> Bool<D> { return !(s.held(r, i) && is_releasable(d, s, r, i)); });
  });
}

/// Resets are no passes.
template <class D>
Int<D> passes_in_flight(const D& d, const State<D>& s) {
  return s.issued() - s.delivered() - d.ite(s.delivered() < s.reset_step(), 1, 0);
}

struct ReleaseInput {
  static constexpr RuleInfo info{
      "release", "an input whose every token is confirmed is released",
      "Scheduler._free_encoder_inputs, EncoderCacheManager.free_encoder_input",
      "vLLM #38907, #45347, #54284"};
  using Parameters = Roles<Role::request, Role::feature>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> r, Feature<D> i) {
    return at_rest(s) && is_feature(d, r, i) && s.held(r, i) && is_releasable(d, s, r, i);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Request<D> r, Feature<D> i) {
    const bool in_pass = d.profile.release == Release::at_schedule;
    drop_occurrence<D>(d, s, r, i, d.profile.occurrence,
                       in_pass ? Orders::may_stand : Orders::none_stands);
  }
};

/// To the worker a reset is a step of its own: drop everything, encode and compute nothing.
template <class D>
void issue_clearing_step(State<D>& s) {
  const Step<D> k = s.issued() + 1;
  s.step_notices.assign_row(k, [&](Hash<D>) -> Bool<D> { return true; });
  s.step_encodes.assign_row(k, [&](Hash<D>) -> Int<D> { return 0; });
  s.available.assign_row(k, [&](Hash<D>) -> Int<D> { return 0; });
  s.step_tokens.assign_row(k, [&](Request<D>) -> Int<D> { return 0; });
  s.issued.set(k);
  s.reset_step.set(k);
}

struct Reset {
  static constexpr RuleInfo info{"reset",
                                 "the manager forgets everything; the worker clears its store in "
                                 "queue order; one at a time is in flight",
                                 "Scheduler.reset_encoder_cache, EncoderCacheManager.reset", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D&, const State<D>& s) {
    return !s.in_pass() && at_rest(s) && s.reset_step() <= s.delivered();
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    s.forgotten.assign([&](Request<D> r) -> Bool<D> { return has_status(s, r, Status::running); });
    forget_everything(d, s);
    issue_clearing_step(s);
  }
};

}  // namespace holdfast::spec::inline rules
