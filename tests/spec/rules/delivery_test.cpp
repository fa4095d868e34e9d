#include "spec/rules/delivery.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

class DeliveryTest : public MachineTest<> {
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

class ReleaseTest : public DeliveryTest, public ::testing::WithParamInterface<const char*> {};

// test_free_encoder_inputs_respects_unconfirmed_placeholders
TEST_P(ReleaseTest, PlaceholdersAreNotConfirmed) {
  compute_the_feature(GetParam());
  EXPECT_FALSE(released_at(151, 4));
  EXPECT_FALSE(released_at(153, 4));
  EXPECT_TRUE(released_at(154, 4));
}

// test_free_encoder_inputs_unchanged_without_spec_decode
TEST_P(ReleaseTest, WithoutPlaceholdersTheEndIsEnough) {
  compute_the_feature(GetParam());
  EXPECT_FALSE(released_at(149, 0));
  EXPECT_TRUE(released_at(150, 0));
}

INSTANTIATE_TEST_SUITE_P(Profiles, ReleaseTest,
                         ::testing::Values("holdfast", "vllm-0.32.0", "vllm-0.33.0"));

TEST_F(DeliveryTest, ComputedIsEnoughUnderTheFault) {
  compute_the_feature("release-optimistic");
  EXPECT_TRUE(released_at(151, 4));
}

// test_free_encoder_inputs_defers_for_eagle_lookahead of 0.32.0, which 0.33.0 does without.
TEST_F(DeliveryTest, ALookAheadDefersTheReleaseIn0_32_0) {
  compute_the_feature("vllm-0.32.0", 1);
  EXPECT_FALSE(released_at(150, 0));
  EXPECT_TRUE(released_at(151, 0));
}

TEST_F(DeliveryTest, ALookAheadDefersNothingIn0_33_0) {
  for (const auto* profile : {"vllm-0.33.0", "holdfast"}) {
    compute_the_feature(profile, 1);
    EXPECT_TRUE(released_at(150, 0)) << profile;
  }
}

// 0.33.0 looks for what to release before it counts the tokens that the same output brought.
TEST_F(DeliveryTest, TheTokenOfTheSameOutputIsNotCountedYetIn0_33_0) {
  compute_the_feature("vllm-0.33.0");
  take<BeginPass>();
  schedule(r, 4, 3, 4);
  end_pass();
  execute();
  take<Deliver>(s().delivered() + 1, r, Int{3});
  EXPECT_EQ(confirmed<D>(s(), r), 150);
  EXPECT_FALSE(can<ReleaseInput>(r, Int{0}));
  take<EndDeliver>();
  run(r, 1);
  EXPECT_TRUE(can<ReleaseInput>(r, Int{0}));
}

TEST_F(DeliveryTest, NeitherIsItIn0_32_0WhichWaitsForTheLookAheadToo) {
  compute_the_feature("vllm-0.32.0", 1);
  take<BeginPass>();
  schedule(r, 4, 3, 4);
  end_pass();
  execute();
  take<Deliver>(s().delivered() + 1, r, Int{2});
  EXPECT_EQ(confirmed<D>(s(), r), 151);
  EXPECT_FALSE(can<ReleaseInput>(r, Int{0}));
  take<EndDeliver>();
  run(r, 1);
  EXPECT_TRUE(can<ReleaseInput>(r, Int{0}));
}

TEST_F(DeliveryTest, NoPassBeginsBeforeEverythingIsReleased) {
  compute_the_feature();
  run(r, 1);
  EXPECT_FALSE(can<BeginPass>());
  release(r);
  EXPECT_TRUE(can<BeginPass>());
}

TEST_F(DeliveryTest, APassMayBeginWhileOutputsAreInFlight) {
  compute_the_feature();
  take<BeginPass>();
  schedule(r, 1);
  end_pass();
  take<BeginPass>();
  end_pass();
  execute();
  deliver({r});
  EXPECT_TRUE(can<ReleaseInput>(r, Int{0}));
  EXPECT_TRUE(can<BeginPass>());
}

TEST_F(DeliveryTest, AResetIsNoPass) {
  start({.capacity = 8, .encoder_budget = 8});
  take<Reset>();
  EXPECT_FALSE(can<Reset>()) << "one at a time";
  take<BeginPass>();
  end_pass();
  EXPECT_EQ(s().issued() - s().delivered(), 2);
  EXPECT_FALSE(can<BeginPass>());
  execute();
  take<EndDeliver>();
  EXPECT_TRUE(can<Reset>());
  EXPECT_FALSE(can<BeginPass>());
  execute();
  take<EndDeliver>();
  EXPECT_TRUE(can<BeginPass>());
}

TEST_F(DeliveryTest, RejectedDraftsAreTakenBack) {
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

TEST_F(DeliveryTest, StaleOutputChangesNoCounter) {
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

TEST_F(DeliveryTest, ReleasedInsideThePassUnderTheFault) {
  start({.capacity = 4, .encoder_budget = 4}, "release-at-schedule");
  const Request first = request(4, {feature(hash(), 0, 4)});
  run(first, 2);
  take<BeginPass>();
  schedule(first, 2);
  EXPECT_TRUE(can<ReleaseInput>(first, Int{0}));
}

}  // namespace
}  // namespace holdfast::spec_test
