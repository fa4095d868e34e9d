// Small worlds, said in words: where a fault or a dropped guard is looked for.
//
// A prompt is made of parts, of which each is a prompt itself: `prompt_of({text(), image(0)})`. A
// world has requests and is roomy or tight; what else is scarce or allowed is wrapped around it:
// `with_lookahead(1, whole_items(roomy({long_image(0)})))`.
#pragma once

#include <utility>
#include <vector>

#include "verify/readings/workload.hpp"

namespace holdfast::verify::explore::worlds {

// Requests. Each may compute one token behind its prompt.

WorkloadRequest text(int tokens = 1);

struct Extent {
  int tokens = 1;
  int slots = 1;
  std::vector<std::pair<int, int>> mask = {};  ///< as of WorkloadFeature
};
/// `hash` says which image it is.
WorkloadRequest image(int hash, const Extent& extent = {});
/// Two tokens for one slot.
WorkloadRequest long_image(int hash);
/// Two tokens for two slots.
WorkloadRequest large_image(int hash);

/// One part after the other.
WorkloadRequest prompt_of(const std::vector<WorkloadRequest>& parts);
/// Two images, one after the other.
WorkloadRequest images(int first, int second);
/// Both from the first token on: their images form a group if they overlap.
WorkloadRequest group(WorkloadRequest one, const WorkloadRequest& other);
/// The image that lies first is listed last.
WorkloadRequest listed_backwards(WorkloadRequest request);
/// So many tokens behind the prompt.
WorkloadRequest with_output(int tokens, WorkloadRequest request);

// Worlds, of the images that the requests have.

/// So many slots, and all may be filled in one pass.
Workload of_size(int slots, std::vector<WorkloadRequest> requests);
/// Of two slots.
Workload roomy(std::vector<WorkloadRequest> requests);
/// Of one slot.
Workload tight(std::vector<WorkloadRequest> requests);

Workload with_slots(int slots, Workload w);
Workload with_embeds_per_pass(int embeds, Workload w);
Workload with_tokens_per_pass(int tokens, Workload w);
Workload with_lookahead(int positions, Workload w);
/// No chunk ends closer to the prompt's end, unless it ends it.
Workload with_tail(int tokens, Workload w);
/// The next pass need not wait for the worker.
Workload two_in_flight(Workload w);
/// Items must not be split.
Workload whole_items(Workload w);
Workload encoder_decoder(Workload w);

}  // namespace holdfast::verify::explore::worlds
