// What the scheduler does, step by step, in the words of a trace: for who records it, or compares
// it with another.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "holdfast/step.hpp"
#include "holdfast/types.hpp"

namespace holdfast {

struct PassOutput;
struct RequestSpec;

/// Told of every step, once it is done, in the order in which they are done. This class, which does
/// nothing, is one itself; whoever derives from it overrides what it wants to know of. Requests and
/// hashes are told by name, inputs by their number in the request.
///
/// The scheduler's thread makes the calls, within its own: none of them may call the scheduler.
/// Strings are valid during the call.
class StepObserver {
 public:
  /// After the step (`num_free_slots`, `num_freeable_slots`).
  struct Slots {
    Embeds free = 0, reclaimable = 0;
  };
  /// What comes of a request in a step that is delivered.
  struct Delivered {
    RequestHandle request;
    Tokens generated = 0, rejected = 0;
    bool is_stale = false;  ///< it was preempted since, and what comes of it is of before
  };

  virtual ~StepObserver() = default;

  // -- requests --

  virtual void add_request(const RequestSpec&) {}
  virtual void preempt(std::string_view /*request*/) {}
  /// In a delivery behind all that it frees.
  virtual void finish(std::string_view /*request*/, bool /*is_aborted*/) {}
  virtual void draft(std::string_view /*request*/, Tokens /*drafts*/) {}

  // -- a pass --

  virtual void begin_pass() {}
  /// A look-up. What a turn has found to be shared with another input of its own is told behind the
  /// allocations of the turn.
  virtual void check(std::string_view /*request*/, InputId, bool /*hit*/, Slots) {}
  /// In the `can_allocate` that follows.
  virtual void evict(std::string_view /*mm_hash*/) {}
  virtual void can_allocate(std::string_view /*request*/, InputId, Embeds /*compute_budget*/,
                            Embeds /*scheduled_embeds*/, bool /*ok*/, Slots) {}
  virtual void allocate(std::string_view /*request*/, InputId, Slots) {}
  /// What the step tells the worker to drop: `step.notices` of the pass that ends.
  virtual void take_freed(std::span<const HashHandle> /*notices*/, Slots) {}
  virtual void end_pass(const PassOutput&, std::int64_t /*kv_free*/) {}

  // -- what is given back --

  virtual void free_input(std::string_view /*request*/, InputId, Slots) {}
  /// All that it held, ascending.
  virtual void free_request(std::string_view /*request*/, std::span<const InputId> /*held*/,
                            Slots) {}
  /// The manager forgets everything; the worker will by that step.
  virtual void reset(StepNumber, Slots) {}
  /// Before what it releases, and who finishes.
  virtual void deliver(StepNumber, std::span<const Delivered>) {}
};

}  // namespace holdfast
