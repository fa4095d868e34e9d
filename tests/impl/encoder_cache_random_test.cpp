// The cache beside one that is written with maps and scans, and remembers names only.
#include <random>

#include <gtest/gtest.h>

#include "tests/impl/naive_cache.hpp"
#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

class RandomTest : public BesideNaiveCache {};

TEST_F(RandomTest, IsThatOfMapsAndScans) {
  const tests::RandomRounds random(1, 60'000);
  draw = std::mt19937_64(random.seed);
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    step();
    compare();
    if (HasFatalFailure()) FAIL() << "in round " << round;
  }
}

}  // namespace
}  // namespace holdfast::impl
