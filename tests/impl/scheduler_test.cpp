// What passes come to, in short stories: the expected values are thought from spec/schedule and
// spec/rules.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/impl/scheduler_fixture.hpp"

namespace holdfast::impl {
namespace {

// -- the cache --

TEST_F(SchedulerTest, AMissIsOrderedAndALaterRequestHitsIt) {
  begin(roomy());
  const RequestHandle a = add("a", 40, {{"h", 10, 30}});
  EXPECT_EQ(pass(), "a 0+40");
  ASSERT_EQ(last->step.orders.size(), 1U);
  EXPECT_EQ(last->step.orders[0], (EncodeOrder{scheduler->hash_of(a, 0).value, 20, a, 0}));
  EXPECT_EQ(scheduler->num_freeable_slots(), 80);
  deliver();
  ASSERT_EQ(scheduler->ended().size(), 1U);
  EXPECT_EQ(scheduler->ended()[0], a);
  EXPECT_EQ(scheduler->num_free_slots(), 80);
  EXPECT_EQ(scheduler->num_freeable_slots(), 100);

  add("b", 40, {{"h", 0, 20}});
  EXPECT_EQ(pass(), "b 0+40");
  EXPECT_EQ(orders(), "");
  EXPECT_EQ(scheduler->num_freeable_slots(), 80);
}

TEST_F(SchedulerTest, AHashTwiceInARequestIsOneEntryHeldUntilBothAreOver) {
  auto config = roomy();
  config.max_num_batched_tokens = 25;
  begin(config);
  add("a", 40, {{"h", 0, 10}, {"h", 20, 30}});
  EXPECT_EQ(pass(), "a 0+25");
  EXPECT_EQ(orders(), "h for a");
  EXPECT_EQ(scheduler->num_free_slots(), 90);
  deliver();
  EXPECT_EQ(scheduler->num_freeable_slots(), 90);  // the second is not over
  EXPECT_EQ(pass(), "a 25+15");
  EXPECT_EQ(orders(), "");
  deliver();
  EXPECT_EQ(scheduler->num_freeable_slots(), 100);
}

TEST_F(SchedulerTest, TheOldestFreeableEntryMakesRoomAndTheWorkerIsTold) {
  auto config = roomy();
  config.encoder_cache_size = 45;
  begin(config);
  add("a", 20, {{"old", 0, 20}});
  pass_and_deliver();
  add("b", 20, {{"new", 0, 20}});
  pass_and_deliver();
  add("c", 20, {{"own", 0, 20}});
  EXPECT_EQ(pass(), "c 0+20");
  EXPECT_EQ(notices(), "old");
  EXPECT_EQ(orders(), "own for c");
  EXPECT_EQ(scheduler->num_free_slots(), 5);
  deliver();
  add("d", 20, {{"new", 0, 20}});  // was not evicted
  EXPECT_EQ(pass(), "d 0+20");
  EXPECT_EQ(orders() + notices(), "");
}

TEST_F(SchedulerTest, AnotherSizeIsRefusedAlone) {
  begin(roomy());
  add("a", 40, {{"h", 0, 20}});
  const RequestHandle b = add("b", 40, {{"h", 0, 10}});
  add("c", 10);
  EXPECT_EQ(pass(), "a 0+40, c 0+10");
  ASSERT_EQ(last->refused.size(), 1U);
  EXPECT_EQ(last->refused[0].request, b);
  EXPECT_EQ(last->refused[0].id, "b");
  EXPECT_EQ(scheduler->find("b").error, Error::unknown_request);
  EXPECT_EQ(orders(), "h for a");
  EXPECT_EQ(scheduler->num_running(), 2U);
  EXPECT_EQ(scheduler->num_waiting(), 0U);
}

// -- who goes, and who comes --

/// In the third pass the urgent one lacks a block, as the other, whose turn came first, has just
/// taken two for the chunk that needs its image. 11 blocks of 10 tokens.
class RetractionTest : public SchedulerTest {
 protected:
  void two_passes(std::initializer_list<Image> urgent_images) {
    auto config = roomy();
    config.policy = Policy::priority;
    config.max_num_batched_tokens = 40;
    config.long_prefill_token_threshold = 20;
    config.num_gpu_blocks = 11;
    begin(config);
    slow = add("slow", 80, {{"h", 65, 75}}, {.priority = 5});
    EXPECT_EQ(pass_and_deliver(), "slow 0+40");  // alone: no threshold
    add("urgent", 40, urgent_images, {.priority = 1});
    EXPECT_EQ(pass_and_deliver(), "slow 40+20, urgent 0+20");
  }
  RequestHandle slow;
};

TEST_F(RetractionTest, TheOrderIsWithdrawn) {
  two_passes({});
  EXPECT_EQ(pass(), "urgent 20+20");
  EXPECT_EQ(last->preempted, std::vector{slow});
  EXPECT_EQ(orders(), "");
  EXPECT_TRUE(last->hand_overs.empty());
  EXPECT_EQ(scheduler->num_free_slots(), 100);
  EXPECT_EQ(scheduler->num_waiting(), 1U);
  deliver();
  EXPECT_EQ(pass(), "slow 0+40");  // from its beginning
}

TEST_F(RetractionTest, TheOrderIsHandedOver) {
  two_passes({{"h", 25, 35}});
  EXPECT_EQ(pass(), "urgent 20+20");
  EXPECT_EQ(last->preempted, std::vector{slow});
  EXPECT_EQ(orders(), "h for urgent");
  const HandedOver handed{scheduler->find("urgent").ok() ? last->step.orders[0].hash : HashHandle{},
                          slow};
  EXPECT_EQ(last->hand_overs, std::vector{handed});
  EXPECT_EQ(scheduler->num_free_slots(), 90);
}

TEST_F(SchedulerTest, WhoLacksBlocksIsPutBackAndThoseBehindWaitToo) {
  auto config = roomy();
  config.num_gpu_blocks = 6;
  begin(config);
  add("a", 40);
  add("b", 40, {{"h", 0, 20}});
  add("c", 10);
  EXPECT_EQ(pass(), "a 0+40");
  EXPECT_EQ(orders(), "");
  EXPECT_EQ(counts(), (std::vector<std::int64_t>{1, 2, 100, 100}));
  deliver();
  EXPECT_EQ(pass(), "b 0+40, c 0+10");
  EXPECT_EQ(orders(), "h for b");
}

TEST_F(SchedulerTest, TheWatermarkIsForThoseWhoRun) {
  auto config = roomy();
  config.num_gpu_blocks = 6;
  config.watermark_blocks = 2;
  begin(config);
  add("a", 50);  // alone it may take what is spare
  add("b", 10);
  EXPECT_EQ(pass(), "a 0+50");
  EXPECT_EQ(scheduler->num_waiting(), 1U);
}

TEST_F(SchedulerTest, NobodyOvertakesWhoCouldNotGetInButWhoNeedsNothing) {
  auto config = roomy();
  config.encoder_cache_size = 30;
  begin(config);
  add("a", 25, {{"h1", 0, 20}});
  add("b", 25, {{"h2", 0, 20}});
  add("c", 25, {{"h3", 0, 10}});  // would fit
  add("d", 25);
  EXPECT_EQ(pass(), "a 0+25, d 0+25");
  EXPECT_EQ(orders(), "h1 for a");
  EXPECT_EQ(counts(), (std::vector<std::int64_t>{2, 2, 10, 10}));
  deliver();
  EXPECT_EQ(pass(), "b 0+25, c 0+25");
  EXPECT_EQ(notices(), "h1");
  EXPECT_EQ(orders(), "h2 for b, h3 for c");
}

TEST_F(SchedulerTest, NoMoreRunThanMayAndTheMoreUrgentComeFirst) {
  auto config = roomy();
  config.policy = Policy::priority;
  config.max_num_seqs = 2;
  begin(config);
  add("late", 10, {}, {.priority = 3});
  add("soon", 10, {}, {.priority = 2});
  add("now", 10, {}, {.priority = -1});
  EXPECT_EQ(pass_and_deliver(), "now 0+10, soon 0+10");
  EXPECT_EQ(pass(), "late 0+10");
}

// -- where chunks end --

TEST_F(SchedulerTest, AChunkEndsBeforeAnItemThatCanNotGetIn) {
  auto config = roomy();
  config.encoder_cache_size = 30;
  begin(config);
  add("a", 40, {{"h1", 0, 20}});
  add("b", 40, {{"h2", 15, 35}});
  EXPECT_EQ(pass_and_deliver(), "a 0+40, b 0+15");
  EXPECT_EQ(pass(), "b 15+25");
  EXPECT_EQ(orders(), "h2 for b");
  EXPECT_EQ(notices(), "h1");
}

TEST_F(SchedulerTest, ThePassOrdersNoMoreThanItsComputeBudget) {
  auto config = roomy();
  config.max_num_encoder_input_tokens = 30;
  begin(config);
  add("a", 60, {{"h1", 0, 20}, {"h2", 20, 40}});
  EXPECT_EQ(pass_and_deliver(), "a 0+20");
  EXPECT_EQ(pass(), "a 20+40");
  EXPECT_EQ(orders(), "h2 for a");
}

TEST_F(SchedulerTest, AWholeItemMakesTheChunkGrow) {
  auto config = roomy();
  config.disable_chunked_mm_input = true;
  config.long_prefill_token_threshold = 20;
  begin(config);
  add("a", 60, {{"h", 10, 30}});
  add("b", 10);
  EXPECT_EQ(pass(), "a 0+30, b 0+10");
}

TEST_F(SchedulerTest, OrTheChunkEndsBeforeItWhereTheBudgetDoes) {
  auto config = roomy();
  config.disable_chunked_mm_input = true;
  config.max_num_batched_tokens = 25;
  begin(config);
  add("a", 60, {{"h", 10, 30}});
  EXPECT_EQ(pass_and_deliver(), "a 0+10");
  EXPECT_EQ(orders(), "");
  EXPECT_EQ(pass(), "a 10+25");
  EXPECT_EQ(orders(), "h for a");
}

TEST_F(SchedulerTest, OverlappingSpansGetInAsOne) {
  auto config = roomy();
  config.encoder_cache_size = 30;
  config.max_num_batched_tokens = 12;
  begin(config);
  add("a", 30, {{"video", 10, 25}, {"audio", 20, 30}});  // 25 embeds together
  EXPECT_EQ(pass(), "a 0+12");
  EXPECT_EQ(orders(), "video for a, audio for a");
}

TEST_F(SchedulerTest, NoChunkEndsInTheTail) {
  auto config = roomy();
  config.num_prefill_lookahead = 4;
  config.max_num_batched_tokens = 20;
  begin(config);
  add("a", 22);
  EXPECT_EQ(pass_and_deliver(), "a 0+18");
  EXPECT_EQ(pass(), "a 18+4");
}

TEST_F(SchedulerTest, TheDrafterReadsPastTheWindow) {
  auto config = roomy();
  config.num_lookahead = 2;
  config.max_num_batched_tokens = 20;
  for (const auto& [start, ordered] : {std::pair<Tokens, const char*>{21, "h for a"}, {22, ""}}) {
    begin(config);
    add("a", 40, {{"h", start, start + 10}});
    EXPECT_EQ(pass(), "a 0+20");
    EXPECT_EQ(orders(), ordered) << start;
  }
}

TEST_F(SchedulerTest, WhatThePrefixCacheHasIsNotComputedNorEncoded) {
  begin(roomy());
  add("a", 40, {{"h1", 0, 10}, {"h2", 30, 40}}, {.cached = 20});
  EXPECT_EQ(pass(), "a 20+20");
  EXPECT_EQ(orders(), "h2 for a");
  add("b", 10, {}, {.cached = 10});  // the last token has to be computed
  deliver();
  EXPECT_EQ(pass(), "b 9+1");
}

// -- outputs --

TEST_F(SchedulerTest, DraftsAreAcceptedAndRejected) {
  auto config = roomy();
  config.num_speculative_tokens = 3;
  begin(config);
  const RequestHandle a = add("a", 10, {}, {.max_tokens = 5});
  EXPECT_EQ(pass_and_deliver(), "a 0+10");
  EXPECT_EQ(scheduler->update_draft_tokens(a, 3), Error::none);
  EXPECT_EQ(pass(), "a 10+4/3");
  deliver({{.generated = 2, .rejected = 2}});
  EXPECT_EQ(pass_and_deliver(), "a 12+1");
  EXPECT_EQ(pass_and_deliver(), "a 13+1");
  EXPECT_EQ(scheduler->ended().size(), 1U);  // the fifth token
}

TEST_F(SchedulerTest, NobodyDraftsInTheMiddleOfAPrompt) {
  auto config = roomy();
  config.num_speculative_tokens = 3;
  config.max_num_batched_tokens = 6;
  begin(config);
  const RequestHandle a = add("a", 10);
  EXPECT_EQ(pass_and_deliver(), "a 0+6");
  EXPECT_EQ(scheduler->update_draft_tokens(a, 3), Error::none);
  EXPECT_EQ(pass(), "a 6+4");
}

TEST_F(SchedulerTest, PassesInFlightCountTokensThatHaveNotCome) {
  auto config = roomy();
  config.pipeline_depth = 2;
  begin(config);
  add("a", 10, {}, {.max_tokens = 3});
  EXPECT_EQ(pass(), "a 0+10");
  EXPECT_EQ(last->scheduled[0].placeholders, 1);
  EXPECT_EQ(pass(), "a 10+1");
  EXPECT_EQ(last->scheduled[0].placeholders, 2);
  EXPECT_EQ(scheduler->schedule().error, Error::pipeline_full);
  deliver();
  EXPECT_EQ(pass(), "a 11+1");
  deliver();
  EXPECT_EQ(pass(), "");  // three tokens have come or are on their way
  deliver();
  EXPECT_EQ(scheduler->ended().size(), 1U);
  deliver();
  EXPECT_EQ(counts(), (std::vector<std::int64_t>{0, 0, 100, 100}));
}

TEST_F(SchedulerTest, AResetMakesARunningRequestOrderAgain) {
  auto config = roomy();
  config.max_num_batched_tokens = 20;
  begin(config);
  add("a", 40, {{"h", 10, 30}});
  EXPECT_EQ(pass(), "a 0+20");
  EXPECT_EQ(orders(), "h for a");
  const Step reset = scheduler->reset_encoder_cache();
  EXPECT_TRUE(reset.is_reset);
  EXPECT_EQ(reset.number, last->step.number + 1);
  EXPECT_EQ(scheduler->num_free_slots(), 100);
  deliver();
  EXPECT_EQ(pass(), "a 20+20");
  EXPECT_EQ(last->step.number, reset.number + 1);
  EXPECT_EQ(orders(), "h for a");
  EXPECT_EQ(notices(), "");
}

TEST_F(SchedulerTest, WhoIsPreemptedBetweenPassesGetsNoTokenOfAnOldOutput) {
  auto config = roomy();
  config.pipeline_depth = 2;
  begin(config);
  const RequestHandle a = add("a", 10, {{"h", 0, 10}}, {.max_tokens = 3});
  EXPECT_EQ(pass(), "a 0+10");
  EXPECT_EQ(scheduler->preempt_request(a), Error::none);
  EXPECT_EQ(counts(), (std::vector<std::int64_t>{0, 1, 90, 100}));
  EXPECT_EQ(pass(), "a 0+10");  // a hit
  EXPECT_EQ(orders(), "");
  deliver();  // dropped
  deliver();  // the first token
  EXPECT_EQ(pass(), "a 10+1");
}

}  // namespace
}  // namespace holdfast::impl
