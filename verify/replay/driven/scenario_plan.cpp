// Where the turns of a kept pass end: seen from its end, before it is run.
#include <algorithm>
#include <type_traits>

#include "verify/replay/driven/scenario_replay.hpp"

namespace holdfast::verify {
namespace {

/// The request whose inputs the event plans.
const std::string* planned_request(const trace::Event& event) {
  return std::visit(
      [](const auto& e) -> const std::string* {
        using E = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<E, trace::Check> || std::is_same_v<E, trace::CanAllocate> ||
                      std::is_same_v<E, trace::Allocate>)
          return &e.request;
        else
          return nullptr;
      },
      event);
}

}  // namespace

bool is_of_the_worker(const trace::Event& event) {
  return std::holds_alternative<trace::Execute>(event) ||
         std::holds_alternative<trace::Gather>(event) ||
         std::holds_alternative<trace::WorkerReset>(event);
}

void ScenarioReplay::run_pass() {
  plan_ahead();
  for (now_ = 0; now_ < pass_.size(); ++now_) {
    run(pass_[now_].event, pass_[now_].line);
    const auto& [request, next] = ends_[now_];
    if (request == nullptr) continue;
    drain();
    if (const auto r = m_.find(*request); r && has_turn(*r)) close_turn(next);
  }
  pass_.clear();
  scheduled_.clear();
  planning_.clear();
  taken_freed_.clear();
  keeping_ = false;
}

/// Whether an input of the request is planned later in the pass.
bool ScenarioReplay::has_to_plan(const std::string& request) const {
  return std::any_of(pass_.begin() + static_cast<std::ptrdiff_t>(now_), pass_.end(),
                     [&](const Kept& kept) {
                       const auto* planned = planned_request(kept.event);
                       return planned != nullptr && *planned == request;
                     });
}

/// The turn of `request` ends with event n, or, where it has not allocated yet, with the last of
/// those that are preempted for it.
std::size_t ScenarioReplay::end_of_turn(std::size_t n, const std::string& request) const {
  const auto belongs = [&](const trace::Event& event) {
    if (const auto* preempt = std::get_if<trace::Preempt>(&event))
      return preempt->request != request;
    if (const auto* freed = std::get_if<trace::FreeRequest>(&event))
      return freed->request != request;
    return is_of_the_worker(event);
  };
  if (std::holds_alternative<trace::Allocate>(pass_[n].event)) return n;
  while (n + 1 < pass_.size() && belongs(pass_[n + 1].event)) ++n;
  return n;
}

/// Goes over the pass backwards, to see where each turn ends, and what follows for its request: the
/// turn ends where another request plans next.
void ScenarioReplay::plan_ahead() {
  ends_.assign(pass_.size(), {});
  if (pass_.empty()) return;
  std::unordered_map<std::string, Next> after;
  const std::string* planner = nullptr;
  if (const auto* end = std::get_if<trace::EndPass>(&pass_.back().event))
    scheduled_ = end->scheduled;
  for (const auto& entry : scheduled_) after[entry.request] = Next::admit;
  for (std::size_t n = pass_.size(); n-- > 0;) {
    const auto& event = pass_[n].event;
    if (const auto* preempt = std::get_if<trace::Preempt>(&event))
      after[preempt->request] = Next::admit_to_retract;
    if (const auto* freed = std::get_if<trace::FreeRequest>(&event))
      after[freed->request] = Next::nothing;
    if (const auto* request = planned_request(event)) {
      planning_.insert(*request);
      const auto found = after.try_emplace(*request, Next::give_up).first;
      const bool ends =
          planner == nullptr || *planner != *request || found->second == Next::admit_to_retract;
      if (ends && found->second != Next::nothing)
        ends_[end_of_turn(n, *request)] = {request, found->second};
      found->second = Next::give_up;  // who plans again later got nothing before
      planner = request;
    }
  }
  std::unordered_set<std::string> planned;
  for (const auto& kept : pass_) {
    if (const auto* request = planned_request(kept.event)) planned.insert(*request);
    const auto* preempt = std::get_if<trace::Preempt>(&kept.event);
    if (preempt != nullptr && !planned.contains(preempt->request))
      unplanned_.push_back(preempt->request);
  }
}

}  // namespace holdfast::verify
