#include <cstdlib>

#include "tests/fuzz/targets.hpp"
#include "tests/impl/naive_cache.hpp"

namespace holdfast::fuzz {

void encoder_cache(Bytes bytes) {
  impl::BesideNaiveCache both;
  std::size_t next = 0;
  both.draw = [&] { return next < bytes.size() ? bytes[next++] : std::uint64_t{0}; };
  while (next < bytes.size()) {
    both.step();
    both.compare();
    if (::testing::Test::HasFatalFailure() || ::testing::Test::HasNonfatalFailure()) std::abort();
  }
}

}  // namespace holdfast::fuzz
