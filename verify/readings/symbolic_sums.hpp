// What is known of the sums of maps to slots, where the sorts are unbounded.
#pragma once

#include <vector>

#include "verify/readings/symbolic.hpp"

namespace holdfast::verify::inline readings::symbolic {

/// Sum axiom 3: of two maps, the one that is nowhere larger has no larger sum. Each of `some`
/// beside each of `others` and beside the empty map.
Terms monotone_sums(const std::vector<Summand>& some, const std::vector<Summand>& others);

/// Every map of `s` that has a sum, rows at `executed` and `issued`.
std::vector<Summand> summands(const State& s);
/// Those of the scheduler alone, without the worker's store and without rows.
std::vector<Summand> scheduler_summands(const State& s);

}  // namespace holdfast::verify::inline readings::symbolic
