#include "verify/hunt/story_events.hpp"

#include <algorithm>
#include <utility>

#include "verify/replay/driven/workload_events.hpp"

namespace holdfast::verify::hunt {

trace::Header header_of(const Script& script, std::string source) {
  auto h = verify::replay::header_of(script.workload, std::move(source));
  h.scheduling_policy = script.policy == spec::Policy::fcfs ? trace::SchedulingPolicy::fcfs
                                                            : trace::SchedulingPolicy::priority;
  h.draft_tokens = script.draft_tokens;
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
  auto e = verify::replay::add_event(from.request, std::move(name));
  e.prompt_tokens = from.request.prompt;
  e.max_tokens = from.max_tokens;
  if (from.hit > 0) e.prefix_hit = from.hit;
  return e;
}

}  // namespace holdfast::verify::hunt
