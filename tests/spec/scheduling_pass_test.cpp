#include "spec/scheduling_pass.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SchedulingPassTest : public MachineTest<> {
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
    take<Commit>(Int{0}, Int{0});
  }

  Hash h;
  Request r0, r1;
};

TEST_F(SchedulingPassTest, RetractedOrderIsWithdrawn) {
  retract(false);
  EXPECT_FALSE(cached(h));
  EXPECT_EQ(s().free(), 8);
  EXPECT_EQ(s().compute(), 8);
  end_pass();
  EXPECT_THAT(encodes(), IsEmpty());
  EXPECT_THAT(notices(), IsEmpty());
}

TEST_F(SchedulingPassTest, RetractedOrderIsHandedOver) {
  retract(true);
  EXPECT_TRUE(s().refs(h, r1));
  EXPECT_EQ(s().compute(), 4);
  end_pass();
  EXPECT_THAT(encodes(), ElementsAre(h));
}

TEST_F(SchedulingPassTest, RetractedEntryStaysUnderTheFault) {
  retract(false, "retract-keeps-entry");
  EXPECT_TRUE(cached(h));
  EXPECT_EQ(s().free(), 4);
  EXPECT_EQ(s().reclaimable(), 8);
  EXPECT_EQ(s().compute(), 8);
  EndPass::effect<D>(d(), s());
  EXPECT_THAT(encodes(), IsEmpty());
  EXPECT_EQ(violated(), "no-ghost-entry");
}

TEST_F(SchedulingPassTest, BudgetClipsAndAbandons) {
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

TEST_F(SchedulingPassTest, LookUpsOfARefusedRequestAreUndone) {
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

TEST_F(SchedulingPassTest, DepthBoundsThePassesInFlight) {
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

}  // namespace
}  // namespace holdfast::spec_test
