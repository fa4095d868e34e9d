// Drives the model by a scenario whose events name the rules that they stand for: each rule is
// taken if its guard holds, and after each the properties are checked.
//
// Nothing is put in beside what is named, but for one thing that leaves no choice: where the
// profile lets a request go that the file does not, or lets it go with more than the file drops,
// the rest of its references is dropped before the scheduler does anything else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "spec/catalogue.hpp"
#include "verify/replay/driven/named_rule.hpp"
#include "verify/replay/model.hpp"
#include "verify/replay/violation.hpp"

namespace holdfast::verify::replay::inline driven {

/// The worker runs beside the scheduler: it may act while references are being dropped.
template <class Rule>
constexpr bool is_of_the_worker =
    std::is_same_v<Rule, spec::DropNotices> || std::is_same_v<Rule, spec::Encode> ||
    std::is_same_v<Rule, spec::GatherTarget> || std::is_same_v<Rule, spec::GatherDraft> ||
    std::is_same_v<Rule, spec::EncdecRead>;

/// A request that is leaving loses what it holds.
template <class Rule>
constexpr bool drops = std::is_same_v<Rule, spec::Drop> || std::is_same_v<Rule, spec::EncdecDrop> ||
                       std::is_same_v<Rule, spec::Drained>;

class ScenarioReplay {
 public:
  /// Checks only `property`, which may be a ranking, if it is not empty.
  ScenarioReplay(const spec::Profile& profile, const trace::Header& header, std::string property)
      : m_(profile, header),
        property_(std::move(property)),
        is_ranking_(verify::replay::is_ranking(property_)) {}

  /// Throws Divergence, also where a property is violated.
  void take(const trace::Event& event, std::uint64_t line);
  /// After the last event.
  void finish() { drop_the_rest(); }

  /// Events that the model could not take, or not wholly.
  [[nodiscard]] std::uint64_t declined() const { return declined_; }

 private:
  /// What the rules of an event have done: its answers are compared with that.
  struct Done {
    bool hit = false;
    bool refused = false;
    bool has_room = false;
    std::vector<Hash> evicted;
    std::optional<Int> step;  ///< issued
  };

  template <class E>
  bool run(const E& e);
  bool take_rules(const trace::Rules& rules);
  template <class Rule, class... Arguments>
  bool take_rule(Arguments... arguments);
  void drop_the_rest();
  /// Asks the properties, or, of the state `before` the rule, the ranking.
  void check(const dynamic::State* before);
  [[nodiscard]] Place place(std::string_view rule, std::string about = {}) const {
    return {line_, rule, std::move(about)};
  }

  // What the rules do that answers speak of.
  template <class Rule>
  struct Before {};
  void on(Before<spec::Touch>) { done_.hit = true; }
  void on(Before<spec::Share>) { done_.hit = true; }
  void on(Before<spec::Refuse>) { done_.refused = true; }
  void on(Before<spec::Evict>, Hash h) { done_.evicted.push_back(h); }
  void on(Before<spec::Order>) { done_.has_room = true; }
  void on(Before<spec::Skip>) { done_.has_room = true; }
  void on(Before<spec::EncdecAllocate>) { done_.has_room = true; }
  void on(Before<spec::EndPass>) { done_.step = m_.s.issued() + 1; }
  void on(Before<spec::EncdecEndPass>) { done_.step = m_.s.issued() + 1; }
  void on(Before<spec::Reset>) { steps_.issue_reset(m_.s.issued() + 1); }
  void on(Before<spec::EncdecReset>) { steps_.issue_reset(m_.s.issued() + 1); }
  void on(Before<spec::GatherTarget>, Request r, Int i, Int) { m_.gathering.emplace(r, i); }
  void on(Before<spec::GatherDraft>, Request r, Int i, Int) { m_.gathering.emplace(r, i); }
  void on(Before<spec::EncdecRead>, Request r, Int i) { m_.gathering.emplace(r, i); }

  // Before the rules of the event: whether it may come.
  template <class E>
  bool begin(const E&) {
    return true;
  }
  bool begin(const trace::AddRequest& e);
  bool begin(const trace::BeginPass&);
  bool begin(const trace::TakeFreed&) { return m_.s.in_pass(); }
  bool begin(const trace::EndPass&) { return m_.s.in_pass(); }
  bool begin(const trace::Execute& e);
  bool begin(const trace::WorkerReset&) { return steps_.is_reset(m_.s.executed() + 1); }
  bool begin(const trace::Gather& e) const;
  bool begin(const trace::Deliver& e);

  // Behind its rules, whether or not all were taken.
  template <class E>
  void settle(const E&) {}
  void settle(const trace::EndPass& e);
  void settle(const trace::Deliver&);

  // The same if all were taken: compares the answers. Whether what drives is as it says.
  template <class E>
  bool end(const E& e);
  bool end(const trace::Check& e);
  bool end(const trace::CanAllocate& e);
  bool end(const trace::TakeFreed& e);
  bool end(const trace::EndPass& e);
  bool end(const trace::Gather& e);
  bool end(const trace::Deliver& e);
  bool end(const trace::State& e);

  [[nodiscard]] bool is_scheduled(const trace::EndPass& e, Int step) const;

  Model m_;
  StepNames steps_;
  std::string property_;
  bool is_ranking_;
  std::uint64_t declined_ = 0;

  // Of the event.
  std::uint64_t line_ = 0;
  std::string_view rule_ = "initial";  // tried last
  Done done_;
  std::vector<bool> stale_;  // by output of a delivery

  /// Of the pass: compared at its end.
  std::vector<std::pair<std::uint64_t, trace::TakeFreed>> taken_freed_;
};

}  // namespace holdfast::verify::replay::inline driven
