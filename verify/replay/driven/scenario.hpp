// Turns a run of the model into a scenario file's events.
#pragma once

#include <string>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "verify/explore/run.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline driven {

/// The events that drive the model along `run`, each with the rules that it stands for: replayed
/// under `profile` they end as the run ends, in a violation of the same property. Requests are
/// named rK and hashes hK. Where a feature of the workload has more or fewer slots than positions,
/// which a file can say only by a mask, all slots or positions are multiplied so that it can.
/// Throws std::invalid_argument where the run takes a rule that its state does not allow, or where
/// its drafts cannot be multiplied.
/// `source` is what the header says of the file; empty: "holdfast refute PROFILE".
std::vector<trace::Event> scenario_of(const explore::Run& run, const spec::Profile& profile,
                                      const std::string& source = {});

/// The same as the lines of a file.
std::string scenario_text(const explore::Run& run, const spec::Profile& profile);

}  // namespace holdfast::verify::replay::inline driven
