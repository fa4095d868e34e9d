#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/verify/cli/fake_engines.hpp"
#include "tests/verify/report/sample_report.hpp"
#include "verify/base/errors.hpp"

namespace holdfast::verify::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CommandLine : public ::testing::Test {
 protected:
  void SetUp() override { asked() = Asked{}; }

  static void expect_bad_input(std::vector<const char*> words, const std::string& message) {
    const std::string line = fmt::format("holdfast {}", fmt::join(words, " "));
    const Ran ran = run(std::move(words));
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_EQ(ran.err, "holdfast: " + message + "\n") << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(asked().calls, 0) << line;
  }
};

TEST_F(CommandLine, HelpAndVersionSucceed) {
  EXPECT_EQ(run({"--help"}).status, 0);
  EXPECT_EQ(run({"prove", "--help"}).status, 0);
  const Ran version = run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("holdfast 0."));
  EXPECT_THAT(version.out, HasSubstr("z3 0.0.0"));
}

TEST_F(CommandLine, PassesOptionsOn) {
  EXPECT_EQ(run({"prove", "--profile", "stale-notice", "--property", "exact-slots", "--rule",
                 "allocate", "--seed", "7", "--timeout", "1000", "--jobs", "2", "--all-lemmas"})
                .status,
            0);
  EXPECT_EQ(asked().prove.profile, "stale-notice");
  EXPECT_EQ(asked().prove.property, "exact-slots");
  EXPECT_EQ(asked().prove.rule, "allocate");
  EXPECT_EQ(asked().prove.seed, 7U);
  EXPECT_EQ(asked().prove.timeout_ms, 1000U);
  EXPECT_EQ(asked().prove.jobs, 2U);
  EXPECT_TRUE(asked().prove.all_lemmas);
  EXPECT_FALSE(asked().prove.learn);

  EXPECT_EQ(run({"explore", "--requests", "3", "--lookahead", "1", "--no-symmetry"}).status, 0);
  EXPECT_EQ(asked().explore.requests, 3);
  EXPECT_EQ(asked().explore.lookahead, 1);
  EXPECT_FALSE(asked().explore.symmetry);
  EXPECT_EQ(run({"explore", "--token-budget", "3", "--hits", "1", "--span", "2", "--overlap", "1",
                 "--whole-items"})
                .status,
            0);
  EXPECT_EQ(asked().explore.token_budget, 3);
  EXPECT_EQ(asked().explore.overlap, 1);
  EXPECT_TRUE(asked().explore.whole_items);
  EXPECT_FALSE(asked().explore.ranked);

  EXPECT_EQ(run({"replay", "a.jsonl", "b.jsonl"}).status, 0);
  EXPECT_EQ(asked().replay.files.size(), 2U);
  EXPECT_EQ(asked().replay.against, "model");
  EXPECT_EQ(run({"replay", "a.jsonl", "--against", "impl"}).status, 0);
  EXPECT_EQ(asked().replay.against, "impl");

  EXPECT_EQ(run({"ablate", "release=optimistic"}).status, 0);
  EXPECT_EQ(asked().ablate.guard, "release=optimistic");
}

TEST_F(CommandLine, DefaultsAreTheOptionsOwn) {
  EXPECT_EQ(run({"prove"}).status, 0);
  EXPECT_EQ(asked().prove.profile, "holdfast");
  EXPECT_EQ(asked().prove.timeout_ms, ProveOptions{}.timeout_ms);
  EXPECT_GE(asked().prove.jobs, 1U);
  EXPECT_EQ(run({"explore"}).status, 0);
  EXPECT_EQ(asked().explore.requests, ExploreOptions{}.requests);
  EXPECT_TRUE(asked().explore.symmetry);
}

TEST_F(CommandLine, LearnTakesAFileOrNone) {
  EXPECT_EQ(run({"prove", "--learn"}).status, 0);
  EXPECT_TRUE(asked().prove.learn);
  EXPECT_EQ(asked().prove.plan, "");
  EXPECT_EQ(run({"prove", "--learn", "plan.txt"}).status, 0);
  EXPECT_TRUE(asked().prove.learn);
  EXPECT_EQ(asked().prove.plan, "plan.txt");
}

TEST_F(CommandLine, RefuteAllIsNoFault) {
  EXPECT_EQ(run({"refute", "all", "--bmc"}).status, 0);
  EXPECT_EQ(asked().refute.fault, "");
  EXPECT_TRUE(asked().refute.bmc);
  EXPECT_EQ(run({"refute", "stale-notice"}).status, 0);
  EXPECT_EQ(asked().refute.fault, "stale-notice");
}

