#include "verify/replay/driven/scenario_replay.hpp"

#include <algorithm>

#include "spec/schedule_steps.hpp"
#include "verify/replay/violation.hpp"

namespace holdfast::verify {
void ScenarioReplay::take(trace::Event event, std::uint64_t line) {
  if (std::holds_alternative<trace::BeginPass>(event)) keeping_ = true;
  if (!keeping_) return run(event, line);
  const bool ends = std::holds_alternative<trace::EndPass>(event);
  pass_.push_back({std::move(event), line});
  if (ends) run_pass();
}

void ScenarioReplay::finish() {
  run_pass();
  drain();
  end_delivery(true);
}

/// Whether the file says what came of the event, beside what is to be done.
bool carries_answers(const trace::Event& event) {
  return std::visit(
      [](const auto& e) {
        bool any = false;
        if constexpr (requires { e.free; }) any |= e.free || e.reclaimable;
        if constexpr (requires { e.hit; }) any |= e.hit.has_value();
        if constexpr (requires { e.ok; }) any |= e.ok || e.evicted;
        if constexpr (requires { e.hashes; }) any |= e.hashes.has_value();
        if constexpr (requires { e.encode; }) any |= e.encode || e.notices || e.kv_free;
        if constexpr (requires { e.rows; }) any |= e.rows || e.miss;
        return any;
      },
      event);
}

void ScenarioReplay::run(const trace::Event& event, std::uint64_t line) {
  line_ = line;
  if (!is_of_the_worker(event)) drain_unless_freed_by(event);
  if (std::visit([this](const auto& e) { return take(e); }, event)) return;
  ++declined_;
  if (carries_answers(event))
    throw Divergence{line_, std::string(rule_), "", "the model cannot take this event here",
                     "the file has answers of one that was taken"};
}

void ScenarioReplay::check(std::string_view rule, const dynamic::State* before) {
  rule_ = rule;
  if (const auto v = before != nullptr ? find_step_violation(m_, *before, property_)
                                       : find_violation(m_, property_))
    throw Divergence{line_, std::string(rule), std::string(v->property), std::string(v->says),
                     v->observed};
}

// -- requests --

bool ScenarioReplay::take(const trace::AddRequest& e) {
  const Request r = m_.define(e);
  return take_rule<spec::Add>(r) || take_rule<spec::Reject>(r);
}

/// Drops what the leaving request holds: first as listed, then the rest. What is held may differ
/// from the profile that the list was written for, so it drives and is no answer.
void ScenarioReplay::drain(std::vector<Int> order) {
  auto& s = m_.s;
  if (!s.draining()) return;
  const auto all = spec::credited_inputs<D>(m_.d, s, m_.manager, s.drain_request(),
                                            spec::EncdecCredit::every_call);
  std::erase_if(order, [&](Int i) { return std::find(all.begin(), all.end(), i) == all.end(); });
  for (const auto i : all)
    if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
  for (const auto i : order) {
    if (m_.is_decoder_only())
      take_rule<spec::Drop>(i);
    else
      take_rule<spec::EncdecDrop>(i);
  }
  take_rule<spec::Drained>();
}

void ScenarioReplay::drain_unless_freed_by(const trace::Event& event) {
  const auto* freed = std::get_if<trace::FreeRequest>(&event);
  if (freed != nullptr && m_.find(freed->request) == m_.s.drain_request()) return;
  drain();
}

bool ScenarioReplay::take(const trace::FreeRequest& e) {
  auto& s = m_.s;
  const auto r = m_.find(e.request);
  rule_ = m_.is_decoder_only() ? spec::Drop::info.name : spec::EncdecDrop::info.name;
  if (!r) return false;
  if (!s.draining()) {
    // In a pass: a waiting request gives up its turn.
    if (!open_turn(e.request)) return false;
    abandon_if_blocked();
    if (s.planning() && !take_rule<spec::PutBack>()) return false;
  }
  drain(e.held ? *e.held : std::vector<Int>{});
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool ScenarioReplay::take(const trace::Finish& e) {
  const auto r = m_.find(e.request);
  if (!r) return false;
  if (e.reason == trace::FinishReason::stopped) return take_rule<spec::Finish>(*r);
  return take_rule<spec::AbortRequest>(*r);
}

// -- outside the pass --

bool ScenarioReplay::take(const trace::BeginPass&) {
  m_.sweep_sometimes();
  end_delivery(false);
  if (!take_rule<spec::BeginPass>()) return false;
  admit_unplanned();
  return true;
}

bool ScenarioReplay::take(const trace::FreeInput& e) {
  const auto r = m_.find(e.request);
  if (!r) return false;
  // In a pass: the request's turn is over, if the file schedules it.
  for (const auto& entry : scheduled_)
    if (m_.s.in_pass() && entry.request == e.request && !m_.s.scheduled(*r) &&
        !has_to_plan(e.request))
      admit(entry);
  const bool taken = m_.is_decoder_only() ? take_rule<spec::ReleaseInput>(*r, e.input)
                                          : take_rule<spec::EncdecRelease>(*r, e.input);
  if (taken) m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return taken;
}

bool ScenarioReplay::take(const trace::Reset& e) {
  end_delivery(false);
  const bool taken =
      m_.is_decoder_only() ? take_rule<spec::Reset>() : take_rule<spec::EncdecReset>();
  if (!taken) return false;
  reset_steps_.push_back(m_.s.issued());
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

/// To the worker a reset is a step of its own, which has no outputs to wait for.
void ScenarioReplay::deliver_resets() {
  while (!reset_steps_.empty() && reset_steps_.front() == m_.s.delivered() + 1 &&
         take_rule<spec::EndDeliver>())
    reset_steps_.pop_front();
}

/// The outputs of a step are all processed. Where a pass may not begin after that, as something is
/// still to be released, it began before: the file does not say when.
void ScenarioReplay::end_delivery(bool even_if_held) {
  const bool is_last = m_.s.delivered() + 1 == m_.s.issued();
  if (delivering_ && (even_if_held || !is_last || spec::everything_is_released<D>(m_.d, m_.s))) {
    delivering_ = false;
    take_rule<spec::EndDeliver>();
  }
  deliver_resets();
}

bool ScenarioReplay::take(const trace::Deliver& e) {
  end_delivery(true);
  const auto k = step_of_.find(e.pass);
  if (k == step_of_.end()) return false;
  bool all = true;
  for (const auto& output : e.outputs) {
    const auto r = m_.find(output.request);
    const bool stale = r && m_.s.step_epoch(k->second, *r) != m_.s.epoch(*r);
    if (!r || !take_rule<spec::Deliver>(k->second, *r, output.rejected)) {
      all = false;
      continue;
    }
    if (output.stale && *output.stale != stale)
      diverge(place(rule_, "output of " + output.request), "no-freed-while-referenced",
              stale ? "stale" : "not stale", *output.stale ? "stale" : "not stale");
  }
  // An output that the file leaves out never comes: then the step is never done.
  delivering_ = k->second == m_.s.delivered() + 1 && spec::EndDeliver::guard<D>(m_.d, m_.s);
  all = delivering_ && all;
  step_of_.erase(k);
  end_delivery(false);
  m_.machine.forget_old_steps();
  return all;
}

bool ScenarioReplay::take(const trace::State& e) {
  m_.expect_state(place(rule_), e);
  return true;
}

// -- the worker --

bool ScenarioReplay::execute_next() {
  if (take_rule<spec::DropNotices>()) return take_rule<spec::Encode>();
  return take_rule<spec::Encode>() && take_rule<spec::DropNotices>();
}

bool ScenarioReplay::take(const trace::Execute& e) {
  const auto k = step_of_.find(e.pass);
  return k != step_of_.end() && k->second == m_.s.executed() + 1 && execute_next();
}

bool ScenarioReplay::take(const trace::WorkerReset&) {
  const Int next = m_.s.executed() + 1;
  const bool is_reset =
      std::find(reset_steps_.begin(), reset_steps_.end(), next) != reset_steps_.end();
  return is_reset && execute_next();
}

bool ScenarioReplay::take(const trace::Gather& e) {
  const auto r = m_.find(e.request);
  const auto k = step_of_.find(e.pass);
  if (!r || k == step_of_.end()) return false;
  const auto& s = m_.s;
  const bool runs = spec::is_running_step<D>(s, k->second, *r) &&
                    spec::may_start_at<D>(m_.d, s, k->second, *r, e.start) &&
                    e.tokens == s.step_tokens(k->second, *r) &&
                    (e.lookahead == 0 || e.lookahead == m_.d.config.lookahead());
  if (!runs) return false;
  for (Int i = 0; i < m_.d.config.features(*r); ++i) {
    m_.gathering.emplace(*r, i);
    if (!m_.is_decoder_only())
      take_rule<spec::EncdecRead>(*r, i);
    else if (e.lookahead == 0)
      take_rule<spec::GatherTarget>(*r, i, e.start);
    else
      take_rule<spec::GatherDraft>(*r, i, e.start);
  }
  expect_gathered(e, *r);
  return true;
}

/// `rows`: the embeddings that the worker has in the window. A gather that the model lets miss
/// violates a property anyway.
void ScenarioReplay::expect_gathered(const trace::Gather& e, Request r) const {
  const auto rule = !m_.is_decoder_only() ? spec::EncdecRead::info.name
                    : e.lookahead == 0    ? spec::GatherTarget::info.name
                                          : spec::GatherDraft::info.name;
  const auto here = place(rule, "gather of " + m_.text(r));
  if (!m_.s.missed() && e.miss && e.miss->hash)
    diverge(here, "no-interior-miss", "no miss", "a miss of " + *e.miss->hash);
  if (!e.rows || !m_.is_decoder_only()) return;
  Int rows = 0;
  const Int from = e.start + e.lookahead;
  for (Int i = 0; i < m_.d.config.features(r); ++i)
    if (m_.s.worker(m_.d.config.hash(r, i)) > 0)
      rows += m_.d.embeddings_in(r, i, from, from + e.tokens);
  if (rows == *e.rows) return;
  diverge(here, "no-interior-miss", std::to_string(rows) + " rows",
          std::to_string(*e.rows) + " rows");
}

}  // namespace holdfast::verify
