// Where to look for a fault: for each, the smallest workload in which it breaks its property.
#pragma once

#include <string_view>

#include "verify/explore/explore.hpp"

namespace holdfast::verify::refute {

/// What to explore to refute the fault: its profile and property, and a workload in which
/// breadth-first search meets the violation within a second and in which `holdfast` has none.
/// Requires: a name of spec::faults.
const explore::SearchOptions& preset(std::string_view fault);

}  // namespace holdfast::verify::refute
