// Scripts for cases in which more has to fit together than comes together by itself: random ones
// come upon them in millions of steps, if at all.
#pragma once

#include <span>

#include "verify/hunt/script.hpp"

namespace holdfast::verify::hunt {

/// In each, a request that is scheduled already gives its KV blocks back to a more urgent one.
std::span<const Genes> known_scripts();

}  // namespace holdfast::verify::hunt
