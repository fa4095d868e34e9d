// What is told of steps, where somebody observes: what is done is what is done where nobody does.
#include <string>
#include <vector>

#include "impl/scheduler_core.hpp"

namespace holdfast::impl {

/// What is left of the budget, and what the turn has planned, when an input asks for room. The
/// slots of an encoder-decoder model are told as they are before the turn takes any.
void SchedulerCore::tell_room(Index n, InputId i, bool ok) const {
  Embeds planned = entries_.promised();
  Embeds budget = config_.max_num_encoder_input_tokens - entries_.ordered() - planned;
  StepObserver::Slots now = slots();
  if (inputs_) {
    planned = embeds_before(n, i);
    budget = config_.max_num_encoder_input_tokens - inputs_->ordered();
    now.free += planned;
    now.reclaimable += planned;
  }
  observer_->can_allocate(ids_.name(n), i, budget, planned, ok, now);
}

/// Of a request of an encoder-decoder model.
Embeds SchedulerCore::embeds_before(Index n, InputId i) const {
  Embeds embeds = 0;
  for (InputId before = 0; before < i; ++before)
    embeds += sequences_[n].places[before].positions.embeds();
  return embeds;
}

/// First what slots were taken for, then what shares them.
void SchedulerCore::allocate_chosen_and_tell(Index n) {
  if (inputs_) return tell_inputs(n);
  const std::string_view id = ids_.name(n);
  std::vector<InputId> shared;
  entries_.allocate_chosen(n, [&](InputId i, bool is_first) {
    if (is_first)
      observer_->allocate(id, i, slots());
    else
      shared.push_back(i);
  });
  for (const InputId i : shared) tell_look_up(n, i, true);
}

/// The turn of an encoder-decoder model's request has taken its inputs' slots; they are told of
/// once it has its KV blocks.
void SchedulerCore::tell_inputs(Index n) const {
  const auto count = static_cast<InputId>(num_features(n));
  if (sequences_[n].computed > 0) return;
  const Embeds all = embeds_before(n, count);
  for (InputId i = 0; i < count; ++i) {
    const Embeds rest = all - embeds_before(n, i + 1);
    observer_->allocate(ids_.name(n), i, {slots().free + rest, slots().reclaimable + rest});
  }
}

void SchedulerCore::drop_features_and_tell(Index n, Freed freed) {
  std::vector<InputId> held;
  for (InputId i = 0; i < num_features(n); ++i)
    if (inputs_ ? inputs_->input(n, i).is_held : entries_.holder(n).features[i].is_held)
      held.push_back(i);
  if (inputs_)
    inputs_->drop_all(n);
  else
    entries_.drop_all(n);
  const bool is_told = freed == Freed::told || (!held.empty() && !inputs_);
  if (num_features(n) > 0 && is_told) observer_->free_request(ids_.name(n), held, slots());
}

void SchedulerCore::tell_delivered(std::span<const Output> outputs) {
  told_ended_.clear();
  std::vector<StepObserver::Delivered> told;
  const auto& requests = flights_.front().requests;
  for (std::size_t n = 0; n < requests.size(); ++n) {
    const RequestHandle r = requests[n].request;
    const bool is_stale = ids_.is_known(r) && requests[n].epoch != sequences_[r.index].epoch;
    told.push_back({r, outputs[n].generated, outputs[n].rejected, is_stale});
  }
  observer_->deliver(flights_.front().number, told);
}

}  // namespace holdfast::impl
