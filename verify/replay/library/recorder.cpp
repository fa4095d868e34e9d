#include "verify/replay/library/recorder.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::verify::replay::inline library {
namespace {

trace::Header header_of(const SchedulerConfig& c) {
  trace::Header h;
  h.format = "holdfast-trace";
  h.version = 1;
  h.source = "the library of holdfast";  // one that begins with holdfast is not recorded
  h.manager = c.is_encoder_decoder ? trace::Manager::encoder_decoder : trace::Manager::decoder_only;
  h.scheduling_policy = c.policy == Policy::priority ? trace::SchedulingPolicy::priority
                                                     : trace::SchedulingPolicy::fcfs;
  h.pipeline_depth = c.pipeline_depth;
  h.capacity = c.encoder_cache_size;
  h.encoder_budget = c.max_num_encoder_input_tokens;
  h.token_budget = c.max_num_batched_tokens;
  h.lookahead = c.num_lookahead;
  h.draft_tokens = c.num_speculative_tokens;
  h.chunked_mm_input = !c.disable_chunked_mm_input;
  h.kv_blocks = c.num_gpu_blocks;
  h.kv_block_size = c.block_size;
  h.kv_watermark_blocks = c.watermark_blocks;
  h.long_prefill_threshold = c.long_prefill_token_threshold;
  h.max_num_seqs = c.max_num_seqs;
  h.max_model_len = c.max_model_len;
  h.prefix_caching = false;
  return h;
}

trace::Feature feature_of(const FeatureSpec& f) {
  trace::Feature feature{std::string(f.mm_hash),
                         f.positions.start(),
                         f.positions.end() - f.positions.start(),
                         f.positions.embeds(),
                         {}};
  if (feature.embeds == feature.length) return feature;
  auto& runs = feature.mask.emplace();
  f.positions.each_run(f.positions.start(), f.positions.end(),
                       [&](Tokens position, Embeds, Embeds rows) {
                         runs.push_back({position - f.positions.start(), rows});
                       });
  return feature;
}

}  // namespace

Recorder::Recorder(Scheduler& scheduler, const SchedulerConfig& config)
    : scheduler_(scheduler), is_encoder_decoder_(config.is_encoder_decoder) {
  events_.emplace_back(header_of(config));
  scheduler_.observe(this);
}
Recorder::~Recorder() { scheduler_.observe(nullptr); }

template <class E>
void Recorder::slots_of(E& event, Slots now) const {
  event.free = now.free;
  if (!is_encoder_decoder_) event.reclaimable = now.reclaimable;
}

void Recorder::add_request(const RequestSpec& request) {
  trace::AddRequest e{
      std::string(request.id), request.prompt, request.max_tokens, request.priority, {}};
  for (const auto& f : request.features) e.features.push_back(feature_of(f));
  events_.emplace_back(std::move(e));
}
void Recorder::preempt(std::string_view request) {
  events_.emplace_back(trace::Preempt{std::string(request)});
}
void Recorder::finish(std::string_view request, bool is_aborted) {
  events_.emplace_back(trace::Finish{std::string(request), is_aborted
                                                               ? trace::FinishReason::aborted
                                                               : trace::FinishReason::stopped});
}
void Recorder::draft(std::string_view request, Tokens drafts) {
  events_.emplace_back(trace::Draft{{{std::string(request), drafts}}});
}

void Recorder::begin_pass() {
  allocated_.clear();
  events_.emplace_back(trace::BeginPass{++passes_});
}
void Recorder::check(std::string_view request, InputId input, bool hit, Slots now) {
  trace::Check e{std::string(request), input, hit, {}, {}};
  slots_of(e, now);
  events_.emplace_back(std::move(e));
}
void Recorder::evict(std::string_view mm_hash) { evicted_.emplace_back(mm_hash); }
void Recorder::can_allocate(std::string_view request, InputId input, Embeds compute_budget,
                            Embeds scheduled_embeds, bool ok, Slots now) {
  trace::CanAllocate e{std::string(request),
                       input,
                       compute_budget,
                       scheduled_embeds,
                       ok,
                       std::exchange(evicted_, {}),
                       {},
                       {}};
  slots_of(e, now);
  events_.emplace_back(std::move(e));
}
void Recorder::allocate(std::string_view request, InputId input, Slots now) {
  const RequestHandle r = *scheduler_.find(request);
  allocated_.push_back({std::string(request),
                        std::string(scheduler_.mm_hash_of(*scheduler_.hash_of(r, input))), input});
  trace::Allocate e{std::string(request), input, {}, {}};
  slots_of(e, now);
  events_.emplace_back(std::move(e));
}
void Recorder::take_freed(std::span<const HashHandle> notices, Slots now) {
  notices_.clear();
  for (const HashHandle h : notices) notices_.emplace_back(scheduler_.mm_hash_of(h));
  trace::TakeFreed e{notices_, {}, {}};
  slots_of(e, now);
  events_.emplace_back(std::move(e));
}

