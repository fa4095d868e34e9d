// How often this program has allocated: for tests that a steady state never does.
#pragma once

#include <cstddef>

namespace holdfast::impl {

std::size_t allocations();

}  // namespace holdfast::impl
