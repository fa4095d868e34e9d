#include "verify/replay/driven/script_replay.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace holdfast::verify::replay::inline driven {

ScriptReplay::ScriptReplay(const spec::Profile& profile, const trace::Header& header,
                           std::string property)
    : m_(profile, header,
         spec::limit_margin<D>(header.pipeline_depth, header.draft_tokens.value_or(0))),
      queues_(sizes_of(header)),
      watch_(m_, std::move(property)),
      scheduler_{m_.d, m_.s, queues_, watch_} {}

void ScriptReplay::take(const trace::Event& event, std::uint64_t line) {
  watch_.line = line;
  try {
    if (!std::visit([this](const auto& e) { return run(e); }, event)) ++declined_;
  } catch (const spec::Refused& refused) {
    throw Divergence{line, std::string(refused.rule), std::string(spec::Progress::info.name),
                     "the pass can go on", "it needs a rule that the state does not allow"};
  }
  if (!in_pass_) stall_ = monitor_.remember(m_.d, m_.s, queues_).found;
}

void ScriptReplay::finish() const {
  if (!stall_ || !watch_.checks(spec::Progress::info.name)) return;
  throw Divergence{watch_.line, std::string(spec::BeginPass::info.name),
                   std::string(spec::Progress::info.name), "every request gets tokens in the end",
                   text(*stall_)};
}

std::string ScriptReplay::text(const liveness::NoProgress<D>& found) const {
  return liveness::text_of(found, [this](Request r) { return m_.text(r); });
}

void ScriptReplay::add(const trace::AddRequest& e, Int hit) {
  m_.sweep_sometimes();
  spec::add_request(scheduler_,
                    {m_.define(e), e.max_tokens, hit});  // refused, if it could never run
}

bool ScriptReplay::run(const trace::AddRequest& e) {
  add(e, e.prefix_hit.value_or(0));
  return true;
}

bool ScriptReplay::run(const trace::BeginPass& e) {
  in_pass_ = true;
  m_.sweep_sometimes();
  if (!spec::schedule_pass(scheduler_, e.pass)) return false;
  monitor_.issued(m_.d, queues_, queues_.in_flight.back());
  return true;
}

std::size_t ScriptReplay::passes_to_execute() const {
  const auto first = queues_.in_flight.begin() + (m_.s.executed() - m_.s.delivered());
  return static_cast<std::size_t>(std::count_if(
      first, queues_.in_flight.end(), [](const auto& flight) { return !flight.is_reset; }));
}

bool ScriptReplay::run(const trace::Execute& e) {
  const auto* step = spec::next_step(scheduler_);
  return step != nullptr && !step->is_reset && step->pass == e.pass &&
         spec::execute_model(scheduler_);
}

bool ScriptReplay::run(const trace::WorkerReset&) {
  const auto* step = spec::next_step(scheduler_);
  return step != nullptr && step->is_reset && spec::execute_model(scheduler_);
}

namespace {

spec::Output<D> output_of(const spec::Scheduled<D>& entry, const trace::Output* said) {
  if (!entry.samples) return {said != nullptr ? said->generated : 0, 0};
  Int accepted = 0;
  if (said != nullptr)
    accepted = said->generated > 0 ? said->generated - 1 : entry.drafts - said->rejected;
  accepted = std::clamp<Int>(accepted, 0, entry.drafts);
  return {1 + accepted, entry.drafts - accepted};
}

}  // namespace

bool ScriptReplay::run(const trace::Deliver& e) {
  if (queues_.in_flight.empty() || queues_.in_flight.front().is_reset ||
      queues_.in_flight.front().pass != e.pass)
    return false;
  std::vector<spec::Output<D>> outputs;
  for (const auto& entry : queues_.in_flight.front().scheduled) {
    const auto said = std::find_if(
        e.outputs.begin(), e.outputs.end(),
        [&](const trace::Output& output) { return output.request == m_.text(entry.request); });
    outputs.push_back(output_of(entry, said != e.outputs.end() ? &*said : nullptr));
  }
  if (!spec::update_from_output(scheduler_, outputs)) return false;
  m_.machine.forget_old_steps();
  return true;
}

bool ScriptReplay::run(const trace::Draft& e) {
  for (const auto& [request, proposed] : e.proposed)
    if (const auto r = m_.find(request)) spec::update_draft_tokens(scheduler_, *r, Int{proposed});
  return true;
}

bool ScriptReplay::run(const trace::Reset&) { return spec::reset_encoder_cache(scheduler_); }

bool ScriptReplay::run(const trace::Preempt& e) {
  if (in_pass_) return true;
  const auto r = m_.find(e.request);
  return r && spec::preempt_between_passes(scheduler_, *r);
}

bool ScriptReplay::run(const trace::Finish& e) {
  if (e.reason == trace::FinishReason::stopped) return true;
  const auto r = m_.find(e.request);
  return r && spec::abort_request(scheduler_, *r);
}

ScriptOutcome drive(const std::vector<trace::Event>& events, const spec::Profile& profile,
                    const std::string& property) {
  ScriptOutcome outcome;
  ScriptReplay replay(profile, std::get<trace::Header>(events.at(0)), property);
  try {
    for (const auto& event : events) replay.take(event, ++outcome.events);
    replay.finish();
  } catch (const Divergence& found) {
    outcome.violated = true;
    outcome.line = found.line;
    outcome.rule = found.rule;
    outcome.property = found.property;
    outcome.observed = found.observed;
  }
  outcome.declined = replay.declined();
  outcome.steps = replay.steps();
  return outcome;
}

}  // namespace holdfast::verify::replay::inline driven
