// Files that only drive: the reference pass decides the rest.
#include "verify/replay/driven/script_replay.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/replay/replay_fixture.hpp"
#include "verify/trace/form.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::replay::inline driven {
namespace {

using namespace trace;
using ::testing::HasSubstr;
using Events = std::vector<Event>;

Header header() {
  Header h;
  h.format = format_name;
  h.version = format_version;
  h.source = "holdfast hunt";
  h.scheduling_policy = SchedulingPolicy::priority;
  h.pipeline_depth = 1;
  h.capacity = 16;
  h.encoder_budget = 16;
  h.token_budget = 8;
  h.long_prefill_threshold = 4;
  h.kv_blocks = 5;
  h.kv_block_size = 4;
  return h;
}

AddRequest request(std::string name, std::int64_t priority, std::vector<Feature> features,
                   std::int64_t prompt = 8) {
  return {std::move(name), prompt, 1, priority, std::move(features)};
}

void append_pass(Events& events, std::int64_t pass) {
  events.insert(events.end(),
                {BeginPass{pass}, EndPass{pass, {}, {}, {}, {}}, Execute{pass}, Deliver{pass, {}}});
}

/// r0's image is ordered in the third pass, in which r1, more urgent, takes its blocks away.
Events retraction() {
  Events events{header(), request("r0", 5, {{"h", 12, 4, 4, {}}}, 16)};
  append_pass(events, 1);
  events.emplace_back(request("r1", 0, {}));
  append_pass(events, 2);
  append_pass(events, 3);
  return events;
}

TEST(ScriptReplayTest, HoldfastHasNoViolation) {
  const auto outcome = drive(retraction(), profile("holdfast"));
  EXPECT_FALSE(outcome.violated) << outcome.property << ": " << outcome.observed;
  EXPECT_EQ(outcome.declined, 0U);
  EXPECT_EQ(outcome.events, 15U);
  EXPECT_GT(outcome.steps, 20U);
}

TEST(ScriptReplayTest, EveryPropertyIsWatchedAfterEverySmallStep) {
  const auto outcome = drive(retraction(), profile("vllm-0.33.0"));
  EXPECT_TRUE(outcome.violated);
  EXPECT_EQ(outcome.property, "no-ghost-entry");
  EXPECT_EQ(outcome.rule, "end_pass");
  EXPECT_EQ(outcome.line, 12U);  // the third begin_pass
  EXPECT_THAT(outcome.observed, HasSubstr("h"));
}

// Who only waits is not gone: passing it over, as a recording may, would find this a line too
// early.
TEST(ScriptReplayTest, WhoWaitsIsAskedForToo) {
  auto one_at_a_time = header();
  one_at_a_time.max_num_seqs = 1;
  Events events{one_at_a_time, request("r0", 0, {{"h", 0, 8, 8, {}}}),
                request("r1", 5, {{"g", 0, 8, 8, {}}})};
  append_pass(events, 1);
  events.emplace_back(Finish{"r0", FinishReason::aborted});
  events.emplace_back(Finish{"r1", FinishReason::aborted});
  const auto outcome =
      drive(events, profile("abort-keeps-references"), std::string(spec::AllReturned::info.name));
  EXPECT_TRUE(outcome.violated);
  EXPECT_EQ(outcome.line, events.size());
}

TEST(ScriptReplayTest, OnePropertyMayBeAskedFor) {
  EXPECT_FALSE(drive(retraction(), profile("vllm-0.33.0"), "exact-slots").violated);
}

TEST(ScriptReplayTest, FindingReplaysFromItsFile) {
  std::string text;
  for (const auto& event : retraction()) append_line(text, event);
  const auto result = replay_text(text, "vllm-0.33.0");
  expect_diverges(result, 12, "no-ghost-entry");
  expect_conforms(replay_text(text, "holdfast"));
}

TEST(ScriptReplayTest, WhatCannotBeDrivenIsDeclined) {
  Events events{header(), request("r0", 0, {})};
  events.insert(events.end(), {Execute{1}, Deliver{1, {}}, BeginPass{1}, EndPass{1, {}, {}, {}, {}},
                               BeginPass{2}, EndPass{2, {}, {}, {}, {}}, Deliver{1, {}},
                               WorkerReset{}, Preempt{"r1"}, Finish{"r1", FinishReason::aborted}});
  const auto outcome = drive(events, profile("holdfast"));
  EXPECT_FALSE(outcome.violated);
  EXPECT_EQ(outcome.declined, 7U);
}

TEST(ScriptReplayTest, RequestThatCanNeverRunIsRefusedAndTheRestGoesOn) {
  Events events{header(), request("r0", 0, {{"h", 0, 8, 17, {}}}), request("r1", 0, {})};
  append_pass(events, 1);
  const auto outcome = drive(events, profile("holdfast"));
  EXPECT_FALSE(outcome.violated);
  EXPECT_EQ(outcome.declined, 0U);
}

/// What is next to come shows in the queues.
TEST(ScriptReplayTest, DriverSeesWhatItMayChooseFrom) {
  auto h = header();
  h.pipeline_depth = 2;
  h.draft_tokens = 2;
  h.kv_blocks = 20;
  ScriptReplay hunt(profile("holdfast"), h);
  hunt.take(request("r0", 0, {{"h", 4, 4, 4, {}}}), 2);
  hunt.take(BeginPass{1}, 3);
  hunt.take(BeginPass{2}, 4);
  hunt.take(BeginPass{3}, 5);
  EXPECT_EQ(hunt.declined(), 1U);
  EXPECT_EQ(hunt.passes_to_execute(), 2U);
  EXPECT_EQ(hunt.passes_to_deliver(), 2U);
  hunt.take(Execute{1}, 6);
  EXPECT_EQ(hunt.passes_to_execute(), 1U);
  const auto& oldest = hunt.queues().in_flight.front().scheduled;
  ASSERT_EQ(oldest.size(), 1U);
  EXPECT_EQ(hunt.model().text(oldest[0].request), "r0");
  EXPECT_TRUE(oldest[0].samples);
  hunt.take(Deliver{1, {{"r0", 1, 0, {}}}}, 7);
  EXPECT_EQ(hunt.passes_to_deliver(), 1U);
}

TEST(ScriptReplayTest, OutputsAreReadAsAWorkerCouldGiveThem) {
  auto h = header();
  h.draft_tokens = 2;
  h.kv_blocks = 20;
  h.long_prefill_threshold = 0;
  ScriptReplay hunt(profile("holdfast"), h);
  auto added = request("r0", 0, {});
  added.max_tokens = 20;
  hunt.take(added, 2);
  const auto known_after = [&](std::int64_t pass, std::vector<Output> outputs) {
    hunt.take(Draft{{{"r0", 2}}}, 0);
    hunt.take(BeginPass{pass}, 0);
    hunt.take(Execute{pass}, 0);
    hunt.take(Deliver{pass, std::move(outputs)}, 0);
    return hunt.queues().running.front().known;
  };
  EXPECT_EQ(known_after(1, {}), 9);                   // a token comes in any case
  EXPECT_EQ(known_after(2, {}), 10);                  // no draft is accepted
  EXPECT_EQ(known_after(3, {{"r0", 2, 1, {}}}), 12);  // one is
  EXPECT_EQ(known_after(4, {{"r0", 0, 0, {}}}), 15);  // none is rejected
  EXPECT_EQ(known_after(5, {{"r0", 9, 0, {}}}), 18);  // there are but two
  EXPECT_EQ(hunt.declined(), 0U);
}

TEST(ScriptReplayTest, PrefixHitsAreGivenWithTheRequest) {
  ScriptReplay hunt(profile("holdfast"), header());
  hunt.add(request("r0", 0, {{"h", 2, 4, 4, {}}}), 4);
  hunt.take(BeginPass{1}, 2);
  const auto& given = hunt.queues().in_flight.front().scheduled.front();
  EXPECT_EQ(given.computed, 4);
  EXPECT_EQ(given.tokens, 4);
}

TEST(ScriptReplayTest, PreemptBetweenPassesDropsOutputsInFlight) {
  auto h = header();
  h.pipeline_depth = 2;
  h.kv_blocks = 20;
  ScriptReplay hunt(profile("holdfast"), h);
  auto added = request("r0", 0, {});
  added.max_tokens = 20;
  hunt.take(added, 2);
  hunt.take(BeginPass{1}, 3);
  hunt.take(EndPass{1, {}, {}, {}, {}}, 4);
  hunt.take(Preempt{"r0"}, 5);
  EXPECT_EQ(hunt.queues().waiting.size(), 1U);
  hunt.take(BeginPass{2}, 6);  // it need not wait for them
  hunt.take(EndPass{2, {}, {}, {}, {}}, 7);
  EXPECT_EQ(hunt.queues().in_flight.back().scheduled.size(), 1U);
  hunt.take(Execute{1}, 8);
  hunt.take(Deliver{1, {}}, 9);
  EXPECT_EQ(hunt.queues().running.front().known, 8);
  EXPECT_EQ(hunt.declined(), 0U);
}

}  // namespace
}  // namespace holdfast::verify::replay::inline driven
