#include "spec/rules/worker.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Look-ahead 1: in a step with tokens [a, b) the target reads [a, b) and the drafter [a + 1, b +
/// 1).
class WorkerTest : public MachineTest<> {
 protected:
  void start_with_capacity(Int capacity, std::string_view profile = "holdfast") {
    start({.capacity = capacity, .encoder_budget = capacity, .lookahead = 1}, profile);
  }
  /// Whether the gather of the step that runs raises.
  bool target_misses(Request r, Int i, Int from) {
    EXPECT_TRUE(can<GatherTarget>(r, i, from));
    GatherTarget::effect<D>(d(), s(), r, i, from);
    return s().missed();
  }
  bool drafter_misses(Request r, Int i, Int from) {
    EXPECT_TRUE(can<GatherDraft>(r, i, from));
    GatherDraft::effect<D>(d(), s(), r, i, from);
    return s().missed();
  }
  /// A step with `tokens` of r, executed but not delivered.
  Words step(Request r, Int tokens) {
    take<BeginPass>();
    auto taken = schedule(r, tokens);
    end_pass();
    execute();
    return taken;
  }
};

TEST_F(WorkerTest, BoundaryFeatureIsUsedWhenCached) {
  start_with_capacity(8);
  const Hash h = hash();
  const Request r = request(20, {feature(h, 4, 4)});
  EXPECT_THAT(step(r, 4), ElementsAre("order"));
  EXPECT_EQ(s().worker(h), 4);
  EXPECT_FALSE(can<GatherTarget>(r, Int{0}, Int{0}));
  EXPECT_FALSE(drafter_misses(r, 0, 0));
  EXPECT_EQ(d().embeddings_in(r, 0, 1, 5), 1);
}

TEST_F(WorkerTest, BoundaryFeatureIsToleratedWhenAbsent) {
  start_with_capacity(4);
  const Request holder = request(20, {feature(hash(), 0, 4)});
  run(holder, 2);
  const Request r = request(20, {feature(hash(), 4, 4)});
  EXPECT_THAT(step(r, 4), ElementsAre("clip"));
  EXPECT_FALSE(drafter_misses(r, 0, 0));
}

TEST_F(WorkerTest, AbsentBoundaryFeatureRaisesWithoutTheFallback) {
  start_with_capacity(4, "no-boundary-fallback");
  const Request holder = request(20, {feature(hash(), 0, 4)});
  run(holder, 2);
  const Request r = request(20, {feature(hash(), 4, 4)});
  step(r, 4);
  EXPECT_TRUE(drafter_misses(r, 0, 0));
}

TEST_F(WorkerTest, InteriorMissRaises) {
  start_with_capacity(8);
  const Hash h = hash();
  const Request r = request(20, {feature(h, 2, 4)});
  step(r, 4);
  s().worker.set(h, 0);
  EXPECT_TRUE(target_misses(r, 0, 0));
  s().missed.set(false);
  EXPECT_TRUE(drafter_misses(r, 0, 0));
  EXPECT_FALSE(NoInteriorMiss::holds<D>(d(), s()));
}

TEST_F(WorkerTest, DecodeRequestsGatherNothing) {
  start_with_capacity(8);
  const Request r = request(8, {feature(hash(), 0, 4)});
  run(r, 8);
  release(r);
  EXPECT_THAT(step(r, 1), IsEmpty());
  EXPECT_FALSE(can<GatherTarget>(r, Int{0}, Int{8}));
  EXPECT_FALSE(can<GatherDraft>(r, Int{0}, Int{8}));
}

TEST_F(WorkerTest, SeveralRequestsInOneBatch) {
  start_with_capacity(16);
  const Request first = request(20, {feature(hash(), 0, 4)});
  const Request second = request(20, {feature(hash(), 2, 4)});
  take<BeginPass>();
  schedule(first, 4);
  schedule(second, 3);
  end_pass();
  execute();
  EXPECT_FALSE(target_misses(first, 0, 0));
  EXPECT_FALSE(drafter_misses(first, 0, 0));
  EXPECT_FALSE(target_misses(second, 0, 0));
  EXPECT_FALSE(drafter_misses(second, 0, 0));
}

TEST_F(WorkerTest, OneFeatureSharedBySeveralRequests) {
  start_with_capacity(4);
  const Hash h = hash();
  const Request first = request(20, {feature(h, 0, 4)});
  const Request second = request(20, {feature(h, 0, 4)});
  take<BeginPass>();
  EXPECT_THAT(schedule(first, 4), ElementsAre("order"));
  EXPECT_THAT(schedule(second, 4), ElementsAre("touch"));
  end_pass();
  EXPECT_THAT(encodes(), ElementsAre(h));
  execute();
  EXPECT_FALSE(target_misses(first, 0, 0));
  EXPECT_FALSE(target_misses(second, 0, 0));
}

TEST_F(WorkerTest, MaskedPositionsAreNotGathered) {
  start_with_capacity(8);
  const Request r = request(20, {{hash(), 0, 8, 2, {{0, 1}, {6, 1}}}});
  EXPECT_THAT(run(r, 1), ElementsAre("order"));
  step(r, 3);
  EXPECT_FALSE(can<GatherTarget>(r, Int{0}, Int{1}));
  deliver({r});
  step(r, 3);
  EXPECT_TRUE(can<GatherTarget>(r, Int{0}, Int{4}));
}

TEST_F(WorkerTest, TrueStartLiesBetweenConfirmedAndComputed) {
  start({.capacity = 8, .encoder_budget = 8, .depth = 2});
  const Request r = request(8, {feature(hash(), 0, 4)});
  run(r, 8);
  release(r);
  take<BeginPass>();
  schedule(r, 3, 2, 3);
  end_pass();
  take<BeginPass>();
  schedule(r, 1, 0, 1);
  end_pass();
  EXPECT_FALSE(may_start_at<D>(d(), s(), s().issued(), r, Int{7}));
  EXPECT_TRUE(may_start_at<D>(d(), s(), s().issued(), r, Int{8}));
  EXPECT_TRUE(may_start_at<D>(d(), s(), s().issued(), r, Int{11}));
  EXPECT_FALSE(may_start_at<D>(d(), s(), s().issued(), r, Int{12}));
}

}  // namespace
}  // namespace holdfast::spec_test
