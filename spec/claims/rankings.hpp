// Why the first of the running requests is not kept waiting for ever: what every step of the model
// keeps between the state before it and the state after it.
//
// Let f be a running request that could not get in, and let `left` be the tokens that the running
// requests may still compute, taken together. While f is blocked nobody is admitted who is not more
// urgent or needs something of the encoder cache (`nobody-overtakes`), so nothing but that adds to
// `left` (`left-only-falls`). In every pass with nothing in flight somebody gets a token
// (`progress`), and once its output is processed `left` has fallen by one at least
// (`output-counts`). So after at most `left` such passes no other request runs that holds anything,
// and then f gets in (`somebody-is-in-the-way`).
#pragma once

#include "spec/claims/properties.hpp"

namespace holdfast::spec::inline claims {

/// Tokens that r may still compute; for a running request never negative, as confirmed <= limit.
template <class D>
Int<D> left_to_compute(const D& d, const State<D>& s, Request<D> r) {
  return d.config.limit(r) - confirmed(s, r);
}

/// r was waiting and runs now.
template <class D>
Bool<D> is_admitted(const State<D>& before, const State<D>& after, Request<D> r) {
  return has_status(before, r, Status::waiting) && has_status(after, r, Status::running);
}

struct LeftOnlyFalls {
  static constexpr PropertyInfo info{
      "left-only-falls",
      "what a running request may still compute never grows; only an admission adds to it"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& before, const State<D>& after) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      const Bool<D> ran = has_status(before, r, Status::running);
      return d.implies(
          has_status(after, r, Status::running),
          is_admitted<D>(before, after, r) ||
              (ran && left_to_compute<D>(d, after, r) <= left_to_compute<D>(d, before, r)));
    });
  }
};

struct NobodyOvertakes {
  static constexpr PropertyInfo info{"nobody-overtakes",
                                     "while a request can't get in, only who is more urgent is "
                                     "admitted, or who needs nothing of what it waits for"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& before, const State<D>& after) {
    return d.all_requests([&](Request<D> q) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.implies(is_admitted<D>(before, after, r) && before.tried(q),
                         d.config.priority(r) < d.config.priority(q) ||
                             (d.config.features(r) == 0 && !d.config.whole_items()));
      });
    });
  }
};

struct OutputCounts {
  static constexpr PropertyInfo info{"output-counts",
                                     "of the tokens that a step has for a request, all but those "
                                     "that are drafts count once its output is processed"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& before, const State<D>& after) {
    const Step<D> k = after.issued();
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      const Bool<D> is_issued = before.issued() < k && before.scheduled(r);
      return d.implies(is_issued, confirmed(after, r) == confirmed(before, r) + before.tokens(r) -
                                                             before.owed(r) &&
                                      before.drafts(r) < before.tokens(r)) &&
             d.all_steps(before.delivered(), before.issued(), [&](Step<D> j) -> Bool<D> {
               const Bool<D> is_processed = 0 < before.step_tokens(j, r) &&
                                            after.step_tokens(j, r) == 0 &&
                                            before.step_epoch(j, r) == before.epoch(r);
               return d.implies(is_processed, confirmed(before, r) + before.step_owed(j, r) -
                                                      before.step_drafts(j, r) <=
                                                  confirmed(after, r));
             });
    });
  }
};

}  // namespace holdfast::spec::inline claims
