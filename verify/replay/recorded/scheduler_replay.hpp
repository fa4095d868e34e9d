// Replays the whole of what a system has recorded: the reference pass runs on what drives the file,
// and everything else in the file is an answer of its own.
//
// These drive: add_request, begin_pass, execute, deliver (tokens generated, drafts rejected),
// draft, an aborted finish, reset, worker_reset, and a preempt outside a pass. The answers to an
// event stand behind it, but for an abort, whose references are freed before it is told of.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "spec/schedule/scheduler.hpp"
#include "verify/replay/model.hpp"
#include "verify/replay/recorded/answers.hpp"

namespace holdfast::verify::replay::inline recorded {

class SchedulerReplay {
 public:
  /// Requires can_replay(header).
  SchedulerReplay(const spec::Profile& profile, const trace::Header& header);

  /// Whether the header says all that a pass goes by. Prefix caching is not in the format.
  static bool can_replay(const trace::Header& header);

  /// Throws Divergence.
  void take(trace::Event event, std::uint64_t line);
  /// After the last event. A file may end in the middle of a pass: then it ends there.
  void finish();

  [[nodiscard]] const Model& model() const { return m_; }
  /// Answers compared so far, by the event's place in trace::Event.
  [[nodiscard]] const AnswerQueue::Counts& compared() const { return answers_.file().compared(); }

 private:
  using Driving = std::pair<trace::Event, std::uint64_t>;

  bool drives(const trace::Event& event) const;
  void drive(const Driving& driving);

  void run(const trace::Header&) {}
  void run(const trace::AddRequest& e);
  void run(const trace::BeginPass& e);
  void run(const trace::Execute& e);
  void run(const trace::WorkerReset&);
  void run(const trace::Deliver& e);
  void run(const trace::Draft& e);
  void run(const trace::Reset& e);
  void run(const trace::Preempt& e);
  void run(const trace::Finish& e);
  template <class Answer>
  void run(const Answer&) {}

  [[noreturn]] void cannot(std::string_view rule, std::string_view property, std::string expected,
                           std::string observed) const;

  Model m_;
  spec::Queues<D> queues_;
  Answers answers_;
  spec::Scheduler<D, Answers> scheduler_;
  std::optional<Driving> driving_;  // its answers are being read
  bool in_pass_ = false;            // in the file
};

}  // namespace holdfast::verify::replay::inline recorded
