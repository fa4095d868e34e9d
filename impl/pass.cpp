// One pass (`schedule()`): first the running requests, then, if nobody was preempted, the waiting
// ones; and the step that it issues.
#include <algorithm>

#include "impl/scheduler_core.hpp"

namespace holdfast::impl {

Result<const PassOutput*> SchedulerCore::schedule() {
  if (static_cast<std::int64_t>(num_in_flight_) >= config_.pipeline_depth)
    return Error::pipeline_full;
  begin_pass();
  schedule_running();
  if (!somebody_preempted_) schedule_waiting();
  issue();
  return &out_;
}

void SchedulerCore::begin_pass() {
  out_.scheduled.clear();
  out_.hand_overs.clear();
  out_.preempted.clear();
  out_.refused.clear();
  owed_.clear();
  tokens_left_ = config_.max_num_batched_tokens;
  threshold_ = running_.size() + waiting_.size() > 1 ? config_.long_prefill_token_threshold : 0;
  tried_ = nobody;
  somebody_preempted_ = has_chunks_ = false;
  tell([](StepObserver& o) { o.begin_pass(); });
}

Tokens SchedulerCore::under_threshold(Tokens tokens) const {
  return 0 < threshold_ && threshold_ < tokens ? threshold_ : tokens;
}

/// What the running request has yet to compute, as far as the pass lets it; may be below 1
/// [spec: running_tokens].
Tokens SchedulerCore::running_tokens(const Sequence& q) const {
  // Its outputs in flight reach max_tokens, even if every draft is rejected.
  if (q.output_placeholders > 0 &&
      q.computed + 2 - q.output_placeholders >= q.prompt + q.max_tokens)
    return 0;
  const Tokens tokens = under_threshold(q.known + q.drafts + q.output_placeholders - q.computed);
  return tokens_to_plan(q, q.computed,
                        std::min({tokens, tokens_left_, config_.max_model_len - q.computed - 1}));
}

void SchedulerCore::schedule_running() {
  for (Index n = running_.front(); n != none && tokens_left_ > 0; n = running_after_) {
    running_after_ = Running::after(sequences_, n);
    const Tokens tokens = running_tokens(sequences_[n]);
    if (tokens <= 0 || plan_turn(n, tokens, 0) != Turn::planned || !find_blocks(n)) continue;
    Sequence& q = sequences_[n];
    has_chunks_ |= q.is_chunk;
    const Tokens beyond = q.computed + planned_ - q.known - q.output_placeholders;
    schedule_turn(n, std::clamp<Tokens>(beyond, 0, q.drafts));
  }
  running_after_ = none;
}

/// KV blocks for the turn that is planned, if need be from victims. False if the request was the
/// last victim itself [spec: find_blocks].
bool SchedulerCore::find_blocks(Index n) {
  while (!allocate_slots(n, sequences_[n].computed + planned_, 0)) {
    const Index v = victim();
    somebody_preempted_ = true;
    out_.preempted.push_back(ids_.handle(v));
    preempt(v, false);
    if (v == n) return false;
  }
  return true;
}

/// Who gives its KV blocks back.
Index SchedulerCore::victim() const {
  return config_.policy == Policy::priority ? running_by_rank_.rbegin()->request : running_.back();
}

/// It gives its KV blocks back and waits again; what it computed and holds is lost. With `drop`,
/// outputs of it that are in flight bring no tokens [spec: preempt_request, Preempt, Retract].
void SchedulerCore::preempt(Index n, bool drop) {
  tell([&](StepObserver& o) { o.preempt(ids_.name(n)); });
  Sequence& q = sequences_[n];
  if (running_after_ == n) running_after_ = Running::after(sequences_, n);
  running_.remove(sequences_, n);
  if (config_.policy == Policy::priority) running_by_rank_.erase({q.priority, q.arrival, n});
  if (planning_ == n) {
    entries_.forget_chosen(n);
    planning_ = none;
  }
  if (q.allotment != none) {
    // Its place in the pass is closed up when the pass is issued.
    tokens_left_ += out_.scheduled[q.allotment].tokens;
    out_.scheduled[q.allotment].tokens = 0;
    q.allotment = none;
  }
  q.drops_stale = drop || (q.drops_stale && q.stale > 0);
  q.drafts = q.output_placeholders = 0;
  q.computed = q.placeholders = 0;
  q.first_live = q.first_held = 0;
  q.forgotten = false;
  ++q.epoch;
  q.stale += q.in_flight;
  q.in_flight = 0;
  free_blocks(n);
  drop_features(n);
  enqueue(n, true);
}

/// Drafts for a waiting request of which one token is left, so that a pass of nothing but decodes
/// stays uniform [spec: padding].
Tokens SchedulerCore::padding(Tokens hit, Tokens tokens) const {
  const bool uniform = tokens == 1 && !has_chunks_ && (scheduled_running_ > 0 || hit > 0);
  return uniform && hit + config_.num_speculative_tokens + 2 <= config_.max_model_len
             ? config_.num_speculative_tokens
             : 0;
}

/// Nobody overtakes who could not get in, unless it is more urgent, or needs nothing
/// [spec: may_be_admitted].
bool SchedulerCore::may_be_admitted(const Sequence& q) const {
  return (q.places.empty() && !config_.disable_chunked_mm_input) || q.priority < tried_;
}

void SchedulerCore::schedule_waiting() {
  scheduled_running_ = out_.scheduled.size();
  for (auto next = waiting_.begin();
       next != waiting_.end() && tokens_left_ > 0 &&
       static_cast<std::int64_t>(running_.size()) < config_.max_num_seqs;) {
    const auto place = next++;
    const Index n = place->request;
    Sequence& q = sequences_[n];
    // What is still to come of it could otherwise be sampled twice.
    if ((!q.drops_stale && q.stale > 0) || !may_be_admitted(q)) continue;
    const Tokens hit = std::min(q.cached, q.known - 1);
    Tokens tokens = q.known - hit;
    Tokens pad = padding(hit, tokens);
    if (tokens + pad > tokens_left_) pad = 0;
    tokens = tokens_to_plan(q, hit, std::min(under_threshold(tokens + pad), tokens_left_));
    // Those behind it would take the few tokens that are left for ever.
    if (tokens <= 0) return;
    if (plan_turn(n, tokens, hit) != Turn::planned) continue;
    const std::int64_t spare = running_.empty() ? 0 : config_.watermark_blocks;
    if (!allocate_slots(n, q.computed + planned_, spare)) {
      entries_.forget_chosen(n);
      planning_ = none;
      q.computed = 0;
      q.first_live = q.first_held = 0;
      drop_features(n);
      return;
    }
    schedule_turn(n, std::min(pad, planned_ - 1));
    waiting_.erase(place);
    q.status = Status::running;
    running_.push_back(sequences_, n);
    if (config_.policy == Policy::priority) running_by_rank_.insert({q.priority, q.arrival, n});
  }
}

/// The pass becomes a step (`_update_after_schedule`).
void SchedulerCore::issue() {
  if (num_in_flight_ == flights_.size()) flights_.emplace_back();
  Flight& flight = flights_[num_in_flight_++];
  flight.number = ++issued_;
  flight.requests.clear();
  flight.pinned.clear();
  Step& step = out_.step;
  step.number = issued_;
  step.notices.clear();
  step.orders.clear();
  step.scheduled.clear();
  issue_tokens(flight, step);
  if (inputs_)
    issue_inputs(flight, step);
  else
    issue_orders(flight, step);
  tell([&](StepObserver& o) {
    o.take_freed(step.notices, slots());
    o.end_pass(out_, kv_free_);
  });
}

/// What each request got; places of who was taken back are closed up.
void SchedulerCore::issue_tokens(Flight& flight, Step& step) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < out_.scheduled.size(); ++at) {
    Allotment entry = out_.scheduled[at];
    if (entry.tokens == 0) continue;
    Sequence& q = sequences_[entry.request.index];
    q.allotment = none;
    q.computed += entry.tokens;
    q.placeholders += owed_[at];
    q.is_chunk = !entry.samples;
    if (is_async() && entry.samples) {
      q.output_placeholders += 1 + entry.drafts;
      q.drafts = config_.num_speculative_tokens;
    }
    ++q.in_flight;
    entry.placeholders = q.output_placeholders;
    out_.scheduled[kept++] = entry;
    step.scheduled.push_back({entry.request, entry.computed, entry.tokens});
    flight.requests.push_back({entry.request, q.epoch, entry.tokens, entry.drafts, owed_[at]});
  }
  out_.scheduled.resize(kept);
}

