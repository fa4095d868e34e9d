#pragma once

#include <string_view>

namespace holdfast::verify::report {

/// "X.Y.Z", as the top-level CMakeLists.txt says it, and what a build for measuring leaves out.
std::string_view version();

}  // namespace holdfast::verify::report
