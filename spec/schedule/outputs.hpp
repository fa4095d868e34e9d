// What the reference does with the outputs of a step (`update_from_output`), and how requests end.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "spec/schedule/steps.hpp"

namespace holdfast::spec::inline schedule {

/// What came of a request in a step.
template <class D>
struct Output {
  Int<D> generated = 0;  ///< tokens, the accepted drafts among them
  Int<D> rejected = 0;   ///< drafts
};

/// Whether r's output of the oldest step is stale: r lives, but was preempted since.
template <class D, class Observer>
bool is_stale(const Scheduler<D, Observer>& x, Request<D> r) {
  return x.s.step_epoch(x.s.delivered() + 1, r) != x.s.epoch(r);
}

/// r ends: done, or given up (`_free_request`, `finish_requests`).
template <class D, class Observer>
void end_sequence(Scheduler<D, Observer>& x, Request<D> r, bool done) {
  // A stale output may be the last that a waiting request needs.
  if (done && has_status(x.s, r, Status::running))
    x.template must<Finish>(r);
  else
    x.template must<AbortRequest>(r);
  free_references(x);
  x.queues.remove(r);
}

/// Every input of r that may be released is (`_free_encoder_inputs`).
template <class D, class Observer>
void free_encoder_inputs(Scheduler<D, Observer>& x, Request<D> r) {
  if (!x.is_decoder_only()) {
    for (const auto i :
         credited_inputs<D>(x.d, x.s, x.queues.sizes.manager, r, EncdecCredit::every_delivery))
      x.template take<EncdecRelease>(r, i);
    return;
  }
  auto held = held_inputs<D>(x.d, x.s, r);
  std::erase_if(held, [&](Int<D> i) { return !is_releasable<D>(x.d, x.s, r, i); });
  if (held.empty()) return;
  x.observer.arrange(r, held);
  for (const auto i : held) x.template must<ReleaseInput>(r, i);
}

/// q gets `generated` tokens. Whether it is done with one of them.
template <class D>
bool append_outputs(const D& d, const Sizes<D>& sizes, Sequence<D>& q, Int<D> generated) {
  const Int<D> end =
      std::min<Int<D>>(d.config.prompt(q.request) + q.max_tokens, sizes.max_model_len);
  // Without a token nothing stops, and the first one always counts.
  if (generated == 0) return false;
  q.known = std::min(q.known + generated, std::max<Int<D>>(end, q.known + 1));
  return q.known >= end;
}

/// The tokens stand for placeholders no more. A step that computes old outputs again owes none;
/// should a token come of it all the same, it takes the place of one that another step owes.
template <class D>
void settle_placeholders(Sequence<D>& q, Int<D> drafts, const Output<D>& output) {
  if (output.generated == 0 || q.placeholders == 0) return;
  if (drafts > 0) q.placeholders -= output.rejected;
  if (q.placeholders > 0) q.placeholders -= output.generated;
}

/// Resets that every step before has been delivered of need no delivery of their own.
template <class D, class Observer>
void pass_resets(Scheduler<D, Observer>& x) {
  auto& in_flight = x.queues.in_flight;
  while (!in_flight.empty() && in_flight.front().is_reset && x.template take<EndDeliver>())
    in_flight.erase(in_flight.begin());
}

/// The oldest step's outputs, one for each request in it, in their order; what is said of a request
/// that has ended does not count. Requires that a pass is in flight. False if the worker has not
/// executed it: nothing happened then. Throws Refused where more drafts were rejected than there
/// were.
template <class D, class Observer>
bool update_from_output(Scheduler<D, Observer>& x, const std::vector<Output<D>>& outputs) {
  const Step<D> k = x.s.delivered() + 1;
  if (k > x.s.executed()) return false;
  const auto scheduled = x.queues.in_flight.front().scheduled;
  for (std::size_t n = 0; n < scheduled.size(); ++n) {
    const Request<D> r = scheduled[n].request;
    // Who has ended is in no queue: none is searched for it.
    auto* q = has_status(x.s, r, Status::finished) ? nullptr : x.queues.find(r);
    const bool stale = is_stale(x, r);
    x.template must<Deliver>(k, r, q != nullptr ? outputs[n].rejected : Int<D>(0));
    if (q == nullptr || (stale && q->drops_stale)) continue;
    free_encoder_inputs(x, r);
    if (!stale) settle_placeholders<D>(*q, scheduled[n].drafts, outputs[n]);
    if (append_outputs(x.d, x.queues.sizes, *q, outputs[n].generated)) end_sequence(x, r, true);
  }
  x.template must<EndDeliver>();
  x.queues.in_flight.erase(x.queues.in_flight.begin());
  pass_resets(x);
  return true;
}

/// `proposed` drafts for r's next step (`update_draft_token_ids`); none where its prompt is not
/// through.
template <class D, class Observer>
void update_draft_tokens(Scheduler<D, Observer>& x, Request<D> r, Int<D> proposed) {
  if (auto* q = x.queues.find(r)) q->drafts = q->is_chunk ? 0 : proposed;
}

}  // namespace holdfast::spec::inline schedule
