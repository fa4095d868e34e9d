#include "spec/rules/planning.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A request whose features [0, 4) and [2, 6) overlap.
class GroupTest : public MachineTest<> {
 protected:
  void start_with(const Budgets& budgets, std::string_view profile = "holdfast") {
    start(budgets, profile);
    video = hash();
    audio = hash();
    r = request(20, {feature(video, 0, 4), feature(audio, 2, 4)});
    take<BeginPass>();
  }

  Hash video, audio;
  Request r;
};

TEST_F(GroupTest, AWindowThatReachesIntoItReachesToItsEnd) {
  start_with({.capacity = 8, .encoder_budget = 8});
  EXPECT_THAT(schedule(r, 1), ElementsAre("order", "order"));
  EXPECT_THAT(held(r), ElementsAre(0, 1));
  EXPECT_EQ(s().tokens(r), 1);
}

TEST_F(GroupTest, EachFeatureAloneInVllm) {
  start_with({.capacity = 8, .encoder_budget = 8}, "vllm-0.33.0");
  EXPECT_THAT(schedule(r, 1), ElementsAre("order"));
}

TEST_F(GroupTest, GetsInAsAWholeOrNotAtAll) {
  start({.capacity = 8, .encoder_budget = 8});
  const Request holder = request(20, {feature(hash(), 0, 4)});
  r = request(20, {feature(hash(), 0, 4), feature(hash(), 2, 4)});
  take<BeginPass>();
  schedule(holder, 2);
  EXPECT_THAT(plan(r, 6), ElementsAre("abandon"));
  EXPECT_THAT(held(r), IsEmpty());
  EXPECT_EQ(s().free(), 4);
}

TEST_F(GroupTest, GetsInInPartInVllm) {
  start({.capacity = 8, .encoder_budget = 8}, "vllm-0.33.0");
  const Request holder = request(20, {feature(hash(), 0, 4)});
  r = request(20, {feature(hash(), 0, 4), feature(hash(), 2, 4)});
  take<BeginPass>();
  schedule(holder, 2);
  EXPECT_THAT(plan(r, 6), ElementsAre("order", "clip"));
  EXPECT_EQ(s().plan_tokens(), 2);
}

TEST_F(GroupTest, AHitOnItsFirstFeatureAnswersForTheRest) {
  start({.capacity = 8, .encoder_budget = 8});
  video = hash();
  const Request holder = request(20, {feature(video, 0, 4), feature(hash(), 4, 4)});
  r = request(20, {feature(video, 0, 4), feature(hash(), 2, 4)});
  take<BeginPass>();
  schedule(holder, 7);
  EXPECT_THAT(plan(r, 6), ElementsAre("abandon")) << "a hit, but no slots for what overlaps it";
  EXPECT_THAT(held(r), IsEmpty());
}

TEST_F(GroupTest, MustFitWithAllOfItsFeatures) {
  start({.capacity = 7, .encoder_budget = 7});
  EXPECT_TRUE(can<Reject>(new_request(20, {feature(hash(), 0, 4), feature(hash(), 2, 4)})));
  EXPECT_TRUE(can<Add>(new_request(20, {feature(hash(), 0, 4), feature(hash(), 4, 4)})));
}

/// One request, pass after pass, as a scheduler without KV limits would run it.
class ProgressTest : public MachineTest<> {
 protected:
  /// The features encoded, in order; ends early where a pass gives no tokens.
  std::vector<Int> prefill(Int prompt, const std::vector<FeatureConfig>& features) {
    std::vector<Int> encoded;
    r = request(prompt, features);
    while (s().computed(r) < prompt) {
      take<BeginPass>();
      Plan::effect<D>(d(), s(), r, std::min(d().config.token_budget(), prompt - s().computed(r)),
                      0);
      while (looking_at_feature(d(), s())) {
        if (can<Order>()) encoded.push_back(s().cursor());
        if (can<Abandon>()) return Abandon::effect<D>(d(), s()), encoded;
        plan_feature();
      }
      allocate();
      take<Commit>(Int{0}, Int{0});
      end_pass();
      execute();
      deliver({r});
      release(r);
    }
    return encoded;
  }

  /// Two adjacent images that fit the cache one at a time.
  std::vector<Int> two_images(std::string_view profile, Int lookahead) {
    start({.capacity = 900, .encoder_budget = 900, .lookahead = lookahead, .token_budget = 900},
          profile);
    return prefill(1220, {feature(hash(), 10, 600), feature(hash(), 610, 600)});
  }

  Request r;
};

// test_drafter_lookahead_encoder_cache_cap_makes_progress of 0.33.0
TEST_F(ProgressTest, ImagesThatFitOneAtATimeIn0_33_0) {
  for (const auto* profile : {"vllm-0.33.0", "holdfast"})
    for (const Int lookahead : {1, 3}) {
      EXPECT_THAT(two_images(profile, lookahead), ElementsAre(0, 1)) << profile << lookahead;
      EXPECT_EQ(s().computed(r), 1220);
    }
}

// What that test is there for: 0.32.0 stops L before the second image, and holds the first until L
// after it.
TEST_F(ProgressTest, ImagesThatFitOneAtATimeDeadlockIn0_32_0) {
  for (const auto* profile : {"vllm-0.32.0", "hold-past-end"})
    for (const Int lookahead : {1, 3}) {
      EXPECT_THAT(two_images(profile, lookahead), ElementsAre(0)) << profile;
      EXPECT_EQ(s().computed(r), 610 - lookahead);
      EXPECT_EQ(violated(), Progress::info.name);
    }
}

// test_drafter_lookahead_encoder_cache_cap_respects_token_budget
TEST_F(ProgressTest, AnImageInTheLookAheadDoesNotGrowTheChunk) {
  for (const auto* profile : {"vllm-0.33.0", "holdfast"})
    for (const Int lookahead : {1, 3})
      for (const Int past_chunk_end : {0, 1, 2}) {
        start(
            {.capacity = 300, .encoder_budget = 1000, .lookahead = lookahead, .token_budget = 100},
            profile);
        r = request(420 + past_chunk_end,
                    {feature(hash(), 10, 80), feature(hash(), 100 + past_chunk_end, 300)});
        take<BeginPass>();
        schedule(r, 100);
        EXPECT_EQ(s().tokens(r), 100);
        EXPECT_THAT(held(r), ElementsAre(0));
      }
}

}  // namespace
}  // namespace holdfast::spec_test
