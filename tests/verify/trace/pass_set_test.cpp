#include "verify/trace/pass_set.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace holdfast::verify::trace {
namespace {

TEST(PassSet, AgreesWithAPlainSet) {
  constexpr std::uint64_t seed = 7;
  std::mt19937_64 random(seed);
  constexpr int passes = 40;
  for (int run = 0; run < 50; ++run) {
    PassSet intervals;
    std::set<std::int64_t> plain;
    for (int step = 0; step < 400; ++step) {
      const auto pass = static_cast<std::int64_t>(1 + random() % passes);
      if (plain.erase(pass) > 0) {
        intervals.erase(pass);
      } else {
        plain.insert(pass);
        intervals.insert(pass);
      }
      for (std::int64_t p = 0; p <= passes + 1; ++p) {
        ASSERT_EQ(intervals.contains(p), plain.contains(p)) << "run " << run << ", step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace holdfast::verify::trace
