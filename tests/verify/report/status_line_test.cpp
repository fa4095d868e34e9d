#include "verify/report/status_line.hpp"

#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast::verify::report {
namespace {

TEST(StatusLine, IsSilentWhereNotShown) {
  ::testing::internal::CaptureStderr();
  {
    StatusLine line(false);
    line.start("proving", 10);
    line.advance(3);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(StatusLine, ErasesItsLineAtTheEnd) {
  ::testing::internal::CaptureStderr();
  {
    StatusLine line(true);
    line.start("proving", 1000);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 250; ++n) line.advance(1, "exact-slots");
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
}  // namespace holdfast::verify::report
