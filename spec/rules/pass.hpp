// One pass of the scheduler (`schedule()`), from begin to the output that it issues as a step.
#pragma once

#include "spec/rules/chunking.hpp"
#include "spec/rules/delivery.hpp"

namespace holdfast::spec::inline rules {

struct BeginPass {
  static constexpr RuleInfo info{"begin_pass",
                                 "a pass begins with a full encoder compute budget; with nothing "
                                 "in flight, what may be released has been",
                                 "Scheduler.schedule", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return !s.in_pass() && at_rest(s) && passes_in_flight(d, s) < d.config.depth() &&
           d.implies(s.issued() == s.delivered(), everything_is_released(d, s));
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    s.in_pass.set(true);
    s.compute.set(d.config.encoder_budget());
  }
};

/// Nobody who waits overtakes a request that got nothing in this pass, unless it is more urgent; a
/// request without items may where it takes nothing that the other needs.
template <class D>
Bool<D> may_be_admitted(const D& d, const State<D>& s, Request<D> r) {
  switch (d.profile.overtaking) {
    case Overtaking::anybody: return true;
    case Overtaking::nobody_waiting:
      return d.all_requests([&](Request<D> q) -> Bool<D> {
        return !(s.tried(q) && has_status(s, q, Status::waiting));
      });
    case Overtaking::nobody: break;
  }
  const Bool<D> needs_nothing = d.config.features(r) == 0 && !d.config.whole_items();
  return needs_nothing || d.all_requests([&](Request<D> q) -> Bool<D> {
    return d.implies(s.tried(q), d.config.priority(r) < d.config.priority(q));
  });
}

struct Plan {
  static constexpr RuleInfo info{"plan",
                                 "a running or waiting request gets its turn, with n tokens in "
                                 "view; a waiting one may have c of them from the prefix cache",
                                 "Scheduler.schedule", ""};
  using Parameters = Roles<Role::request, Role::tokens, Role::hit>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> r, Int<D> n, Int<D> hit) {
    return s.in_pass() && at_rest(s) && !s.scheduled(r) && !s.tried(r) && 1 <= n && 0 <= hit &&
           n <= tokens_left(d, s) && s.computed(r) + hit + n <= d.config.limit(r) &&
           ((has_status(s, r, Status::running) && hit == 0) ||
            (has_status(s, r, Status::waiting) && may_be_admitted(d, s, r)));
  }
  template <class D>
  static void effect(D&, State<D>& s, Request<D> r, Int<D> n, Int<D> hit) {
    s.computed.set(r, s.computed(r) + hit);
    s.planning.set(true);
    s.plan_request.set(r);
    s.plan_tokens.set(n);
    s.cursor.set(0);
  }
};

struct PutBack {
  static constexpr RuleInfo info{
      "put_back", "no KV blocks for a waiting request: it stays waiting, its look-ups are undone",
      "Scheduler.schedule (waiting queue)", "vLLM #31857"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    return planned(d, s) && !s.granted() && has_status(s, s.plan_request(), Status::waiting);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Request<D> r = s.plan_request();
    end_planning(s);
    s.computed.set(r, 0);
    s.held_back.set(true);
    if (d.profile.undone != Undone::never) begin_draining(s, r);
  }
};

/// Everything chosen in this turn is allocated.
template <class D>
Bool<D> nothing_chosen(const D& d, const State<D>& s) {
  const Request<D> r = s.plan_request();
  return d.all_features(r, [&](Feature<D> i) -> Bool<D> { return !s.chosen(r, i); });
}

struct Commit {
  static constexpr RuleInfo info{"commit",
                                 "the request is scheduled; d of its tokens are drafts, p "
                                 "placeholders stand for what is not known yet",
                                 "Scheduler.schedule, _update_after_schedule", ""};
  using Parameters = Roles<Role::drafts, Role::owed>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Int<D> drafts, Int<D> owed) {
    const Request<D> r = s.plan_request();
    const Int<D> end = s.computed(r) + s.plan_tokens();
    const Bool<D> counts = planned(d, s) && nothing_chosen(d, s) && 0 <= drafts &&
                           drafts < s.plan_tokens() && drafts <= owed && owed <= drafts + 1;
    if (!d.assumptions.prompt_only_features) return counts;
    return counts && d.implies(owed > 0, end >= d.config.prompt(r)) &&
           d.implies(drafts > 0, end - drafts >= d.config.prompt(r));
  }
  template <class D>
  static void effect(D&, State<D>& s, Int<D> drafts, Int<D> owed) {
    admit<D>(s, s.plan_request(), s.plan_tokens(), drafts, owed);
    end_planning(s);
  }

  /// r is scheduled with n tokens in this pass.
  template <class D>
  static void admit(State<D>& s, Request<D> r, Int<D> n, Int<D> drafts, Int<D> owed) {
    s.status.set(r, static_cast<int>(Status::running));
    s.scheduled.set(r, true);
    s.tokens.set(r, n);
    s.drafts.set(r, drafts);
    s.owed.set(r, owed);
    s.forgotten.set(r, false);
  }
};