/// What is encoded, and what is gone [spec: EndPass].
void SchedulerCore::issue_orders(Flight& flight, Step& step) {
  const auto& hashes = entries_.hashes();
  for (const auto& h : entries_.hand_overs()) {
    const Order& order = entries_.orders()[h.order];
    if (!order.is_withdrawn)
      out_.hand_overs.push_back({hashes.handle(order.entry), ids_.handle(h.from)});
  }
  for (const Order& order : entries_.orders()) {
    if (order.is_withdrawn) continue;
    entries_.pin(order.entry);
    flight.pinned.push_back(order.entry);
    step.orders.push_back({hashes.handle(order.entry), entries_.entry(order.entry).embeds,
                           ids_.handle(order.request), order.input});
  }
  entries_.end_orders();
  for (const auto& refused : out_.refused) forget(refused.request.index);
  entries_.take_freed([&](Index n) {
    flight.pinned.push_back(n);
    step.notices.push_back(hashes.handle(n));
  });
}

/// What is encoded, and what the step before has read, unless it is encoded again
/// [spec: EncdecEndPass].
void SchedulerCore::issue_inputs(Flight& flight, Step& step) {
  const auto& hashes = inputs_->hashes();
  for (const auto& order : inputs_->orders()) {
    if (order.is_withdrawn) continue;
    const auto& input = inputs_->input(order.request, order.input);
    inputs_->pin(input.entry);
    flight.pinned.push_back(input.entry);
    step.orders.push_back(
        {hashes.handle(input.entry), input.embeds, ids_.handle(order.request), order.input});
  }
  inputs_->end_orders();
  inputs_->take_freed([&](Index n) {
    flight.pinned.push_back(n);
    step.notices.push_back(hashes.handle(n));
  });
}

std::int64_t SchedulerCore::blocks_for(Tokens tokens) const {
  return (std::min(tokens, config_.max_model_len) + config_.block_size - 1) / config_.block_size;
}

bool SchedulerCore::allocate_slots(Index n, Tokens tokens, std::int64_t spare) {
  if (host_blocks_ != nullptr) return host_blocks_->allocate_slots(ids_.handle(n), tokens, spare);
  Sequence& q = sequences_[n];
  const std::int64_t more = std::max<std::int64_t>(blocks_for(tokens) - q.blocks, 0);
  if (more + spare > kv_free_) return false;
  kv_free_ -= more;
  q.blocks += more;
  return true;
}

void SchedulerCore::free_blocks(Index n) {
  if (host_blocks_ != nullptr) return host_blocks_->free(ids_.handle(n));
  kv_free_ += sequences_[n].blocks;
  sequences_[n].blocks = 0;
}

}  // namespace holdfast::impl
