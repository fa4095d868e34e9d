// Where a run is looked for that breaks a property.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "verify/ablate/dropped.hpp"
#include "verify/explore/run.hpp"

namespace holdfast::verify::ablate {

/// The shortest run found that breaks the property or ranking, small steps in any order that the
/// rules allow; it has been through check_run. Searches workloads in which one thing is scarce,
/// such as those of the faults, in up to `most_states` states each; what is not accepted is not
/// looked at further.
std::optional<explore::Run> find_violation(const Dropped& dropped, const std::string& property,
                                           std::uint64_t most_states,
                                           const std::function<bool(const explore::Run&)>& accepts);

}  // namespace holdfast::verify::ablate
