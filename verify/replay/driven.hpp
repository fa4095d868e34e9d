// Drives the model by a scenario: every event takes the rules that it stands for, if their guards
// hold.
//
// A file says only at the end of a pass who was scheduled in it, but a request is admitted as soon
// as its inputs are planned. So the events of a pass are kept until its end is read, and a request
// is admitted after its last look-up or allocation in the pass; one that is not in the list gives
// up its turn there. A request that allocated in the pass and is preempted in it counts as
// scheduled.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "verify/replay/model.hpp"

namespace holdfast::verify {

class DrivenReplay {
 public:
  /// Checks only `property`, if it is not empty.
  DrivenReplay(const spec::Profile& profile, const trace::Header& header, std::string property)
      : m_(profile, header), property_(std::move(property)) {}

  /// Throws Divergence, also where a property is violated.
  void take(const trace::Event& event, std::uint64_t line);
  /// After the last event.
  void finish();

  /// Events that the model could not take, or not wholly.
  [[nodiscard]] std::uint64_t declined() const { return declined_; }

 private:
  struct Kept {
    trace::Event event;
    std::uint64_t line;
  };
  /// What becomes of a request after an event of the kept pass.
  enum class Next { nothing, admit, admit_to_retract, give_up };

  void run_pass();
  void plan_ahead();
  void run(const trace::Event& event, std::uint64_t line);
  void follow(Next next, const std::string& request);

  // Each returns whether the model could take all of it.
  bool take(const trace::Header&) { return true; }
  bool take(const trace::AddRequest& e);
  bool take(const trace::BeginPass& e);
  bool take(const trace::Check& e);
  bool take(const trace::CanAllocate& e);
  bool take(const trace::Allocate& e);
  bool take(const trace::FreeInput& e);
  bool take(const trace::FreeRequest& e);
  bool take(const trace::TakeFreed& e);
  bool take(const trace::Reset& e);
  bool take(const trace::WorkerReset& e);
  bool take(const trace::Preempt& e);
  bool take(const trace::EndPass& e);
  bool take(const trace::Execute& e);
  bool take(const trace::Gather& e);
  bool take(const trace::Deliver& e);
  bool take(const trace::Draft&) { return true; }
  bool take(const trace::Finish& e);
  bool take(const trace::State& e);

  /// Takes the rule if its guard holds, and checks the properties.
  template <class Rule, class... Arguments>
  bool take_rule(Arguments... arguments);
  void check(std::string_view rule);

  bool may_plan(Request r) const;
  bool holds_needs(Request r, Int tokens) const;
  bool admit(const trace::Scheduled& entry);
  void admit_to_retract(Request r);
  void drain(std::vector<Int> order = {});
  void drain_unless_freed_by(const trace::Event& event);
  void deliver_resets();
  bool execute_next();
  [[nodiscard]] std::vector<Hash> noticed(Int step) const;
  void expect_gathered(const trace::Gather& e, Request r) const;

  [[nodiscard]] Place place(std::string_view rule, std::string about = {}) const {
    return {line_, rule, std::move(about)};
  }

  Model m_;
  std::string property_;
  std::uint64_t line_ = 0;
  std::string_view rule_ = "initial";
  std::uint64_t declined_ = 0;
  std::unordered_map<std::int64_t, Int> step_of_;  // pass -> step, not yet delivered
  std::deque<Int> reset_steps_;                    // not yet delivered

  bool keeping_ = false;
  std::vector<Kept> pass_;
  std::vector<Next> next_;  // by event of the pass
  std::unordered_map<std::string, trace::Scheduled> scheduled_;
  std::vector<std::pair<std::uint64_t, trace::TakeFreed>>
      taken_freed_;  // compared at the end of the pass
};

}  // namespace holdfast::verify