TEST_F(CommandLine, SuggestsTheNearestName) {
  expect_bad_input({"refute", "stale-notic"},
                   "FAULT: unknown fault 'stale-notic'; did you mean 'stale-notice'?");
  expect_bad_input({"prove", "--property", "exact-slot"},
                   "--property: unknown property 'exact-slot'; did you mean 'exact-slots'?");
  expect_bad_input({"replay", "a", "--profile", "holdfst"},
                   "--profile: unknown profile 'holdfst'; did you mean 'holdfast'?");
  expect_bad_input(
      {"prove", "--profile", "release=optimistc"},
      "--profile: unknown guard 'release=optimistc'; did you mean 'release=optimistic'?");
  expect_bad_input({"list", "fauts"}, "WHAT: unknown list 'fauts'; did you mean 'faults'?");
  expect_bad_input({"proof"}, "unknown command 'proof'; did you mean 'prove'?");
  expect_bad_input({"prove", "--format", "jsn"},
                   "--format: unknown format 'jsn'; did you mean 'json'?");
}

TEST_F(CommandLine, AProfileMayBeGuardsInAnotherWay) {
  for (const char* profile : {"release=optimistic", "notice=never,release=optimistic"}) {
    EXPECT_EQ(run({"prove", "--profile", profile}).status, 0) << profile;
    EXPECT_EQ(asked().prove.profile, profile);
  }
  for (const char* profile :
       {"", ",", "=", "holdfast,notice=never", "notice=never,,release=optimistic",
        "notice=never,nothing=at-all", "notice=never,", "notice=never,notice=never"})
    EXPECT_EQ(run({"prove", "--profile", profile}).status, 2) << profile;
}

TEST_F(CommandLine, RefusesNumbersOutOfBounds) {
  const std::string message = "--requests: '{}' is not a whole number from 1 to 4";
  for (const char* number :
       {"0", "-1", "9", "9223372036854775808", "2.5", "0x2", "two", " 2", "+2"}) {
    expect_bad_input({"explore", "--requests", number}, fmt::format(fmt::runtime(message), number));
  }
  expect_bad_input({"prove", "--timeout", "0"},
                   "--timeout: '0' is not a whole number from 1 to 3600000");
}

TEST_F(CommandLine, UsageErrorsAreBadInput) {
  EXPECT_EQ(run({}).status, 2);
  EXPECT_EQ(run({"--no-such-option"}).status, 2);
  EXPECT_EQ(run({"prove", "--no-such-option"}).status, 2);
  EXPECT_EQ(run({"prove", "extra"}).status, 2);
  EXPECT_EQ(run({"replay"}).status, 2);
  EXPECT_EQ(run({"replay", "a", "--against", "vllm"}).status, 2);
  EXPECT_EQ(run({"refute"}).status, 2);
  EXPECT_EQ(run({"prove", "--all-lemmas", "--learn"}).status, 2);
  EXPECT_EQ(run({"replay", "a", "--format", "junit"}).status, 2);
  EXPECT_EQ(asked().calls, 0);
}

TEST_F(CommandLine, StatusFollowsTheReport) {
  asked().answer.results = {a_proof(report::ProofStatus::failed)};
  EXPECT_EQ(run({"prove"}).status, 1);
  asked().answer.results = {a_proof(report::ProofStatus::unknown)};
  EXPECT_EQ(run({"check"}).status, 3);
}

TEST_F(CommandLine, StatusFollowsTheException) {
  asked().thrown = std::make_exception_ptr(InputError("a.jsonl", 3, "no such event"));
  Ran ran = run({"replay", "a.jsonl"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "holdfast: a.jsonl:3: no such event\n");
  asked().thrown = std::make_exception_ptr(std::runtime_error("out of luck"));
  ran = run({"check"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err, "holdfast: out of luck\n");
}

TEST_F(CommandLine, WritesTheOutputFileWholeOrNotAtAll) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("holdfast-cli-{}", ::getpid());
  fs::create_directories(folder);
  const fs::path file = folder / "out.json";
  EXPECT_EQ(run({"check", "--format", "json", "--output", file.c_str()}).status, 0);
  std::ifstream in(file);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(in), {}), StartsWith("{\n\"holdfast\""));

  const auto written = fs::file_size(file);
  asked().thrown = std::make_exception_ptr(InputError("no"));
  EXPECT_EQ(run({"check", "--output", file.c_str()}).status, 2);
  EXPECT_EQ(fs::file_size(file), written);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);

  asked() = Asked{};
  EXPECT_EQ(run({"check", "--output", (folder / "no" / "f").c_str()}).status, 2);
  EXPECT_EQ(asked().calls, 0);  // found before the work
  fs::remove_all(folder);
}

TEST_F(CommandLine, ListsNames) {
  EXPECT_EQ(run({"list", "properties"}).out, "exact-slots  sums\nsame-size    one size\n");
  EXPECT_THAT(run({"list", "faults", "--format", "json"}).out,
              HasSubstr(R"("name": "stale-notice")"));
}

TEST_F(CommandLine, PrintsTheBook) { EXPECT_EQ(run({"spec"}).out, "# The book\n"); }

}  // namespace
}  // namespace holdfast::verify::cli
