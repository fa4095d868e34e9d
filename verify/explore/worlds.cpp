#include "verify/explore/worlds.hpp"

#include <algorithm>

namespace holdfast::verify::explore::worlds {

WorkloadRequest text(int tokens) { return with_output(1, {.prompt = tokens}); }

WorkloadRequest image(int hash, const Extent& extent) {
  auto request = text(extent.tokens);
  request.features.push_back({.start = 0,
                              .end = extent.tokens,
                              .embeds = extent.slots,
                              .hash = hash,
                              .mask = extent.mask});
  return request;
}

WorkloadRequest long_image(int hash) { return image(hash, {.tokens = 2}); }

WorkloadRequest large_image(int hash) { return image(hash, {.tokens = 2, .slots = 2}); }

WorkloadRequest prompt_of(const std::vector<WorkloadRequest>& parts) {
  WorkloadRequest whole;
  for (const auto& part : parts) {
    for (auto item : part.features) {
      item.start += whole.prompt;
      item.end += whole.prompt;
      whole.features.push_back(std::move(item));
    }
    whole.prompt += part.prompt;
  }
  return with_output(1, std::move(whole));
}

WorkloadRequest images(int first, int second) { return prompt_of({image(first), image(second)}); }

WorkloadRequest group(WorkloadRequest one, const WorkloadRequest& other) {
  one.features.insert(one.features.end(), other.features.begin(), other.features.end());
  one.prompt = std::max(one.prompt, other.prompt);
  return with_output(1, std::move(one));
}

WorkloadRequest listed_backwards(WorkloadRequest request) {
  std::reverse(request.features.begin(), request.features.end());
  return request;
}

WorkloadRequest with_output(int tokens, WorkloadRequest request) {
  request.limit = request.prompt + tokens;
  return request;
}

Workload of_size(int slots, std::vector<WorkloadRequest> requests) {
  Workload w{.capacity = slots, .encoder_budget = slots, .requests = std::move(requests)};
  for (const auto& request : w.requests)
    for (const auto& item : request.features) w.hashes = std::max(w.hashes, item.hash + 1);
  return w;
}

Workload roomy(std::vector<WorkloadRequest> requests) { return of_size(2, std::move(requests)); }

Workload tight(std::vector<WorkloadRequest> requests) { return of_size(1, std::move(requests)); }

Workload with_slots(int slots, Workload w) {
  w.capacity = slots;
  return w;
}

Workload with_embeds_per_pass(int embeds, Workload w) {
  w.encoder_budget = embeds;
  return w;
}

Workload with_tokens_per_pass(int tokens, Workload w) {
  w.token_budget = tokens;
  return w;
}

Workload with_lookahead(int positions, Workload w) {
  w.lookahead = positions;
  return w;
}

Workload with_tail(int tokens, Workload w) {
  w.tail = tokens;
  return w;
}

Workload two_in_flight(Workload w) {
  w.depth = 2;
  return w;
}

Workload whole_items(Workload w) {
  w.whole_items = true;
  return w;
}

Workload encoder_decoder(Workload w) {
  w.manager = spec::Manager::encoder_decoder;
  return w;
}

}  // namespace holdfast::verify::explore::worlds
