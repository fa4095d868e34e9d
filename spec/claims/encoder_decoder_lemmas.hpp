// Lemmas on the manager of encoder-decoder models.
#pragma once

#include "spec/claims/pipeline_lemmas.hpp"
#include "spec/claims/properties.hpp"

namespace holdfast::spec::inline claims {

struct EncdecOutsidePassNothing {
  static constexpr PropertyInfo info{"encdec-outside-pass-nothing",
                                     "outside a pass nothing is scheduled, planned, tried, "
                                     "retracted or ordered; no reset makes a request forget"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.implies(!s.in_pass(), !s.planning() && !s.retracting()) &&
           d.all_requests([&](Request<D> r) -> Bool<D> {
             return !s.forgotten(r) && d.implies(!s.in_pass(), !s.scheduled(r) && !s.tried(r));
           }) &&
           d.all_hashes(
               [&](Hash<D> h) -> Bool<D> { return d.implies(!s.in_pass(), s.pending(h) == 0); });
  }
};

struct EncdecCharges {
  static constexpr PropertyInfo info{
      "encdec-charges", "an input is charged its own size while it is held, and nothing otherwise"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_indices([&](Feature<D> i) -> Bool<D> { return 0 <= s.charged(r, i); }) &&
             d.all_features(r, [&](Feature<D> i) -> Bool<D> {
               return s.charged(r, i) == d.ite(s.held(r, i), d.config.embeds(r, i), 0);
             });
    });
  }
};

struct EncdecOrders {
  static constexpr PropertyInfo info{
      "encdec-orders",
      "in a pass a request counts for an order only while the order stands and it holds the input"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes([&](Hash<D> h) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.implies(s.refs(h, r), s.in_pass() && s.pending(h) > 0);
      });
    });
  }
};

struct EncdecScheduledOrders {
  static constexpr PropertyInfo info{
      "encdec-scheduled-orders",
      "a request scheduled from its first token on has every input ordered in this pass"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    const Request<D> p = s.plan_request();
    const auto ordered = [&](Request<D> r, Feature<D> i) -> Bool<D> {
      return s.held(r, i) && s.refs(d.config.hash(r, i), r);
    };
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
        return d.implies(s.scheduled(r) && s.computed(r) == 0, ordered(r, i));
      });
    }) && d.all_features(p, [&](Feature<D> i) -> Bool<D> {
      return d.implies(s.planning() && i < s.cursor() && s.computed(p) == 0, ordered(p, i));
    });
  }
};

struct EncdecStepsHaveInputs {
  static constexpr PropertyInfo info{"encdec-steps-have-inputs",
                                     "the first step of a request encodes its inputs"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return all_running_steps(d, s, [&](Step<D> k) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
          return d.implies(s.step_tokens(k, r) > 0 && s.step_computed(k, r) == 0,
                           s.available(k, d.config.hash(r, i)) > 0);
        });
      });
    });
  }
};

struct EncdecToldNext {
  static constexpr PropertyInfo info{
      "encdec-told-next", "what the last step leaves with the worker is what is told next"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_hashes(
        [&](Hash<D> h) -> Bool<D> { return (s.available(s.issued(), h) > 0) == s.evicted(h); });
  }
};

}  // namespace holdfast::spec::inline claims
