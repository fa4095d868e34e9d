// The refinement map: what each variable of the model is in the implementation.
//
//   model                                    implementation
//   weight, freeable, order, evicted         Entry::embeds, the list of freeable entries,
//   is_evicted refs, held                               Entry::references, Reference::held,
//   Feature::is_held free, reclaimable                        Entries::free, reclaimable status,
//   computed, placeholders           Sequence, by the same names forgotten, epoch
//   Sequence::forgotten; which outputs are stale pending, ordered_by, promised, chosen    nothing
//   between passes step_tokens, step_drafts, step_owed      Flight step_notices, step_encodes
//   PassOutput::step queues                                   the order of running_ and waiting_,
//   and Sequence
//
// A request that has ended is unknown to the implementation; of it the model must hold nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "holdfast/scheduler.hpp"
#include "verify/diff/comparison.hpp"
#include "verify/hunt/companion.hpp"

namespace holdfast::verify::diff {

// How the script's requests and hashes are called.
std::string request_name(int request);
std::string hash_name(int hash);
/// The script's number in such a name.
int number_in(std::string_view name);

/// Compares the whole state between two calls.
void compare_states(const hunt::Model& model, const Scheduler& other, Comparison& comparison);

/// Compares what the last pass gave, ordered and told.
void compare_passes(const hunt::Model& model, const Scheduler& other, const PassOutput& pass,
                    Comparison& comparison);

}  // namespace holdfast::verify::diff
