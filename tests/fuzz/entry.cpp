// What libFuzzer calls. HOLDFAST_FUZZ_TARGET is a function of targets.hpp.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  holdfast::fuzz::HOLDFAST_FUZZ_TARGET({data, size});
  return 0;
}