/// By who has ordered them, in that order: one that was handed over has still the name of the
/// request that it was ordered for.
trace::ById<std::vector<std::int64_t>> Recorder::encodes(const PassOutput& pass) const {
  trace::ById<std::vector<std::int64_t>> all;
  for (auto a = allocated_.begin(); a != allocated_.end(); ++a) {
    const auto is_of = [&](const Allocated& other) { return other.hash == a->hash; };
    const bool stands =
        std::any_of(pass.step.orders.begin(), pass.step.orders.end(), [&](const EncodeOrder& o) {
          return scheduler_.mm_hash_of(o.hash) == a->hash &&
                 (!is_encoder_decoder_ ||
                  (o.input == a->input && scheduler_.id_of(o.request) == a->request));
        });
    // Ordered again, as it was taken back in between.
    if (!stands || (!is_encoder_decoder_ && std::any_of(a + 1, allocated_.end(), is_of))) continue;
    if (all.empty() || all.back().first != a->request) all.push_back({a->request, {}});
    all.back().second.push_back(a->input);
  }
  return all;
}

void Recorder::end_pass(const PassOutput& pass, std::int64_t kv_free) {
  trace::EndPass e;
  e.pass = passes_;
  Issued step{pass.step.number, passes_, {}};
  for (const Allotment& a : pass.scheduled) {
    const std::string request(scheduler_.id_of(a.request));
    e.scheduled.push_back({request, a.computed, a.tokens, a.drafts, a.placeholders});
    step.requests.push_back(request);
    names_[a.request] = request;
  }
  e.encode = encodes(pass);
  e.notices = notices_;
  e.kv_free = kv_free;
  issued_.push_back(std::move(step));
  events_.emplace_back(std::move(e));
}

void Recorder::free_input(std::string_view request, InputId input, Slots now) {
  trace::FreeInput e{std::string(request), input, {}, {}};
  slots_of(e, now);
  events_.emplace_back(std::move(e));
}
void Recorder::free_request(std::string_view request, std::span<const InputId> held, Slots now) {
  trace::FreeRequest e{
      std::string(request), std::vector<std::int64_t>(held.begin(), held.end()), {}, {}};
  slots_of(e, now);
  events_.emplace_back(std::move(e));
}
void Recorder::reset(StepNumber, Slots now) {
  trace::Reset e;
  slots_of(e, now);
  events_.emplace_back(std::move(e));
}

const Recorder::Issued& Recorder::issued(StepNumber step) const {
  return *std::find_if(issued_.begin(), issued_.end(),
                       [&](const Issued& i) { return i.step == step; });
}

void Recorder::deliver(StepNumber step, std::span<const Delivered> outputs) {
  const Issued& issued = this->issued(step);
  trace::Deliver e{issued.pass, {}};
  for (std::size_t n = 0; n < outputs.size(); ++n)
    e.outputs.push_back(
        {issued.requests[n], outputs[n].generated, outputs[n].rejected, outputs[n].is_stale});
  issued_.pop_front();
  events_.emplace_back(std::move(e));
}

void Recorder::executed(const Step& step) {
  if (step.is_reset)
    events_.emplace_back(trace::WorkerReset{});
  else
    events_.emplace_back(trace::Execute{issued(step.number).pass});
}
void Recorder::gathered(const GatherWindow& window, Tokens lookahead, const GatherError& error,
                        Embeds rows) {
  if (error.ok() && rows == 0) return;
  trace::Gather e{issued(error.step).pass,
                  names_.at(window.request),
                  window.start,
                  window.tokens,
                  lookahead,
                  rows,
                  trace::Miss{}};
  if (error.error == Error::not_cached)
    e.miss->hash = std::string(scheduler_.mm_hash_of(error.hash));
  events_.emplace_back(std::move(e));
}

}  // namespace holdfast::verify::replay::inline library
