// Scenario files: what the model does with each event, what it declines, and what it compares.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "tests/verify/replay/replay_fixture.hpp"
#include "verify/report/errors.hpp"

namespace holdfast::verify {
namespace {

using ::testing::HasSubstr;

std::string header(int capacity, int lookahead = 0, int depth = 1,
                   std::string_view manager = "decoder_only") {
  return R"({"event":"header","format":"holdfast-trace","version":1,"source":"holdfast test","manager":")" +
         std::string(manager) + R"(","pipeline_depth":)" + std::to_string(depth) +
         R"(,"capacity":)" + std::to_string(capacity) + R"(,"encoder_budget":)" +
         std::to_string(capacity) + R"(,"lookahead":)" + std::to_string(lookahead) + "}\n";
}

std::string image(std::string_view hash, int offset, int length) {
  return R"({"hash":")" + std::string(hash) + R"(","offset":)" + std::to_string(offset) +
         R"(,"length":)" + std::to_string(length) + R"(,"embeds":)" + std::to_string(length) + "}";
}

std::string add(std::string_view request, const std::string& features) {
  return R"({"event":"add_request","request":")" + std::string(request) +
         R"(","prompt_tokens":20,"max_tokens":20,"priority":0,"features":[)" + features + "]}\n";
}

std::string begin(int pass) {
  return R"({"event":"begin_pass","pass":)" + std::to_string(pass) + "}\n";
}

std::string of_input(std::string_view event, std::string_view request, int input,
                     std::string_view more = "") {
  return R"({"event":")" + std::string(event) + R"(","request":")" + std::string(request) +
         R"(","input":)" + std::to_string(input) + std::string(more) + "}\n";
}
std::string miss(std::string_view request, int input) {
  return of_input("check", request, input) +
         of_input("can_allocate", request, input, R"(,"compute_budget":100,"scheduled_embeds":0)") +
         of_input("allocate", request, input);
}

std::string scheduled(std::string_view request, int computed, int tokens, int drafts = 0,
                      int placeholders = 0) {
  return R"({"request":")" + std::string(request) + R"(","computed":)" + std::to_string(computed) +
         R"(,"tokens":)" + std::to_string(tokens) + R"(,"drafts":)" + std::to_string(drafts) +
         R"(,"placeholders":)" + std::to_string(placeholders) + "}";
}
std::string end(int pass, const std::string& entries, std::string_view more = "") {
  return R"({"event":"end_pass","pass":)" + std::to_string(pass) + R"(,"scheduled":[)" + entries +
         "]" + std::string(more) + "}\n";
}
std::string execute(int pass) {
  return R"({"event":"execute","pass":)" + std::to_string(pass) + "}\n";
}
std::string gather(int pass, std::string_view request, int start, int tokens, int lookahead = 0,
                   std::string_view more = "") {
  return R"({"event":"gather","pass":)" + std::to_string(pass) + R"(,"request":")" +
         std::string(request) + R"(","start":)" + std::to_string(start) + R"(,"tokens":)" +
         std::to_string(tokens) + R"(,"lookahead":)" + std::to_string(lookahead) +
         std::string(more) + "}\n";
}
std::string deliver(int pass, std::string_view request, int rejected = 0) {
  return R"({"event":"deliver","pass":)" + std::to_string(pass) + R"(,"outputs":[{"request":")" +
         std::string(request) + R"(","generated":1,"rejected":)" + std::to_string(rejected) +
         "}]}\n";
}
std::string of_request(std::string_view event, std::string_view request,
                       std::string_view more = "") {
  return R"({"event":")" + std::string(event) + R"(","request":")" + std::string(request) + "\"" +
         std::string(more) + "}\n";
}

/// r with `tokens` of a feature h at [0, 4), in pass 1, delivered.
std::string first_pass(int tokens) {
  return add("r", image("h", 0, 4)) + begin(1) + miss("r", 0) + end(1, scheduled("r", 0, tokens)) +
         execute(1) + gather(1, "r", 0, tokens) + deliver(1, "r");
}

void expect_taken(const ReplayResult& result, std::uint64_t declined = 0) {
  expect_conforms(result);
  EXPECT_EQ(result.declined, declined);
}

TEST(ScenarioReplayTest, WholePassIsTaken) {
  const auto result =
      replay_text(header(8) + first_pass(4) + of_input("free_input", "r", 0) +
                  R"({"event":"finish","request":"r","reason":"stopped"})"
                  "\n" +
                  R"({"event":"state","cached":{"h":[]},"lru":["h"],"free":4,"reclaimable":8})"
                  "\n");
  expect_taken(result);
  EXPECT_EQ(result.events, 13U);
}

