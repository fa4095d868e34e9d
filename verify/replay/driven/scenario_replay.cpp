#include "verify/replay/driven/scenario_replay.hpp"

#include <algorithm>

#include "spec/schedule/steps.hpp"
#include "verify/replay/driven/file_kind.hpp"

namespace holdfast::verify::replay::inline driven {
void ScenarioReplay::take(const trace::Event& event, std::uint64_t line) {
  line_ = line;
  done_ = {};
  if (std::visit([this](const auto& e) { return run(e); }, event)) return;
  ++declined_;
  if (carries_answers(event))
    throw Divergence{line_, std::string(rule_), "", "the model cannot take this event here",
                     "the file has answers of one that was taken"};
}

template <class E>
bool ScenarioReplay::run(const E& e) {
  if (!begin(e)) return false;
  bool all = true;
  if constexpr (requires { e.rules; }) all = take_rules(e.rules);
  settle(e);
  return all && end(e);
}

// -- rules --

bool ScenarioReplay::take_rules(const trace::Rules& rules) {
  bool all = true;
  if (!rules) return all;
  for (const auto& taken : *rules)
    all &= take_named(m_, steps_, taken, [this]<class Rule>(auto... arguments) {
      if constexpr (!is_of_the_worker<Rule> && !drops<Rule>) drop_the_rest();
      return take_rule<Rule>(arguments...);
    });
  return all;
}

template <class Rule, class... Arguments>
bool ScenarioReplay::take_rule(Arguments... arguments) {
  rule_ = Rule::info.name;
  if (!Rule::template guard<D>(m_.d, m_.s, arguments...)) return false;
  if constexpr (requires { on(Before<Rule>{}, arguments...); }) on(Before<Rule>{}, arguments...);
  std::optional<dynamic::State> before;
  if (is_ranking_) before = m_.s;
  Rule::template effect<D>(m_.d, m_.s, arguments...);
  check(before ? &*before : nullptr);
  return true;
}

void ScenarioReplay::drop_the_rest() {
  auto& s = m_.s;
  if (!s.draining()) return;
  for (const auto i : spec::credited_inputs<D>(m_.d, s, m_.manager, s.drain_request(),
                                               spec::EncdecCredit::every_call)) {
    if (m_.is_decoder_only())
      take_rule<spec::Drop>(i);
    else
      take_rule<spec::EncdecDrop>(i);
  }
  take_rule<spec::Drained>();
}

void ScenarioReplay::check(const dynamic::State* before) {
  if (const auto v = before != nullptr ? find_step_violation(m_, *before, property_)
                                       : find_violation(m_, property_))
    throw Divergence{line_, std::string(rule_), std::string(v->property), std::string(v->says),
                     v->observed};
}

// -- before the rules of an event --

bool ScenarioReplay::begin(const trace::AddRequest& e) {
  m_.define(e);
  return true;
}

bool ScenarioReplay::begin(const trace::BeginPass&) {
  taken_freed_.clear();
  m_.sweep_sometimes();
  return true;
}

bool ScenarioReplay::begin(const trace::Execute& e) {
  return steps_.step_of(e.pass) == m_.s.executed() + 1;
}

bool ScenarioReplay::begin(const trace::Gather& e) const {
  const auto r = m_.find(e.request);
  const auto k = steps_.step_of(e.pass);
  return r && k && spec::is_running_step<D>(m_.s, *k, *r) &&
         spec::may_start_at<D>(m_.d, m_.s, *k, *r, e.start) &&
         e.tokens == m_.s.step_tokens(*k, *r) &&
         (e.lookahead == 0 || e.lookahead == m_.d.config.lookahead());
}

bool ScenarioReplay::begin(const trace::Deliver& e) {
  const auto k = steps_.step_of(e.pass);
  if (!k) return false;
  stale_.clear();
  for (const auto& output : e.outputs) {
    const auto r = m_.find(output.request);
    stale_.push_back(r && m_.s.step_epoch(*k, *r) != m_.s.epoch(*r));
  }
  return true;
}

// -- behind them --

void ScenarioReplay::settle(const trace::EndPass& e) {
  if (done_.step) steps_.issue_pass(e.pass, *done_.step);
}

void ScenarioReplay::settle(const trace::Deliver&) {
  steps_.forget_delivered(m_.s.delivered());
  m_.machine.forget_old_steps();
}

template <class E>
bool ScenarioReplay::end(const E& e) {
  if constexpr (requires { e.free; }) m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool ScenarioReplay::end(const trace::Check& e) {
  const auto r = m_.find(e.request);
  if (!r) return false;
  const auto rule = done_.hit || done_.refused ? rule_ : spec::Order::info.name;
  m_.expect_hit(place(rule, "check of " + m_.text(*r, e.input)), e.hit, done_.hit);
  m_.expect_slots(place(rule), e.free, e.reclaimable);
  return true;
}

bool ScenarioReplay::end(const trace::CanAllocate& e) {
  m_.expect_room(place(rule_), e, {done_.has_room, done_.evicted});
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool ScenarioReplay::end(const trace::TakeFreed& e) {
  taken_freed_.emplace_back(line_, e);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool ScenarioReplay::end(const trace::EndPass& e) {
  if (!done_.step) return false;
  const Int k = *done_.step;
  std::vector<Hash> noticed;
  m_.s.step_notices.each(k, [&](Hash h) { noticed.push_back(h); });
  for (const auto& [line, freed] : taken_freed_)
    m_.expect_notices({line, rule_, {}}, freed.hashes, noticed);
  m_.expect_notices(place(rule_), e.notices, noticed);
  std::vector<Hash> ordered;
  m_.s.step_encodes.each(k, [&](Hash h) { ordered.push_back(h); });
  m_.expect_encodes(place(rule_), e, ordered);
  return is_scheduled(e, k);
}

/// The step has what the list says, as far as the scheduler tells the worker, and nothing else.
bool ScenarioReplay::is_scheduled(const trace::EndPass& e, Int step) const {
  const auto& s = m_.s;
  std::size_t scheduled = 0;
  s.step_tokens.each(step, [&](Request) { ++scheduled; });
  return scheduled == e.scheduled.size() &&
         std::all_of(e.scheduled.begin(), e.scheduled.end(), [&](const trace::Scheduled& entry) {
           const auto r = m_.find(entry.request);
           return r && s.step_tokens(step, *r) == entry.tokens &&
                  s.step_computed(step, *r) == entry.computed &&
                  s.step_drafts(step, *r) == entry.drafts;
         });
}

/// `rows`: the embeddings that the worker has in the window. A gather that the model lets miss
/// violates a property anyway.
bool ScenarioReplay::end(const trace::Gather& e) {
  const Request r = *m_.find(e.request);
  const auto rule = !m_.is_decoder_only() ? spec::EncdecRead::info.name
                    : e.lookahead == 0    ? spec::GatherTarget::info.name
                                          : spec::GatherDraft::info.name;
  const auto here = place(rule, "gather of " + e.request);
  const auto stake = spec::NoInteriorMiss::info.name;
  if (!m_.s.missed() && e.miss && e.miss->hash)
    diverge(here, stake, "no miss", "a miss of " + *e.miss->hash);
  if (!e.rows || !m_.is_decoder_only()) return true;
  Int rows = 0;
  const Int from = e.start + e.lookahead;
  for (Int i = 0; i < m_.d.config.features(r); ++i)
    if (m_.s.worker(m_.d.config.hash(r, i)) > 0)
      rows += m_.d.embeddings_in(r, i, from, from + e.tokens);
  if (rows != *e.rows)
    diverge(here, stake, std::to_string(rows) + " rows", std::to_string(*e.rows) + " rows");
  return true;
}

bool ScenarioReplay::end(const trace::Deliver& e) {
  for (std::size_t n = 0; n < e.outputs.size(); ++n) {
    const auto& output = e.outputs[n];
    const auto text = [](bool stale) { return stale ? "stale" : "not stale"; };
    if (output.stale && *output.stale != stale_[n])
      diverge(place(rule_, "output of " + output.request), spec::NoFreedWhileReferenced::info.name,
              text(stale_[n]), text(*output.stale));
  }
  return true;
}

bool ScenarioReplay::end(const trace::State& e) {
  m_.expect_state(place(rule_), e);
  return true;
}

}  // namespace holdfast::verify::replay::inline driven
