// Lemmas on the steps in flight, and on what their outputs will add.
#pragma once

#include "spec/claims/properties.hpp"
#include "spec/rules/delivery.hpp"

namespace holdfast::spec::inline claims {

struct OwedBehindPrompt {
  static constexpr PropertyInfo info{
      "owed-behind-prompt",
      "where features lie in the prompt, a request owes tokens, or waits for some to be counted, "
      "only once its prompt is computed"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    if (!d.assumptions.prompt_only_features) return true;
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      const Int<D> prompt = d.config.prompt(r);
      return d.implies(s.scheduled(r) && s.owed(r) > 0, prompt <= s.computed(r) + s.tokens(r)) &&
             d.implies(s.credited(r) > 0,
                       has_status(s, r, Status::running) && prompt <= s.computed(r)) &&
             d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
               return d.implies(s.step_tokens(k, r) > 0 && s.step_epoch(k, r) == s.epoch(r) &&
                                    s.step_owed(k, r) > 0,
                                prompt <= s.computed(r));
             });
    });
  }
};

/// Steps whose gather is still to come or may be under way.
template <class D, class F>
Bool<D> all_running_steps(const D& d, const State<D>& s, F&& f) {
  return d.all_steps(s.executed() - 1, s.issued(),
                     [&](Step<D> k) -> Bool<D> { return d.implies(s.delivered() < k, f(k)); });
}

struct StepsHaveNeeds {
  static constexpr PropertyInfo info{
      "steps-have-needs",
      "what a step cannot do without is with the worker once that step has encoded"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return all_running_steps(d, s, [&](Step<D> k) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.all_features(r, [&](Feature<D> i) -> Bool<D> {
          const Int<D> end = s.step_computed(k, r) + s.step_tokens(k, r);
          return d.implies(
              s.step_tokens(k, r) > 0 && d.config.start(r, i) < end &&
                  d.touches(r, i,
                            settled_at<D>(d, r, s.step_confirmed(k, r), s.step_computed(k, r)),
                            end + d.config.lookahead()),
              s.available(k, d.config.hash(r, i)) > 0);
        });
      });
    });
  }
};

struct CountsAreSound {
  static constexpr PropertyInfo info{
      "counts-are-sound",
      "drafts are covered by placeholders, placeholders by tokens, in this pass and in every step"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return d.implies(s.scheduled(r), 1 <= s.tokens(r) && 0 <= s.drafts(r) &&
                                           s.drafts(r) < s.tokens(r) && s.drafts(r) <= s.owed(r) &&
                                           s.owed(r) <= s.tokens(r)) &&
             d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
               return d.implies(
                   s.step_tokens(k, r) > 0,
                   0 <= s.step_drafts(k, r) && s.step_drafts(k, r) <= s.step_owed(k, r));
             });
    });
  }
};

struct CreditedNotNegative {
  static constexpr PropertyInfo info{"credited-not-negative",
                                     "an output never adds fewer than no tokens; nothing waits for "
                                     "them to be counted, but where releases come before"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_requests([&](Request<D> r) -> Bool<D> {
      return releases_before_credit(d.profile) ? Bool<D>(0 <= s.credited(r))
                                               : Bool<D>(s.credited(r) == 0);
    });
  }
};

struct OutputsOfTheEpoch {
  static constexpr PropertyInfo info{
      "outputs-of-the-epoch",
      "a step in flight is of the request's epoch, and then it is running, or of an older one"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return d.all_steps(s.delivered(), s.issued(), [&](Step<D> k) -> Bool<D> {
      return d.all_requests([&](Request<D> r) -> Bool<D> {
        return d.implies(s.step_tokens(k, r) > 0,
                         s.step_epoch(k, r) < s.epoch(r) || (s.step_epoch(k, r) == s.epoch(r) &&
                                                             has_status(s, r, Status::running)));
      });
    });
  }
};

struct PipelineInOrder {
  static constexpr PropertyInfo info{"pipeline-in-order",
                                     "steps are issued, then executed, then delivered; notices are "
                                     "applied only of an issued step"};
  template <class D>
  static Bool<D> holds(const D& d, const State<D>& s) {
    return s.delivered() <= s.executed() && s.executed() <= s.issued() &&
           d.implies(s.half_done(), s.executed() < s.issued());
  }
};

}  // namespace holdfast::spec::inline claims
