// Formulas in the form that e-matching can use: universal quantifiers in front, and patterns where
// Z3 finds none.
#pragma once

#include <vector>

#include <z3++.h>

#include "verify/readings/symbolic_maps.hpp"

namespace holdfast::verify::inline readings::symbolic {

/// For all x, instantiated where one of the patterns occurs.
z3::expr for_all(const z3::expr_vector& x, const z3::expr& body,
                 const std::vector<z3::expr_vector>& patterns);

/// The conjuncts of a formula, each with its universal quantifiers in front.
Terms clauses(const z3::expr& formula);

/// Whether the constant or term x occurs in e.
bool occurs(const z3::expr& x, const z3::expr& e);

}  // namespace holdfast::verify::inline readings::symbolic
