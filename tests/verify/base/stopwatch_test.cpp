#include "verify/base/stopwatch.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace holdfast::verify::inline base {
namespace {

// Milliseconds taken for seconds would end every limit at once.
TEST(Stopwatch, CountsSecondsFromWhenItWasMade) {
  const Stopwatch first;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const Stopwatch second;
  EXPECT_GE(first.seconds(), 0.02);
  EXPECT_LT(first.seconds(), 20);
  EXPECT_GT(first.seconds(), second.seconds());
}

}  // namespace
}  // namespace holdfast::verify::inline base
