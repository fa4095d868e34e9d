// The turn of one request in the reference pass: its encoder inputs are planned, and, once KV
// blocks are found, allocated. Positions and counts in tokens.
#pragma once

#include <algorithm>
#include <optional>

#include "spec/schedule/steps.hpp"

namespace holdfast::spec::inline schedule {

/// What planning came to.
enum class Turn : std::int8_t {
  planned,  ///< KV blocks are next
  nothing,  ///< no tokens in this pass
  gone,     ///< the request was refused; it is in no queue any more
};

/// The oldest freeable entry makes room for the feature at the cursor (`can_allocate`).
template <class D, class Observer>
bool evict_oldest(Scheduler<D, Observer>& x) {
  std::optional<Hash<D>> oldest;
  x.d.all_hashes([&](Hash<D> h) {
    if (x.s.freeable(h) > 0 && (!oldest || x.s.order(h) < x.s.order(*oldest))) oldest = h;
    return true;
  });
  return oldest && x.template take<Evict>(*oldest);
}

/// Exactly one rule deals with a feature, but for evictions before it.
template <class D, class Observer>
void look_at_feature(Scheduler<D, Observer>& x) {
  if (!x.is_decoder_only()) {
    if (!x.template take<EncdecSkip>() && !x.template take<EncdecAllocate>())
      x.template must<EncdecAbandon>();
    return;
  }
  if (x.d.config.whole_items() && (x.template take<Grow>() || x.template take<RollBack>())) return;
  if (x.template take<Skip>() || x.template take<Touch>() || x.template take<Share>() ||
      x.template take<Refuse>() || x.template take<Order>() || evict_oldest(x) ||
      x.template take<Clip>())
    return;
  x.template must<Abandon>();
}

/// n, or less where a chunk would otherwise end in the tail before the last known token; perhaps 0
/// (`_reserve_prefill_lookahead`).
template <class D>
Int<D> out_of_tail(const D& d, const Sequence<D>& q, Int<D> computed, Int<D> n) {
  const Int<D> remaining = q.known - computed - n;
  if (0 < remaining && remaining < d.config.tail()) n -= d.config.tail() - remaining;
  return std::max<Int<D>>(n, 0);
}

/// The same before planning. Where nothing would be left, the turn goes to the last known token at
/// once if it may: a threshold below the tail would stop the request for ever.
template <class D>
Int<D> tokens_to_plan(const D& d, const State<D>& s, const Sequence<D>& q, Int<D> computed,
                      Int<D> n) {
  if (d.profile.tail == Tail::cut_after_planning || n <= 0) return n;
  const Int<D> kept = out_of_tail(d, q, computed, n);
  const Int<D> rest = q.known - computed;
  return kept == 0 && rest <= tokens_left(d, s) ? rest : kept;
}

/// Where planning has moved the end of the chunk, or nobody looked before.
template <class D, class Observer>
void leave_tail(Scheduler<D, Observer>& x, const Sequence<D>& q) {
  const Int<D> planned = x.s.plan_tokens();
  const Int<D> kept = out_of_tail(x.d, q, x.s.computed(q.request), planned);
  if (kept == planned) return;
  if (x.d.profile.tail == Tail::cut_after_planning) {
    if (kept == 0)
      x.template must<Abandon>();
    else
      x.template must<Shorten>(kept);
  } else {
    x.template take<Shorten>(kept);
  }
}

/// Plans q's turn with n tokens in view, `hit` of its tokens computed already
/// (`_try_schedule_encoder_inputs`). Requires 0 < n.
template <class D, class Observer>
Turn plan_turn(Scheduler<D, Observer>& x, const Sequence<D>& q, Int<D> n, Int<D> hit) {
  const Request<D> r = q.request;
  x.template must<Plan>(r, n, hit);
  while (looking_at_feature(x.d, x.s)) look_at_feature(x);
  if (planned(x.d, x.s)) leave_tail(x, q);
  if (x.s.planning()) return Turn::planned;
  if (x.s.draining()) drop_references<D>(x, held_inputs<D>(x.d, x.s, r));
  if (!has_status(x.s, r, Status::finished)) return Turn::nothing;
  x.queues.remove(r);
  return Turn::gone;
}

/// What the turn chose, then the further occurrences of the same hashes
/// (`_allocate_encoder_inputs`).
template <class D, class Observer>
void allocate_chosen(Scheduler<D, Observer>& x, Request<D> r) {
  for (const bool again : {false, true})
    for (Int<D> i = 0; i < x.d.config.features(r); ++i)
      if (x.s.chosen(r, i) && (again || !is_cached<D>(x.s, x.d.config.hash(r, i))))
        x.template must<Allocate>(i);
}

/// How many of the turn's tokens are drafts, of those proposed: the last ones.
template <class D, class Observer>
Int<D> drafts_of(const Scheduler<D, Observer>& x, const Sequence<D>& q) {
  const Request<D> r = q.request;
  const Int<D> beyond = x.s.computed(r) + x.s.plan_tokens() - q.known - q.placeholders;
  return std::clamp<Int<D>>(beyond, 0, q.drafts);
}

/// KV blocks are found: the request is scheduled, `drafts` of its tokens are drafts.
template <class D, class Observer>
void schedule_turn(Scheduler<D, Observer>& x, Sequence<D>& q, Int<D> drafts) {
  auto& s = x.s;
  const Request<D> r = q.request;
  if (x.is_decoder_only()) allocate_chosen(x, r);
  const Scheduled<D> entry{r,
                           s.computed(r),
                           s.plan_tokens(),
                           drafts,
                           0,
                           s.computed(r) + s.plan_tokens() >= q.known + q.placeholders};
  q.drafts = 0;
  x.template must<Commit>(drafts, x.is_async() && entry.samples ? drafts + 1 : drafts);
  x.queues.scheduled.push_back(entry);
}

}  // namespace holdfast::spec::inline schedule
