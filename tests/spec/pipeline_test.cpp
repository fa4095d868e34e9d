#include "spec/pipeline.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;

class PipelineTest : public MachineTest<> {
 protected:
  /// A request with a feature at [50, 150), wholly computed and held.
  void compute_the_feature(std::string_view profile = "holdfast", Int lookahead = 0) {
    start({.capacity = 200, .encoder_budget = 200, .lookahead = lookahead, .depth = 2}, profile);
    image = hash();
    r = request(200, {feature(image, 50, 100)});
    run(r, 100);
    run(r, 49);
  }
  bool released_at(Int computed, Int placeholders) {
    s().computed.set(r, computed);
    s().placeholders.set(r, placeholders);
    return can<ReleaseInput>(r, Int{0});
  }

  Hash image;
  Request r;
};

TEST_F(PipelineTest, PlaceholdersAreNotConfirmed) {
  compute_the_feature();
  EXPECT_FALSE(released_at(151, 4));
  EXPECT_FALSE(released_at(153, 4));
  EXPECT_TRUE(released_at(154, 4));
}

TEST_F(PipelineTest, WithoutPlaceholdersTheEndIsEnough) {
  compute_the_feature();
  EXPECT_FALSE(released_at(149, 0));
  EXPECT_TRUE(released_at(150, 0));
}

TEST_F(PipelineTest, ComputedIsEnoughUnderTheFault) {
  compute_the_feature("release-optimistic");
  EXPECT_TRUE(released_at(151, 4));
}

TEST_F(PipelineTest, MarginOfTheLookAhead) {
  compute_the_feature("lookahead-margin", 1);
  EXPECT_FALSE(released_at(150, 0));
  EXPECT_TRUE(released_at(151, 0));
}

TEST_F(PipelineTest, HoldfastNeedsNoMargin) {
  compute_the_feature("holdfast", 1);
  EXPECT_TRUE(released_at(150, 0));
}

TEST_F(PipelineTest, EntrySurvivesPreemption) {
  compute_the_feature();
  preempt(r);
  EXPECT_TRUE(cached(image));
  EXPECT_EQ(s().reclaimable(), 200);
  take<BeginPass>();
  EXPECT_THAT(schedule(r, 100), ElementsAre("touch"));
  EXPECT_EQ(s().reclaimable(), 100);
}

TEST_F(PipelineTest, EvictedMeanwhileItIsEncodedAgain) {
  compute_the_feature();
  preempt(r);
  const Request other = request(200, {feature(hash(), 0, 150)});
  EXPECT_THAT(run(other, 150), ElementsAre("evict", "allocate"));
  EXPECT_EQ(s().worker(image), 0);
  take<ReleaseInput>(other, Int{0});
  EXPECT_THAT(run(r, 100), ElementsAre("evict", "allocate"));
  EXPECT_EQ(s().worker(image), 100);
}

TEST_F(PipelineTest, RejectedDraftsAreTakenBack) {
  compute_the_feature();
  take<BeginPass>();
  schedule(r, 4, 3, 4);
  end_pass();
  execute();
  EXPECT_EQ(s().computed(r), 153);
  EXPECT_EQ(confirmed<D>(s(), r), 149);
  EXPECT_FALSE(can<ReleaseInput>(r, Int{0}));
  take<Deliver>(s().delivered() + 1, r, Int{3});
  EXPECT_EQ(s().computed(r), 150);
  EXPECT_EQ(confirmed<D>(s(), r), 150);
  EXPECT_TRUE(can<ReleaseInput>(r, Int{0}));
}

TEST_F(PipelineTest, StaleOutputChangesNoCounter) {
  compute_the_feature();
  take<BeginPass>();
  schedule(r, 4, 3, 4);
  end_pass();
  execute();
  preempt(r);
  take<Deliver>(s().delivered() + 1, r, Int{3});
  EXPECT_EQ(s().computed(r), 0);
  EXPECT_EQ(s().placeholders(r), 0);
}

TEST_F(PipelineTest, ReleasedInsideThePassUnderTheFault) {
  start({.capacity = 4, .encoder_budget = 4}, "release-at-schedule");
  const Request first = request(4, {feature(hash(), 0, 4)});
  run(first, 2);
  take<BeginPass>();
  schedule(first, 2);
  EXPECT_TRUE(can<ReleaseInput>(first, Int{0}));
}

TEST_F(PipelineTest, AbortReturnsEverything) {
  compute_the_feature();
  take<AbortRequest>(r);
  drain();
  EXPECT_EQ(s().reclaimable(), 200);
  EXPECT_TRUE(cached(image));
}

}  // namespace
}  // namespace holdfast::spec_test
