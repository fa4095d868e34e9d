// The turn of one request: its encoder inputs are planned, and, once KV blocks are found, allocated
// (`_try_schedule_encoder_inputs`, `_allocate_encoder_inputs`).
#include <algorithm>
#include <string>

#include "impl/scheduler_core.hpp"

namespace holdfast::impl {

/// Where a chunk may end that computes all of the item: behind it, or at the prompt's end if that
/// is the nearest end the tail allows [spec: whole_end].
Tokens SchedulerCore::whole_end(const Sequence& q, const Place& place) const {
  const Tokens end = place.group_end;
  return end < q.prompt && q.prompt < end + config_.num_prefill_lookahead ? q.prompt : end;
}

/// `tokens`, or fewer where a chunk would end in the tail before the last known token; perhaps 0
/// (`_reserve_prefill_lookahead`).
Tokens SchedulerCore::out_of_tail(const Sequence& q, Tokens computed, Tokens tokens) const {
  const Tokens remaining = q.known - computed - tokens;
  if (0 < remaining && remaining < config_.num_prefill_lookahead)
    tokens -= config_.num_prefill_lookahead - remaining;
  return std::max<Tokens>(tokens, 0);
}

/// The same before planning. Where nothing would be left, the turn goes to the last known token at
/// once if it may.
Tokens SchedulerCore::tokens_to_plan(const Sequence& q, Tokens computed, Tokens tokens) const {
  if (tokens <= 0) return tokens;
  const Tokens kept = out_of_tail(q, computed, tokens);
  const Tokens rest = q.known - computed;
  return kept == 0 && rest <= tokens_left_ ? rest : kept;
}

/// Groups that end before what is confirmed have nothing to say any more.
void SchedulerCore::skip_dead(Sequence& q) const {
  const Tokens confirmed = q.confirmed();
  while (q.first_live < q.places.size() && q.places[q.first_live].group_end <= confirmed)
    ++q.first_live;
}

Turn SchedulerCore::plan_turn(Index n, Tokens tokens, Tokens hit) {
  Sequence& q = sequences_[n];
  q.computed += hit;
  HOLDFAST_ASSERT(1 <= tokens && tokens <= tokens_left_ && q.computed + tokens <= q.limit,
                  "a turn has tokens, and stays inside the budget and the request's limit");
  planning_ = n;
  Look look = Look::next;
  if (inputs_) {
    look = allocate_inputs(n);
  } else {
    skip_dead(q);
    for (InputId i = q.first_live; i < q.places.size() && look == Look::next; ++i) {
      // Nothing behind it begins in the window either.
      if (q.places[i].group_start >= q.computed + tokens + config_.num_lookahead) break;
      look = look_at_feature(n, i, tokens);
    }
  }
  if (look == Look::refuse) {
    entries_.forget_chosen(n);
    planning_ = none;
    // Orders of this pass may still name its number, so that it is forgotten behind them.
    out_.refused.push_back({ids_.handle(n), std::string(ids_.name(n))});
    leave_queues(n);
    return Turn::gone;
  }
  if (look == Look::give_up) {
    give_up_turn(n);
    return Turn::nothing;
  }
  // Planning may have moved the end of the chunk into the tail.
  const Tokens kept = out_of_tail(q, q.computed, tokens);
  if (1 <= kept && kept < tokens && !cuts_an_item(q, kept)) tokens = kept;
  planned_ = tokens;
  return Turn::planned;
}

/// What becomes of feature i, `tokens` of the request in view; they change where the chunk has to
/// end elsewhere [spec: look_at_feature].
SchedulerCore::Look SchedulerCore::look_at_feature(Index n, InputId i, Tokens& tokens) {
  const Sequence& q = sequences_[n];
  const Place& place = q.places[i];
  if (config_.disable_chunked_mm_input)
    if (const Look look = look_at_cut(q, place, tokens); look != Look::next) return look;
  Tokens end = q.computed + tokens + config_.num_lookahead;
  if (place.is_grouped && place.group_start < end) end = std::max(end, place.group_end);
  if (!place.positions.touches(q.confirmed(), end)) return Look::next;
  return get_in(n, i, tokens);
}

/// The chunk must not cut an item: it grows to its end, or ends at its start [spec: Grow, RollBack,
/// Abandon].
SchedulerCore::Look SchedulerCore::look_at_cut(const Sequence& q, const Place& place,
                                               Tokens& tokens) const {
  const Tokens end = q.computed + tokens;
  if (end >= place.group_end || place.group_start >= end) return Look::next;
  if (const Tokens whole = whole_end(q, place); whole <= q.computed + tokens_left_) {
    tokens = whole - q.computed;
    return Look::next;
  }
  const Tokens before = place.group_start - q.computed;
  if (before <= 0) return Look::give_up;
  tokens = before;
  return Look::stop;
}

/// Feature i is wanted: a hit is held, a miss is promised its slots, or the chunk ends before it
/// [spec: Touch, Share, Refuse, Evict, Order, Clip, Abandon].
SchedulerCore::Look SchedulerCore::get_in(Index n, InputId i, Tokens& tokens) {
  const Sequence& q = sequences_[n];
  const Place& place = q.places[i];
  const Feature& feature = entries_.holder(n).features[i];
  const Lookup found = entries_.look_up(n, i);
  // Of a group, the first feature that the request lacks answers for the rest.
  if (found == Lookup::miss || (place.is_grouped && !feature.is_held)) {
    const Embeds embeds = place.group_embeds + entries_.promised();
    const Embeds compute = config_.max_num_encoder_input_tokens - entries_.ordered();
    if (embeds > compute || embeds > entries_.reclaimable()) {
      tell_look_up(n, i, false);
      tell([&](StepObserver&) { tell_room(n, i, false); });
      const Tokens before = place.group_start - q.computed;
      if (before <= 0) return Look::give_up;
      tokens = std::min(tokens, before);
      return Look::stop;
    }
  }
  if (found == Lookup::wrong_size) return Look::refuse;
  if (found == Lookup::hit && entries_.entry(feature.entry).embeds > 0) {
    entries_.hold(n, i);
    tell_look_up(n, i, true);
    return Look::next;
  }
  if (found == Lookup::miss) {
    tell_look_up(n, i, false);
    while (feature.embeds + entries_.promised() > entries_.free()) {
      tell([&](StepObserver& o) { o.evict(entries_.hashes().name(entries_.oldest())); });
      entries_.evict_oldest();
    }
    tell([&](StepObserver&) { tell_room(n, i, true); });
  }
  entries_.choose(n, i);
  return Look::next;
}

/// The inputs of a request of an encoder-decoder model: its first step reads them all, a later one
/// none [spec: EncdecSkip, EncdecAllocate, EncdecAbandon].
SchedulerCore::Look SchedulerCore::allocate_inputs(Index n) {
  const Sequence& q = sequences_[n];
  if (q.computed > 0) return Look::next;
  for (InputId i = 0; i < q.places.size(); ++i) {
    const Embeds embeds = q.places[i].positions.embeds();
    const Embeds compute = config_.max_num_encoder_input_tokens - inputs_->ordered();
    const bool ok = embeds <= compute && embeds <= inputs_->free();
    tell([&](StepObserver&) { tell_room(n, i, ok); });
    if (!ok) return Look::give_up;
    inputs_->take(n, i);
  }
  return Look::next;
}

/// No tokens in this pass. What a waiting request looked up is undone; a running one keeps what it
/// holds, unless a reset made it forget [spec: give_up_turn].
void SchedulerCore::give_up_turn(Index n) {
  Sequence& q = sequences_[n];
  entries_.forget_chosen(n);
  planning_ = none;
  tried_ = std::min(tried_, q.priority);
  if (q.status == Status::waiting) {
    q.computed = 0;
    q.first_live = q.first_held = 0;
    drop_features(n, Freed::told_unless_nothing);
  } else if (q.forgotten) {
    drop_features(n, Freed::told_unless_nothing);
  }
}

/// Items must not be split, and a chunk of `tokens` would end inside one [spec: is_cut].
bool SchedulerCore::cuts_an_item(const Sequence& q, Tokens tokens) const {
  if (!config_.disable_chunked_mm_input) return false;
  const Tokens end = q.computed + tokens;
  for (Index i = q.first_live; i < q.places.size() && q.places[i].group_start < end; ++i)
    if (end < q.places[i].group_end) return true;
  return false;
}

/// What the turn has chosen is its own [spec: Allocate].
void SchedulerCore::allocate_chosen(Index n) {
  if (observer_ != nullptr) [[unlikely]]
    return allocate_chosen_and_tell(n);
  entries_.allocate_chosen(n);
}

/// KV blocks are found: the request is scheduled [spec: schedule_turn].
void SchedulerCore::schedule_turn(Index n, Tokens drafts) {
  Sequence& q = sequences_[n];
  allocate_chosen(n);
  const bool samples = q.computed + planned_ >= q.known + q.output_placeholders;
  HOLDFAST_ASSERT(0 <= drafts && drafts < planned_, "one token of a turn at least is no draft");
  q.allotment = static_cast<Index>(out_.scheduled.size());
  out_.scheduled.push_back({ids_.handle(n), q.computed, planned_, drafts, 0, samples});
  owed_.push_back(is_async() && samples ? drafts + 1 : drafts);
  tokens_left_ -= planned_;
  q.drafts = 0;
  q.forgotten = false;
  planning_ = none;
}

}  // namespace holdfast::impl
