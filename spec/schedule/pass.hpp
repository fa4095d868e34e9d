// One pass of the reference (`schedule()`): first the running requests, then, if nobody was
// preempted, the waiting ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "spec/schedule/outputs.hpp"
#include "spec/schedule/turn.hpp"

namespace holdfast::spec::inline schedule {

/// What one pass goes by.
template <class D>
struct Pass {
  Int<D> threshold = 0;  ///< `long_prefill_token_threshold`, where there are others; 0: none
  bool somebody_preempted = false;  ///< then nobody is admitted
  bool has_chunks = false;          ///< a running request in the middle of its prompt was scheduled
};

template <class D>
Int<D> under_threshold(const Pass<D>& pass, Int<D> n) {
  return 0 < pass.threshold && pass.threshold < n ? pass.threshold : n;
}

/// The outputs of r in flight are of no use to it: it was preempted after they were scheduled.
template <class D, class Observer>
bool has_stale_outputs(const Scheduler<D, Observer>& x, Request<D> r) {
  return !x.d.all_steps(x.s.delivered(), x.s.issued(), [&](Step<D> k) -> bool {
    return x.s.step_tokens(k, r) == 0 || x.s.step_epoch(k, r) == x.s.epoch(r);
  });
}

/// The running request at that place gives its KV blocks back and waits again (`_preempt_request`).
/// With `drop`, outputs of it that are in flight bring no tokens (`reset_prefix_cache`).
template <class D, class Observer>
void preempt_request(Scheduler<D, Observer>& x, std::size_t place, bool drop = false) {
  auto& queues = x.queues;
  auto victim = std::move(queues.running[place]);
  const Request<D> r = victim.request;
  queues.running.erase(queues.running.begin() + static_cast<std::ptrdiff_t>(place));
  victim.drops_stale = drop || (victim.drops_stale && has_stale_outputs(x, r));
  victim.drafts = 0;
  victim.placeholders = 0;
  queues.release_blocks(victim);
  std::erase_if(queues.scheduled, [&](const Scheduled<D>& entry) { return entry.request == r; });
  if (x.s.scheduled(r))
    x.template must<Retract>(r);
  else
    x.template must<Preempt>(r);
  free_references(x);
  enqueue(x.d, queues, std::move(victim), true);
}

/// How many tokens the running request q has yet to compute, as far as the pass lets it; may be
/// less than 1.
template <class D, class Observer>
Int<D> running_tokens(const Scheduler<D, Observer>& x, const Pass<D>& pass, const Sequence<D>& q) {
  const Request<D> r = q.request;
  const Int<D> computed = x.s.computed(r);
  // Its outputs in flight reach max_tokens, even if every draft is rejected.
  if (q.placeholders > 0 && computed + 2 - q.placeholders >= x.d.config.prompt(r) + q.max_tokens)
    return 0;
  Int<D> n = under_threshold(pass, q.known + q.drafts + q.placeholders - computed);
  n = std::min({n, tokens_left(x.d, x.s), x.queues.sizes.max_model_len - computed - 1});
  return tokens_to_plan(x.d, x.s, q, computed, n);
}

/// KV blocks for the turn that is planned at `place`, if need be from victims. False if the request
/// was the last victim itself. `place` follows the request.
template <class D, class Observer>
bool find_blocks(Scheduler<D, Observer>& x, Pass<D>& pass, std::size_t& place) {
  auto& queues = x.queues;
  while (true) {
    auto& q = queues.running[place];
    if (queues.allocate_slots(q, x.s.computed(q.request) + x.s.plan_tokens(), 0)) return true;
    const std::size_t victim = victim_of(x.d, queues);
    pass.somebody_preempted = true;
    preempt_request(x, victim);
    if (victim == place) return false;
    if (victim < place) --place;
  }
}

template <class D, class Observer>
void schedule_running(Scheduler<D, Observer>& x, Pass<D>& pass) {
  auto& running = x.queues.running;
  for (std::size_t place = 0; place < running.size() && tokens_left(x.d, x.s) > 0;) {
    const Int<D> n = running_tokens(x, pass, running[place]);
    const Turn turn = n > 0 ? plan_turn<D>(x, running[place], n, 0) : Turn::nothing;
    if (turn == Turn::planned) {
      if (!find_blocks(x, pass, place)) {
        if (x.d.profile.own_victim == OwnVictim::ends_the_loop) return;
        continue;
      }
      auto& q = running[place];
      pass.has_chunks |= q.is_chunk;
      schedule_turn(x, q, drafts_of(x, q));
    }
    if (turn != Turn::gone) ++place;
  }
}

/// A waiting request of which one token is left gets placeholders for drafts, so that a pass of
/// nothing but decodes stays uniform; 0: it does not.
template <class D, class Observer>
Int<D> padding(const Scheduler<D, Observer>& x, const Pass<D>& pass, std::size_t running,
               Int<D> hit, Int<D> n) {
  const auto& sizes = x.queues.sizes;
  const bool uniform = n == 1 && !pass.has_chunks && (running > 0 || hit > 0);
  return uniform && hit + sizes.draft_tokens + 2 <= sizes.max_model_len ? sizes.draft_tokens : 0;
}

template <class D, class Observer>
void schedule_waiting(Scheduler<D, Observer>& x, const Pass<D>& pass) {
  auto& queues = x.queues;
  auto& waiting = queues.waiting;
  const std::size_t running = queues.scheduled.size();
  for (std::size_t place = 0;
       place < waiting.size() && tokens_left(x.d, x.s) > 0 &&
       static_cast<Int<D>>(queues.running.size()) < queues.sizes.max_num_seqs;) {
    const Sequence<D>& q = waiting[place];
    const Request<D> r = q.request;
    // What is still to come of it could otherwise be sampled twice.
    if (!q.drops_stale && has_stale_outputs(x, r)) {
      ++place;
      continue;
    }
    if (!may_be_admitted<D>(x.d, x.s, r)) {
      x.observer.passed_over(r);
      ++place;
      continue;
    }
    const Int<D> hit = std::min(q.hit, q.known - 1);
    Int<D> n = q.known - hit;
    Int<D> pad = padding(x, pass, running, hit, n);
    if (n + pad > tokens_left(x.d, x.s)) {
      if (pad > 0 && x.d.profile.padding == Padding::ends_admission) return;
      pad = 0;
    }
    n = std::min(under_threshold(pass, n + pad), tokens_left(x.d, x.s));
    n = tokens_to_plan(x.d, x.s, q, hit, n);
    // Those behind it would take the few tokens that are left for ever.
    if (n <= 0 && x.d.profile.overtaking == Overtaking::nobody) return;
    const Turn turn = n > 0 ? plan_turn<D>(x, q, n, hit) : Turn::nothing;
    if (turn == Turn::nothing) ++place;
    if (turn != Turn::planned) continue;
    const Int<D> spare = queues.running.empty() ? 0 : queues.sizes.kv_watermark_blocks;
    if (!queues.allocate_slots(waiting[place], x.s.computed(r) + x.s.plan_tokens(), spare)) {
      x.template must<PutBack>();
      // Upstream allocates once blocks are found, and credits all the same.
      if (!x.is_decoder_only() && x.d.profile.encdec_credit == EncdecCredit::every_call)
        for (Int<D> i = 0; i < x.d.config.features(r); ++i) x.template must<EncdecDrop>(i);
      free_references(x);
      return;
    }
    schedule_turn(x, waiting[place], std::min<Int<D>>(pad, x.s.plan_tokens() - 1));
    queues.running.push_back(std::move(waiting[place]));
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

/// The pass becomes a step (`_update_after_schedule`).
template <class D, class Observer>
void issue(Scheduler<D, Observer>& x, Int<D> number) {
  auto& queues = x.queues;
  if (x.is_decoder_only())
    x.template must<EndPass>();
  else
    x.template must<EncdecEndPass>();
  for (auto& entry : queues.scheduled) {
    auto& q = *queues.find(entry.request);
    q.is_chunk = !entry.samples;
    if (x.is_async() && entry.samples) {
      q.placeholders += 1 + entry.drafts;
      q.drafts = queues.sizes.draft_tokens;
    }
    entry.placeholders = q.placeholders;
  }
  queues.in_flight.push_back({false, number, std::exchange(queues.scheduled, {})});
  x.observer.issued(queues.in_flight.back());
}

/// One pass, from its beginning to the step that it issues; `number` is the caller's name for it.
/// False if the pipeline is full: nothing happened then.
template <class D, class Observer>
bool schedule_pass(Scheduler<D, Observer>& x, Int<D> number) {
  if (!x.template take<BeginPass>()) return false;
  Pass<D> pass;
  if (x.queues.running.size() + x.queues.waiting.size() > 1)
    pass.threshold = x.queues.sizes.long_prefill_threshold;
  schedule_running(x, pass);
  if (!pass.somebody_preempted) schedule_waiting(x, pass);
  if (x.d.profile.release == Release::at_schedule)
    for (const auto& entry : x.queues.scheduled) free_encoder_inputs(x, entry.request);
  issue(x, number);
  return true;
}

}  // namespace holdfast::spec::inline schedule
