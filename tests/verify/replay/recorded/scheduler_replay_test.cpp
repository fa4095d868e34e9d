// The recorded traces of vLLM 0.33.0, replayed wholly.
#include "verify/replay/recorded/scheduler_replay.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/replay/replay_fixture.hpp"

namespace holdfast::verify::replay::inline recorded {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Recorded {
  std::string_view name;
  std::uint64_t events;
  // Where the file parts from holdfast; 0: it does not.
  std::uint64_t line = 0;
  std::string_view rule = {};
  std::string_view guard = {};  ///< of holdfast, that the release has in another way
};

class SchedulerTraceTest : public ::testing::TestWithParam<Recorded> {};

TEST_P(SchedulerTraceTest, ConformsUnderItsOwnRelease) {
  const auto result = replay(trace::recorded_path(GetParam().name), profile("vllm-0.33.0"));
  expect_conforms(result);
  EXPECT_EQ(result.events, GetParam().events);
  EXPECT_EQ(result.declined, 0U);
  std::printf("%s: %.0f events/s\n", std::string(GetParam().name).c_str(),
              static_cast<double>(result.events) / result.seconds);
}

/// Nothing in the file is passed over.
TEST_P(SchedulerTraceTest, EveryEventIsDrivenOrCompared) {
  const auto events = recorded_events(GetParam().name);
  SchedulerReplay replay(profile("vllm-0.33.0"), std::get<trace::Header>(events.front()));
  AnswerQueue::Counts in_file{};
  for (std::size_t n = 1; n < events.size(); ++n) {
    ++in_file[events[n].index()];
    replay.take(events[n], n + 1);
  }
  replay.finish();
  EXPECT_EQ(replay.compared(), in_file);
}

TEST_P(SchedulerTraceTest, PartsFromHoldfastAtARepairedGuard) {
  const auto result = replay(trace::recorded_path(GetParam().name), profile("holdfast"));
  if (GetParam().line == 0) return expect_conforms(result);
  EXPECT_EQ(result.status, report::ReplayStatus::diverges);
  EXPECT_EQ(result.line, GetParam().line);
  EXPECT_EQ(result.rule, GetParam().rule);
  EXPECT_THAT(result.expected,
              HasSubstr("holdfast is not vllm-0.33.0 in `" + std::string(GetParam().guard) + "`"));
}

/// The file may end anywhere.
TEST_P(SchedulerTraceTest, BeginningConforms) {
  const auto events = recorded_events(GetParam().name);
  for (std::size_t length = 1; length < events.size(); length += 11)
    expect_conforms(
        replay_events({events.begin(), events.begin() + static_cast<std::ptrdiff_t>(length)},
                      profile("vllm-0.33.0")));
}

INSTANTIATE_TEST_SUITE_P(Vllm033, SchedulerTraceTest,
                         ::testing::Values(Recorded{"async", 1566}, Recorded{"fcfs", 1682},
                                           Recorded{"masks", 2031, 18, "skip", "look-up"},
                                           Recorded{"priority-1", 1607},
                                           Recorded{"priority-2", 3407, 2968, "drop", "retraction"},
                                           Recorded{"reset-async", 1394},
                                           Recorded{"spec-async", 2016}, Recorded{"spec", 1969}),
                         [](const auto& test) {
                           std::string name(test.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(SchedulerReplayTest, EveryKindOfAnswerIsComparedInSomeTrace) {
  AnswerQueue::Counts all{};
  for (const auto name : trace::recorded_names) {
    const auto events = recorded_events(name);
    SchedulerReplay replay(profile("vllm-0.33.0"), std::get<trace::Header>(events.front()));
    for (std::size_t n = 1; n < events.size(); ++n) replay.take(events[n], n + 1);
    replay.finish();
    for (std::size_t n = 0; n < all.size(); ++n) all[n] += replay.compared()[n];
  }
  EXPECT_EQ(all[0], 0U);  // the header
  for (std::size_t n = 1; n < all.size(); ++n) EXPECT_GT(all[n], 0U) << n;
}

/// The misses of a defect, up to its visible end and beyond.
TEST(SchedulerReplayTest, RecordedMissesAreTheModels) {
  const auto events = recorded_events("priority-2");
  const auto misses = std::count_if(events.begin(), events.end(), [](const trace::Event& event) {
    const auto* gather = std::get_if<trace::Gather>(&event);
    return gather != nullptr && gather->miss->hash;
  });
  EXPECT_EQ(misses, 6);
}

TEST(SchedulerReplayTest, HeaderMustSayWhatAPassGoesBy) {
  auto header = std::get<trace::Header>(recorded_events("fcfs").front());
  EXPECT_TRUE(SchedulerReplay::can_replay(header));
  header.prefix_caching = true;
  EXPECT_FALSE(SchedulerReplay::can_replay(header));
  header.prefix_caching = false;
  header.kv_blocks.reset();
  EXPECT_FALSE(SchedulerReplay::can_replay(header));
}

/// Under the profile of the release before, the release's traces part where that was repaired.
TEST(SchedulerReplayTest, OlderReleaseIsToldApart) {
  const auto result = replay(trace::recorded_path("spec"), profile("vllm-0.32.0"));
  EXPECT_EQ(result.status, report::ReplayStatus::diverges);
  EXPECT_THAT(result.expected, AllOf(HasSubstr("vllm-0.32.0 is not vllm-0.33.0"), HasSubstr("`")));
}

TEST(SchedulerReplayTest, EventThatTheModelCannotDriveIsADivergence) {
  auto events = recorded_events("fcfs");
  const auto first = std::find_if(events.begin(), events.end(), [](const trace::Event& event) {
    return std::holds_alternative<trace::Execute>(event);
  });
  std::get<trace::Execute>(*first).pass = 7;
  const auto line = static_cast<std::uint64_t>(first - events.begin()) + 1;
  expect_diverges(replay_events(events, profile("vllm-0.33.0")), line, "no-interior-miss");
}

}  // namespace
}  // namespace holdfast::verify::replay::inline recorded
