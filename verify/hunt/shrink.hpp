// The smallest script that still does what it was found for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "verify/hunt/script.hpp"

namespace holdfast::verify::hunt {

/// What a script costs that still does it; none if it does not.
using Cost = std::function<std::optional<std::uint64_t>(const Genes&)>;

/// Lowers genes, drops features and requests, and wanders a little, as long as that costs less.
/// Requires that `genes` has a cost.
Genes shrink(const Genes& genes, const Bounds& bounds, const Cost& cost);

}  // namespace holdfast::verify::hunt
