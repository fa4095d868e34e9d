// Checks the spec's properties on a state and says what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verify/replay/model.hpp"

namespace holdfast::verify::replay {

struct Violation {
  std::string_view property;
  std::string_view says;  ///< the property's sentence
  std::string observed;   ///< what is wrong
};

/// The first property of the manager that does not hold; of `only` that one, if it is not empty.
std::optional<Violation> find_violation(const Model& m, std::string_view only = {});

/// Whether it names a claim about what a step may change.
bool is_ranking(std::string_view name);
/// Whether it names a property of either manager.
bool is_property(std::string_view name);
/// The ranking `only`, where the step from `before` breaks it.
std::optional<Violation> find_step_violation(const Model& m, const dynamic::State& before,
                                             std::string_view only);

}  // namespace holdfast::verify::replay
