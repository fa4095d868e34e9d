#include "verify/diff/lockstep.hpp"

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "impl/scheduler_core.hpp"
#include "verify/diff/refinement.hpp"

namespace holdfast::verify::diff {
namespace {

bool is_encoder_decoder(const hunt::Script& script) {
  return script.workload.manager == spec::Manager::encoder_decoder;
}

SchedulerConfig config_of(const hunt::Script& script) {
  const auto& w = script.workload;
  return {.encoder_cache_size = w.capacity,
          .max_num_encoder_input_tokens = w.encoder_budget,
          .max_num_batched_tokens = w.token_budget,
          .num_lookahead = w.lookahead,
          .num_prefill_lookahead = w.tail,
          .disable_chunked_mm_input = w.whole_items,
          .pipeline_depth = w.depth,
          .num_speculative_tokens = script.draft_tokens,
          .num_gpu_blocks = script.kv_blocks,
          .block_size = script.kv_block_size,
          .watermark_blocks = script.kv_watermark_blocks,
          .long_prefill_token_threshold = script.threshold,
          .max_num_seqs = script.max_num_seqs,
          .max_model_len = script.max_model_len,
          .policy = script.policy == spec::Policy::priority ? Policy::priority : Policy::fcfs,
          .is_encoder_decoder = is_encoder_decoder(script)};
}

Mask mask_of(const WorkloadFeature& f) {
  std::vector<MaskRun> runs;
  for (const auto& [first, count] : f.mask) runs.push_back({first, count});
  const auto mask = Mask::of_runs(f.start, f.end, runs);
  if (!mask) throw hunt::Differs{fmt::format("the mask is refused: {}", to_string(mask.error))};
  return *mask;
}

}  // namespace

void Lockstep::begins(const hunt::Script& script) {
  script_ = &script;
  steps_.clear();
  features_.clear();
  worker_ = {};
  missed_ = false;
  store_.assign(hunt::most_hashes, 0);
  auto made = Scheduler::create(config_of(script));
  if (!made)
    throw hunt::Differs{fmt::format("the configuration is refused: {}", to_string(made.error))};
  scheduler_ = std::move(made.value);
}

RequestHandle Lockstep::handle(Request r) const {
  const auto found = scheduler_->find(request_name(r.id));
  if (!found) throw hunt::Differs{fmt::format("{} is unknown to the implementation", r.id)};
  return *found;
}

void Lockstep::stop_if(const char* event, const Comparison& comparison) {
  if (!comparison.lines().empty())
    throw hunt::Differs{
        fmt::format("after {}:\n  {}", event, fmt::join(comparison.lines(), "\n  "))};
}

void Lockstep::after(const char* event, Error error, const hunt::Model& model) {
  if (error != Error::none)
    throw hunt::Differs{fmt::format("{}: the implementation refuses: {}", event, to_string(error))};
  if (!compares_) return;
  ++events_;
  Comparison comparison;
  compare_states(model, *scheduler_, comparison);
  stop_if(event, comparison);
}

void Lockstep::adds(const hunt::Model& model, Request r, bool taken) {
  const auto& asked = script_->requests[static_cast<std::size_t>(r.id)];
  std::vector<std::string> names;
  for (const auto& f : asked.request.features) names.push_back(hash_name(f.hash));
  std::vector<FeatureSpec> features;
  for (std::size_t i = 0; i < names.size(); ++i)
    features.push_back({names[i], mask_of(asked.request.features[i])});
  const std::string name = request_name(r.id);
  const auto added = scheduler_->add_request({.id = name,
                                              .prompt = asked.request.prompt,
                                              .max_tokens = asked.max_tokens,
                                              .priority = asked.request.priority,
                                              .cached = asked.hit,
                                              .features = features});
  if (added) keep_features(*added, asked.request.features);
  const bool refused_too = !taken && added.error == Error::too_large;
  after("add_request", refused_too ? Error::none : added.error, model);
  Comparison comparison;
  comparison.same("taken", taken, added.ok());
  stop_if("add_request", comparison);
}

/// As the worker would be told of them.
void Lockstep::keep_features(RequestHandle request, const std::vector<WorkloadFeature>& features) {
  std::vector<MaskedFeature> masked;
  for (std::size_t i = 0; i < features.size(); ++i)
    masked.push_back(
        {*scheduler_->hash_of(request, static_cast<InputId>(i)), mask_of(features[i])});
  auto made = RequestFeatures::of(std::move(masked));
  if (!made) throw hunt::Differs{fmt::format("features refused: {}", to_string(made.error))};
  if (request.index >= features_.size()) features_.resize(request.index + 1);
  features_[request.index] = std::make_shared<const RequestFeatures>(std::move(made.value));
}

void Lockstep::aborts(const hunt::Model& model, Request r) {
  after("abort_request", scheduler_->abort_request(handle(r)), model);
}

void Lockstep::preempts(const hunt::Model& model, Request r) {
  after("preempt_request", scheduler_->preempt_request(handle(r)), model);
}

void Lockstep::resets(const hunt::Model& model, bool taken) {
  // The model has room for one at a time, and a second one right behind it is the same.
  if (!taken || (!steps_.empty() && steps_.back().step.is_reset)) return;
  steps_.push_back({scheduler_->reset_encoder_cache(), {}});
  after("reset_encoder_cache", Error::none, model);
}

void Lockstep::passes(const hunt::Model& model) {
  const auto pass = scheduler_->schedule();
  after("schedule", pass.error, model);
  if (compares_) {
    Comparison comparison;
    compare_passes(model, *scheduler_, **pass, comparison);
    stop_if("schedule", comparison);
  }
  auto& issued = steps_.emplace_back();
  issued.step = (*pass)->step;
  for (const auto& scheduled : issued.step.scheduled)
    issued.features.push_back(features_[scheduled.request.index]);
}

void Lockstep::executes(const hunt::Model& model) {
  if (steps_.empty()) throw hunt::Differs{"execute: the implementation has no step for it"};
  execute(steps_.front());
  steps_.erase(steps_.begin());
  compare_worker(model);
  after("execute", Error::none, model);
}

void Lockstep::execute(const Issued& issued) {
  const auto number_of = [this](HashHandle h) { return number_in(scheduler_->mm_hash_of(h)); };
  const Step& step = issued.step;
  if (step.is_reset) store_.assign(store_.size(), 0);
  for (const auto h : step.notices) store_[static_cast<std::size_t>(number_of(h))] = 0;
  for (const auto& order : step.orders)
    store_[static_cast<std::size_t>(number_of(order.hash))] = order.embeds;
  const Error error =
      worker_.apply(step, [&](const EncodeOrder& order) { return number_of(order.hash); });
  if (error != Error::none)
    throw hunt::Differs{fmt::format("execute: the worker refuses: {}", to_string(error))};
  if (is_encoder_decoder(*script_)) return read_inputs(issued);
  gather(issued, 0);
  if (const Tokens lookahead = script_->workload.lookahead; lookahead > 0)
    gather(issued, lookahead);
}

/// Cross-attention reads every input of a request in its first step; no window says so.
void Lockstep::read_inputs(const Issued& issued) {
  for (std::size_t n = 0; n < issued.features.size(); ++n) {
    if (issued.step.scheduled[n].first > 0) continue;
    const auto& inputs = *issued.features[n];
    for (std::size_t i = 0; i < inputs.size(); ++i)
      missed_ |= worker_.find(inputs[static_cast<InputId>(i)].hash) == nullptr;
  }
}

void Lockstep::gather(const Issued& issued, Tokens lookahead) {
  std::vector<GatherWindow> windows;
  for (std::size_t n = 0; n < issued.features.size(); ++n) {
    const auto& scheduled = issued.step.scheduled[n];
    windows.push_back(
        {scheduled.request, issued.features[n].get(), scheduled.first, scheduled.tokens});
  }
  const auto error = plan_gather({issued.step.number, lookahead, windows, worker_.stored()}, plan_);
  if (error.error == Error::not_cached)
    missed_ = true;
  else if (!error.ok())
    throw hunt::Differs{fmt::format("gather: the implementation refuses: {}", to_string(error))};
}

void Lockstep::compare_worker(const hunt::Model& model) {
  if (!compares_) return;
  Comparison comparison;
  Embeds held = 0;
  model.d.all_hashes([&](spec::Hash<hunt::Reading> h) {
    const Embeds embeds = store_[static_cast<std::size_t>(h.id)];
    held += embeds;
    comparison.same<std::int64_t>("worker", h.id, comparable(model, h, model.s.worker(h)),
                                  comparable(model, h, embeds));
    return true;
  });
  comparison.same<std::int64_t>("slots in the worker's store", held, worker_.embeds());
  comparison.same("missed", bool(model.s.missed()), missed_);
  stop_if("execute", comparison);
}

void Lockstep::delivers(const hunt::Model& model,
                        const std::vector<spec::Output<hunt::Reading>>& outputs) {
  const auto in_flight = scheduler_->core().in_flight();
  if (in_flight.empty()) throw hunt::Differs{"deliver: no pass is in flight"};
  std::vector<Output> said;
  for (const auto& o : outputs) said.push_back({o.generated, o.rejected});
  after("update_from_output", scheduler_->update_from_output(in_flight.front().number, said),
        model);
}

void Lockstep::proposes(const hunt::Model& model, Request r, int drafts) {
  after("update_draft_tokens", scheduler_->update_draft_tokens(handle(r), drafts), model);
}

}  // namespace holdfast::verify::diff
