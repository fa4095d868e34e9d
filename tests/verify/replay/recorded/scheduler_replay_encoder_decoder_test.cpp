// A recording of vLLM 0.33.0's manager of encoder-decoder models, replayed wholly: it gives the
// slots of an input back at every call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/replay/recorded/encoder_decoder_recording.hpp"
#include "tests/verify/replay/replay_fixture.hpp"

namespace holdfast::verify::replay::inline recorded {
namespace {

using ::testing::HasSubstr;

TEST(SchedulerReplayEncoderDecoderTest, ConformsUnderItsOwnRelease) {
  const auto result = replay_text(recording, "vllm-0.33.0");
  expect_conforms(result);
  EXPECT_EQ(result.events, 31U);
}

/// The first credit is the delivery's, the second that of the request's end.
TEST(SchedulerReplayEncoderDecoderTest, PartsFromHoldfastAtTheSecondCredit) {
  const auto result = replay_text(recording);
  expect_diverges(result, 12, "no-freed-while-referenced");
  EXPECT_THAT(result.observed, HasSubstr("r0 holds inputs [0]"));
}

TEST(SchedulerReplayEncoderDecoderTest, AnotherNoticeIsFound) {
  std::string other(recording);
  const std::string told = R"("take_freed","hashes":["h1"])";
  other.replace(other.find(told), told.size(), R"("take_freed","hashes":[])");
  expect_diverges(replay_text(other, "vllm-0.33.0"), 23, "no-stale-notice");
}

}  // namespace
}  // namespace holdfast::verify::replay::inline recorded
