#include "verify/hunt/story_events.hpp"

#include <algorithm>
#include <utility>

#include "verify/trace/form.hpp"

namespace holdfast::verify::hunt {

trace::Header header_of(const Script& script, std::string source) {
  const auto& w = script.workload;
  trace::Header h;
  h.format = trace::format_name;
  h.version = trace::format_version;
  h.source = std::move(source);
  h.manager = w.manager == spec::Manager::decoder_only ? trace::Manager::decoder_only
                                                       : trace::Manager::encoder_decoder;
  h.scheduling_policy = script.policy == spec::Policy::fcfs ? trace::SchedulingPolicy::fcfs
                                                            : trace::SchedulingPolicy::priority;
  h.pipeline_depth = w.depth;
  h.capacity = w.capacity;
  h.encoder_budget = w.encoder_budget;
  h.token_budget = w.token_budget;
  h.lookahead = w.lookahead;
  h.draft_tokens = script.draft_tokens;
  h.chunked_mm_input = !w.whole_items;
  h.kv_blocks = script.kv_blocks;
  h.kv_block_size = script.kv_block_size;
  h.kv_watermark_blocks = script.kv_watermark_blocks;
  h.long_prefill_threshold = script.threshold;
  h.max_num_seqs = script.max_num_seqs;
  h.max_model_len = script.max_model_len;
  h.prefix_caching = std::any_of(script.requests.begin(), script.requests.end(),
                                 [](const auto& r) { return r.hit > 0; });
  return h;
}

trace::AddRequest add_event(const Script& script, std::size_t request, std::string name) {
  const auto& from = script.requests[request];
  trace::AddRequest e;
  e.request = std::move(name);
  e.prompt_tokens = from.request.prompt;
  e.max_tokens = from.max_tokens;
  e.priority = from.request.priority;
  if (from.hit > 0) e.prefix_hit = from.hit;
  for (const auto& f : from.request.features) {
    trace::Feature to{"h" + std::to_string(f.hash), f.start, f.end - f.start, f.embeds, {}};
    if (!f.mask.empty()) {
      to.mask.emplace();
      for (const auto& [first, count] : f.mask) to.mask->push_back({first, count});
    }
    e.features.push_back(std::move(to));
  }
  return e;
}

}  // namespace holdfast::verify::hunt
