// The whole scheduler of vLLM V1 as an executable reference, made of the rules: it decides whose
// turn it is, how many tokens are in view, who gives KV blocks back and in which order; what then
// happens to the encoder cache is a rule's business. Machine values only, no limit on sizes.
//
// A pass is in schedule_pass.hpp, a turn in schedule_turn.hpp, outputs in schedule_outputs.hpp, the
// worker in schedule_worker.hpp; here are the ways in from outside.
#pragma once

#include <cstddef>
#include <utility>

#include "spec/schedule/outputs.hpp"
#include "spec/schedule/pass.hpp"
#include "spec/schedule/worker.hpp"

namespace holdfast::spec::inline schedule {

/// Beside what the rules check: r alone has KV blocks for the most tokens it may ever compute, and
/// room for an output behind its prompt.
template <class D>
bool fits_sizes(const D& d, const Sizes<D>& sizes, Request<D> r) {
  return d.config.prompt(r) < sizes.max_model_len &&
         sizes.blocks_for(d.config.limit(r)) <= sizes.kv_blocks;
}

/// Tokens that a request may compute beyond prompt and outputs: the drafts of the steps in flight.
template <class D>
Int<D> limit_margin(Int<D> depth, Int<D> draft_tokens) {
  return depth * (1 + draft_tokens);
}

/// A request arrives (`add_request`). Requires: Config knows it, and its limit leaves room for
/// `limit_margin` tokens behind its outputs. False if it is refused, as it could never run.
template <class D, class Observer>
bool add_request(Scheduler<D, Observer>& x, const Arrival<D>& arrival) {
  const Request<D> r = arrival.request;
  HOLDFAST_REQUIRE(x.d.config.prompt(r) + arrival.max_tokens +
                           limit_margin<D>(x.d.config.depth(), x.queues.sizes.draft_tokens) <=
                       x.d.config.limit(r),
                   "a limit that leaves room behind the outputs");
  if (!x.template take<Add>(r)) {
    x.template must<Reject>(r);
    return false;
  }
  if (x.d.profile.admission == Admission::checked && !fits_sizes(x.d, x.queues.sizes, r)) {
    // It has not come to the encoder cache: nothing is given back for it.
    x.template must<AbortRequest>(r);
    if (x.s.draining()) drop_references<D>(x, {});
    return false;
  }
  Sequence<D> q;
  q.request = r;
  q.arrival = x.queues.arrivals++;
  q.max_tokens = arrival.max_tokens;
  q.hit = arrival.hit;
  q.known = x.d.config.prompt(r);
  enqueue(x.d, x.queues, std::move(q), false);
  return true;
}

/// r is given up between two passes (`finish_requests`). False if it has ended before.
template <class D, class Observer>
bool abort_request(Scheduler<D, Observer>& x, Request<D> r) {
  if (x.queues.find(r) == nullptr) return false;
  end_sequence(x, r, false);
  return true;
}

/// r is preempted between two passes; its outputs in flight will bring no tokens
/// (`reset_prefix_cache`). False if it does not run.
template <class D, class Observer>
bool preempt_between_passes(Scheduler<D, Observer>& x, Request<D> r) {
  const auto& running = x.queues.running;
  for (std::size_t place = 0; place < running.size(); ++place) {
    if (running[place].request != r) continue;
    preempt_request(x, place, true);
    return true;
  }
  return false;
}

/// The manager forgets everything, the worker will in its queue's order (`reset_encoder_cache`). A
/// reset right behind another, with no pass in between, is the same reset. False if the model has
/// no room for another one in flight: nothing happened then.
template <class D, class Observer>
bool reset_encoder_cache(Scheduler<D, Observer>& x) {
  auto& in_flight = x.queues.in_flight;
  if (!in_flight.empty() && in_flight.back().is_reset) return true;
  if (!(x.is_decoder_only() ? x.template take<Reset>() : x.template take<EncdecReset>()))
    return false;
  in_flight.push_back({true, 0, {}});
  return true;
}

}  // namespace holdfast::spec::inline schedule
