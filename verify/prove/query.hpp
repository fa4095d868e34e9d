// The Z3 calls of a proof, kept apart from what is asked.
#pragma once

#include <string>
#include <vector>

#include "verify/readings/symbolic_maps.hpp"

namespace holdfast::verify::prove {

struct QueryLimits {
  unsigned timeout_ms = 10'000;
  unsigned seed = 0;
};

enum class Answer { unsatisfiable, satisfiable, unknown };

/// Hypotheses by name: what a learned plan can choose from.
struct NamedTerms {
  std::string name;
  symbolic::Terms terms;
};

/// Time limit and seed; and an interrupt ends the command, it is no answer.
void set_limits(z3::solver& solver, const QueryLimits& limits);

/// A solver for formulas with quantifiers in front: e-matching, no model search, one seed, a limit.
z3::solver proof_solver(z3::context& context, const QueryLimits& limits);

/// Z3's answer; an exception of the solver is `unknown`, with its message in `why`.
Answer ask(z3::solver& solver, std::string* why = nullptr);

/// A subset of the hypotheses, minimal under deletion, that contradicts `always`; nothing if Z3
/// does not find one within the limits.
std::optional<std::vector<std::string>> minimal_core(z3::context& context,
                                                     const symbolic::Terms& always,
                                                     const std::vector<NamedTerms>& hypotheses,
                                                     const QueryLimits& limits);

/// "z3 5.4.1".
std::string solver_version();

}  // namespace holdfast::verify::prove
