#pragma once

#include <string_view>

namespace holdfast::verify {

/// "X.Y.Z", as the top-level CMakeLists.txt says it.
std::string_view version();

}  // namespace holdfast::verify
