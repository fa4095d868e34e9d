// One manager's rules and invariants over one Z3 context: what obligations are made of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verify/readings/symbolic.hpp"

namespace holdfast::verify::prove {

/// A property or lemma, evaluated on any state.
struct Invariant {
  std::string name;
  std::string says;
  bool is_lemma = false;
  bool derived = false;
  bool counts = false;  ///< wants the sums of the pre-state compared
  std::function<z3::expr(const symbolic::Reading&, const symbolic::State&)> holds;
};

/// A claim about a step: the state before it and the state after it.
struct Ranking {
  std::string name;
  std::string says;
  std::function<z3::expr(const symbolic::Reading&, const symbolic::State& before,
                         const symbolic::State& after)>
      holds;
};

/// What a rule's path takes, as a fresh constant.
struct Parameter {
  spec::Role role;
  z3::expr term;
};

/// One path of one rule: from the pre-state, under `conditions` (guard included), to `post`.
struct RulePath {
  std::string rule;
  symbolic::Path path;
  symbolic::Terms conditions;
  symbolic::State post;
  std::vector<Parameter> parameters;
};

/// Names of the rules and invariants of a manager; needs no context.
struct Outline {
  std::string manager;
  std::vector<std::string> rules;
  std::vector<Invariant> invariants;
  std::vector<Ranking> rankings;
};

/// Everything of a manager but its context.
struct Catalogue {
  Outline outline;
  std::vector<Invariant> properties;  ///< all of them, also those that are only explored
  /// The paths of rule n from state `pre`; parameters are fresh constants.
  std::function<std::vector<RulePath>(symbolic::Reading&, const symbolic::State& pre,
                                      std::size_t n)>
      paths;
};

const Catalogue& catalogue(spec::Manager manager);

/// A pre-state with everything that is known of it.
struct System {
  System(z3::context& context, std::optional<symbolic::FiniteSizes> sizes,
         const Catalogue& catalogue, const spec::Profile& profile,
         const spec::Assumptions& assumptions);

  symbolic::Universe universe;
  symbolic::UseUniverse in_use;
  const Catalogue& catalogue;
  symbolic::Reading reading;
  symbolic::State pre;
  symbolic::Terms axioms;                   ///< configuration, assumptions, touches, ranges
  symbolic::Terms invariants;               ///< on the pre-state, in the outline's order
  std::vector<symbolic::Terms> hypotheses;  ///< the clauses of each of them
  symbolic::State initial;
};

}  // namespace holdfast::verify::prove
