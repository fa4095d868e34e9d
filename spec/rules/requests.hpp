// Requests come and go.
#pragma once

#include "spec/rules/chunking.hpp"
#include "spec/rules/turn.hpp"

namespace holdfast::spec::inline rules {

/// Whether r alone fits: every item the capacity, the compute budget and, where items must not be
/// split, the token budget of one pass; a tail that planning knows of, that token budget in any
/// case.
template <class D>
Bool<D> fits_alone(const D& d, Request<D> r) {
  const auto& c = d.config;
  const Int<D> tail = d.profile.tail == Tail::cut_after_planning ? Int<D>(0) : Int<D>(c.tail());
  return d.min(tail, c.limit(r)) <= c.token_budget() &&
         d.all_features(r, [&](Feature<D> i) -> Bool<D> {
           return item_embeds(d, r, i) <= c.capacity() &&
                  item_embeds(d, r, i) <= c.encoder_budget() &&
                  d.implies(c.whole_items(),
                            whole_end(d, r, i) <= item_start(d, r, i) + c.token_budget() &&
                                whole_end(d, r, i) <= c.limit(r));
         });
}

struct Add {
  static constexpr RuleInfo info{"add", "a request arrives", "Scheduler.add_request", ""};
  using Parameters = Roles<Role::request>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> r) {
    const Bool<D> arrives = !s.in_pass() && at_rest(s) && has_status(s, r, Status::absent);
    if (d.profile.admission == Admission::unchecked) return arrives;
    return arrives && fits_alone(d, r);
  }
  template <class D>
  static void effect(D&, State<D>& s, Request<D> r) {
    s.status.set(r, static_cast<int>(Status::waiting));
  }
};

struct Reject {
  static constexpr RuleInfo info{"reject",
                                 "a request that could never run is refused when it arrives",
                                 "Scheduler.add_request, InputProcessor", "vLLM #25890"};
  using Parameters = Roles<Role::request>;
  template <class D>
  static Bool<D> guard(const D& d, const State<D>& s, Request<D> r) {
    if (d.profile.admission == Admission::unchecked) return false;
    return !s.in_pass() && at_rest(s) && has_status(s, r, Status::absent) && !fits_alone(d, r);
  }
  template <class D>
  static void effect(D&, State<D>& s, Request<D> r) {
    s.status.set(r, static_cast<int>(Status::finished));
  }
};

struct Finish {
  static constexpr RuleInfo info{"finish", "a running request is done", "Scheduler._free_request",
                                 ""};
  using Parameters = Roles<Role::request>;
  template <class D>
  static Bool<D> guard(const D&, const State<D>& s, Request<D> r) {
    return !s.in_pass() && at_rest(s) && has_status(s, r, Status::running);
  }
  template <class D>
  static void effect(D& d, State<D>& s, Request<D> r) {
    end_request(d, s, r);
    begin_draining(s, r);
  }
};

struct AbortRequest {
  static constexpr RuleInfo info{"abort",
                                 "a running or waiting request is given up, between any two passes",
                                 "Scheduler.finish_requests", "vLLM #12545"};
  using Parameters = Roles<Role::request>;
  template <class D>
  static Bool<D> guard(const D&, const State<D>& s, Request<D> r) {
    return !s.in_pass() && at_rest(s) &&
           (has_status(s, r, Status::waiting) || has_status(s, r, Status::running));
  }
  template <class D>
  static void effect(D& d, State<D>& s, Request<D> r) {
    end_request(d, s, r);
    if (d.profile.abort == Abort::released) begin_draining(s, r);
  }
};

}  // namespace holdfast::spec::inline rules
