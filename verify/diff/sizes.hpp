// The sizes at which everything is gone through.
#pragma once

#include <string_view>
#include <vector>

#include "verify/diff/exhaustion.hpp"

namespace holdfast::verify::diff {

struct ExhaustionSizes {
  std::string_view name;
  ExhaustionOptions options;
  bool is_large = false;  ///< takes more than a second or two
};

/// Two requests with two features of two hashes, in the ways in which one thing is scarce; then one
/// more of each.
const std::vector<ExhaustionSizes>& exhaustion_sizes();

}  // namespace holdfast::verify::diff