TEST(ScenarioReplayTest, WhatDependsOnARefusedRequestIsDeclined) {
  // Its look-up, its allocation (two events), the end of the pass (its only entry), the gather and
  // the output.
  expect_taken(replay_text(header(3) + first_pass(4)), 6);
}

TEST(ScenarioReplayTest, AllocateThatDoesNotFitIsDeclinedWithWhatDependsOnIt) {
  // r finds too little room beside q: its allocation and its entry.
  expect_taken(replay_text(header(7) + add("q", image("g", 0, 4)) + add("r", image("h", 0, 4)) +
                           begin(1) + miss("q", 0) + miss("r", 0) +
                           end(1, scheduled("q", 0, 4) + "," + scheduled("r", 0, 4))),
               2);
}

TEST(ScenarioReplayTest, ReleaseTooEarlyIsDeclined) {
  expect_taken(replay_text(header(8) + first_pass(3) + of_input("free_input", "r", 0)), 1);
}

TEST(ScenarioReplayTest, RequestWithoutItsFeatureIsNotAdmitted) {
  expect_taken(
      replay_text(header(8) + add("r", image("h", 0, 4)) + begin(1) + end(1, scheduled("r", 0, 4))),
      1);
}

TEST(ScenarioReplayTest, BoundaryFeatureMayBeAbsent) {
  const auto story = add("r", image("h", 4, 4)) + begin(1) + end(1, scheduled("r", 0, 4)) +
                     execute(1) + gather(1, "r", 0, 4, 1, R"(,"rows":0,"miss":null)");
  expect_taken(replay_text(header(8, 1) + story));
  const auto result = replay_text(header(8, 1) + story, "no-boundary-fallback");
  expect_diverges(result, 6, "no-interior-miss");
  EXPECT_EQ(result.rule, "gather_draft");
  EXPECT_THAT(result.observed, HasSubstr("misses h, its input 0"));
}

TEST(ScenarioReplayTest, PassBeyondTheDepthIsDeclined) {
  const auto passes = begin(1) + end(1, "") + begin(2) + end(2, "");
  expect_taken(replay_text(header(8) + passes), 2);
  expect_taken(replay_text(header(8, 0, 2) + passes));
}

TEST(ScenarioReplayTest, SharedFeatureIsOrderedOnce) {
  expect_taken(replay_text(
      header(4) + add("q", image("h", 0, 4)) + add("r", image("h", 0, 4)) + begin(1) +
      miss("q", 0) + of_input("check", "r", 0, R"(,"hit":true)") +
      end(1, scheduled("q", 0, 4) + "," + scheduled("r", 0, 4), R"(,"encode":{"q":[0]})")));
}

TEST(ScenarioReplayTest, DuplicateMayBeAllocatedAsUpstreamDoes) {
  expect_taken(replay_text(header(4) + add("r", image("h", 0, 4) + "," + image("h", 4, 4)) +
                           begin(1) + miss("r", 0) + of_input("allocate", "r", 1, R"(,"free":0)") +
                           end(1, scheduled("r", 0, 8))));
}

TEST(ScenarioReplayTest, RetractionTakesTheOrderBack) {
  const auto story = header(8) + add("r", image("h", 0, 4)) + add("q", "") + begin(1) +
                     miss("r", 0) + of_request("preempt", "r") +
                     of_request("free_request", "r", R"(,"free":8)") +
                     end(1, scheduled("q", 0, 4), R"(,"encode":{},"notices":[])");
  expect_taken(replay_text(story));
  const auto result = replay_text(story, "retract-keeps-entry");
  expect_diverges(result, 9, "exact-slots");
}

TEST(ScenarioReplayTest, WaitingRequestLeftOutOfThePassGivesUpItsTurn) {
  const auto asked =
      of_input("check", "r", 0) +
      of_input("can_allocate", "r", 0, R"(,"compute_budget":8,"scheduled_embeds":0)");
  expect_taken(replay_text(header(8) + add("r", image("h", 0, 4)) + begin(1) + asked + end(1, "") +
                           R"({"event":"state","cached":{},"lru":[],"free":8})"
                           "\n"));
}

TEST(ScenarioReplayTest, WhoAllocatedWasScheduled) {
  expect_taken(replay_text(header(8) + add("r", image("h", 0, 4)) + begin(1) + miss("r", 0) +
                           end(1, "") +
                           R"({"event":"state","cached":{"h":["r"]},"lru":[],"free":4})"
                           "\n"));
}

