// How the reference pass takes its small steps: each is a rule, whose guard is asked first, and
// whoever runs the pass sees it before and after.
#pragma once

#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

#include "spec/rules/delivery.hpp"
#include "spec/rules/encoder_decoder_cache.hpp"
#include "spec/rules/pass.hpp"
#include "spec/rules/requests.hpp"
#include "spec/schedule/queues.hpp"

namespace holdfast::spec::inline schedule {

/// The pass needs a rule that the state does not allow: the profile contradicts itself there.
/// Thrown.
struct Refused {
  std::string_view rule;
};

/// Sees nothing, and leaves what the model leaves open at its default. An observer derives from it
/// and hides what it wants otherwise.
template <class D>
struct Unobserved {
  template <class Rule, class... Arguments>
  void before(Arguments...) {}
  template <class Rule, class... Arguments>
  void after(Arguments...) {}
  /// r drops these references next: the order, ascending here, is not the model's business.
  void arrange(Request<D>, std::vector<Int<D>>&) {}
  /// r waits and is not let in, as another could not get in (`Overtaking`).
  void passed_over(Request<D>) {}
  void issued(const Flight<D>&) {}
  /// A gather of the step that was executed last, for the target or, L further on, for the drafter.
  void before_gather(const Scheduled<D>&, Int<D>) {}
  void after_gather(const Scheduled<D>&, Int<D>) {}
};

template <class D, class Observer>
struct Scheduler {
  D& d;
  State<D>& s;
  Queues<D>& queues;
  Observer& observer;

  /// Takes the rule if its guard holds. Returns whether it did.
  template <class Rule, class... Arguments>
  bool take(Arguments... arguments) {
    if (!Rule::template guard<D>(d, s, arguments...)) return false;
    observer.template before<Rule>(arguments...);
    Rule::template effect<D>(d, s, arguments...);
    observer.template after<Rule>(arguments...);
    return true;
  }
  /// Throws Refused if its guard does not hold.
  template <class Rule, class... Arguments>
  void must(Arguments... arguments) {
    if (!take<Rule>(arguments...)) throw Refused{Rule::info.name};
  }

  [[nodiscard]] bool is_decoder_only() const {
    return queues.sizes.manager == Manager::decoder_only;
  }
  [[nodiscard]] bool is_async() const { return d.config.depth() > 1; }
};

template <class D>
std::vector<Int<D>> held_inputs(const D& d, const State<D>& s, Request<D> r) {
  std::vector<Int<D>> held;
  for (Int<D> i = 0; i < d.config.features(r); ++i)
    if (s.held(r, i)) held.push_back(i);
  return held;
}

/// What the manager gives back for r: what it holds, or, of an encoder-decoder model that does not
/// know, every input.
template <class D>
std::vector<Int<D>> credited_inputs(const D& d, const State<D>& s, Manager manager, Request<D> r,
                                    EncdecCredit least) {
  if (manager == Manager::decoder_only || d.profile.encdec_credit < least)
    return held_inputs<D>(d, s, r);
  std::vector<Int<D>> all(static_cast<std::size_t>(d.config.features(r)));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Drops these references, all that whoever is leaving holds.
template <class D, class Observer>
void drop_references(Scheduler<D, Observer>& x, std::vector<Int<D>> held) {
  const Request<D> r = x.s.drain_request();
  x.observer.arrange(r, held);
  for (const auto i : held) {
    if (x.is_decoder_only())
      x.template must<Drop>(i);
    else
      x.template must<EncdecDrop>(i);
  }
  x.template must<Drained>();
}

/// If a request is leaving, all that it references is dropped (`EncoderCacheManager.free`).
template <class D, class Observer>
void free_references(Scheduler<D, Observer>& x) {
  if (x.s.draining())
    drop_references<D>(x, credited_inputs<D>(x.d, x.s, x.queues.sizes.manager, x.s.drain_request(),
                                             EncdecCredit::every_call));
}

}  // namespace holdfast::spec::inline schedule
