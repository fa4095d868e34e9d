// What has to be proved of one manager under one profile: for every path of every rule, and for the
// initial state, that each invariant holds after it; that what is derived follows from the rest;
// and for every path what a ranking claims of the step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verify/prove/prove.hpp"
#include "verify/prove/query.hpp"
#include "verify/prove/system.hpp"

namespace holdfast::verify::prove {

/// What stands where a rule would in the name of an obligation that is about no rule.
inline constexpr const char* initially = "initial";
inline constexpr const char* anywhere = "any state";

/// What obligations are made of, one rule of one manager: the unit of work of a thread. Beside the
/// rules: the initial state, and any state, in which what is derived follows from the rest.
struct Task {
  enum class About : std::int8_t { initial_state, any_state, rule };

  spec::Manager manager;
  About about = About::initial_state;
  std::size_t rule = 0;  ///< its number in the outline, where it is about one
};
/// Of a manager: the initial state, any state, then the rules.
std::vector<Task> tasks_of(spec::Manager manager);
/// The rule's name, or what stands for it.
std::string rule_name(const Task& task);

/// The rule's paths; a path that does nothing where there is no rule.
std::vector<RulePath> paths_of(const Task& task, System& system);
/// Whether a proof of claim `claim` may use invariant n: none holds before the initial state, and
/// what is to be derived in any state may not use itself or what is derived after it.
bool may_use(const Task& task, const Outline& outline, std::size_t claim, std::size_t n);

/// An invariant after the path, or what a ranking says of the step.
struct Claim {
  enum class Kind : std::int8_t { invariant, ranking };

  Kind kind = Kind::invariant;
  std::size_t number = 0;  ///< in the outline
};

using Hypotheses = std::shared_ptr<const std::vector<NamedTerms>>;

/// Everything of an obligation but which hypotheses to use.
struct Obligation {
  ObligationName name;
  std::size_t path = 0;  ///< its number in paths_of
  Claim claim;
  z3::expr goal;
  symbolic::Terms always;  ///< conditions of the path, sum axioms, the negated goal
  Hypotheses hypotheses;   ///< axioms and invariants of the pre-state
  bool unchanged = false;  ///< the rule does not touch what the goal speaks of
};

using UseObligation = std::function<void(const Obligation&)>;

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
