// What comes of a step (`update_from_output`).
#include <algorithm>

#include "impl/scheduler_core.hpp"

namespace holdfast::impl {

Error SchedulerCore::update_from_output(StepNumber pass, std::span<const Output> outputs) {
  if (num_in_flight_ == 0 || flights_.front().number != pass) return Error::wrong_time;
  const auto& requests = flights_.front().requests;
  if (outputs.size() != requests.size()) return Error::size_out_of_range;
  for (std::size_t n = 0; n < requests.size(); ++n) {
    const bool fine = 0 <= outputs[n].generated && outputs[n].generated <= largest_size &&
                      0 <= outputs[n].rejected && outputs[n].rejected <= requests[n].drafts;
    if (!fine && ids_.is_known(requests[n].request)) return Error::size_out_of_range;
  }
  ended_.clear();
  tell([&](StepObserver&) { tell_delivered(outputs); });
  for (std::size_t n = 0; n < requests.size(); ++n) deliver(requests[n], outputs[n]);
  tell([&](StepObserver& o) {
    for (const auto& request : told_ended_) o.finish(request, false);
  });
  land();
  return Error::none;
}

void SchedulerCore::deliver(const InFlight& entry, const Output& output) {
  if (!ids_.is_known(entry.request)) return;
  const Index n = entry.request.index;
  Sequence& q = sequences_[n];
  const bool is_stale = entry.epoch != q.epoch;
  if (is_stale) {
    --q.stale;
  } else {
    --q.in_flight;
    q.computed -= output.rejected;
    q.placeholders -= entry.owed;
  }
  if (is_stale && q.drops_stale) return;
  free_encoder_inputs(n);
  // The tokens stand for placeholders no more [spec: settle_placeholders].
  if (!is_stale && output.generated > 0 && q.output_placeholders > 0) {
    if (entry.drafts > 0) q.output_placeholders -= output.rejected;
    if (q.output_placeholders > 0) q.output_placeholders -= output.generated;
  }
  if (!append_outputs(q, output.generated)) return;
  ended_.push_back(entry.request);
  tell([&](StepObserver&) { told_ended_.emplace_back(ids_.name(n)); });
  end_request(n);
}

/// Every input whose every token is confirmed is released; of an encoder-decoder model, all of them
/// once a token is computed (`_free_encoder_inputs`) [spec: ReleaseInput, EncdecRelease].
void SchedulerCore::free_encoder_inputs(Index n) {
  Sequence& q = sequences_[n];
  if (inputs_) {
    if (q.computed > 0) release_inputs(n);
    return;
  }
  if (entries_.holder(n).held == 0) return;
  const Tokens confirmed = q.confirmed();
  bool all_released = true;
  for (InputId i = q.first_held; i < q.places.size() && q.places[i].positions.start() < confirmed;
       ++i) {
    const bool is_over = q.places[i].positions.end() <= confirmed;
    if (is_over && entries_.holder(n).features[i].is_held) {
      entries_.drop(n, i);
      tell([&](StepObserver& o) { o.free_input(ids_.name(n), i, slots()); });
    }
    all_released &= is_over;
    if (all_released) q.first_held = i + 1;
  }
}

/// Of an encoder-decoder model: all of them at once.
void SchedulerCore::release_inputs(Index n) {
  const auto& inputs = inputs_->holder(n).inputs;
  for (InputId i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_held) continue;
    inputs_->drop(n, i);
    tell([&](StepObserver& o) { o.free_input(ids_.name(n), i, slots()); });
  }
}

/// Whether the request is done with one of its new tokens [spec: append_outputs].
bool SchedulerCore::append_outputs(Sequence& q, Tokens generated) const {
  if (generated == 0) return false;
  const Tokens end = std::min(q.prompt + q.max_tokens, config_.max_model_len);
  q.known = std::min(q.known + generated, std::max(end, q.known + 1));
  return q.known >= end;
}

/// The oldest pass is in flight no more; its place is kept for another.
void SchedulerCore::land() {
  for (const Index n : flights_.front().pinned) {
    if (inputs_)
      inputs_->unpin(n);
    else
      entries_.unpin(n);
  }
  std::rotate(flights_.begin(), flights_.begin() + 1,
              flights_.begin() + static_cast<std::ptrdiff_t>(num_in_flight_));
  --num_in_flight_;
}

Error SchedulerCore::update_draft_tokens(RequestHandle request, Tokens drafts) {
  if (!ids_.is_known(request)) return Error::unknown_request;
  if (drafts < 0 || drafts > config_.num_speculative_tokens) return Error::size_out_of_range;
  Sequence& q = sequences_[request.index];
  q.drafts = q.is_chunk ? 0 : drafts;
  tell([&](StepObserver& o) { o.draft(ids_.name(request.index), drafts); });
  return Error::none;
}

/// Of what the file's head says in prose.
void SchedulerCore::check_invariants() const {
  entries_.check_invariants();
  if (inputs_) inputs_->check_invariants();
  std::size_t running = 0, waiting = 0;
  std::int64_t blocks = 0;
  for (Index n = 0; n < sequences_.size(); ++n) {
    const Sequence& q = sequences_[n];
    running += q.status == Status::running;
    waiting += q.status == Status::waiting;
    blocks += q.blocks;
    if (q.status == Status::absent) continue;
    Index current = 0, stale = 0;
    for (const auto& flight : in_flight())
      for (const auto& entry : flight.requests)
        if (entry.request == ids_.handle(n)) ++(entry.epoch == q.epoch ? current : stale);
    HOLDFAST_ASSERT(current == q.in_flight && stale == q.stale, "steps in flight are counted");
    HOLDFAST_ASSERT(0 <= q.placeholders && q.placeholders <= q.computed && q.allotment == none,
                    "placeholders are computed tokens, and no pass is being made");
    HOLDFAST_ASSERT(q.status == Status::running || (q.computed == 0 && q.blocks == 0),
                    "who waits has computed nothing and has no KV blocks");
    for (InputId i = 0; i < q.places.size(); ++i) {
      HOLDFAST_ASSERT(i >= q.first_live || q.places[i].group_end <= q.confirmed(),
                      "only what is confirmed is skipped");
      HOLDFAST_ASSERT(inputs_ || i >= q.first_held || !entries_.holder(n).features[i].is_held,
                      "nothing that is held is skipped");
    }
  }
  HOLDFAST_ASSERT(running == running_.size() && waiting == waiting_.size(),
                  "a request is in one queue");
  HOLDFAST_ASSERT(host_blocks_ != nullptr || blocks + kv_free_ == config_.num_gpu_blocks,
                  "KV blocks are somebody's or free");
  HOLDFAST_ASSERT(config_.policy != Policy::priority || running_by_rank_.size() == running,
                  "every running request has a rank");
  HOLDFAST_ASSERT(
      !inputs_ || (entries_.bound() == 0 && inputs_->ordered() == 0 && inputs_->promised() == 0),
      "of an encoder-decoder model nothing is cached, and nothing is half done");
  HOLDFAST_ASSERT(entries_.promised() == 0 && entries_.ordered() == 0 && planning_ == none,
                  "no turn is left open");
}

}  // namespace holdfast::impl
