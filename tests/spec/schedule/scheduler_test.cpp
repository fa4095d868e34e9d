// The reference pass: how many tokens a turn gets.
#include "spec/schedule/scheduler.hpp"

#include <vector>

#include <gmock/gmock.h>

#include "tests/spec/schedule/schedule_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// -- how many tokens --

TEST_F(ScheduleTest, TokensGoToTheRunningRequestsFirstAndThenInOrderOfArrival) {
  budgets.token_budget = 12;
  start();
  add({.prompt = 10});
  add({.prompt = 10});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 10}, Given{1, 2}));
  add({.prompt = 10});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 1}, Given{1, 8}, Given{2, 3}));
}

TEST_F(ScheduleTest, ThresholdHoldsOnlyBesideOthers) {
  sizes.long_prefill_threshold = 4;
  start();
  add({.prompt = 20});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 20}));
  add({.prompt = 20});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 1}, Given{1, 4}));
}

TEST_F(ScheduleTest, ThresholdComesBeforeTheBudget) {
  budgets.token_budget = 6;
  sizes.long_prefill_threshold = 4;
  start();
  add({.prompt = 20});
  add({.prompt = 20});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 4}, Given{1, 2}));
}

TEST_F(ScheduleTest, MostRunningRequests) {
  sizes.max_num_seqs = 1;
  start();
  add({.prompt = 4});
  add({.prompt = 4});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 4}));
  EXPECT_THAT(names(queues().waiting), ElementsAre(1));
}

TEST_F(ScheduleTest, RequestEndsAtItsMostTokensOrTheModelsLength) {
  sizes.max_model_len = 12;
  start();
  add({.prompt = 4, .max_tokens = 1});
  add({.prompt = 10, .max_tokens = 5});
  whole_pass();
  EXPECT_THAT(names(queues().running), ElementsAre(1));
  whole_pass();
  EXPECT_THAT(queues().running, IsEmpty());
}

// -- items --

TEST_F(ScheduleTest, ChunkEndsBeforeAnItemThatTheComputeBudgetIsTooSmallFor) {
  budgets.encoder_budget = 10;
  start();
  const Hash a = hash();
  const Hash b = hash();
  add({.prompt = 30, .items = {item(a, 2, 6), item(b, 12, 6)}});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 12}));
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 18}));
}

TEST_F(ScheduleTest, NobodyOvertakesARequestThatCannotGetIn) {
  budgets.capacity = 6;
  budgets.depth = 2;
  const auto given = [&](std::string_view profile) {
    start(profile);
    add({.prompt = 8, .items = {item(hash(), 0, 6)}});
    pass();  // its output is not delivered, so that it holds on to its item
    add({.prompt = 8, .items = {item(hash(), 0, 6)}});
    add({.prompt = 8, .items = {item(hash(), 6, 2)}});
    return pass();
  };
  EXPECT_THAT(given("holdfast"), ElementsAre(Given{0, 1}));
  EXPECT_THAT(given("vllm-0.33.0"), ElementsAre(Given{0, 1}, Given{2, 6}));
}

// What counts every input of whoever leaves must not count one that never came to it.
TEST_F(ScheduleTest, ARequestRefusedForKvBlocksGivesNothingBack) {
  budgets.capacity = 8;
  sizes.manager = Manager::encoder_decoder;
  sizes.kv_blocks = 20;
  for (const char* profile : {"holdfast", "vllm-0.32.0", "vllm-0.33.0"}) {
    start(profile);
    EXPECT_FALSE(add({.prompt = 30, .items = {item(hash(), 0, 4)}})) << profile;
    EXPECT_EQ(s().free(), 8) << profile;
    EXPECT_FALSE(s().draining()) << profile;
  }
}

TEST_F(ScheduleTest, WholeItems) {
  budgets.token_budget = 10;
  budgets.whole_items = true;
  budgets.lookahead = 1;
  const auto chunks = [&](std::string_view profile) {
    start(profile);
    add({.prompt = 20, .items = {item(hash(), 8, 6)}});
    return std::vector{whole_pass().front().tokens, whole_pass().front().tokens};
  };
  EXPECT_THAT(chunks("holdfast"), ElementsAre(8, 10));
  EXPECT_THAT(chunks("vllm-0.33.0"), ElementsAre(7, 10));
}

TEST_F(ScheduleTest, TailIsKeptForOneChunk) {
  budgets.token_budget = 8;
  budgets.lookahead = 3;
  budgets.tail = 3;
  for (const auto* profile : {"holdfast", "vllm-0.33.0"}) {
    start(profile);
    add({.prompt = 10});
    EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 7})) << profile;
    EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 3})) << profile;
  }
}