/// v goes back to waiting and loses what it computed and holds.
template <class D>
void take_back(State<D>& s, Request<D> v) {
  s.status.set(v, static_cast<int>(Status::waiting));
  restart(s, v);
  begin_draining(s, v);
}

/// KV blocks are missing, so a victim may be chosen: outside a turn, or when its plan is complete.
template <class D>
Bool<D> may_preempt(const D& d, const State<D>& s) {
  return !s.draining() && (!s.planning() || (planned(d, s) && !s.granted()));
}

struct Preempt {
  static constexpr RuleInfo info{
      "preempt", "a running request that is not scheduled in this pass gives its KV blocks back",
      "Scheduler._preempt_request", ""};
  using Parameters = Roles<Role::request>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> v) {
    return may_preempt(d, s) && has_status(s, v, Status::running) && !s.scheduled(v);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Request<D> v) {
    if (d.test("it is its own turn", s.planning() && s.plan_request() == v)) end_planning(s);
    s.held_back.set(s.in_pass());
    take_back(s, v);
  }
};

struct Retract {
  static constexpr RuleInfo info{
      "retract",
      "a request already scheduled in this pass is taken back for one of higher priority",
      "Scheduler.schedule (priority policy), _preempt_request", ""};
  using Parameters = Roles<Role::request>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> v) {
    return planned(d, s) && !s.granted() && s.scheduled(v);
  }
  template <class D>
  static void effect(D&, State<D>& s, Request<D> v) {
    s.scheduled.set(v, false);
    s.tokens.set(v, 0);
    s.drafts.set(v, 0);
    s.owed.set(v, 0);
    s.retracting.set(true);
    s.held_back.set(true);
    take_back(s, v);
  }
};

struct Drop {
  static constexpr RuleInfo info{"drop", "one reference of a request that is leaving is dropped",
                                 "EncoderCacheManager.free", "reproduced on vLLM 0.33.0"};
  using Parameters = Roles<Role::feature>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Feature<D> i) {
    const Request<D> r = s.drain_request();
    return s.draining() && is_feature(d, r, i) && s.held(r, i);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Feature<D> i) {
    drop_occurrence<D>(d, s, s.drain_request(), i);
  }
};

struct Drained {
  static constexpr RuleInfo info{"drained", "the request that is leaving holds nothing any more",
                                 "EncoderCacheManager.free", ""};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s) {
    const Request<D> r = s.drain_request();
    return s.draining() &&
           d.all_features(r, [&](Feature<D> i) -> Bool<D> { return !s.held(r, i); });
  }
  template <class D>
  static void effect(D&, State<D>& s) {
    State<D>::reset_leaving(s);
  }
};

/// What the step remembers of each scheduled request, and the scheduler's optimistic counters
/// (`_update_after_schedule`).
template <class D>
void issue_step(D& d, State<D>& s, Step<D> k) {
  const auto if_scheduled = [&](const auto& value) {
    return [&](Request<D> r) -> Int<D> { return d.ite(s.scheduled(r), value(r), 0); };
  };
  s.step_confirmed.assign_row(k, if_scheduled([&](Request<D> r) { return confirmed(s, r); }));
  s.step_computed.assign_row(k, if_scheduled([&](Request<D> r) { return s.computed(r); }));
  s.step_tokens.assign_row(k, if_scheduled([&](Request<D> r) { return s.tokens(r); }));
  s.step_drafts.assign_row(k, if_scheduled([&](Request<D> r) { return s.drafts(r); }));
  s.step_owed.assign_row(k, if_scheduled([&](Request<D> r) { return s.owed(r); }));
  s.step_epoch.assign_row(k, if_scheduled([&](Request<D> r) { return s.epoch(r); }));
  s.computed.assign([&](Request<D> r) -> Int<D> {
    return s.computed(r) + d.ite(s.scheduled(r), s.tokens(r), 0);
  });
  if (d.profile.placeholders == Placeholders::counted)
    s.placeholders.assign([&](Request<D> r) -> Int<D> {
      return s.placeholders(r) + d.ite(s.scheduled(r), s.owed(r), 0);
    });
  State<D>::reset_pass(s);
  s.issued.set(k);
}

struct EndPass {
  static constexpr RuleInfo info{
      "end_pass", "the step is issued with its encodes and the notices of what is gone",
      "Scheduler.schedule, EncoderCacheManager.get_freed_mm_hashes", "vLLM #52482"};
  using Parameters = Roles<>;
  template <class D>
  static Bool<D> guard(const D&, const State<D>& s) {
    return s.in_pass() && at_rest(s);
  }
  template <class D>
  static void effect(D& d, State<D>& s) {
    const Step<D> k = s.issued() + 1;
    s.step_notices.assign_row(k, [&](Hash<D> h) -> Bool<D> { return is_noticed(d, s, h); });
    s.step_encodes.assign_row(k, [&](Hash<D> h) -> Int<D> { return s.pending(h); });
    s.available.copy_row(k, s.weight);
    s.evicted.fill(false);
    issue_step<D>(d, s, k);
  }
};

}  // namespace holdfast::spec::inline rules
