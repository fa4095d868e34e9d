#include "verify/base/parallel.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace holdfast::verify::inline base {
namespace {

// A number lost or handed out twice would be a rule nobody proves, or a fault refuted twice.
TEST(InParallel, HandsOutEveryNumberOnce) {
  for (const unsigned jobs : {0U, 1U, 3U, 64U}) {
    std::vector<std::atomic<int>> times(50);
    in_parallel(jobs, times.size(), [&](std::size_t n) { ++times[n]; });
    for (const auto& t : times) EXPECT_EQ(t, 1) << jobs << " jobs";
  }
  in_parallel(4, 0, [](std::size_t) { FAIL() << "there is no work"; });
}

// Two threads in one Z3 context would be a crash now and then.
TEST(InParallel, GivesEachThreadAWorkerOfItsOwn) {
  std::atomic<int> made = 0, shared = 0;
  in_parallel(3, 1000, [&]() -> Worker {
    ++made;
    return [&, users = std::make_shared<std::atomic<int>>(0)](std::size_t) {
      if (++*users > 1) ++shared;
      --*users;
    };
  });
  EXPECT_LE(made, 3);
  EXPECT_EQ(shared, 0);
}

TEST(InParallel, ThrowsTheFirstFailureAndHandsOutNoMore) {
  std::atomic<int> done = 0;
  const auto work = [&](std::size_t n) {
    if (n == 5) throw std::runtime_error("out of luck");
    ++done;
  };
  EXPECT_THROW(in_parallel(1, 1000, work), std::runtime_error);
  EXPECT_EQ(done, 5);
  EXPECT_THROW(in_parallel(4, 1000, work), std::runtime_error);
}

}  // namespace
}  // namespace holdfast::verify::inline base
