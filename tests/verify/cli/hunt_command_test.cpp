// A command alone: its engine only notes what it was asked, and returns what the test wants told.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/cli/fake_engines.hpp"
#include "tests/verify/report/sample_report.hpp"

namespace holdfast::verify::cli {
namespace {

using ::testing::HasSubstr;

HuntOptions& asked_of_hunt() {
  static HuntOptions options;
  return options;
}

}  // namespace

report::Report run_hunt(const HuntOptions& options, report::StatusLine&) {
  asked_of_hunt() = options;
  return answer("hunt");
}

namespace {

class HuntCommand : public ::testing::Test {
 protected:
  void SetUp() override { asked() = Asked{}; }
};

// A word that is stored elsewhere, or nowhere, would leave its option at the default.
TEST_F(HuntCommand, PassesEveryOptionOn) {
  EXPECT_EQ(run({"hunt", "--time", "5", "--seed", "3", "--sizes", "requests=2", "--scenarios",
                 "dir", "--jobs", "1"})
                .status,
            0);
  EXPECT_EQ(asked_of_hunt().profile, "holdfast");
  EXPECT_EQ(asked_of_hunt().seconds, 5);
  EXPECT_EQ(asked_of_hunt().scripts, 0);
  EXPECT_EQ(asked_of_hunt().seed, 3U);
  EXPECT_EQ(asked_of_hunt().sizes, "requests=2");
  EXPECT_EQ(asked_of_hunt().scenarios, "dir");
  EXPECT_EQ(asked_of_hunt().jobs, 1U);
  EXPECT_EQ(run({"hunt", "--profile", "stale-notice", "--property", "same-size", "--scripts",
                 "9223372036854775807"})
                .status,
            0);
  EXPECT_EQ(asked_of_hunt().profile, "stale-notice");
  EXPECT_EQ(asked_of_hunt().property, "same-size");
  EXPECT_EQ(asked_of_hunt().scripts, INT64_MAX);
}

TEST_F(HuntCommand, NeedsAFolderForItsScenarios) {
  EXPECT_EQ(run({"hunt", "--scenarios", ""}).status, 2);
  EXPECT_EQ(asked().calls, 0);
}

// A finding that one format forgets would be a green build.
TEST_F(HuntCommand, TellsFindingsInEveryFormat) {
  asked().answer.results = {report::a_hunt(), report::a_finding()};
  const Ran table = run({"hunt"});
  EXPECT_EQ(table.status, 1);
  EXPECT_THAT(table.out, HasSubstr("1 finding"));
  const Ran json = run({"hunt", "--format", "json"});
  EXPECT_EQ(json.status, 1);
  EXPECT_THAT(json.out, HasSubstr(R"({"kind":"finding","profile":"vllm-0.33.0")"));
  const Ran junit = run({"hunt", "--format", "junit"});
  EXPECT_EQ(junit.status, 1);
  EXPECT_THAT(junit.out, HasSubstr(R"(<failure message="vllm-0.33.0 breaks progress)"));
}

}  // namespace
}  // namespace holdfast::verify::cli
