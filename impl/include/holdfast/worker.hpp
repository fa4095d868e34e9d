// The worker's side: the store of encoder outputs, kept in step with the scheduler's cache.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "holdfast/gather_plan.hpp"
#include "holdfast/request_features.hpp"
#include "holdfast/step.hpp"
#include "holdfast/types.hpp"

namespace holdfast {

/// Owns the encoder outputs and plans what is read of them. A `Tensor` is a movable handle that
/// owns an output, [embeds x hidden size], and gives it back when it is destroyed.
///
/// Threads: one thread, the worker's, makes all calls; nothing is shared with the scheduler. Steps
/// are handed over by value, in order, together with the requests that come and go: `add_request`
/// before the first step that schedules a request, `remove_request` after the last.
///
/// A refused call changes nothing.
template <std::movable Tensor>
class Worker {
 public:
  /// A request whose tokens may be in a step (`add_request` of the worker's encoder cache).
  /// Amortised O(1). Errors: duplicate_request if one of that index is there, even of another
  /// generation; unknown_request if the handle is nobody's.
  [[nodiscard]] Error add_request(RequestHandle request, RequestFeatures features) {
    if (is_nobodys(request)) return Error::unknown_request;
    if (request.index >= requests_.size()) requests_.resize(std::size_t{request.index} + 1);
    Known& known = requests_[request.index];
    if (known.features.has_value()) return Error::duplicate_request;
    known.generation = request.generation;
    known.features = std::move(features);
    return Error::none;
  }
  /// No later step has tokens of it. Its entries stay, until a notice names them. O(its features).
  /// Errors: unknown_request.
  [[nodiscard]] Error remove_request(RequestHandle request) {
    if (features_of(request) == nullptr) return Error::unknown_request;
    requests_[request.index].features.reset();
    return Error::none;
  }

  /// Executes the first half of a step (`execute_model`): a reset drops everything; then what the
  /// notices name is dropped (`free_encoder_cache`) [spec: DropNotices]; then each order is
  /// encoded, in order, by `encode(order)`, which returns the output as a Tensor [spec: Encode].
  /// What a notice names may be absent; an output that is there already is dropped before it is
  /// encoded anew. O(notices + orders), and O(entries) for a reset; no allocation but encode's once
  /// the table of entries has grown.
  ///
  /// If `encode` throws, the step has not been executed: it can be applied again, which encodes all
  /// of its orders.
  /// Errors: wrong_time if it is not the next step, or names another generation of a hash than is
  /// stored, which only a step that was left out can cause; size_out_of_range if an order's embeds
  /// are below 1 or above `largest_size`; not_cached if a hash's handle is nobody's.
  template <std::invocable<const EncodeOrder&> Encode>
    requires std::convertible_to<std::invoke_result_t<Encode&, const EncodeOrder&>, Tensor>
  [[nodiscard]] Error apply(const Step& step, Encode&& encode) {
    if (const Error error = refusal(step); error != Error::none) return error;
    if (step.is_reset) drop_all();
    for (const HashHandle hash : step.notices)
      if (is_stored(hash)) drop(hash.index);
    for (const EncodeOrder& order : step.orders) {
      if (order.hash.index < stored_.size()) drop(order.hash.index);
      put(order, Tensor(std::invoke(encode, order)));
    }
    executed_ = step.number;
    return Error::none;
  }

  /// Of decoder-only models; of an encoder-decoder one, a step reads by `find` every input of each
  /// request whose `first` is 0, and nothing else [spec: EncdecRead].
  ///
  /// The gather plan of the step that was applied last: for the target with `lookahead` 0, for the
  /// drafter with its L. `starts` says where each of `step.scheduled` truly starts: the worker may
  /// know of rejected drafts that the scheduler did not, so that it lies anywhere from the
  /// confirmed tokens up to `first`. Complexity as `plan_gather`; no allocation in the steady
  /// state. Errors: wrong_time if the step is not the one that was applied last; unknown_request;
  /// size_out_of_range if there are not as many starts, or one is above its `first`; and those of
  /// `plan_gather`. `plan` is empty then.
  [[nodiscard]] GatherError plan(const Step& step, std::span<const Tokens> starts, Tokens lookahead,
                                 GatherPlan& plan) {
    plan.clear();
    GatherError error{.step = step.number, .is_draft = lookahead > 0};
    error.error = step.number != executed_                 ? Error::wrong_time
                  : starts.size() != step.scheduled.size() ? Error::size_out_of_range
                                                           : Error::none;
    windows_.clear();
    for (std::size_t n = 0; error.ok() && n < starts.size(); ++n) {
      const ScheduledRequest& scheduled = step.scheduled[n];
      const RequestFeatures* features = features_of(scheduled.request);
      error.request = scheduled.request;
      if (features == nullptr) error.error = Error::unknown_request;
      if (starts[n] > scheduled.first) error.error = Error::size_out_of_range;
      windows_.push_back({scheduled.request, features, starts[n], scheduled.tokens});
    }
    if (!error.ok()) return error;
    return plan_gather({step.number, lookahead, windows_, stored_}, plan);
  }

