#include "verify/replay/driven.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "verify/replay/violation.hpp"

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

/// The worker runs beside the scheduler: it may act while references are being dropped.
bool is_of_the_worker(const trace::Event& event) {
  return std::holds_alternative<trace::Execute>(event) ||
         std::holds_alternative<trace::Gather>(event) ||
         std::holds_alternative<trace::WorkerReset>(event);
}

}  // namespace

void DrivenReplay::take(const trace::Event& event, std::uint64_t line) {
  if (std::holds_alternative<trace::BeginPass>(event)) keeping_ = true;
  if (!keeping_) return run(event, line);
  pass_.push_back({event, line});
  if (std::holds_alternative<trace::EndPass>(event)) run_pass();
}

void DrivenReplay::finish() {
  run_pass();
  drain();
}

void DrivenReplay::run_pass() {
  plan_ahead();
  for (std::size_t n = 0; n < pass_.size(); ++n) {
    run(pass_[n].event, pass_[n].line);
    if (next_[n] != Next::nothing) follow(next_[n], *planned_request(pass_[n].event));
  }
  pass_.clear();
  scheduled_.clear();
  taken_freed_.clear();
  keeping_ = false;
}

/// Goes over the pass backwards, to see of each request's last planning event what follows it.
void DrivenReplay::plan_ahead() {
  next_.assign(pass_.size(), Next::nothing);
  if (pass_.empty()) return;
  std::unordered_map<std::string, Next> after;
  if (const auto* end = std::get_if<trace::EndPass>(&pass_.back().event))
    for (const auto& entry : end->scheduled) {
      scheduled_.insert_or_assign(entry.request, entry);
      after[entry.request] = Next::admit;
    }
  for (std::size_t n = pass_.size(); n-- > 0;) {
    const auto& event = pass_[n].event;
    if (const auto* preempt = std::get_if<trace::Preempt>(&event))
      after[preempt->request] = Next::admit_to_retract;
    if (const auto* freed = std::get_if<trace::FreeRequest>(&event))
      after[freed->request] = Next::nothing;
    if (const auto* request = planned_request(event)) {
      const auto [found, fresh] = after.try_emplace(*request, Next::give_up);
      next_[n] = found->second;
      found->second = Next::nothing;
    }
  }
}

