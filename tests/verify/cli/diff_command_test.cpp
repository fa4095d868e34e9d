// A command alone: its engine only notes what it was asked, and returns what the test wants told.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/cli/fake_engines.hpp"
#include "verify/report/diff_result.hpp"
#include "verify/report/exhaustion_result.hpp"

namespace holdfast::verify::cli {
namespace {

using ::testing::HasSubstr;

DiffOptions& asked_of_diff() {
  static DiffOptions options;
  return options;
}

}  // namespace

report::Report run_diff(const DiffOptions& options, report::StatusLine&) {
  asked_of_diff() = options;
  return answer("diff");
}

namespace {

class DiffCommand : public ::testing::Test {
 protected:
  void SetUp() override { asked() = Asked{}; }
};

// A word that is stored elsewhere, or nowhere, would leave its option at the default.
TEST_F(DiffCommand, PassesEveryOptionOn) {
  EXPECT_EQ(run({"diff", "--time", "5", "--seed", "3", "--steps", "7", "--sizes", "requests=2",
                 "--against", "exec:python3 cache.py", "--answer-time", "20", "--scenarios", "dir",
                 "--jobs", "1"})
                .status,
            0);
  EXPECT_EQ(asked_of_diff().seconds, 5);
  EXPECT_EQ(asked_of_diff().seed, 3U);
  EXPECT_EQ(asked_of_diff().steps, 7);
  EXPECT_EQ(asked_of_diff().sizes, "requests=2");
  EXPECT_EQ(asked_of_diff().against, "exec:python3 cache.py");
  EXPECT_EQ(asked_of_diff().answer_seconds, 20);
  EXPECT_EQ(asked_of_diff().scenarios, "dir");
  EXPECT_EQ(asked_of_diff().jobs, 1U);
  EXPECT_FALSE(asked_of_diff().exhaustive);
  EXPECT_EQ(run({"diff", "--exhaustive", "--against", "impl"}).status, 0);
  EXPECT_EQ(asked_of_diff().against, "impl");
  EXPECT_TRUE(asked_of_diff().exhaustive);
}

TEST_F(DiffCommand, RefusesWhatItDoesNotKnow) {
  const Ran other = run({"diff", "--against", "imply"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("did you mean 'impl'"));
  for (const char* nothing : {"exec:", "exec:  "}) {
    const Ran ran = run({"diff", "--against", nothing});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("lacks its COMMAND"));
  }
  EXPECT_EQ(run({"diff", "--answer-time", "0"}).status, 2);
  EXPECT_EQ(run({"diff", "--scenarios", ""}).status, 2);
  EXPECT_EQ(run({"diff", "--steps", "-1"}).status, 2);
  EXPECT_EQ(asked().calls, 0);
}

report::DiffResult a_comparison() {
  report::DiffResult result;
  result.against = "impl";
  result.seed = 3;
  result.scripts = 10;
  result.passes = 200;
  result.steps = 3000;
  result.events = 400;
  result.seconds = 0.5;
  return result;
}

TEST_F(DiffCommand, IsGreenWhereTheTwoAgree) {
  asked().answer.results = {a_comparison()};
  const Ran table = run({"diff"});
  EXPECT_EQ(table.status, 0);
  EXPECT_THAT(table.out, HasSubstr("1 comparison without a difference"));
  const Ran json = run({"diff", "--format", "json"});
  EXPECT_THAT(
      json.out,
      HasSubstr(
          R"({"kind":"diff","against":"impl","seed":3,"scripts":10,)"
          R"("passes":200,"steps":3000,"encoder_decoder_steps":0,"events":400,"status":"agrees",)"));
}

// A difference that one format forgets would be a green build.
TEST_F(DiffCommand, TellsADifferenceInEveryFormat) {
  auto result = a_comparison();
  result.status = report::DiffStatus::differs;
  result.step = 12;
  result.scenario = "dir/diff-impl.jsonl";
  result.what = "free: model 3, implementation 4";
  asked().answer.results = {result};
  const Ran table = run({"diff"});
  EXPECT_EQ(table.status, 1);
  EXPECT_THAT(table.out, HasSubstr("1 difference"));
  EXPECT_THAT(table.out, HasSubstr("free: model 3, implementation 4"));
  const Ran json = run({"diff", "--format", "json"});
  EXPECT_EQ(json.status, 1);
  EXPECT_THAT(
      json.out,
      HasSubstr(R"("status":"differs","step":12,"repeats":true,"scenario":"dir/diff-impl.jsonl")"));
  const Ran junit = run({"diff", "--format", "junit"});
  EXPECT_EQ(junit.status, 1);
  EXPECT_THAT(junit.out,
              HasSubstr(R"(<failure message="impl parts from the model after 12 small steps)"));
}

// An interrupt before the first event is no agreement.
TEST_F(DiffCommand, IsUndecidedWhereNothingWasCompared) {
  auto result = a_comparison();
  result.status = report::DiffStatus::unknown;
  result.events = 0;
  asked().answer.results = {result};
  const Ran table = run({"diff"});
  EXPECT_EQ(table.status, 3);
  EXPECT_THAT(table.out, HasSubstr("nothing was compared"));
  const Ran json = run({"diff", "--format", "json"});
  EXPECT_EQ(json.status, 3);
  EXPECT_THAT(json.out, HasSubstr(R"("status":"unknown")"));
  EXPECT_THAT(run({"diff", "--format", "junit"}).out, HasSubstr("nothing was compared"));
}

report::ExhaustionResult all_states(report::DiffStatus status) {
  report::ExhaustionResult result;
  result.sizes = "drafts";
  result.workloads = 6;
  result.states = 30'303;
  result.events = 124'965;
  result.status = status;
  if (status == report::DiffStatus::differs) {
    result.what = "free: model 1, implementation 0";
    result.way = {"add r0", "a pass"};
  }
  return result;
}

TEST_F(DiffCommand, TellsWhatCameOfEveryState) {
  using enum report::DiffStatus;
  asked().answer.results = {all_states(agrees)};
  const Ran green = run({"diff", "--exhaustive"});
  EXPECT_EQ(green.status, 0);
  EXPECT_THAT(green.out, HasSubstr("30,303"));
  EXPECT_THAT(green.out, HasSubstr("1 size gone through without a difference"));
  asked().answer.results = {all_states(agrees), all_states(differs)};
  const Ran red = run({"diff", "--exhaustive"});
  EXPECT_EQ(red.status, 1);
  EXPECT_THAT(red.out, HasSubstr("parts from the model after 2 events"));
  EXPECT_THAT(red.out, HasSubstr("add r0"));
  const Ran json = run({"diff", "--exhaustive", "--format", "json"});
  EXPECT_THAT(json.out, HasSubstr(R"("kind":"exhaustion")"));
  EXPECT_THAT(json.out, HasSubstr(R"("status":"differs")"));
  asked().answer.results = {all_states(unknown)};
  EXPECT_EQ(run({"diff", "--exhaustive"}).status, 3);
}

}  // namespace
}  // namespace holdfast::verify::cli
