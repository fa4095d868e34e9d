#include "verify/replay/library/cache_replay.hpp"

#include "tests/verify/replay/library/library_fixture.hpp"
#include "verify/base/errors.hpp"

namespace holdfast::verify::replay::inline library {
namespace {

class CacheReplayTest : public ::testing::TestWithParam<std::string_view> {};

TEST_P(CacheReplayTest, OfAReleaseIsVllmsManager) {
  const auto events = recorded_events(GetParam());
  const auto result = replay_events(events, profile("vllm-0.33.0"), against_library());
  expect_conforms(result);
  EXPECT_EQ(result.events, events.size());
}

// What a call is asked with is the scheduler's word, and which orders stand at the end of a pass is
// nothing that vLLM's manager knows.
TEST_P(CacheReplayTest, FindsEveryCorruptedAnswer) {
  EXPECT_GT(expect_corruptions_are_found(GetParam(), recorded::manager_kinds(),
                                         {"can_allocate.compute_budget", "end_pass.encode"},
                                         "vllm-0.33.0", against_library()),
            40U);
}

// With passes, orders are taken back, and it parts from the release where the model does.
TEST_P(CacheReplayTest, OfHoldfastGoesAsFarAsTheModel) {
  Options model;
  model.manager_only = true;
  const auto events = recorded_events(GetParam());
  const auto expected = replay_events(events, profile("holdfast"), model);
  const auto result = replay_events(events, profile("holdfast"), against_library(true));
  EXPECT_EQ(result.status, expected.status);
  EXPECT_EQ(result.line, expected.line) << result.expected << " / " << result.observed;
  EXPECT_EQ(result.property, expected.property);
}

TEST_P(CacheReplayTest, OfHoldfastFindsEveryCorruptedAnswer) {
  const auto parts =
      replay_events(recorded_events(GetParam()), profile("holdfast"), against_library(true));
  if (parts.status == report::ReplayStatus::diverges)
    GTEST_SKIP() << "holdfast does otherwise on line " << parts.line;
  EXPECT_GT(expect_corruptions_are_found(GetParam(), recorded::manager_kinds(), {}, "holdfast",
                                         against_library(true)),
            40U);
}

INSTANTIATE_TEST_SUITE_P(Vllm033, CacheReplayTest, ::testing::ValuesIn(trace::recorded_names),
                         name_of_trace);

/// An encoder-decoder model with room for one output of 4.
std::vector<trace::Event> one_output(std::int64_t free_after) {
  trace::Header header{.format = "holdfast-trace", .version = 1, .source = "vllm 0.33.0"};
  header.manager = trace::Manager::encoder_decoder;
  header.pipeline_depth = 1;
  header.capacity = header.encoder_budget = 4;
  trace::AddRequest r0{.request = "r0", .prompt_tokens = 5, .max_tokens = 1};
  r0.features.push_back({.hash = "h0", .offset = 0, .length = 4, .embeds = 4});
  trace::Check check{.request = "r0", .input = 0, .hit = false};
  trace::CanAllocate room{.request = "r0", .input = 0, .compute_budget = 4};
  room.ok = true;
  trace::Allocate allocate{.request = "r0", .input = 0, .free = 0};
  trace::FreeInput free{.request = "r0", .input = 0, .free = free_after};
  return {header,
          r0,
          trace::BeginPass{1},
          check,
          room,
          allocate,
          trace::TakeFreed{},
          free,
          free,
          trace::FreeRequest{.request = "r0"}};
}

TEST(CacheReplayTest, OfEncoderDecoderModelsCreditsOnce) {
  for (const auto* under : {"vllm-0.33.0", "holdfast"}) {
    expect_conforms(replay_events(one_output(4), profile(under), against_library(true)));
    expect_diverges(replay_events(one_output(8), profile(under), against_library(true)), 8,
                    "exact-slots");
  }
}

TEST(CacheReplayTest, AsksForARecordedFile) {
  trace::Header header{.format = "holdfast-trace", .version = 1, .source = "holdfast hunt"};
  EXPECT_THROW(replay_events({header}, profile("holdfast"), against_library()), InputError);
}

}  // namespace
}  // namespace holdfast::verify::replay::inline library