TEST(ScenarioReplayTest, TheListSaysWhatAWaitingRequestHasFromThePrefixCache) {
  expect_taken(replay_text(header(8) + add("r", image("h", 2, 4)) + begin(1) + miss("r", 0) +
                           end(1, scheduled("r", 4, 2)) + execute(1) +
                           gather(1, "r", 4, 2, 0, R"(,"rows":2)")));
}

TEST(ScenarioReplayTest, SecondResetInFlightIsDeclined) {
  const std::string reset = R"({"event":"reset"})"
                            "\n";
  expect_taken(replay_text(header(8) + reset + reset +
                           R"({"event":"worker_reset"})"
                           "\n" +
                           reset),
               1);
}

TEST(ScenarioReplayTest, ResetIsAStepOfTheWorker) {
  expect_taken(replay_text(header(8) + first_pass(3) +
                           R"({"event":"reset","free":8,"reclaimable":8})"
                           "\n" +
                           R"({"event":"worker_reset"})"
                           "\n" +
                           begin(2) + miss("r", 0) + end(2, scheduled("r", 3, 1)) + execute(2) +
                           gather(2, "r", 3, 1) + deliver(2, "r")));
}

TEST(ScenarioReplayTest, WorkerResetBeforeAStepInFlightIsDeclined) {
  expect_taken(replay_text(header(8, 0, 2) + begin(1) + end(1, "") +
                           R"({"event":"reset"})"
                           "\n" +
                           R"({"event":"worker_reset"})"
                           "\n" +
                           execute(1)),
               1);
}

TEST(ScenarioReplayTest, AnswerThatIsGivenIsCompared) {
  const auto start = header(8) + add("r", image("h", 0, 4)) + begin(1);
  expect_diverges(replay_text(start + of_input("check", "r", 0, R"(,"hit":true)") + end(1, "")), 4,
                  "no-ghost-entry");
  expect_diverges(
      replay_text(start + miss("r", 0) + end(1, scheduled("r", 0, 4), R"(,"notices":["h"])")), 7,
      "no-stale-notice");
  expect_diverges(replay_text(start + miss("r", 0) + end(1, scheduled("r", 0, 4)) + execute(1) +
                              gather(1, "r", 0, 4, 0, R"(,"rows":3)")),
                  9, "no-interior-miss");
}

TEST(ScenarioReplayTest, NoticesOfTakeFreedAreThoseOfThePass) {
  const auto start = header(8) + add("r", image("h", 0, 4)) + begin(1) + miss("r", 0);
  expect_taken(replay_text(start +
                           R"({"event":"take_freed","hashes":[]})"
                           "\n" +
                           end(1, scheduled("r", 0, 4))));
  expect_diverges(replay_text(start +
                              R"({"event":"take_freed","hashes":["h"]})"
                              "\n" +
                              end(1, scheduled("r", 0, 4))),
                  7, "no-stale-notice");
}

TEST(ScenarioReplayTest, RejectedDraftsKeepTheFeature) {
  const auto story = first_pass(3) + begin(2) + of_input("check", "r", 0) +
                     end(2, scheduled("r", 3, 3, 2, 3)) + execute(2) + gather(2, "r", 3, 3) +
                     deliver(2, "r", 2);
  expect_taken(replay_text(header(8) + story + of_input("free_input", "r", 0)));
}

TEST(ScenarioReplayTest, EncoderDecoder) {
  const auto story =
      header(4, 0, 1, "encoder_decoder") + add("r", image("h", 0, 4)) + begin(1) + miss("r", 0) +
      end(1, scheduled("r", 0, 1), R"(,"encode":{"r":[0]},"notices":[])") + execute(1) +
      gather(1, "r", 0, 1) + deliver(1, "r") + of_input("free_input", "r", 0, R"(,"free":4)");
  const auto again = of_input("free_input", "r", 0);
  const auto told = begin(2) + end(2, scheduled("r", 1, 1), R"(,"notices":["h"])") + execute(2);
  expect_taken(replay_text(story + told));
  expect_taken(replay_text(story + again + told), 1);
  const auto result = replay_text(story + again + told, "encdec-credit-repeats");
  expect_diverges(result, 12, "exact-slots");
  EXPECT_EQ(result.observed, "capacity 4, free 8, charged 0");
  const auto early = replay_text(story + told, "encdec-notice-early");
  EXPECT_EQ(early.status, ReplayStatus::diverges);
  EXPECT_EQ(early.line, 7U);
}

