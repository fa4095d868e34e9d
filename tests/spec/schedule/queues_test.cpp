// The reference pass: who runs, who waits, and who has KV blocks.
#include "spec/schedule/queues.hpp"

#include <vector>

#include <gmock/gmock.h>

#include "tests/spec/schedule/schedule_fixture.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// -- KV blocks --

TEST_F(ScheduleTest, LastOfTheRunningGivesItsBlocksBack) {
  sizes.kv_block_size = 4;
  sizes.kv_blocks = 4;
  start();
  for (int n = 0; n < 3; ++n) add({.prompt = 4, .max_tokens = 8});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 4}, Given{1, 4}, Given{2, 4}));
  EXPECT_EQ(queues().kv_free, 1);
  // r0 takes the last block; r1 gets that of r2, and nobody is admitted.
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 1}, Given{1, 1}));
  EXPECT_THAT(names(queues().running), ElementsAre(0, 1));
  EXPECT_THAT(names(queues().waiting), ElementsAre(2));
  EXPECT_EQ(queues().kv_free, 0);
}

TEST_F(ScheduleTest, LeastUrgentGivesItsBlocksBackEvenIfItWasScheduled) {
  sizes.policy = Policy::priority;
  sizes.kv_block_size = 4;
  sizes.kv_blocks = 3;
  start();
  add({.prompt = 4, .max_tokens = 7, .priority = 5});
  whole_pass();
  add({.prompt = 4, .max_tokens = 7, .priority = 1});
  whole_pass();
  EXPECT_THAT(names(queues().running), ElementsAre(0, 1));
  EXPECT_EQ(queues().kv_free, 0);
  // r0 has its turn first, r1 needs a second block.
  EXPECT_THAT(whole_pass(), ElementsAre(Given{1, 1}));
  EXPECT_THAT(names(queues().waiting), ElementsAre(0));
  EXPECT_EQ(s().computed(request(0)), 0);
}

TEST_F(ScheduleTest, WhoGivesItsOwnBlocksBackStopsTheOthersOnlyIn0_32_0) {
  sizes.policy = Policy::priority;
  sizes.kv_block_size = 4;
  sizes.kv_blocks = 3;
  const auto given = [&](std::string_view profile) {
    start(profile);
    add({.prompt = 3, .max_tokens = 4, .priority = 5});
    whole_pass();
    add({.prompt = 8, .max_tokens = 3, .priority = 1});
    EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 1}, Given{1, 8}));
    EXPECT_EQ(queues().kv_free, 0);
    return pass();
  };
  EXPECT_THAT(given("holdfast"), ElementsAre(Given{1, 1}));
  EXPECT_THAT(given("vllm-0.33.0"), ElementsAre(Given{1, 1}));
  EXPECT_THAT(given("vllm-0.32.0"), IsEmpty());
}
TEST_F(ScheduleTest, WatermarkStaysFreeBesideRunningRequests) {
  sizes.kv_block_size = 4;
  sizes.kv_blocks = 4;
  sizes.kv_watermark_blocks = 2;
  start();
  add({.prompt = 8, .max_tokens = 4});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 8}));  // nobody runs: no watermark
  add({.prompt = 4, .max_tokens = 4});
  EXPECT_THAT(whole_pass(), ElementsAre(Given{0, 1}));
  EXPECT_THAT(names(queues().waiting), ElementsAre(1));
}

// -- who comes and goes --

TEST_F(ScheduleTest, WhatCanNeverRunIsRefused) {
  budgets.capacity = 8;
  sizes.kv_block_size = 4;
  sizes.kv_blocks = 4;
  sizes.max_model_len = 20;
  start();
  EXPECT_TRUE(add({.prompt = 8, .items = {item(hash(), 0, 8)}, .max_tokens = 4}));
  EXPECT_FALSE(add({.prompt = 12, .items = {item(hash(), 0, 9)}, .max_tokens = 2}));  // slots
  EXPECT_FALSE(add({.prompt = 12, .max_tokens = 6}));                                 // KV blocks
  EXPECT_FALSE(add({.prompt = 20, .max_tokens = 1}));                                 // length
  EXPECT_THAT(names(queues().waiting), ElementsAre(0));
}

