// Where a run is looked for that breaks a property.
#pragma once

#include <optional>
#include <string>

#include "verify/ablate/dropped.hpp"
#include "verify/explore/run.hpp"

namespace holdfast::verify::ablate {

/// The shortest run found that breaks the property, small steps in any order that the rules allow; it
/// has been through check_run. Searches workloads in which one thing is scarce, such as those of the
/// faults; the standard sizes too if it is to be `thorough`.
std::optional<Run> find_violation(const Dropped& dropped, const std::string& property, bool thorough);

}  // namespace holdfast::verify::ablate
