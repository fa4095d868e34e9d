#include "verify/report/version.hpp"

namespace holdfast::verify {

std::string_view version() { return HOLDFAST_VERSION; }

}  // namespace holdfast::verify
