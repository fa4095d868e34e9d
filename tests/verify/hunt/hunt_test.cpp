// Hunts as people run them, but ended by a number of scripts and not by a clock.
#include "verify/hunt/hunt.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "spec/profiles/releases.hpp"
#include "tests/verify/hunt/scripts.hpp"
#include "verify/hunt/finding_result.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::hunt {
namespace {

std::uint64_t seed() {
  const char* text = std::getenv("HOLDFAST_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

Options options_for(const spec::Profile& profile, std::uint64_t scripts) {
  Options options;
  options.profile = profile;
  options.seed = seed();
  options.scripts = scripts;
  return options;
}

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::temp_directory_path() /
         ("holdfast-hunt-" + std::to_string(::getpid()) + "-" + name);
}

class EachFault : public testing::TestWithParam<spec::Fault> {};

TEST_P(EachFault, IsFoundByItsOwnPropertyAndReplays) {
  const auto& fault = GetParam();
  SCOPED_TRACE("HOLDFAST_SEED=" + std::to_string(seed()));
  auto options = options_for(fault.profile, 5'000'000);
  options.property = fault.property;
  std::atomic<std::uint64_t> found = 0;
  options.on_scripts = [&](std::uint64_t, std::uint64_t findings) { found = findings; };
  options.stops = [&] { return found > 0; };
  const auto hunted = hunt(options);
  ASSERT_EQ(hunted.findings.size(), 1U);
  const auto& finding = hunted.findings.front();
  EXPECT_EQ(finding.property, fault.property);
  EXPECT_EQ(finding.cause.variants.size(), 1U);
  const auto file = scratch(std::string(fault.profile.name) + ".jsonl");
  const auto result = result_of(finding, fault.profile, file);
  EXPECT_EQ(result.unconfirmed, "");
  EXPECT_GT(result.steps, 0U);
  EXPECT_FALSE(result.trace.empty());
  const auto again = replay::replay(file.string(), fault.profile);
  EXPECT_EQ(again.status, report::ReplayStatus::diverges);
  EXPECT_EQ(again.property, fault.property);
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Hunt, EachFault, testing::ValuesIn(spec::faults), [](const auto& test) {
  std::string name(test.param.profile.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Hunt, FindsNothingInHoldfast) {
  SCOPED_TRACE("HOLDFAST_SEED=" + std::to_string(seed()));
  const auto hunted = hunt(options_for(spec::Profile{}, 250'000));
  EXPECT_EQ(hunted.findings.size(), 0U);
  EXPECT_GE(hunted.exhausted, 5);
  EXPECT_EQ(hunted.given_up, 0U);
}

// It has no end of its own: a thread that failed alone would leave the others hunting for ever.
TEST(Hunt, EndsWhereOneThreadFails) {
  auto options = options_for(spec::Profile{}, 0);
  options.jobs = 2;
  std::atomic<bool> has_failed = false;
  options.on_scripts = [&](std::uint64_t, std::uint64_t) {
    if (!has_failed.exchange(true)) throw std::runtime_error("no more");
  };
  EXPECT_THROW(hunt(options), std::runtime_error);
}

TEST(Hunt, IsTheSameForASeed) {
  const auto options = options_for(spec::vllm_0_33_0, 130'000);
  const auto one = hunt(options), same = hunt(options);
  EXPECT_EQ(one.steps, same.steps);
  ASSERT_EQ(one.findings.size(), same.findings.size());
  for (std::size_t n = 0; n < one.findings.size(); ++n) {
    EXPECT_EQ(one.findings[n].property, same.findings[n].property);
    EXPECT_EQ(one.findings[n].genes, same.findings[n].genes);
  }
}

TEST(Hunt, TellsCausesOfARelease) {
  SCOPED_TRACE("HOLDFAST_SEED=" + std::to_string(seed()));
  const auto hunted = hunt(options_for(spec::vllm_0_33_0, 150'000));
  const auto has = [&](std::string_view property, std::string_view guard) {
    return std::any_of(hunted.findings.begin(), hunted.findings.end(), [&](const Finding& f) {
      return f.property == property && f.cause.variants.size() == 1 &&
             f.cause.variants[0]->guard == guard;
    });
  };
  EXPECT_TRUE(has("progress", "whole-items"));
  EXPECT_TRUE(has("progress", "groups"));
  EXPECT_TRUE(has("progress", "tail"));
  EXPECT_TRUE(has("whole-items", "tail"));
  EXPECT_TRUE(has("no-hold-and-wait", "undone"));
  for (const auto& a : hunted.findings)
    EXPECT_EQ(std::count_if(hunted.findings.begin(), hunted.findings.end(),
                            [&](const Finding& b) {
                              return a.property == b.property &&
                                     a.cause.variants == b.cause.variants;
                            }),
              1);
}

TEST(Hunt, LooksForOnePropertyAlone) {
  auto options = options_for(spec::vllm_0_33_0, 20'000);
  options.property = "whole-items";
  for (const auto& f : hunt(options).findings) EXPECT_EQ(f.property, "whole-items");
}

TEST(Hunt, SharesTheWork) {
  // Which scripts are tried depends on the threads' timing: a fault that most scripts show.
  auto options = options_for(*spec::find_profile("abort-keeps-references"), 40'000);
  options.jobs = 3;
  const auto hunted = hunt(options);
  EXPECT_GE(hunted.scripts, 30'000U);
  EXPECT_FALSE(hunted.findings.empty());
}

TEST(Scenario, DrivesAndSaysNothingElse) {
  Finding finding{"progress", {}, one_at_a_time()};
  const auto profile = *spec::find_profile("hold-past-end");
  finding.cause = *cause_of(script_of(finding.genes), profile, "progress");
  const auto file = scratch("one.jsonl");
  const auto result = result_of(finding, profile, file);
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("\"source\":\"holdfast hunt hold-past-end progress\""), std::string::npos)
      << text;
  EXPECT_EQ(text.find("\"hit\""), std::string::npos);
  EXPECT_EQ(result.unconfirmed, "");
  EXPECT_EQ(result.configuration,
            (std::map<std::string, std::int64_t>{{"capacity", 1}, {"lookahead", 1}}));
  EXPECT_EQ(replay::replay(file.string(), spec::Profile{}).status, report::ReplayStatus::conforms);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace holdfast::verify::hunt
