#include "spec/rules/chunking.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Items must not be split.
class ChunkingTest : public MachineTest<> {
 protected:
  /// A request with an item at [2, 6), in a pass.
  void start_with(Int token_budget, std::string_view profile = "holdfast", Int lookahead = 0,
                  Int tail = 0) {
    start({.capacity = 8,
           .encoder_budget = 8,
           .lookahead = lookahead,
           .token_budget = token_budget,
           .tail = tail,
           .whole_items = true},
          profile);
    r = request(8, {feature(hash(), 2, 4)});
    take<BeginPass>();
  }

  Request r;
};

TEST_F(ChunkingTest, GrowsToTheEndOfAnItem) {
  start_with(8);
  EXPECT_THAT(schedule(r, 3), ElementsAre("grow", "order"));
  EXPECT_EQ(s().tokens(r), 6);
}

TEST_F(ChunkingTest, EndsWhereTheItemStartsIfTheRestIsTooLong) {
  start_with(5);
  EXPECT_THAT(schedule(r, 3), ElementsAre("roll_back"));
  EXPECT_EQ(s().tokens(r), 2);
}

TEST_F(ChunkingTest, IsAbandonedIfNothingComesBeforeTheItem) {
  start({.capacity = 8, .encoder_budget = 8, .token_budget = 6, .whole_items = true});
  const Request first = request(8, {});
  r = request(8, {feature(hash(), 0, 4)});
  take<BeginPass>();
  schedule(first, 3);
  EXPECT_THAT(plan(r, 3), ElementsAre("abandon"));
  EXPECT_TRUE(s().tried(r));
}

TEST_F(ChunkingTest, AnEndThatCutsNothingIsLeftAlone) {
  start_with(8);
  EXPECT_THAT(schedule(r, 2), IsEmpty());
  EXPECT_EQ(s().tokens(r), 2);
}

TEST_F(ChunkingTest, AGroupIsOneItem) {
  start({.capacity = 8, .encoder_budget = 8, .token_budget = 8, .whole_items = true});
  r = request(8, {feature(hash(), 0, 4), feature(hash(), 2, 4)});
  take<BeginPass>();
  EXPECT_THAT(schedule(r, 4), ElementsAre("grow", "order", "order"));
  EXPECT_EQ(s().tokens(r), 6);
}

TEST_F(ChunkingTest, GrowsToThePromptsEndWhereTheTailForbidsLess) {
  start_with(8, "holdfast", 0, 3);
  EXPECT_THAT(schedule(r, 3), ElementsAre("grow", "order"));
  EXPECT_EQ(s().tokens(r), 8);
}

TEST_F(ChunkingTest, ShortenedToAnyEndThatCutsNothing) {
  start_with(8);
  plan(r, 8);
  for (const Int n : {1, 2, 6, 7}) EXPECT_TRUE(can<Shorten>(n)) << n;
  for (const Int n : {0, 3, 4, 5, 8}) EXPECT_FALSE(can<Shorten>(n)) << n;
  take<Shorten>(Int{6});
  EXPECT_EQ(s().plan_tokens(), 6);
}

TEST_F(ChunkingTest, TheTailIsCutAfterPlanningInVllm) {
  start_with(8, "vllm-0.33.0", 0, 3);
  plan(r, 8);
  EXPECT_TRUE(can<Shorten>(Int{3})) << "whatever was planned";
  EXPECT_FALSE(can<Abandon>());
  take<Shorten>(Int{2});
  EXPECT_TRUE(can<Abandon>()) << "fewer tokens than the tail may be none";
}

// test_no_mm_input_chunking
TEST_F(ChunkingTest, TheImageOfVllmsOwnTest) {
  for (const auto* profile : {"holdfast", "vllm-0.33.0"}) {
    start({.capacity = 2048, .encoder_budget = 2048, .token_budget = 1024, .whole_items = true},
          profile);
    r = request(1200, {feature(hash(), 400, 800)});
    take<BeginPass>();
    EXPECT_THAT(schedule(r, 1024), ElementsAre("roll_back")) << profile;
    EXPECT_EQ(s().tokens(r), 400);
    end_pass();
    execute();
    deliver({r});
    EXPECT_THAT(run(r, 800), ElementsAre("order")) << profile;
  }
  start({.capacity = 2048, .encoder_budget = 2048, .token_budget = 100, .whole_items = true});
  EXPECT_TRUE(can<Reject>(new_request(1200, {feature(hash(), 400, 800)})));
}

TEST_F(ChunkingTest, EndsTheLookAheadBeforeTheItemInVllm) {
  start_with(8, "vllm-0.33.0", 1);
  EXPECT_THAT(schedule(r, 3), ElementsAre("roll_back"));
  EXPECT_EQ(s().tokens(r), 1);
}

TEST_F(ChunkingTest, AnItemThatBeginsTheChunkIsSplitIn0_32_0) {
  for (const auto* profile : {"vllm-0.33.0", "vllm-0.32.0", "split-item"}) {
    const bool splits = profile != std::string_view("vllm-0.33.0");
    start({.capacity = 8, .encoder_budget = 8, .token_budget = 8, .whole_items = true}, profile);
    const Request text = request(8, {});
    r = request(8, {feature(hash(), 0, 4)});
    take<BeginPass>();
    schedule(text, 1);
    EXPECT_THAT(plan(r, 3), ElementsAre(splits ? "order" : "abandon"));
    if (!splits) continue;
    allocate();
    Commit::effect<D>(d(), s(), 0, 0);
    EXPECT_EQ(violated(), WholeItemsKept::info.name);
  }
}

}  // namespace
}  // namespace holdfast::spec_test
