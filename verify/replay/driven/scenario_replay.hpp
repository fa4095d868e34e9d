// Drives the model by a scenario: every event takes the rules that it stands for, if their guards
// hold.
//
// A file says only at the end of a pass who was scheduled in it, but a request is admitted as soon
// as its inputs are planned. So the events of a pass are kept until its end is read. A request's
// turn begins with the first event that plans an input of it, every token that it may get in view,
// and ends after the last: then it is admitted if the list has it, and gives up if not. One that
// was scheduled, and is preempted by another's turn, is in no list: it counts as scheduled if it
// ordered something or was waiting.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "verify/replay/model.hpp"
#include "verify/replay/violation.hpp"

namespace holdfast::verify {

/// The worker runs beside the scheduler: it may act while references are being dropped.
bool is_of_the_worker(const trace::Event& event);

class ScenarioReplay {
 public:
  /// Checks only `property`, which may be a ranking, if it is not empty.
  ScenarioReplay(const spec::Profile& profile, const trace::Header& header, std::string property)
      : m_(profile, header),
        property_(std::move(property)),
        is_ranking_(verify::is_ranking(property_)) {}

  /// Throws Divergence, also where a property is violated.
  void take(trace::Event event, std::uint64_t line);
  /// After the last event.
  void finish();

  /// Events that the model could not take, or not wholly.
  [[nodiscard]] std::uint64_t declined() const { return declined_; }

 private:
  struct Kept {
    trace::Event event;
    std::uint64_t line;
  };
  /// What becomes of a request at the end of its turn.
  enum class Next { nothing, admit, admit_to_retract, give_up };
  struct TurnEnd {
    const std::string* request = nullptr;  ///< whose turn ends behind this event
    Next next = Next::nothing;
  };

  void run_pass();
  void plan_ahead();
  [[nodiscard]] bool has_to_plan(const std::string& request) const;
  [[nodiscard]] std::size_t end_of_turn(std::size_t n, const std::string& request) const;
  void admit_unplanned();
  void run(const trace::Event& event, std::uint64_t line);

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
  /// Asks the properties, or, of the state `before` the rule, the ranking.
  void check(std::string_view rule, const dynamic::State* before = nullptr);
  [[nodiscard]] Place place(std::string_view rule, std::string about = {}) const {
    return {line_, rule, std::move(about)};
  }

  // Turns.
  [[nodiscard]] bool has_turn(Request r) const;
  bool open_turn(const std::string& request);
  bool look_at(const std::string& request, Int i);
  void leave_out_chosen();
  void close_turn(Next next);
  bool admit(const trace::Scheduled& entry);
  bool admit_to_retract(Request r);
  bool commit_least();
  void give_up();
  void abandon_if_blocked();
  [[nodiscard]] Int stopped_at(Request r, Int tokens) const;
  [[nodiscard]] Int hit_of(const std::string& request) const;
  [[nodiscard]] bool holds_needs(Request r, Int tokens) const;

  void drain(std::vector<Int> order = {});
  void drain_unless_freed_by(const trace::Event& event);
  void end_delivery(bool even_if_held);
  void deliver_resets();
  bool execute_next();
  [[nodiscard]] std::vector<Hash> noticed(Int step) const;
  void expect_gathered(const trace::Gather& e, Request r) const;

  Model m_;
  std::string property_;
  bool is_ranking_;
  std::uint64_t line_ = 0;
  std::string_view rule_ = "initial";
  std::uint64_t declined_ = 0;
  std::unordered_map<std::int64_t, Int> step_of_;  // pass -> step, not yet delivered
  std::deque<Int> reset_steps_;                    // not yet delivered
  bool delivering_ = false;                        // the next step: its outputs are processed

  bool keeping_ = false;
  std::vector<Kept> pass_;
  std::size_t now_ = 0;        // the event of it that is run
  std::vector<TurnEnd> ends_;  // by event of the pass
  std::vector<trace::Scheduled> scheduled_;
  std::vector<std::string> unplanned_;        // preempted, without a planning event before
  std::unordered_set<std::string> planning_;  // who plans an input in it
  std::optional<Int> last_;                   // the input looked at last
  std::vector<std::pair<std::uint64_t, trace::TakeFreed>>
      taken_freed_;  // compared at the pass's end
};

template <class Rule, class... Arguments>
bool ScenarioReplay::take_rule(Arguments... arguments) {
  if (!Rule::template guard<D>(m_.d, m_.s, arguments...)) return false;
  std::optional<dynamic::State> before;
  if (is_ranking_) before = m_.s;
  Rule::template effect<D>(m_.d, m_.s, arguments...);
  check(Rule::info.name, before ? &*before : nullptr);
  return true;
}

}  // namespace holdfast::verify
