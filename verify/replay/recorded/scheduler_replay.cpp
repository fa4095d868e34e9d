#include "verify/replay/recorded/scheduler_replay.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast::verify::replay::inline recorded {

bool SchedulerReplay::can_replay(const trace::Header& h) {
  return h.scheduling_policy && h.token_budget && h.draft_tokens && h.chunked_mm_input &&
         h.kv_blocks && h.kv_block_size && h.kv_watermark_blocks && h.long_prefill_threshold &&
         h.max_num_seqs && h.max_model_len && h.prefix_caching && !*h.prefix_caching;
}

SchedulerReplay::SchedulerReplay(const spec::Profile& profile, const trace::Header& header)
    : m_(profile, header,
         spec::limit_margin<D>(header.pipeline_depth, header.draft_tokens.value_or(0))),
      queues_(sizes_of(header)),
      answers_(m_, queues_),
      scheduler_{m_.d, m_.s, queues_, answers_} {}

/// Whether the event is no answer.
bool SchedulerReplay::drives(const trace::Event& event) const {
  using namespace trace;
  if (const auto* e = std::get_if<Finish>(&event)) return e->reason == FinishReason::aborted;
  if (std::holds_alternative<Preempt>(event)) return !in_pass_;
  return std::holds_alternative<AddRequest>(event) || std::holds_alternative<BeginPass>(event) ||
         std::holds_alternative<Execute>(event) || std::holds_alternative<WorkerReset>(event) ||
         std::holds_alternative<Deliver>(event) || std::holds_alternative<Draft>(event) ||
         std::holds_alternative<Reset>(event);
}

void SchedulerReplay::take(trace::Event event, std::uint64_t line) {
  if (std::holds_alternative<trace::BeginPass>(event)) in_pass_ = true;
  const bool is_driving = drives(event);
  if (std::holds_alternative<trace::EndPass>(event)) in_pass_ = false;
  if (!is_driving) return answers_.file().read(std::move(event), line);
  answers_.file().close(event, line);
  if (driving_) drive(*driving_);
  if (!std::holds_alternative<trace::Finish>(event)) {
    answers_.expect_all_taken();
    answers_.file().settle();
    driving_.emplace(std::move(event), line);
    return;
  }
  answers_.file().close(event, line);
  drive({std::move(event), line});
  answers_.expect_all_taken();
  answers_.file().settle();
  driving_.reset();
}

void SchedulerReplay::finish() {
  try {
    if (driving_) drive(*driving_);
    answers_.expect_all_taken_at_end();
  } catch (const AnswerQueue::EndOfFile&) {
  }
}

void SchedulerReplay::drive(const Driving& driving) {
  const auto& [event, line] = driving;
  answers_.file().drive(event, line);
  try {
    std::visit([this](const auto& e) { run(e); }, event);
  } catch (const spec::Refused& refused) {
    cannot(refused.rule, spec::Progress::info.name, "the model cannot take this rule here",
           std::string(trace::name_of(event)));
  }
  answers_.file().settle();
}

void SchedulerReplay::cannot(std::string_view rule, std::string_view property, std::string expected,
                             std::string observed) const {
  auto here = answers_.file().place();
  here.rule = rule;
  diverge(here, property, std::move(expected), std::move(observed));
}

void SchedulerReplay::run(const trace::AddRequest& e) {
  m_.sweep_sometimes();
  if (!spec::add_request(scheduler_, {m_.define(e, true), e.max_tokens, 0}))
    cannot(spec::Reject::info.name, spec::RefusesImpossible::info.name,
           e.request + " is refused, as it can never run", "add_request of " + e.request);
}

void SchedulerReplay::run(const trace::BeginPass& e) {
  m_.sweep_sometimes();
  if (!spec::schedule_pass(scheduler_, e.pass))
    cannot(spec::BeginPass::info.name, spec::Progress::info.name, "no pass may begin here",
           "pass " + std::to_string(e.pass));
}

