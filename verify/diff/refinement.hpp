// The refinement map: what each variable of the model is in the implementation.
//
// Of both managers, the model's to the left of the arrow:
// - status -> Sequence::status
// - computed, placeholders, forgotten -> Sequence, by the same names
// - epoch -> Sequence::epoch; compared is which outputs are stale
// - held -> is_held of impl's Feature, or of InputSlots::Input
// - evicted -> Entry::is_evicted, or InputSlots::Entry::is_due
// - free -> Entries::free, or InputSlots::free
// - planning, scheduled, tried, pending, ordered_by, promised, chosen -> nothing between passes
// - step_tokens, step_drafts, step_owed -> Flight
// - step_notices, step_encodes -> PassOutput::step
// - the queues -> the order of `running` and `waiting` in SchedulerCore, and Sequence
//
// Of decoder-only models:
// - weight, refs -> Entry::embeds, Entry::references
// - freeable, order -> the list of freeable entries, oldest first
// - reclaimable -> Entries::reclaimable
//
// Of encoder-decoder models:
// - weight, freeable -> nothing, as nothing is cached
// - refs -> InputSlots::Entry::references, which are none between passes
// - charged -> the embeds of an InputSlots::Input that is held
// - the inputs read in a step -> the orders of those with no computed tokens, one an input
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

/// `embeds` of h as both can be held to it. An encoder-decoder model shares nothing and compares no
/// sizes; where inputs of one hash differ in theirs, the model goes by the last that was ordered,
/// be it taken back, the library by the last order that stands. There it is 1 of what is there.
std::int64_t comparable(const hunt::Model& model, spec::Hash<hunt::Reading> h, std::int64_t embeds);

/// Compares the whole state between two calls.
void compare_states(const hunt::Model& model, const Scheduler& other, Comparison& comparison);

/// Compares what the last pass gave, ordered and told.
void compare_passes(const hunt::Model& model, const Scheduler& other, const PassOutput& pass,
                    Comparison& comparison);

}  // namespace holdfast::verify::diff
