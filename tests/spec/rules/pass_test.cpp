#include "spec/rules/pass.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PassTest : public MachineTest<> {
 protected:
  /// r0 orders h in a pass, and is retracted in r1's turn.
  void retract(bool shared, std::string_view profile = "holdfast") {
    start({.capacity = 8, .encoder_budget = 8}, profile);
    h = hash();
    r0 = request(10, {feature(h, 0, 4)});
    r1 = request(10, shared ? std::vector{feature(h, 0, 4)} : std::vector<FeatureConfig>{});
    take<BeginPass>();
    schedule(r0, 4);
    EXPECT_EQ(s().compute(), 4);
    plan(r1, 4);
    take<Retract>(r0);
    drain();
    allocate();
    take<Commit>(Int{0}, Int{0});
  }

  Hash h;
  Request r0, r1;
};

TEST_F(PassTest, RetractedOrderIsWithdrawn) {
  retract(false);
  EXPECT_FALSE(cached(h));
  EXPECT_EQ(s().free(), 8);
  EXPECT_EQ(s().compute(), 8);
  end_pass();
  EXPECT_THAT(encodes(), IsEmpty());
  EXPECT_THAT(notices(), IsEmpty());
}

TEST_F(PassTest, RetractedOrderIsHandedOver) {
  retract(true);
  EXPECT_TRUE(s().refs(h, r1));
  EXPECT_EQ(s().compute(), 4);
  end_pass();
  EXPECT_THAT(encodes(), ElementsAre(h));
}

TEST_F(PassTest, RetractedEntryStaysUnderTheFault) {
  retract(false, "retract-keeps-entry");
  EXPECT_TRUE(cached(h));
  EXPECT_EQ(s().free(), 4);
  EXPECT_EQ(s().reclaimable(), 8);
  EXPECT_EQ(s().compute(), 8);
  EndPass::effect<D>(d(), s());
  EXPECT_THAT(encodes(), IsEmpty());
  EXPECT_EQ(violated(), NoGhostEntry::info.name);
}

TEST_F(PassTest, BudgetClipsAndAbandons) {
  start({.capacity = 16, .encoder_budget = 6});
  const Request first = request(20, {feature(hash(), 0, 4)});
  const Request second = request(20, {feature(hash(), 2, 4)});
  const Request third = request(20, {feature(hash(), 0, 4)});
  take<BeginPass>();
  schedule(first, 4);
  EXPECT_THAT(schedule(second, 8), ElementsAre("clip"));
  EXPECT_EQ(s().tokens(second), 2);
  EXPECT_THAT(plan(third, 4), ElementsAre("abandon"));
  drain();
  EXPECT_FALSE(s().scheduled(third));
}

TEST_F(PassTest, LookUpsOfARefusedRequestAreUndone) {
  start({.capacity = 8, .encoder_budget = 8});
  const Hash shared = hash();
  const Request first = request(20, {feature(shared, 0, 4)});
  const Request second = request(20, {feature(shared, 0, 4)});
  run(first, 4);
  take<ReleaseInput>(first, Int{0});
  take<BeginPass>();
  EXPECT_THAT(plan(second, 4), ElementsAre("touch"));
  EXPECT_EQ(s().reclaimable(), 4);
  take<PutBack>();
  drain();
  EXPECT_EQ(s().reclaimable(), 8);
  EXPECT_THAT(held(second), IsEmpty());
}

TEST_F(PassTest, LookUpsStayWithoutKvBlocksUnderTheFault) {
  start({.capacity = 8, .encoder_budget = 8}, "waiting-keeps-references");
  const Hash shared = hash();
  const Request first = request(20, {feature(shared, 0, 4)});
  const Request second = request(20, {feature(shared, 0, 4)});
  run(first, 3);
  take<BeginPass>();
  EXPECT_THAT(plan(second, 4), ElementsAre("touch"));
  PutBack::effect<D>(d(), s());
  EXPECT_EQ(violated(), NoHoldAndWait::info.name);
}

