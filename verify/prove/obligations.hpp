// What has to be proved of one manager under one profile: for every path of every rule, and for the
// initial state, that each invariant holds after it; that what is derived follows from the rest;
// and for every path what a ranking claims of the step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/prove/prove.hpp"
#include "verify/prove/query.hpp"
#include "verify/prove/system.hpp"

namespace holdfast::verify::prove {

/// One rule of one manager: the unit of work of a thread. Beside the rules: the initial state, and
/// any state, in which what is derived follows from the rest.
struct Task {
  spec::Manager manager;
  std::optional<std::size_t> rule;
  bool any_state = false;
};
inline constexpr const char* any_state = "any state";

using Hypotheses = std::shared_ptr<const std::vector<NamedTerms>>;

/// Everything of an obligation but which hypotheses to use.
struct Obligation {
  ObligationName name;
  z3::expr goal;
  symbolic::Terms always;  ///< conditions of the path, sum axioms, the negated goal
  Hypotheses hypotheses;   ///< axioms and invariants of the pre-state
  bool unchanged = false;  ///< the rule does not touch what the goal speaks of
};

/// With the number of the path, and of the invariant, or of the ranking behind all invariants.
using UseObligation = std::function<void(const Obligation&, std::size_t path, std::size_t claim)>;

void each_obligation(const Options& options, const Task& task, System& system,
                     const UseObligation& use);

/// Which hypotheses to use, by name; empty: all.
using UseHypothesis = std::function<bool(const std::string&)>;
/// Those named, which must outlive it.
UseHypothesis only(const std::vector<std::string>& names);

/// Whether the negated goal contradicts the hypotheses.
Answer attempt(z3::context& context, const Obligation& o, const UseHypothesis& chosen,
               const QueryLimits& limits);

}  // namespace holdfast::verify::prove
