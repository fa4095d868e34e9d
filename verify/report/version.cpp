#include "verify/report/version.hpp"

#include "spec/require.hpp"

namespace holdfast::verify::report {

std::string_view version() {
  return spec::cheap_checks ? HOLDFAST_VERSION : HOLDFAST_VERSION " with assertions off";
}

}  // namespace holdfast::verify::report