TEST(ScenarioReplayTest, RecordedEncoderDecoderAsksAtEveryDelivery) {
  const std::string text =
      R"({"event":"header","format":"holdfast-trace","version":1,"source":"vllm","manager":"encoder_decoder","pipeline_depth":1,"capacity":4,"encoder_budget":4,"lookahead":0})"
      "\n" +
      add("r", image("h", 0, 4)) + begin(1) +
      of_input("check", "r", 0, R"(,"hit":false,"free":4)") +
      of_input("can_allocate", "r", 0,
               R"(,"compute_budget":4,"scheduled_embeds":0,"ok":true,"evicted":[])") +
      of_input("allocate", "r", 0, R"(,"free":0)") +
      R"({"event":"take_freed","hashes":[]})"
      "\n" +
      end(1, scheduled("r", 0, 1)) + execute(1) + deliver(1, "r") +
      of_input("free_input", "r", 0, R"(,"free":4)") + begin(2) +
      R"({"event":"take_freed","hashes":["h"]})"
      "\n" +
      end(2, scheduled("r", 1, 1)) + execute(2) + deliver(2, "r") +
      of_input("free_input", "r", 0, R"(,"free":4)") + begin(3) +
      R"({"event":"take_freed","hashes":[]})"
      "\n" +
      end(3, "");
  expect_conforms(replay_text(text));
  expect_diverges(replay_text(text, "encdec-credit-repeats"), 17, "exact-slots");
}

TEST(ScenarioReplayTest, WhoCreditsEveryInputDoesSoForARequestThatNeverHeldOne) {
  const auto story = header(4, 0, 1, "encoder_decoder") + add("r", image("h", 0, 4)) +
                     of_request("finish", "r", R"(,"reason":"aborted")");
  expect_taken(replay_text(story));
  const trace::TemporaryFile file(story);
  const auto result = replay(file.path(), *spec::profile_named("encdec-credit=every-call"));
  EXPECT_EQ(result.property, "exact-slots");
  EXPECT_EQ(result.observed, "capacity 4, free 8, charged 0");
}

TEST(ScenarioReplayTest, ARankingMayBeAskedFor) {
  const trace::TemporaryFile file(header(8) + add("r", image("h", 0, 4)) + begin(1) + miss("r", 0) +
                                  end(1, scheduled("r", 0, 6, 2, 3)) + execute(1) +
                                  deliver(1, "r", 2));
  ReplaySettings settings;
  settings.property = "output-counts";
  expect_conforms(replay(file.path(), {}, settings));
  const auto result = replay(file.path(), *spec::profile_named("placeholders=forgotten"), settings);
  EXPECT_EQ(result.status, ReplayStatus::diverges);
  EXPECT_EQ(result.property, "output-counts");
  EXPECT_THAT(result.observed, HasSubstr("confirmed"));
}

TEST(ScenarioReplayTest, AFileOfASearchNamesASystemAndAProperty) {
  const std::string_view source = "holdfast test";
  const auto replay_from = [&](std::string_view other) {
    auto story = header(4, 0, 1, "encoder_decoder") + add("r", image("h", 0, 4)) +
                 of_request("finish", "r", R"(,"reason":"aborted")");
    story.replace(story.find(source), source.size(), other);
    const trace::TemporaryFile file(story);
    return replay(file.path(), *spec::profile_named("encdec-credit=every-call"));
  };
  EXPECT_EQ(replay_from("holdfast ablate encdec-credit=every-call exact-slots").property,
            "exact-slots");
  EXPECT_EQ(replay_from("holdfast ablate encdec-credit=every-call same-size").property, "");
  EXPECT_EQ(replay_from("holdfast ablate").property, "exact-slots");
  for (const char* bad :
       {"holdfast ablate encdec-credit=every-call no-such-property", "holdfast hunt vllm-0.33.0",
        "holdfast ablate encdec-credit=never exact-slots", "holdfast hunt vllm-9 progress",
        "holdfast hunt vllm-0.33.0 progress and more", "holdfast ablate sorted-spans exact-slots"})
    try {
      replay_from(bad);
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_EQ(error.line(), 1U) << bad;
    }
}

TEST(ScenarioReplayTest, FaultOfTheFileIsAnInputError) {
  try {
    replay_text(header(8) + begin(2));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 2U);
  }
}

TEST(ScenarioReplayTest, OnePropertyMayBeAskedFor) {
  const trace::TemporaryFile file(header(8, 1) + add("r", image("h", 4, 4)) + begin(1) +
                                  end(1, scheduled("r", 0, 4)) + execute(1) +
                                  gather(1, "r", 0, 4, 1));
  ReplaySettings settings;
  settings.property = "exact-slots";
  expect_conforms(replay(file.path(), profile("no-boundary-fallback"), settings));
}

}  // namespace
}  // namespace holdfast::verify