  /// The output of a hash, or null. Valid until the next `apply`. O(1).
  [[nodiscard]] const Tensor* find(HashHandle hash) const {
    return is_stored(hash) ? &*tensors_[hash.index] : nullptr;
  }
  /// By `HashHandle::index`: what is stored, for tables of pointers beside it.
  [[nodiscard]] std::span<const StoredEntry> stored() const { return stored_; }
  /// Entries that are stored, and the sum of their rows.
  [[nodiscard]] std::size_t entries() const { return entries_; }
  [[nodiscard]] Embeds embeds() const { return embeds_; }
  /// The step that was applied last; 0: none.
  [[nodiscard]] StepNumber executed() const { return executed_; }
  /// Null if the request is not known.
  [[nodiscard]] const RequestFeatures* features_of(RequestHandle request) const {
    if (request.index >= requests_.size()) return nullptr;
    const Known& known = requests_[request.index];
    return known.features && known.generation == request.generation ? &*known.features : nullptr;
  }

  /// Whether the representation is sound. O(entries).
  [[nodiscard]] bool check_invariants() const {
    if (tensors_.size() != stored_.size()) return false;
    std::size_t entries = 0;
    Embeds embeds = 0;
    for (std::size_t n = 0; n < stored_.size(); ++n) {
      if ((stored_[n].embeds > 0) != tensors_[n].has_value()) return false;
      if (stored_[n].embeds > 0) ++entries;
      embeds += stored_[n].embeds;
    }
    return entries == entries_ && embeds == embeds_;
  }

 private:
  struct Known {
    std::uint32_t generation = 0;
    std::optional<RequestFeatures> features;
  };

  template <class Handle>
  [[nodiscard]] static bool is_nobodys(Handle handle) {
    return handle.index == Handle{}.index;
  }
  [[nodiscard]] bool is_stored(HashHandle hash) const {
    return hash.index < stored_.size() && stored_[hash.index].generation == hash.generation &&
           stored_[hash.index].embeds > 0;
  }
  [[nodiscard]] Error refusal(const Step& step) const {
    if (step.number != executed_ + 1) return Error::wrong_time;
    for (const HashHandle hash : step.notices)
      if (const Error error = refusal(hash, step.is_reset); error != Error::none) return error;
    for (const EncodeOrder& order : step.orders) {
      if (const Error error = refusal(order.hash, step.is_reset); error != Error::none)
        return error;
      if (order.embeds < 1 || order.embeds > largest_size) return Error::size_out_of_range;
    }
    return Error::none;
  }
  [[nodiscard]] Error refusal(HashHandle hash, bool is_reset) const {
    if (is_nobodys(hash)) return Error::not_cached;
    const bool is_other = hash.index < stored_.size() && stored_[hash.index].embeds > 0 &&
                          stored_[hash.index].generation != hash.generation;
    return is_other && !is_reset ? Error::wrong_time : Error::none;
  }

  void drop(std::size_t n) {
    if (stored_[n].embeds == 0) return;
    tensors_[n].reset();
    embeds_ -= std::exchange(stored_[n].embeds, 0);
    --entries_;
  }
  void drop_all() {
    for (auto& tensor : tensors_) tensor.reset();
    for (auto& entry : stored_) entry.embeds = 0;
    entries_ = 0;
    embeds_ = 0;
  }
  /// Requires: it is absent.
  void put(const EncodeOrder& order, Tensor tensor) {
    const std::size_t n = order.hash.index;
    if (n >= stored_.size()) {
      tensors_.resize(n + 1);
      stored_.resize(n + 1);
    }
    tensors_[n].emplace(std::move(tensor));
    stored_[n] = {order.hash.generation, order.embeds};
    embeds_ += order.embeds;
    ++entries_;
  }

  // Representation: by `HashHandle::index`, `stored_` says of which generation an output is and how
  // many rows it has, and `tensors_` holds it; both are there or neither. See check_invariants().
  // `requests_` is by `RequestHandle::index`; a place without features is free. `windows_` keeps
  // its memory from plan to plan.
  std::vector<StoredEntry> stored_;
  std::vector<std::optional<Tensor>> tensors_;
  std::vector<Known> requests_;
  std::vector<GatherWindow> windows_;
  std::size_t entries_ = 0;
  Embeds embeds_ = 0;
  StepNumber executed_ = 0;
};

}  // namespace holdfast
