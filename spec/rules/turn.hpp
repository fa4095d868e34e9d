// What planning, passes and endings share: the turn of a request, and dropping its references.
#pragma once

#include "spec/profiles/profile.hpp"
#include "spec/state.hpp"

namespace holdfast::spec::inline rules {

template <class D>
Bool<D> looking_at_feature(const D& d, const State<D>& s) {
  return s.planning() && !s.draining() && s.cursor() < d.config.features(s.plan_request());
}

/// Every feature was dealt with; KV blocks are sought next.
template <class D>
Bool<D> planned(const D& d, const State<D>& s) {
  return s.planning() && !s.draining() && s.cursor() >= d.config.features(s.plan_request());
}

/// What was chosen and not allocated is given up.
template <class D>
void end_planning(State<D>& s) {
  State<D>::reset_turn(s);
}

/// From here on only the references of r are dropped, one by one, until it holds none.
template <class D>
void begin_draining(State<D>& s, Request<D> r) {
  s.draining.set(true);
  s.drain_request.set(r);
}

/// r loses what it has computed; outputs in flight become stale.
template <class D>
void restart(State<D>& s, Request<D> r) {
  s.computed.set(r, 0);
  s.credited.set(r, 0);
  s.placeholders.set(r, 0);
  s.epoch.set(r, s.epoch(r) + 1);
  s.forgotten.set(r, false);
}

template <class D>
void end_request(D&, State<D>& s, Request<D> r) {
  s.status.set(r, static_cast<int>(Status::finished));
  restart(s, r);
}

/// No tokens in this pass. What a waiting request looked up is undone; a running one keeps what it
/// holds, unless a reset made it forget: where its window begins at what is confirmed, nothing says
/// any more that it holds the first of what it needs.
template <class D>
void give_up_turn(D& d, State<D>& s) {
  const Request<D> r = s.plan_request();
  end_planning(s);
  s.tried.set(r, true);
  if (d.test("it is waiting", has_status(s, r, Status::waiting))) {
    s.computed.set(r, 0);
    if (d.profile.undone == Undone::always) begin_draining(s, r);
  } else if (d.profile.window == Window::from_confirmed &&
             d.test("a reset made it forget", s.forgotten(r))) {
    begin_draining(s, r);
  }
}

}  // namespace holdfast::spec::inline rules
