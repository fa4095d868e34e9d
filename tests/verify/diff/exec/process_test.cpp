#include "verify/diff/exec/process.hpp"

#include <chrono>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/diff/implementation.hpp"

namespace holdfast::verify::diff::exec {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr milliseconds long_enough{60'000}, a_moment{200};

/// Why it gives no answer to that many lines.
NoAnswer none_of(const std::string& command, int lines = 1, milliseconds patience = long_enough) {
  try {
    Process process(command, {});
    for (int n = 0; n < lines; ++n) process.ask("hello\n", patience);
  } catch (const NoAnswer& none) {
    return none;
  }
  return {"it answers"};
}

TEST(Process, AnswersLineByLine) {
  Process process("cat", {});
  EXPECT_EQ(process.ask("one\n", long_enough), "one");
  EXPECT_EQ(process.ask("\n", long_enough), "");
  EXPECT_EQ(process.ask("two\n", long_enough), "two");
}

// More than a pipe holds, in and out.
TEST(Process, TakesLongLines) {
  Process process("while read -r line; do echo \"$line$line\"; done", {});
  const std::string line(50'000, 'x');
  EXPECT_EQ(process.ask(line + "\n", long_enough), line + line);
}

TEST(Process, SaysHowItEnded) {
  EXPECT_THAT(none_of("exit 3").why, HasSubstr("ended with exit status 3"));
  EXPECT_THAT(none_of("read line; echo $line; exit 4", 2).why, HasSubstr("exit status 4"));
  EXPECT_THAT(none_of("kill -9 $$").why, HasSubstr("signal 9"));
  EXPECT_THAT(none_of("echo the last words >&2; exit 1").why,
              HasSubstr("exit status 1: the last words"));
  EXPECT_THAT(none_of("head -n 1", 2).why, HasSubstr("exit status 0"));
  // Part of a line is no answer.
  EXPECT_THAT(none_of("read line; printf half").why, HasSubstr("exit status 0"));
}

TEST(Process, SaysWhatTheShellCouldNotRun) {
  EXPECT_TRUE(none_of("no-such-command-anywhere").never_ran);
  EXPECT_TRUE(none_of("/dev/null").never_ran);
  EXPECT_FALSE(none_of("exit 1").never_ran);
}

TEST(Process, SaysThatItHangs) {
  EXPECT_THAT(none_of("sleep 100", 1, a_moment).why, HasSubstr("no answer within 0.2 s"));
  // It has closed its standard error, which says nothing.
  EXPECT_THAT(none_of("exec 2>&-; sleep 100", 1, a_moment).why, HasSubstr("no answer within"));
  EXPECT_THAT(none_of("read line; printf half; sleep 100", 1, a_moment).why,
              HasSubstr("no answer within"));
  EXPECT_THAT(none_of("exec 1>&-; sleep 100").why, HasSubstr("lives on"));
  EXPECT_THAT(none_of("tr -d '\\n' < /dev/zero").why, HasSubstr("without a line end"));
}

TEST(Process, TakesWithItWhatItHasStarted) {
  const std::string mark = ::testing::TempDir() + "process_test_alive";
  {
    Process process("(while :; do date +%s%N > '" + mark + "'; sleep 0.01; done) & cat", {});
    process.ask("hello\n", long_enough);
  }
  const auto content = [&] {
    Process cat("read line; echo \"$(cat '" + mark + "' 2>/dev/null)\"", {});
    return cat.ask("\n", long_enough);
  };
  const auto before = content();
  Process("sleep 0.3; cat", {}).ask("\n", long_enough);
  EXPECT_EQ(content(), before);
}

TEST(Process, CanBeInterruptedWhileItIsWaitedFor) {
  int asked = 0;
  Process process("sleep 100", [&] { return ++asked > 2; });
  EXPECT_THROW(process.ask("hello\n", long_enough), Interrupted);
}

}  // namespace
}  // namespace holdfast::verify::diff::exec