TEST_F(ScheduleTest, ThresholdBelowTheTailDoesNotStopARequestForEver) {
  budgets.lookahead = 4;
  budgets.tail = 4;
  sizes.long_prefill_threshold = 2;
  const auto tokens = [&](std::string_view profile) {
    start(profile);
    add({.prompt = 5});
    add({.prompt = 1});
    Int all = 0;
    for (int n = 0; n < 3; ++n)
      for (const auto& given : whole_pass())
        if (given.request == 0) all += given.tokens;
    return all;
  };
  EXPECT_EQ(tokens("holdfast"), 6);
  EXPECT_EQ(tokens("vllm-0.33.0"), 1);
}

// -- the prefix cache, drafts, async scheduling --

TEST_F(ScheduleTest, PrefixHitMayEndInsideAnItem) {
  start();
  const Hash h = hash();
  add({.prompt = 12, .items = {item(h, 4, 6)}, .hit = 8});
  EXPECT_THAT(pass(), ElementsAre(Given{0, 4}));
  EXPECT_EQ(last().scheduled.front().computed, 8);
  EXPECT_EQ(s().step_encodes(s().issued(), h), 6);
}

TEST_F(ScheduleTest, HitLeavesATokenToCompute) {
  start();
  add({.prompt = 5, .hit = 5});
  EXPECT_THAT(pass(), ElementsAre(Given{0, 1}));
}

TEST_F(ScheduleTest, DraftsAreTrimmedToWhatThePassHasLeft) {
  budgets.token_budget = 7;
  sizes.draft_tokens = 4;
  start();
  add({.prompt = 3});
  whole_pass();
  add({.prompt = 3});
  whole_pass();
  propose(0, 4);
  propose(1, 4);
  EXPECT_THAT(pass(), ElementsAre(Given{0, 5}, Given{1, 2}));
  EXPECT_EQ(last().scheduled[0].drafts, 4);
  EXPECT_EQ(last().scheduled[1].drafts, 1);
  deliver(3);
  EXPECT_EQ(s().computed(request(0)), 6);
}

TEST_F(ScheduleTest, DraftsOfAChunkAreIgnored) {
  budgets.token_budget = 4;
  sizes.draft_tokens = 2;
  start();
  add({.prompt = 6});
  whole_pass();
  propose(0, 2);
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 2}));
  propose(0, 2);
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 3}));
}

TEST_F(ScheduleTest, AsyncSchedulingCountsPlaceholdersAndStopsInTime) {
  budgets.depth = 2;
  sizes.draft_tokens = 1;
  start();
  add({.prompt = 4, .max_tokens = 3});
  EXPECT_THAT(pass(), ElementsAre(Given{0, 4}));
  EXPECT_EQ(last().scheduled.front().placeholders, 1);
  EXPECT_THAT(pass(), ElementsAre(Given{0, 2}));
  EXPECT_EQ(last().scheduled.front().placeholders, 3);
  deliver();
  // One output is known, and at least one more comes of the step in flight.
  EXPECT_THAT(pass(), ElementsAre(Given{0, 2}));
  deliver(1);
  EXPECT_THAT(pass(), IsEmpty());
}

TEST_F(ScheduleTest, StaleOutputsCountAndKeepARequestWaiting) {
  budgets.depth = 2;
  sizes.kv_block_size = 4;
  sizes.kv_blocks = 3;
  start();
  add({.prompt = 4, .max_tokens = 5});
  add({.prompt = 4, .max_tokens = 5});
  EXPECT_THAT(pass(), ElementsAre(Given{0, 4}, Given{1, 4}));
  EXPECT_THAT(pass(), ElementsAre(Given{0, 1}));  // r1 gave its block back, its output is in flight
  EXPECT_THAT(names(queues().waiting), ElementsAre(1));
  deliver();
  EXPECT_EQ(queues().find(request(1))->known, 5);
}

TEST_F(ScheduleTest, LastTokenOfAPromptIsPaddedWithDrafts) {
  sizes.draft_tokens = 2;
  start();
  add({.prompt = 3});
  whole_pass();
  add({.prompt = 9, .hit = 8});
  EXPECT_THAT(pass(), ElementsAre(Given{0, 1}, Given{1, 3}));
  EXPECT_EQ(last().scheduled[1].drafts, 2);
}

}  // namespace
}  // namespace holdfast::spec_test
