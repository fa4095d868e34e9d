// Implementations in another language: one that is right, and others that are wrong in their own
// ways, each of which must be seen.
#include "verify/diff/exec/command.hpp"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/base/errors.hpp"
#include "verify/diff/diff.hpp"
#include "verify/diff/difference_result.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::diff::exec {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string dict_cache = "python3 '" HOLDFAST_TEST_DATA "/conformance/dict_cache.py'";

Options options_for(const std::string& command, double shrinking_seconds = 1) {
  Options options;
  options.bounds = hunt::Bounds("encoder_decoder=0");
  options.implementation = make_command(
      {.command = command, .answer_time = std::chrono::seconds(20), .interrupted = {}});
  options.seed = 1;
  options.steps = 200'000;
  options.shrinking_seconds = shrinking_seconds;
  return options;
}

Compared compared(const std::string& command) { return compare(options_for(command)); }

TEST(Command, ThatDoesWhatTheModelDoesAgrees) {
  const auto result = compared(dict_cache);
  EXPECT_FALSE(result.difference) << result.difference->what;
  EXPECT_THAT(result.broken, IsEmpty());
  EXPECT_GE(result.steps, 200'000U);
  EXPECT_GT(result.events, 100'000U);
}

// vLLM's first fault of this kind, found and made small.
TEST(Command, ThatTellsAStaleNoticeIsFound) {
  auto options = options_for(dict_cache + " --stale", 20);
  options.steps = 2'000'000;
  const auto result = compare(options);
  ASSERT_TRUE(result.difference);
  EXPECT_THAT(result.difference->what, HasSubstr("take_freed"));
  EXPECT_THAT(result.difference->what, HasSubstr("hashes: model "));
  EXPECT_TRUE(result.difference->repeats);
  // Two entries take turns in a cache for one: two passes of eight calls each, and what a machine
  // that is busy does not get rid of in time.
  EXPECT_LT(result.difference->asked.size(), 80U);

  // What was asked is a file that anybody can give to the command again.
  const auto files = files_in(::testing::TempDir() + "exec", true);
  report::DiffResult told;
  tell(*result.difference, files, told);
  std::ifstream asked(told.asked);
  std::size_t lines = 0;
  for (std::string line; std::getline(asked, line); ++lines)
    EXPECT_EQ(line + "\n", result.difference->asked.at(lines));
  EXPECT_EQ(lines, result.difference->asked.size());
  EXPECT_EQ(replay::replay(told.scenario, spec::Profile{}).status, report::ReplayStatus::conforms);
}

/// The dict cache with one line of it changed.
std::string with(const std::string& line, const std::string& other) {
  return "python3 -c \"import sys; t = open('" HOLDFAST_TEST_DATA
         "/conformance/dict_cache.py').read(); assert t.count('" +
         line + "') == 1; exec(t.replace('" + line + "', '" + other + "'))\"";
}

struct Wrong {
  const char* name;
  const char* line;
  const char* other;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongCommand : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongCommand, IsSeen) {
  // An order is taken back where the more urgent lacks KV blocks: seldom.
  auto options = options_for(with(GetParam().line, GetParam().other));
  options.steps = 3'000'000;
  const auto result = compare(options);
  RecordProperty("steps", std::to_string(result.steps));
  ASSERT_TRUE(result.difference) << result.steps << " small steps";
  EXPECT_THAT(result.difference->what, HasSubstr("implementation"));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongCommand,
    ::testing::Values(
        Wrong{"OccurrencesAreNotCounted",
              "self.users[h].discard((e[\\\"request\\\"], e[\\\"input\\\"]))",
              "self.users[h] -= {(e[\\\"request\\\"], i) for i in range(9)}"},
        Wrong{"NewestIsEvicted", "next(iter(self.unused))", "list(self.unused)[-1]"},
        Wrong{"CacheIsOneTooSmall", "needs > self.reclaimable", "needs >= self.reclaimable"},
        Wrong{"ComputeBudgetIsIgnored", "embeds > e[\\\"compute_budget\\\"] or needs", "needs"},
        Wrong{"PromisesAreForgotten", "embeds + e[\\\"scheduled_embeds\\\"]", "embeds"},
        Wrong{"OrdersStayOverPasses", "self.ordered = set()\\n\\n    def reset",
              "pass\\n\\n    def reset"},
        Wrong{"OrdersAreNotWithdrawn", "if h in self.ordered:", "if False:"},
        Wrong{"NoNotices", "told = [h for", "told = [] and [h for"},
        Wrong{"HitStaysFreeable", "self.reclaimable -= self.unused.pop(h)", "pass"},
        Wrong{"ResetForgetsNothing", "self.__init__(self.capacity)", "pass"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Command, ThatAnswersNothingIsSeen) {
  const auto result = compared("while read -r line; do echo '{}'; done");
  ASSERT_TRUE(result.difference);
  EXPECT_THAT(result.difference->what, HasSubstr("missing; the model says"));
}

/// Forty lines of dict_cache.py, in whichever run, and then that.
std::string forty_lines_and(const std::string& then) {
  return "python3 -c \"import sys; n = 0\n"
         "class Input:\n"
         "    def __iter__(self):\n"
         "        for n, line in enumerate(sys.__stdin__):\n"
         "            if n == 40:\n"
         "                " +
         then +
         "\n"
         "            yield line\n"
         "sys.stdin = Input()\n"
         "import time, os\n"
         "exec(open('" HOLDFAST_TEST_DATA "/conformance/dict_cache.py').read())\"";
}

TEST(Command, ThatEndsIsReportedWithItsScript) {
  const auto result = compared(forty_lines_and("sys.exit(5)"));
  ASSERT_TRUE(result.difference);
  EXPECT_THAT(result.difference->what, HasSubstr("it has ended with exit status 5"));
  EXPECT_THAT(result.difference->story.events, Not(IsEmpty()));
  EXPECT_THAT(compared(forty_lines_and("os.abort()")).difference->what, HasSubstr("signal 6"));
}

// While it is made smaller nobody waits the full time for each script; the last word has it.
TEST(Command, ThatHangsIsReportedWithItsScript) {
  auto options = options_for(forty_lines_and("time.sleep(1000)"));
  options.implementation = make_command({.command = forty_lines_and("time.sleep(1000)"),
                                         .answer_time = std::chrono::seconds(2),
                                         .interrupted = {}});
  const auto result = compare(options);
  ASSERT_TRUE(result.difference);
  EXPECT_THAT(result.difference->what, HasSubstr("no answer within 2 s"));
}

// A fault that comes of runs before is none of the script that it was seen in.
TEST(Command, WhoseFaultDependsOnRunsBeforeIsToldSo) {
  const auto result = compared(with("cache = DictCache(event[\\\"capacity\\\"])",
                                    "runs = globals().get(chr(110), 0) + 1; n = runs; cache = "
                                    "DictCache(event[\\\"capacity\\\"] + (runs > 50))"));
  ASSERT_TRUE(result.difference);
  EXPECT_FALSE(result.difference->repeats);
  EXPECT_THAT(result.difference->asked, Not(IsEmpty()));
}

TEST(Command, ThatCannotBeRunIsBadInput) {
  EXPECT_THROW(compared("no-such-command-anywhere"), InputError);
}

TEST(Command, EndsWhereAPersonInterruptsTheWait) {
  Options options = options_for("");
  options.implementation = make_command({.command = "sleep 1000",
                                         .answer_time = std::chrono::seconds(1000),
                                         .interrupted = [] { return true; }});
  const auto result = compare(options);
  EXPECT_FALSE(result.difference);
  EXPECT_EQ(result.scripts, 0U);
}

}  // namespace
}  // namespace holdfast::verify::diff::exec
