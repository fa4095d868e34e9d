// Drives the reference pass and watches every property: what `hunt` does, and how its findings
// replay.
//
// Only what drives has a meaning: add_request, begin_pass (the whole pass), execute, deliver,
// draft, an aborted finish, reset, worker_reset, and a preempt outside a pass. Anything else is
// passed over: the reference decides it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/schedule/scheduler.hpp"
#include "verify/liveness/progress_monitor.hpp"
#include "verify/replay/driven/watch.hpp"
#include "verify/replay/model.hpp"

namespace holdfast::verify::replay::inline driven {

class ScriptReplay {
 public:
  /// Checks only `property`, if it is not empty. What the header leaves out does not limit.
  ScriptReplay(const spec::Profile& profile, const trace::Header& header,
               std::string property = {});

  /// Takes one event. Throws Divergence where a property is violated or the profile contradicts
  /// itself; then nothing more may be taken. What cannot be driven now changes nothing and is
  /// counted.
  ///
  /// An output is read as a worker could give it, so that one event fits whatever was scheduled: a
  /// request that computes its last known token gets one token and the drafts that were not
  /// rejected, of those it has; one that is not named accepts none; any other request gets what the
  /// event says.
  void take(const trace::Event& event, std::uint64_t line);
  /// After the last event. Throws Divergence where all stands as before, and in between a request
  /// got nothing: if what drives the file goes on as it did, that is for ever.
  void finish() const;
  /// The same for a request of whose tokens the prefix cache has `hit`.
  void add(const trace::AddRequest& event, Int hit);

  /// Events that could not be driven.
  [[nodiscard]] std::uint64_t declined() const { return declined_; }
  /// Rules taken.
  [[nodiscard]] std::uint64_t steps() const { return watch_.steps(); }

  // To choose the next event by.
  [[nodiscard]] const Model& model() const { return m_; }
  [[nodiscard]] const spec::Queues<D>& queues() const { return queues_; }
  /// Passes that the worker has not executed, and those that are not delivered.
  [[nodiscard]] std::size_t passes_to_execute() const;
  [[nodiscard]] std::size_t passes_to_deliver() const { return queues_.passes_in_flight(); }

 private:
  bool run(const trace::AddRequest& e);
  bool run(const trace::BeginPass& e);
  bool run(const trace::Execute& e);
  bool run(const trace::WorkerReset&);
  bool run(const trace::Deliver& e);
  bool run(const trace::Draft& e);
  bool run(const trace::Reset&);
  bool run(const trace::Preempt& e);
  bool run(const trace::Finish& e);
  bool run(const trace::EndPass&) {
    in_pass_ = false;
    return true;
  }
  template <class Other>
  bool run(const Other&) {
    return true;
  }

  [[nodiscard]] std::string text(const liveness::NoProgress<D>& found) const;

  Model m_;
  spec::Queues<D> queues_;
  Watch watch_;
  spec::Scheduler<D, Watch> scheduler_;
  liveness::ProgressMonitor<D> monitor_;
  std::optional<liveness::NoProgress<D>> stall_;
  bool in_pass_ = false;  // in the file
  std::uint64_t declined_ = 0;
};

/// How a hunt ended.
struct ScriptOutcome {
  std::uint64_t events = 0;    ///< taken, the header included
  std::uint64_t declined = 0;  ///< of them
  std::uint64_t steps = 0;     ///< rules taken
  bool violated = false;
  std::uint64_t line = 0;  ///< of the event that ends in the violation; the header is line 1
  std::string rule;
  std::string property;
  std::string observed;
};

/// Drives all of them, the first of which must be a header. Ends at the first violation.
ScriptOutcome drive(const std::vector<trace::Event>& events, const spec::Profile& profile,
                    const std::string& property = {});

}  // namespace holdfast::verify::replay::inline driven
