#include "verify/report/progress.hpp"

#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast::verify {
namespace {

TEST(Progress, IsSilentWhereNotShown) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(false);
    progress.start("proving", 10);
    progress.advance(3);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, ErasesItsLineAtTheEnd) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(true);
    progress.start("proving", 1000);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 250; ++n) progress.advance(1, "exact-slots");
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, ::testing::HasSubstr("proving"));
  EXPECT_THAT(text, ::testing::EndsWith("\r\033[K"));
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace holdfast::verify