void DrivenReplay::follow(Next next, const std::string& request) {
  const auto r = m_.find(request);
  if (!r || !m_.s.in_pass()) return;
  if (next == Next::admit) {
    admit(scheduled_.at(request));  // if it fails, the end of the pass will find so
  } else if (next == Next::admit_to_retract) {
    const auto ordered = m_.held(*r);
    const bool allocated = std::any_of(ordered.begin(), ordered.end(), [&](Int i) {
      const Hash h = m_.d.config.hash(*r, i);
      return m_.s.pending(h) > 0 && m_.s.ordered_by(h) == *r;
    });
    const bool waiting = spec::has_status(m_.s, *r, spec::Status::waiting);
    if (!m_.s.draining() && (waiting || allocated)) admit_to_retract(*r);
  } else if (spec::has_status(m_.s, *r, spec::Status::waiting) && spec::at_rest(m_.s)) {
    m_.at_cursor(*r, m_.d.config.features(*r), [&] { return take_rule<spec::PutBack>(); });
    drain();
  }
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

void DrivenReplay::run(const trace::Event& event, std::uint64_t line) {
  line_ = line;
  if (!is_of_the_worker(event)) drain_unless_freed_by(event);
  if (std::visit([this](const auto& e) { return take(e); }, event)) return;
  ++declined_;
  if (carries_answers(event))
    throw Divergence{line_, std::string(rule_), "", "the model cannot take this event here",
                     "the file has answers of one that was taken"};
}

void DrivenReplay::check(std::string_view rule) {
  rule_ = rule;
  if (const auto v = find_violation(m_, property_))
    throw Divergence{line_, std::string(rule), std::string(v->property), std::string(v->says),
                     v->observed};
}

template <class Rule, class... Arguments>
bool DrivenReplay::take_rule(Arguments... arguments) {
  if (!Rule::template guard<D>(m_.d, m_.s, arguments...)) return false;
  Rule::template effect<D>(m_.d, m_.s, arguments...);
  check(Rule::info.name);
  return true;
}

// -- requests --

bool DrivenReplay::take(const trace::AddRequest& e) { return take_rule<spec::Add>(m_.define(e)); }

/// Drops what the leaving request holds: first as listed, then the rest. What is held may differ
/// from the profile that the list was written for, so it drives and is no answer.
void DrivenReplay::drain(std::vector<Int> order) {
  auto& s = m_.s;
  if (!s.draining()) return;
  std::erase_if(order, [&](Int i) { return !s.held(s.drain_request(), i); });
  for (const auto i : m_.held(s.drain_request()))
    if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
  for (const auto i : order) {
    if (m_.is_decoder_only())
      take_rule<spec::Drop>(i);
    else
      take_rule<spec::EncdecDrop>(i);
  }
  take_rule<spec::Drained>();
}

void DrivenReplay::drain_unless_freed_by(const trace::Event& event) {
  const auto* freed = std::get_if<trace::FreeRequest>(&event);
  if (freed != nullptr && m_.find(freed->request) == m_.s.drain_request()) return;
  drain();
}

bool DrivenReplay::take(const trace::FreeRequest& e) {
  auto& s = m_.s;
  const auto r = m_.find(e.request);
  rule_ = m_.is_decoder_only() ? spec::Drop::info.name : spec::EncdecDrop::info.name;
  if (!r) return false;
  if (!s.draining()) {
    // In a pass: a waiting request gives up its turn.
    const bool put_back = may_plan(*r) && m_.at_cursor(*r, m_.d.config.features(*r),
                                                       [&] { return take_rule<spec::PutBack>(); });
    if (!put_back) return false;
  }
  drain(e.held ? *e.held : std::vector<Int>{});
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool DrivenReplay::take(const trace::Finish& e) {
  const auto r = m_.find(e.request);
  if (!r) return false;
  if (e.reason == trace::FinishReason::stopped) return take_rule<spec::Finish>(*r);
  return take_rule<spec::AbortRequest>(*r);
}

bool DrivenReplay::take(const trace::Preempt& e) {
  const auto r = m_.find(e.request);
  if (!r) return false;
  // Without an input to plan, nothing showed yet that it had its turn.
  if (m_.s.in_pass() && spec::has_status(m_.s, *r, spec::Status::waiting)) admit_to_retract(*r);
  if (!m_.s.scheduled(*r)) return take_rule<spec::Preempt>(*r);
  // Whose turn needs its blocks, the file does not say.
  spec::Retract::effect<D>(m_.d, m_.s, *r);
  check(spec::Retract::info.name);
  return true;
}

// -- the pass --

bool DrivenReplay::take(const trace::BeginPass&) {
  m_.sweep_sometimes();
  deliver_resets();
  return take_rule<spec::BeginPass>();
}

/// r may have its turn, with every token that it may still compute in view.
bool DrivenReplay::may_plan(Request r) const {
  return spec::Plan::guard<D>(m_.d, m_.s, r, m_.d.config.limit(r) - m_.s.computed(r));
}

bool DrivenReplay::take(const trace::Check& e) {
  const auto r = m_.find(e.request);
  if (!r || !may_plan(*r)) return false;
  using enum Model::LookUp;
  auto found = miss;
  const bool taken = m_.at_cursor(*r, e.input, [&] {
    found = m_.look_up();
    if (found == miss && m_.is_decoder_only() && !spec::wants_feature<D>(m_.d, m_.s)) return false;
    if (found == touch) take_rule<spec::Touch>();
    if (found == share) take_rule<spec::Share>();
    if (found == refuse) take_rule<spec::Refuse>();
    return true;
  });
  if (!taken) return false;
  if (found == miss) rule_ = spec::Allocate::info.name;
  m_.expect_hit(place(rule_, "check of " + m_.text(*r, e.input)), e.hit,
                found == touch || found == share);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool DrivenReplay::take(const trace::CanAllocate& e) {
  const auto r = m_.find(e.request);
  if (!r || !may_plan(*r)) return false;
  if (spec::is_cached<D>(m_.s, m_.d.config.hash(*r, e.input))) return false;
  const auto room = m_.make_room(*r, e.input, e.compute_budget, e.scheduled_embeds);
  rule_ = room.evicted.empty() ? spec::Allocate::info.name : spec::Evict::info.name;
  check(rule_);
  m_.expect_room(place(rule_), e, room);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool DrivenReplay::take(const trace::Allocate& e) {
  const auto r = m_.find(e.request);
  if (!r || !may_plan(*r)) return false;
  const bool taken = m_.at_cursor(*r, e.input, [&] {
    if (!m_.is_decoder_only()) return take_rule<spec::EncdecAllocate>();
    if (take_rule<spec::Allocate>()) return true;
    const bool again = m_.s.ordered_by(m_.d.config.hash(*r, e.input)) == *r;
    return again && !m_.s.held(*r, e.input) && take_rule<spec::Share>();
  });
  if (taken) m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return taken;
}

/// What planning n tokens would have got: every feature that starts in them and touches the window.
bool DrivenReplay::holds_needs(Request r, Int n) const {
  const auto& d = m_.d;
  const auto& s = m_.s;
  return d.all_features(r, [&](Int i) {
    const bool needed = m_.is_decoder_only() ? d.config.start(r, i) < s.computed(r) + n &&
                                                   d.touches(r, i, spec::confirmed(s, r),
                                                             spec::window_end<D>(d, s, r, n))
                                             : s.computed(r) == 0;
    return !needed || s.held(r, i);
  });
}

/// How many tokens it got, the file does not say; they are taken back.
void DrivenReplay::admit_to_retract(Request r) { spec::Commit::admit<D>(m_.s, r, 1, 0, 0); }

bool DrivenReplay::admit(const trace::Scheduled& entry) {
  const auto r = m_.find(entry.request);
  if (!r) return false;
  auto& s = m_.s;
  // Without async scheduling vLLM counts no placeholders, and releases nothing before it has delivered;
  // the model's placeholders cover the drafts in any case.
  const Int owed = std::max<Int>(entry.placeholders - s.placeholders(*r), entry.drafts);
  bool admitted = false;
  if (spec::Plan::guard<D>(m_.d, s, *r, entry.tokens) && s.computed(*r) == entry.computed) {
    spec::Plan::effect<D>(m_.d, s, *r, entry.tokens);
    s.cursor.set(m_.d.config.features(*r));
    admitted = holds_needs(*r, entry.tokens) && take_rule<spec::Commit>(entry.drafts, owed);
    if (!admitted) spec::end_planning(s);
  }
  if (!admitted && may_plan(*r) && spec::has_status(s, *r, spec::Status::waiting)) {
    m_.at_cursor(*r, m_.d.config.features(*r), [&] { return take_rule<spec::PutBack>(); });
    drain();
  }
  return admitted;
}

bool DrivenReplay::take(const trace::TakeFreed& e) {
  if (!m_.s.in_pass()) return false;
  taken_freed_.emplace_back(line_, e);
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

bool DrivenReplay::take(const trace::EndPass& e) {
  auto& s = m_.s;
  if (!s.in_pass()) return false;
  bool all = true;
  for (const auto& entry : e.scheduled) {
    const auto r = m_.find(entry.request);
    if (!r || !s.scheduled(*r)) all = admit(entry) && all;
  }
  const bool ended =
      m_.is_decoder_only() ? take_rule<spec::EndPass>() : take_rule<spec::EncdecEndPass>();
  if (!ended) return false;
  const Int k = s.issued();
  step_of_[e.pass] = k;
  for (const auto& [line, freed] : taken_freed_)
    m_.expect_notices({line, rule_, {}}, freed.hashes, noticed(k));
  m_.expect_notices(place(rule_), e.notices, noticed(k));
  std::vector<Hash> ordered;
  s.step_encodes.each(k, [&](Hash h) { ordered.push_back(h); });
  m_.expect_encodes(place(rule_), e, ordered);
  return all;
}

std::vector<Hash> DrivenReplay::noticed(Int k) const {
  std::vector<Hash> all;
  m_.s.step_notices.each(k, [&](Hash h) { all.push_back(h); });
  return all;
}

// -- outside the pass --

bool DrivenReplay::take(const trace::FreeInput& e) {
  const auto r = m_.find(e.request);
  if (!r) return false;
  // In a pass: the request's turn is over, if the file schedules it.
  const auto entry = scheduled_.find(e.request);
  if (m_.s.in_pass() && entry != scheduled_.end() && !m_.s.scheduled(*r)) admit(entry->second);
  const bool taken = m_.is_decoder_only() ? take_rule<spec::ReleaseInput>(*r, e.input)
                                          : take_rule<spec::EncdecRelease>(*r, e.input);
  if (taken) m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return taken;
}

bool DrivenReplay::take(const trace::Reset& e) {
  deliver_resets();
  const bool taken =
      m_.is_decoder_only() ? take_rule<spec::Reset>() : take_rule<spec::EncdecReset>();
  if (!taken) return false;
  reset_steps_.push_back(m_.s.issued());
  m_.expect_slots(place(rule_), e.free, e.reclaimable);
  return true;
}

/// To the worker a reset is a step of its own, which has no outputs to wait for.
void DrivenReplay::deliver_resets() {
  while (!reset_steps_.empty() && reset_steps_.front() == m_.s.delivered() + 1 &&
         take_rule<spec::EndDeliver>())
    reset_steps_.pop_front();
}

bool DrivenReplay::take(const trace::Deliver& e) {
  deliver_resets();
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
  all = k->second == m_.s.delivered() + 1 && take_rule<spec::EndDeliver>() && all;
  step_of_.erase(k);
  deliver_resets();
  m_.machine.forget_old_steps();
  return all;
}

bool DrivenReplay::take(const trace::State& e) {
  m_.expect_state(place(rule_), e);
  return true;
}

// -- the worker --

bool DrivenReplay::execute_next() {
  return take_rule<spec::DropNotices>() && take_rule<spec::Encode>();
}

bool DrivenReplay::take(const trace::Execute& e) {
  const auto k = step_of_.find(e.pass);
  return k != step_of_.end() && k->second == m_.s.executed() + 1 && execute_next();
}

bool DrivenReplay::take(const trace::WorkerReset&) {
  const Int next = m_.s.executed() + 1;
  const bool is_reset =
      std::find(reset_steps_.begin(), reset_steps_.end(), next) != reset_steps_.end();
  return is_reset && execute_next();
}

bool DrivenReplay::take(const trace::Gather& e) {
  const auto r = m_.find(e.request);
  const auto k = step_of_.find(e.pass);
  if (!r || k == step_of_.end()) return false;
  const auto& s = m_.s;
  const bool runs = spec::is_running_step<D>(s, k->second, *r) &&
                    spec::may_start_at<D>(s, k->second, *r, e.start) &&
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
void DrivenReplay::expect_gathered(const trace::Gather& e, Request r) const {
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