/// Behind the steps that the worker has executed. Requires that there is one.
void SchedulerReplay::run(const trace::Execute& e) {
  const auto* step = spec::next_step(scheduler_);
  if (step == nullptr || step->is_reset || step->pass != e.pass)
    cannot(spec::DropNotices::info.name, spec::NoInteriorMiss::info.name, "another step is next",
           "step of pass " + std::to_string(e.pass));
  answers_.executing(e.pass);
  spec::execute_model(scheduler_);
}

void SchedulerReplay::run(const trace::WorkerReset&) {
  // With nothing issued behind a reset, the next one has no step of its own.
  if (const auto* step = spec::next_step(scheduler_); step != nullptr && step->is_reset)
    spec::execute_model(scheduler_);
}

void SchedulerReplay::run(const trace::Deliver& e) {
  const auto& in_flight = queues_.in_flight;
  if (in_flight.empty() || in_flight.front().is_reset || in_flight.front().pass != e.pass)
    cannot(spec::Deliver::info.name, spec::NoFreedWhileReferenced::info.name,
           "another step is next", "outputs of pass " + std::to_string(e.pass));
  std::vector<spec::Output<D>> outputs;
  const auto& scheduled = in_flight.front().scheduled;
  for (std::size_t n = 0; n < std::max(scheduled.size(), e.outputs.size()); ++n) {
    const auto model = n < scheduled.size() ? m_.text(scheduled[n].request) : "nobody else";
    const auto file = n < e.outputs.size() ? e.outputs[n].request : "nobody else";
    if (model != file)
      cannot(spec::Deliver::info.name, spec::NoFreedWhileReferenced::info.name,
             "the output of " + model, "the output of " + file);
    const Request r = scheduled[n].request;
    const bool stale = queues_.find(r) != nullptr && spec::is_stale(scheduler_, r);
    if (e.outputs[n].stale && *e.outputs[n].stale != stale)
      cannot(spec::Deliver::info.name, spec::NoFreedWhileReferenced::info.name,
             "the output of " + file + (stale ? " is stale" : " is not stale"),
             stale ? "not stale" : "stale");
    outputs.push_back({e.outputs[n].generated, e.outputs[n].rejected});
  }
  answers_.begin_delivery();
  if (!spec::update_from_output(scheduler_, outputs))
    cannot(spec::Deliver::info.name, spec::NoFreedWhileReferenced::info.name,
           "the step is not executed yet", "outputs of pass " + std::to_string(e.pass));
  answers_.end_delivery();
  m_.machine.forget_old_steps();
}

void SchedulerReplay::run(const trace::Draft& e) {
  for (const auto& [request, proposed] : e.proposed)
    if (const auto r = m_.find(request)) spec::update_draft_tokens(scheduler_, *r, Int{proposed});
}

void SchedulerReplay::run(const trace::Reset& e) {
  const bool is_first = queues_.in_flight.empty() || !queues_.in_flight.back().is_reset;
  if (!spec::reset_encoder_cache(scheduler_)) {
    // The spec has room for one reset in flight, so that its searches end; a system may have more.
    spec::Reset::effect<D>(m_.d, m_.s);
    queues_.in_flight.push_back({true, 0, {}});
  }
  if (is_first) answers_.forget_evictions();
  m_.expect_slots(answers_.file().place(std::string(trace::Reset::name)), e.free, e.reclaimable);
}

void SchedulerReplay::run(const trace::Preempt& e) {
  const auto r = m_.find(e.request);
  if (!r || !spec::preempt_between_passes(scheduler_, *r))
    cannot(spec::Preempt::info.name, spec::Progress::info.name, e.request + " does not run",
           "preempt of " + e.request);
}

void SchedulerReplay::run(const trace::Finish& e) {
  const auto r = m_.find(e.request);
  if (!r || !spec::abort_request(scheduler_, *r))
    cannot(spec::AbortRequest::info.name, spec::AllReturned::info.name,
           e.request + " has ended before", "finish of " + e.request);
}

}  // namespace holdfast::verify::replay::inline recorded
