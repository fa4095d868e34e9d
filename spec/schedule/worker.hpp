// The worker's side of the reference (`execute_model()`): one step is executed, and everything that
// it reads is gathered.
#pragma once

#include <cstddef>

#include "spec/schedule/outputs.hpp"

namespace holdfast::spec::inline schedule {

/// What a request reads in a step of its encoder inputs, feature by feature, up to the first miss.
template <class D, class Observer>
void gather(Scheduler<D, Observer>& x, const Scheduled<D>& entry, Int<D> lookahead) {
  const Request<D> r = entry.request;
  const bool missed_before = x.s.missed();
  x.observer.before_gather(entry, lookahead);
  for (Int<D> i = 0; i < x.d.config.features(r) && x.s.missed() == missed_before; ++i) {
    if (!x.is_decoder_only())
      x.template take<EncdecRead>(r, i);
    else if (lookahead == 0)
      x.template take<GatherTarget>(r, i, entry.computed);
    else
      x.template take<GatherDraft>(r, i, entry.computed);
  }
  x.observer.after_gather(entry, lookahead);
}

/// The step that is executed next; null if none is issued.
template <class D, class Observer>
const Flight<D>* next_step(const Scheduler<D, Observer>& x) {
  const auto place = static_cast<std::size_t>(x.s.executed() - x.s.delivered());
  return place < x.queues.in_flight.size() ? &x.queues.in_flight[place] : nullptr;
}

/// The next step is executed: what it tells to drop is dropped and what it orders is encoded, in
/// the profile's order, and then come the target's gathers and the drafter's. False if none is
/// issued.
template <class D, class Observer>
bool execute_model(Scheduler<D, Observer>& x) {
  const Flight<D>* step = next_step(x);
  if (x.template take<DropNotices>()) {
    x.template must<Encode>();
  } else {
    if (!x.template take<Encode>()) return false;
    x.template must<DropNotices>();
  }
  if (step->is_reset) {
    pass_resets(x);
    return true;
  }
  for (const auto& entry : step->scheduled) gather<D>(x, entry, 0);
  if (const Int<D> lookahead = x.d.config.lookahead(); lookahead > 0 && x.is_decoder_only())
    for (const auto& entry : step->scheduled) gather<D>(x, entry, lookahead);
  return true;
}

}  // namespace holdfast::spec::inline schedule