TEST_F(ScheduleTest, AbortGivesEverythingBack) {
  sizes.kv_blocks = 50;
  start();
  const Hash h = hash();
  add({.prompt = 8, .items = {item(h, 0, 8)}});
  pass();
  auto x = scheduler();
  EXPECT_TRUE(abort_request(x, request(0)));
  EXPECT_FALSE(abort_request(x, request(0)));
  EXPECT_EQ(queues().kv_free, 50);
  EXPECT_EQ(s().reclaimable(), 100);
  deliver();
  EXPECT_THAT(queues().in_flight, IsEmpty());
}

TEST_F(ScheduleTest, ResetsTakeNoPlaceInThePipeline) {
  start();
  add({.prompt = 8, .items = {item(hash(), 0, 8)}});
  pass();
  auto x = scheduler();
  EXPECT_TRUE(reset_encoder_cache(x));
  EXPECT_TRUE(reset_encoder_cache(x));  // the same one
  EXPECT_FALSE(schedule_pass(x, 2));    // the pass is still in flight
  deliver();
  EXPECT_TRUE(execute_model(x));
  EXPECT_THAT(queues().in_flight, IsEmpty());
  EXPECT_THAT(pass(), ElementsAre(Given{0, 1}));
}

// -- both readings --

/// Two requests that compete for slots and KV blocks: everybody's share, pass by pass.
template <class Reading, class Name>
std::vector<std::vector<int>> run_story(Reading& d, State<Reading>& s, Name r0, Name r1) {
  Sizes<Reading> sizes;
  sizes.policy = Policy::priority;
  sizes.kv_block_size = 4;
  sizes.kv_blocks = 4;
  sizes.long_prefill_threshold = 4;
  Queues<Reading> queues(sizes);
  Unobserved<Reading> nobody;
  Scheduler<Reading, Unobserved<Reading>> x{d, s, queues, nobody};
  add_request(x, {r0, 2, 0});
  add_request(x, {r1, 2, 0});
  std::vector<std::vector<int>> passes;
  for (int n = 1; n <= 12; ++n) {
    EXPECT_TRUE(schedule_pass(x, n));
    auto& seen = passes.emplace_back();
    std::vector<Output<Reading>> outputs;
    for (const auto& entry : queues.in_flight.front().scheduled) {
      seen.push_back(entry.request == r0 ? 0 : 1);
      seen.push_back(static_cast<int>(entry.tokens));
      outputs.push_back({entry.samples ? 1 : 0, 0});
    }
    seen.push_back(static_cast<int>(s.free()));
    EXPECT_TRUE(execute_model(x));
    EXPECT_TRUE(update_from_output(x, outputs));
  }
  EXPECT_TRUE(queues.running.empty() && queues.waiting.empty());
  return passes;
}

TEST(ScheduleReadingsTest, Agree) {
  const verify::Workload w{.capacity = 8,
                           .encoder_budget = 8,
                           .hashes = 2,
                           .requests = {{8, 12, {{4, 8, 4, 0}}, 5}, {8, 12, {{2, 6, 4, 1}}, 0}},
                           .token_budget = 12};
  verify::dynamic::Machine machine{Profile{}};
  machine.start({.capacity = 8, .encoder_budget = 8, .token_budget = 12});
  const auto a = machine.new_hash();
  const auto b = machine.new_hash();
  const auto r0 = machine.new_request(8, 12, {{a, 4, 8, 4, {}}}, 5);
  const auto r1 = machine.new_request(8, 12, {{b, 2, 6, 4, {}}}, 0);
  const auto dynamic = run_story(machine.d, machine.s, r0, r1);

  using Compact = verify::compact::Reading<2, 2, 2, 16>;  // a row for every pass
  Compact d(w, Profile{}, {});
  State<Compact> s;
  initialise(d, s);
  const auto compact = run_story(d, s, verify::compact::Request{0}, verify::compact::Request{1});
  EXPECT_EQ(dynamic, compact);
}

}  // namespace
}  // namespace holdfast::spec_test
