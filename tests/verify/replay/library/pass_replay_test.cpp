#include "verify/replay/library/pass_replay.hpp"

#include <utility>

#include "tests/verify/replay/library/library_fixture.hpp"
#include "tests/verify/replay/recorded/encoder_decoder_recording.hpp"

namespace holdfast::verify::replay::inline library {
namespace {

/// Of what happens inside a pass the library tells at its end.
const std::set<std::string_view> inside_a_pass = {
    "check.input",    "can_allocate.input", "can_allocate.scheduled_embeds",
    "allocate.input", "free_input.input",   "free_request.held reversed"};

std::vector<recorded::Kind> states() {
  std::vector<recorded::Kind> all;
  for (const auto& kind : recorded::manager_kinds())
    if (kind.name.starts_with("state.") || kind.name == "end_pass.encode") all.push_back(kind);
  return all;
}

class PassReplayTest : public ::testing::TestWithParam<std::string_view> {};

// It parts from the release as the model of `holdfast` does, or at the end of what parted there.
TEST_P(PassReplayTest, GoesAsFarAsTheModel) {
  const auto events = recorded_events(GetParam());
  const auto model = replay_events(events, profile("holdfast"));
  const auto result = replay_events(events, profile("holdfast"), against_library());
  EXPECT_EQ(result.status, model.status)
      << result.line << ": " << result.expected << " / " << result.observed;
  EXPECT_GE(result.line, model.line);
  if (model.status == report::ReplayStatus::conforms) {
    EXPECT_EQ(result.events, events.size());
  }
}

TEST_P(PassReplayTest, FindsEveryCorruptedAnswer) {
  const auto parts =
      replay_events(recorded_events(GetParam()), profile("holdfast"), against_library());
  if (parts.status == report::ReplayStatus::diverges)
    GTEST_SKIP() << "holdfast does otherwise on line " << parts.line;
  auto unseen = inside_a_pass;
  // The worker knows of drafts that were rejected while the pass was in flight; the file does not
  // say so before.
  if (GetParam() == "spec-async") unseen.insert("gather.start");
  // What is the target's, told as the drafter's: found where the target's is missed.
  if (GetParam().starts_with("spec")) unseen.insert("gather.lookahead");
  EXPECT_GT(expect_corruptions_are_found(GetParam(), recorded::pass_kinds(), unseen, "holdfast",
                                         against_library()),
            20U);
  EXPECT_GT(expect_corruptions_are_found(GetParam(), states(), {}, "holdfast", against_library()),
            10U);
}

// In a pass at a time, a gather that the file leaves out is missed.
TEST(PassReplayTest, MissesAGather) {
  auto events = recorded_events("fcfs");
  const auto gather = std::find_if(events.begin(), events.end(), [](const auto& event) {
    return std::holds_alternative<trace::Gather>(event);
  });
  ASSERT_NE(gather, events.end());
  events.erase(gather);
  EXPECT_EQ(replay_events(events, profile("holdfast"), against_library()).property,
            "no-interior-miss");
}

TEST(PassReplayTest, MissesAGatherThatIsToldAsTheDrafters) {
  auto events = recorded_events("spec");
  const auto gather = std::find_if(events.begin(), events.end(), [](const auto& event) {
    return std::holds_alternative<trace::Gather>(event);
  });
  ASSERT_NE(gather, events.end());
  ASSERT_EQ(std::exchange(std::get<trace::Gather>(*gather).lookahead, 1), 0);
  EXPECT_EQ(replay_events(events, profile("holdfast"), against_library()).property,
            "no-interior-miss");
}

/// As `holdfast` it gives slots back once: the model says so at the second credit, line 12.
TEST(PassReplayTest, OfEncoderDecoderModelsCreditsOnce) {
  const trace::TemporaryFile file(recorded::recording);
  const auto result = replay(file.path(), profile("holdfast"), against_library());
  EXPECT_EQ(result.status, report::ReplayStatus::diverges);
  EXPECT_GE(result.line, 12U);
  EXPECT_EQ(result.rule, "state");
  EXPECT_EQ(result.property, "exact-slots");
}

// Nobody ends in silence.
TEST(PassReplayTest, MissesAnEnd) {
  auto events = recorded_events("fcfs");
  const auto finish = std::find_if(events.begin(), events.end(), [](const auto& event) {
    return std::holds_alternative<trace::Finish>(event);
  });
  ASSERT_NE(finish, events.end());
  events.erase(finish);
  const auto result = replay_events(events, profile("holdfast"), against_library());
  EXPECT_EQ(result.property, "all-returned");
  EXPECT_NE(result.expected.find("has ended"), std::string::npos) << result.expected;
}

INSTANTIATE_TEST_SUITE_P(Vllm033, PassReplayTest, ::testing::ValuesIn(trace::recorded_names),
                         name_of_trace);

}  // namespace
}  // namespace holdfast::verify::replay::inline library
