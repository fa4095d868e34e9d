// Names of those variables that the text reading treats in a way of their own.
#pragma once

#include <string_view>

namespace holdfast::verify::inline readings::text {

/// Found by member: a variable that is renamed does not lose its treatment in silence.
struct VariableNames {
  std::string_view plan_request, drain_request, cursor;
  std::string_view issued, executed, delivered;
  std::string_view weight, status, computed, placeholders;
  std::string_view hash;  ///< of the configuration
};
const VariableNames& variable_names();

}  // namespace holdfast::verify::inline readings::text
