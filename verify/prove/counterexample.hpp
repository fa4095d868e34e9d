// A pre-state that keeps every invariant, and from which a rule path breaks one: found over finite
// sorts with the same formulas, the smallest sizes first.
#pragma once

#include <optional>
#include <string>

#include "verify/prove/prove.hpp"
#include "verify/readings/symbolic.hpp"

namespace holdfast::verify::prove {

/// As text, one variable a line; nothing when no size up to 2 requests, 2 features, 3 hashes and 3
/// passes has one, or the solver does not say.
std::optional<std::string> smallest_counterexample(const Options& options, spec::Manager manager,
                                                   std::optional<std::size_t> rule, bool any_state,
                                                   std::size_t path, std::size_t invariant);

/// The values of a finite state (or configuration) in a model, defaults left out: "weight(h0) = 2".
std::string describe(const z3::model& model, const symbolic::State& state);
std::string describe(const z3::model& model, const spec::Config<symbolic::Reading>& config);

}  // namespace holdfast::verify::prove
