// The recorded traces of vLLM 0.33.0, of which only the cache manager is judged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/replay/replay_fixture.hpp"

namespace holdfast::verify::replay::inline recorded {
namespace {

using ::testing::StartsWith;

struct RecordedCalls {
  std::string_view name;
  std::uint64_t events;
  std::uint64_t parts_from_holdfast;  ///< line; 0: it does not
};

class ManagerReplayTest : public ::testing::TestWithParam<RecordedCalls> {
 protected:
  ManagerReplayTest() { options_.manager_only = true; }
  Options options_;
};

TEST_P(ManagerReplayTest, ConformsUnderItsOwnRetraction) {
  for (const auto* own : {"retract-keeps-entry", "vllm-0.33.0"})
    expect_conforms(replay(trace::recorded_path(GetParam().name), profile(own), options_));
  const auto result =
      replay(trace::recorded_path(GetParam().name), profile("vllm-0.33.0"), options_);
  EXPECT_EQ(result.events, GetParam().events);
  EXPECT_EQ(result.declined, 0U);
  std::printf("%s: %.0f events/s\n", std::string(GetParam().name).c_str(),
              static_cast<double>(result.events) / result.seconds);
}

TEST_P(ManagerReplayTest, PartsFromHoldfastAtARetractionOnly) {
  const auto result = replay(trace::recorded_path(GetParam().name), profile("holdfast"), options_);
  const auto line = GetParam().parts_from_holdfast;
  if (line == 0) return expect_conforms(result);
  expect_diverges(result, line, "exact-slots");
  EXPECT_EQ(result.rule, "drop");
  EXPECT_THAT(
      result.expected,
      StartsWith(
          "free_request of r0, retracted in this pass: its pending entry h20 is withdrawn: free 8, "
          "reclaimable 176 (holdfast is not vllm-0.33.0 in `retraction`"));
  EXPECT_EQ(result.observed, "free 0, reclaimable 176");
}

/// What 0.33.0 does not do is seen in its traces, if they have the occasion for it.
TEST_P(ManagerReplayTest, OtherFaultsAreToldApart) {
  const auto events = recorded_events(GetParam().name);
  const auto conforms = [&](std::string_view under) {
    return replay_events(events, profile(under), options_).status == report::ReplayStatus::conforms;
  };
  EXPECT_FALSE(conforms("first-occurrence-frees"));
}

INSTANTIATE_TEST_SUITE_P(
    Vllm033, ManagerReplayTest,
    ::testing::Values(RecordedCalls{"async", 1566, 0}, RecordedCalls{"fcfs", 1682, 0},
                      RecordedCalls{"masks", 2031, 0}, RecordedCalls{"priority-1", 1607, 0},
                      RecordedCalls{"priority-2", 3407, 2968},
                      RecordedCalls{"reset-async", 1394, 0}, RecordedCalls{"spec-async", 2016, 0},
                      RecordedCalls{"spec", 1969, 0}),
    [](const auto& test) {
      std::string name(test.param.name);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace holdfast::verify::replay::inline recorded