TEST_F(PassTest, SlotsArePromisedAndTakenOnceKvBlocksAreFound) {
  start({.capacity = 8, .encoder_budget = 8});
  const Hash a = hash();
  const Request r = request(20, {feature(a, 0, 4), feature(a, 4, 4)});
  take<BeginPass>();
  EXPECT_THAT(plan(r, 8), ElementsAre("order", "share"));
  EXPECT_EQ(s().promised(a), 4);
  EXPECT_EQ(s().free(), 8);
  EXPECT_EQ(s().compute(), 8);
  EXPECT_FALSE(can<Commit>(Int{0}, Int{0}));
  take<Allocate>(Int{1});
  EXPECT_EQ(s().promised(a), 0);
  EXPECT_EQ(s().free(), 4);
  EXPECT_EQ(s().compute(), 4);
  take<Allocate>(Int{0});
  EXPECT_EQ(s().free(), 4);
  EXPECT_THAT(held(r), ElementsAre(0, 1));
  take<Commit>(Int{0}, Int{0});
}

TEST_F(PassTest, WhatIsChosenIsGivenUpWithoutKvBlocks) {
  start({.capacity = 8, .encoder_budget = 8});
  const Hash a = hash();
  const Request r = request(20, {feature(a, 0, 4)});
  take<BeginPass>();
  EXPECT_THAT(plan(r, 4), ElementsAre("order"));
  take<PutBack>();
  drain();
  EXPECT_FALSE(cached(a));
  EXPECT_EQ(s().compute(), 8);
  end_pass();
  EXPECT_THAT(encodes(), IsEmpty());
}

TEST_F(PassTest, PrefixHitMovesTheWindow) {
  start({.capacity = 8, .encoder_budget = 8});
  const Request r = request(20, {feature(hash(), 0, 4), feature(hash(), 4, 4)});
  take<BeginPass>();
  EXPECT_THAT(plan(r, 2, 6), ElementsAre("order"));
  EXPECT_EQ(s().computed(r), 6);
  allocate();
  take<Commit>(Int{0}, Int{0});
  EXPECT_THAT(held(r), ElementsAre(1));
  end_pass();
  EXPECT_EQ(s().computed(r), 8);
}

TEST_F(PassTest, PrefixHitIsOfItsTurnOnly) {
  start({.capacity = 8, .encoder_budget = 8});
  const Request r = request(20, {feature(hash(), 4, 4)});
  take<BeginPass>();
  plan(r, 2, 6);
  take<PutBack>();
  EXPECT_EQ(s().computed(r), 0);
  drain();
  end_pass();
  execute();
  deliver({});
  run(r, 5);
  release(r);
  EXPECT_FALSE(can<Plan>(r, Int{1}, Int{1})) << "a running request has none";
}

TEST_F(PassTest, TokensOfAPassFitItsBudget) {
  start({.capacity = 8, .encoder_budget = 8, .token_budget = 10});
  const Request first = request(20, {});
  const Request second = request(20, {});
  take<BeginPass>();
  EXPECT_FALSE(can<Plan>(first, Int{11}, Int{0}));
  schedule(first, 7);
  EXPECT_FALSE(can<Plan>(second, Int{4}, Int{0}));
  schedule(second, 3);
}

/// A request that can't get in, and some behind it.
class OvertakingTest : public PassTest {
 protected:
  void block_a_waiting_request(std::string_view profile, bool whole_items = false) {
    start({.capacity = 4, .encoder_budget = 4, .whole_items = whole_items}, profile);
    holder = request(20, {feature(hash(), 0, 4)});
    blocked = request(20, {feature(hash(), 0, 4)}, 1);
    alike = request(20, {feature(hash(), 0, 4)}, 1);
    urgent = request(20, {feature(hash(), 0, 4)}, 0);
    text = request(20, {}, 1);
    run(holder, whole_items ? 4 : 3);
    take<BeginPass>();
    schedule(holder, 1);
    plan(blocked, 4);
    if (s().draining()) drain();
    EXPECT_TRUE(s().tried(blocked));
  }
  bool gets_a_turn(Request r) { return can<Plan>(r, Int{1}, Int{0}); }

  Request holder, blocked, alike, urgent, text;
};

TEST_F(OvertakingTest, OnlyTheMoreUrgentAndWhoNeedsNothing) {
  block_a_waiting_request("holdfast");
  EXPECT_FALSE(gets_a_turn(blocked));
  EXPECT_FALSE(gets_a_turn(alike));
  EXPECT_TRUE(gets_a_turn(urgent));
  EXPECT_TRUE(gets_a_turn(text));
}

