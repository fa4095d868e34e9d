// The library of impl/ as what is run beside the model.
#pragma once

#include <memory>

#include "verify/diff/implementation.hpp"

namespace holdfast::verify::diff {

std::unique_ptr<Implementation> make_library();

}  // namespace holdfast::verify::diff
