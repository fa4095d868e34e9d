// Runs as scenarios: replayed they end as the run ends.
#include "verify/replay/driven/scenario.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "tests/verify/replay/driven/stories.hpp"
#include "tests/verify/replay/replay_fixture.hpp"
#include "verify/explore/workloads.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::replay::inline driven {
namespace {

using ::testing::HasSubstr;

class StoryTest : public ::testing::TestWithParam<Story> {
 protected:
  const spec::Fault& fault() const { return *spec::find_fault(GetParam().fault); }
};

TEST_P(StoryTest, BreaksTheFaultsPropertyAtItsEnd) {
  const auto text = scenario_text(run_of(GetParam()), fault().profile);
  const auto result = replay_text(text, GetParam().fault);
  EXPECT_EQ(result.status, report::ReplayStatus::diverges) << text;
  EXPECT_EQ(result.property, fault().property);
  EXPECT_EQ(result.declined, 0U);
  const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  EXPECT_GE(result.line + 1, lines) << text;
}

TEST_P(StoryTest, RunsWithoutAViolationUnderHoldfast) {
  expect_conforms(replay_text(scenario_text(run_of(GetParam()), fault().profile)));
}

TEST_P(StoryTest, SaysWhereItComesFrom) {
  const auto events = scenario_of(run_of(GetParam()), fault().profile);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(std::get<trace::Header>(events.front()).source,
            "holdfast refute " + std::string(GetParam().fault));
}

INSTANTIATE_TEST_SUITE_P(EachFault, StoryTest, ::testing::ValuesIn(stories()),
                         [](const auto& test) {
                           std::string name(test.param.fault);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(StoriesTest, EveryFaultHasOne) {
  for (const auto& fault : spec::faults)
    EXPECT_EQ(std::ranges::count(stories(), fault.profile.name, &Story::fault), 1)
        << "tests/verify/replay/driven/stories.hpp has no story of " << fault.profile.name;
}

/// Nothing is there to be named where it is broken.
bool is_bare(std::string_view property) {
  return property == spec::Progress::info.name || property == spec::ExactPlaceholders::info.name;
}

TEST(StoriesTest, WhatIsBrokenIsSaidInWords) {
  const auto expect_words = [](std::string_view property, const explore::Run& run,
                               const spec::Profile& profile) {
    const trace::TemporaryFile file(scenario_text(run, profile));
    Options options;
    options.property = property;
    const auto result = replay(file.path(), profile, options);
    EXPECT_EQ(result.property, property);
    EXPECT_TRUE(is_bare(property) || result.observed != "it does not hold")
        << "verify/replay/violation.cpp has no words for " << property;
  };
  for (const auto& story : stories())
    if (const auto* fault = spec::find_fault(story.fault))
      expect_words(fault->property, run_of(story), fault->profile);
  for (const auto& mutant : spec::mutants) {
    auto options = explore::options_for({.capacity = 1}, mutant.profile);
    options.property = mutant.property;
    expect_words(mutant.property, *explore::explore(options).counterexample, mutant.profile);
  }
}

TEST(ScenarioTest, RuleThatCannotBeTakenIsNamed) {
  const verify::explore::Run run{{.requests = {{1, 2, {}}}}, {{"add", {0}}, {"add", {0}}}};
  try {
    scenario_of(run, {});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("step 2, add"));
  }
}

TEST(ScenarioTest, MoreSlotsThanPositionsMultiplyThePositions) {
  const verify::explore::Run run{
      {.capacity = 3, .encoder_budget = 3, .requests = {{2, 3, {{0, 1, 3, 0}, {1, 2, 3, 0}}}}},
      {{"add", {0}},
       {"begin_pass", {}},
       {"plan", {0, 1, 0}},
       {"order", {}},
       {"skip", {}},
       {"allocate", {0}}}};
  const auto events = scenario_of(run, {});
  const auto& added = std::get<trace::AddRequest>(events.at(1));
  EXPECT_EQ(added.features.at(1).offset, 3);
  EXPECT_EQ(added.features.at(1).length, 3);
  EXPECT_EQ(added.features.at(1).embeds, 3);
  EXPECT_FALSE(added.features.at(1).mask);
  expect_conforms(replay_events(events, {}));
}

TEST(ScenarioTest, FewerSlotsThanPositionsMultiplyTheSlots) {
  const verify::explore::Run run{{.capacity = 4,
                                  .encoder_budget = 4,
                                  .hashes = 2,
                                  .requests = {{5, 6, {{0, 2, 1, 0}, {2, 5, 3, 1}}}}},
                                 {{"add", {0}},
                                  {"begin_pass", {}},
                                  {"plan", {0, 5, 0}},
                                  {"order", {}},
                                  {"order", {}},
                                  {"allocate", {1}},
                                  {"allocate", {0}},
                                  {"commit", {0, 0}},
                                  {"end_pass", {}}}};
  const auto events = scenario_of(run, {});
  EXPECT_EQ(std::get<trace::Header>(events.front()).capacity, 8);
  const auto& added = std::get<trace::AddRequest>(events.at(1));
  EXPECT_EQ(added.features.at(0).embeds, 2);
  EXPECT_EQ(added.features.at(1).embeds, 6);
  const auto result = replay_events(events, {});
  expect_conforms(result);
  EXPECT_EQ(result.declined, 0U);
}

}  // namespace
}  // namespace holdfast::verify::replay::inline driven
