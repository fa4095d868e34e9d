// Checks the spec's properties on a state and says what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verify/replay/model.hpp"

namespace holdfast::verify {

struct Violation {
  std::string_view property;
  std::string_view says;  ///< the property's sentence
  std::string observed;   ///< what is wrong
};

/// The first property of the manager that does not hold; of `only` that one, if it is not empty.
std::optional<Violation> find_violation(const Model& m, std::string_view only = {});

}  // namespace holdfast::verify