TEST_F(OvertakingTest, NobodyBehindAWaitingOneIn0_32_0) {
  block_a_waiting_request("vllm-0.32.0");
  EXPECT_FALSE(gets_a_turn(alike));
  EXPECT_FALSE(gets_a_turn(urgent));
  EXPECT_FALSE(gets_a_turn(text));
}

// test_waiting_encoder_stall_does_not_starve_later_requests
TEST_F(OvertakingTest, EverybodyIn0_33_0) {
  block_a_waiting_request("vllm-0.33.0");
  EXPECT_TRUE(gets_a_turn(alike));
  EXPECT_TRUE(gets_a_turn(urgent));
  EXPECT_TRUE(gets_a_turn(text));
}

TEST_F(OvertakingTest, WhereItemsAreWholeTokensAreNeededToo) {
  start({.capacity = 8, .encoder_budget = 8, .token_budget = 4, .whole_items = true});
  const Request first = request(20, {});
  const Request item = request(20, {feature(hash(), 0, 4)});
  text = request(20, {});
  take<BeginPass>();
  schedule(first, 1);
  EXPECT_THAT(plan(item, 3), ElementsAre("abandon"));
  drain();
  EXPECT_FALSE(can<Plan>(text, Int{1}, Int{0})) << "it would take tokens that the item needs";
}

/// What a retracted order gives back, in the turn of a request that has chosen something or not.
class RefundTest : public PassTest {
 protected:
  Int compute_after_retraction(std::string_view profile, bool chooses) {
    start({.capacity = 16, .encoder_budget = 16}, profile);
    r0 = request(10, {feature(hash(), 0, 4)});
    r1 = request(10, chooses ? std::vector{feature(hash(), 0, 4)} : std::vector<FeatureConfig>{});
    take<BeginPass>();
    schedule(r0, 4);
    plan(r1, 4);
    Retract::effect<D>(d(), s(), r0);
    Drop::effect<D>(d(), s(), Int{0});
    return s().compute();
  }
};

TEST_F(RefundTest, OfWhatIsWithdrawnAll) {
  EXPECT_EQ(compute_after_retraction("holdfast", false), 16);
  EXPECT_EQ(compute_after_retraction("holdfast", true), 16);
}

TEST_F(RefundTest, IsLostToAPlanIn0_33_0) {
  EXPECT_EQ(compute_after_retraction("vllm-0.33.0", false), 16);
  EXPECT_EQ(compute_after_retraction("vllm-0.33.0", true), 12);
}

TEST_F(PassTest, DepthBoundsThePassesInFlight) {
  start({.capacity = 8, .encoder_budget = 8, .depth = 2});
  for (int n = 0; n < 2; ++n) {
    take<BeginPass>();
    end_pass();
  }
  EXPECT_FALSE(can<BeginPass>());
  execute();
  deliver({});
  EXPECT_TRUE(can<BeginPass>());
}

TEST_F(PassTest, EntrySurvivesPreemption) {
  start({.capacity = 200, .encoder_budget = 200});
  const Hash image = hash();
  const Request r = request(200, {feature(image, 50, 100)});
  run(r, 149);
  preempt(r);
  EXPECT_TRUE(cached(image));
  EXPECT_EQ(s().reclaimable(), 200);
  take<BeginPass>();
  EXPECT_THAT(schedule(r, 100), ElementsAre("touch"));
  EXPECT_EQ(s().reclaimable(), 100);
}

TEST_F(PassTest, EvictedMeanwhileItIsEncodedAgain) {
  start({.capacity = 200, .encoder_budget = 200});
  const Hash image = hash();
  const Request r = request(200, {feature(image, 50, 100)});
  run(r, 149);
  preempt(r);
  const Request other = request(200, {feature(hash(), 0, 150)});
  EXPECT_THAT(run(other, 150), ElementsAre("evict", "order"));
  EXPECT_EQ(s().worker(image), 0);
  take<ReleaseInput>(other, Int{0});
  EXPECT_THAT(run(r, 100), ElementsAre("evict", "order"));
  EXPECT_EQ(s().worker(image), 100);
}

}  // namespace
}  // namespace holdfast::spec_test
