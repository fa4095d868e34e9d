// A pre-state that keeps every invariant, and from which a rule path breaks one: found over finite
// sorts with the same formulas, the smallest sizes first.
#pragma once

#include <optional>
#include <string>

#include "verify/prove/obligations.hpp"

namespace holdfast::verify::prove {

/// Of an obligation of the task. As text, one variable a line; nothing when no size up to 2
/// requests, 2 features, 3 hashes and 3 passes has one, or the solver does not say.
std::optional<std::string> smallest_counterexample(const Options& options, const Task& task,
                                                   const Obligation& obligation);

}  // namespace holdfast::verify::prove
