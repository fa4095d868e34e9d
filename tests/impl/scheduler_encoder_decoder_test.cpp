// Whole passes over the manager of encoder-decoder models.
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/impl/scheduler_fixture.hpp"

namespace holdfast::impl {
namespace {

class SchedulerEncoderDecoderTest : public SchedulerTest {
 protected:
  /// 30 slots, as many embeds a pass.
  static SchedulerConfig whisper() {
    auto config = roomy();
    config.is_encoder_decoder = true;
    config.encoder_cache_size = config.max_num_encoder_input_tokens = 30;
    return config;
  }
  void expect_counts(std::int64_t running, std::int64_t waiting, Embeds free) {
    EXPECT_EQ(counts(), (std::vector<std::int64_t>{running, waiting, free, free}));
  }
};

// Two of 20 embeds want 30 slots: the numbers of a run from its beginning to its end.
TEST_F(SchedulerEncoderDecoderTest, ARunFromAddToFinish) {
  begin(whisper());
  const RequestHandle a = add("a", 4, {{"talk", 0, 20}}, {.max_tokens = 2});
  const RequestHandle b = add("b", 3, {{"song", 0, 20}});
  expect_counts(0, 2, 30);

  EXPECT_EQ(pass(), "a 0+4");  // 10 slots are left, too few for b
  ASSERT_EQ(orders(), "talk for a");
  EXPECT_EQ(last->step.orders[0].embeds, 20);
  EXPECT_EQ(notices(), "");
  expect_counts(1, 1, 10);
  deliver();  // a has computed tokens: its input is read
  expect_counts(1, 1, 30);

  EXPECT_EQ(pass(), "a 4+1, b 0+3");
  EXPECT_EQ(orders(), "song for b");
  EXPECT_EQ(notices(), "talk");
  expect_counts(2, 0, 10);
  deliver();
  EXPECT_EQ(std::vector(scheduler->ended().begin(), scheduler->ended().end()), (std::vector{a, b}));
  expect_counts(0, 0, 30);

  EXPECT_EQ(pass(), "");
  EXPECT_EQ(notices(), "song");
  deliver();
  EXPECT_EQ(pass(), "");
  EXPECT_EQ(notices(), "");
}

// encdec_allocate
TEST_F(SchedulerEncoderDecoderTest, NothingIsShared) {
  begin(whisper());
  add("a", 4, {{"talk", 0, 10}});
  add("b", 4, {{"talk", 0, 10}});
  EXPECT_EQ(pass(), "a 0+4, b 0+4");
  EXPECT_EQ(orders(), "talk for a, talk for b");
  EXPECT_TRUE(last->hand_overs.empty());
  expect_counts(2, 0, 10);
}

TEST_F(SchedulerEncoderDecoderTest, APassOrdersNoMoreThanItsComputeBudget) {
  auto config = whisper();
  config.encoder_cache_size = 100;
  begin(config);
  add("a", 4, {{"talk", 0, 20}});
  add("b", 4, {{"talk", 0, 11}});
  EXPECT_EQ(pass(), "a 0+4");
  expect_counts(1, 1, 80);
}

// encdec_skip
TEST_F(SchedulerEncoderDecoderTest, TheFirstStepReadsTheInputsALaterOneNone) {
  auto config = whisper();
  config.max_num_batched_tokens = 6;
  begin(config);
  add("a", 9, {{"talk", 0, 20}});
  EXPECT_EQ(pass(), "a 0+6");
  EXPECT_EQ(orders(), "talk for a");
  deliver();
  EXPECT_EQ(pass(), "a 6+3");
  EXPECT_EQ(orders(), "");
  EXPECT_EQ(notices(), "talk");
}

TEST_F(SchedulerEncoderDecoderTest, WhatThePrefixCacheHasReadIsNotEncoded) {
  begin(whisper());
  add("a", 9, {{"talk", 0, 20}}, {.cached = 5});
  EXPECT_EQ(pass(), "a 5+4");
  EXPECT_EQ(orders(), "");
  expect_counts(1, 0, 30);
}

// encdec_abandon
TEST_F(SchedulerEncoderDecoderTest, InputsGetInAllAtOnceOrNot) {
  begin(whisper());
  add("a", 4, {{"talk", 0, 10}});
  add("b", 4, {{"song", 0, 10}, {"noise", 0, 11}});  // the first would fit
  add("c", 4, {{"hum", 0, 10}});                     // does not overtake
  add("d", 4);                                       // needs nothing
  EXPECT_EQ(pass(), "a 0+4, d 0+4");
  EXPECT_EQ(orders(), "talk for a");
  expect_counts(2, 2, 20);
  deliver();
  EXPECT_EQ(pass(), "b 0+4");
  EXPECT_EQ(orders(), "song for b, noise for b");
  EXPECT_EQ(notices(), "talk");
  expect_counts(1, 1, 9);
}

TEST_F(SchedulerEncoderDecoderTest, AnAbandonedOrderGivesItsBudgetBackToTheMoreUrgent) {
  auto config = whisper();
  config.encoder_cache_size = 100;
  begin(config);
  add("a", 4, {{"song", 0, 10}, {"noise", 0, 15}, {"hum", 0, 5}}, {.priority = 1});
  add("b", 4, {{"talk", 0, 1}}, {.priority = 1});
  EXPECT_EQ(pass_and_deliver(), "a 0+4");
  add("c", 4, {{"song", 0, 10}, {"noise", 0, 15}, {"hum", 0, 5}}, {.priority = 1});
  add("d", 4, {{"talk", 0, 29}});
  EXPECT_EQ(pass(), "b 0+4, d 0+4");
  EXPECT_EQ(orders(), "talk for b, talk for d");
}

// put_back, encdec_drop
TEST_F(SchedulerEncoderDecoderTest, WhoLacksBlocksGivesItsSlotsBack) {
  auto config = whisper();
  config.num_gpu_blocks = 6;
  begin(config);
  add("a", 40);
  add("b", 30, {{"talk", 0, 20}});
  EXPECT_EQ(pass(), "a 0+40");
  EXPECT_EQ(orders(), "");
  expect_counts(1, 1, 30);
  deliver();
  EXPECT_EQ(pass(), "b 0+30");
  EXPECT_EQ(orders(), "talk for b");
}

TEST_F(SchedulerEncoderDecoderTest, TheWorkerIsNotToldOfWhatWasNeverEncoded) {
  auto config = whisper();
  config.num_gpu_blocks = 6;
  begin(config);
  add("a", 40);
  const RequestHandle b = add("b", 30, {{"talk", 0, 20}});
  EXPECT_EQ(pass_and_deliver(), "a 0+40");
  EXPECT_EQ(scheduler->abort_request(b), Error::none);
  EXPECT_EQ(pass(), "");
  EXPECT_EQ(notices(), "");
}

TEST_F(SchedulerEncoderDecoderTest, AnAbortGivesSlotsBackOnceAndTheWorkerIsToldAllTheSame) {
  auto config = whisper();
  config.pipeline_depth = 2;
  begin(config);
  const RequestHandle a = add("a", 4, {{"talk", 0, 20}});
  EXPECT_EQ(pass(), "a 0+4");
  EXPECT_EQ(scheduler->abort_request(a), Error::none);
  expect_counts(0, 0, 30);
  EXPECT_EQ(pass(), "");
  EXPECT_EQ(notices(), "talk");
  deliver();
  deliver();
  expect_counts(0, 0, 30);
}

TEST_F(SchedulerEncoderDecoderTest, WhoIsPreemptedIsEncodedAgain) {
  begin(whisper());
  const RequestHandle a = add("a", 4, {{"talk", 0, 20}}, {.max_tokens = 3});
  EXPECT_EQ(pass_and_deliver(), "a 0+4");
  EXPECT_EQ(scheduler->preempt_request(a), Error::none);
  EXPECT_EQ(pass(), "a 0+5");  // with the token that has come
  EXPECT_EQ(orders(), "talk for a");
  EXPECT_EQ(notices(), "");  // encdec_end_pass: it is encoded again (vLLM #32789)
  deliver();
  EXPECT_EQ(pass_and_deliver(), "a 5+1");
  EXPECT_EQ(notices(), "talk");
}

TEST_F(SchedulerEncoderDecoderTest, WhoIsPreemptedWithOutputsInFlightHoldsNothing) {
  begin(whisper());
  const RequestHandle a = add("a", 4, {{"talk", 0, 20}});
  EXPECT_EQ(pass(), "a 0+4");
  EXPECT_EQ(scheduler->preempt_request(a), Error::none);
  expect_counts(0, 1, 30);
}

// encdec_release
TEST_F(SchedulerEncoderDecoderTest, SlotsComeBackOnceHoweverManyOutputsCome) {
  auto config = whisper();
  config.pipeline_depth = 3;
  begin(config);
  add("a", 4, {{"talk", 0, 20}}, {.max_tokens = 5});
  EXPECT_EQ(pass(), "a 0+4");
  EXPECT_EQ(pass(), "a 4+1");
  expect_counts(1, 0, 10);
  deliver();
  expect_counts(1, 0, 30);
  deliver();
  expect_counts(1, 0, 30);
}

// encdec_reset
TEST_F(SchedulerEncoderDecoderTest, AResetForgetsInputsAndWhatIsDue) {
  auto config = whisper();
  config.pipeline_depth = 2;
  begin(config);
  add("a", 4, {{"talk", 0, 20}}, {.max_tokens = 5});
  EXPECT_EQ(pass(), "a 0+4");
  const Step reset = scheduler->reset_encoder_cache();
  EXPECT_TRUE(reset.is_reset);
  expect_counts(1, 0, 30);
  EXPECT_EQ(pass(), "a 4+1");
  EXPECT_EQ(orders() + notices(), "");
  deliver();
  deliver();
  expect_counts(1, 0, 30);
}

// add, reject
TEST_F(SchedulerEncoderDecoderTest, WhatCouldNeverRunIsTooLarge) {
  begin(whisper());
  EXPECT_EQ(try_add("a", 4, {{"talk", 0, 31}}).error, Error::too_large);
  EXPECT_EQ(try_add("a", 4, {{"talk", 0, 20}, {"song", 20, 31}}).error, Error::too_large);
  expect_counts(0, 0, 30);
  auto config = whisper();
  config.max_num_encoder_input_tokens = 19;
  begin(config);
  EXPECT_EQ(try_add("a", 4, {{"talk", 0, 20}}).error, Error::too_large);
  EXPECT_TRUE(try_add("a", 4, {{"talk", 0, 19}}).ok());
}

TEST_F(SchedulerEncoderDecoderTest, InputsDoNotLieInThePromptButAreInOrder) {
  begin(whisper());
  const std::array out_of_order{FeatureSpec{"h", Mask::whole(5, 10).value},
                                FeatureSpec{"i", Mask::whole(4, 9).value}};
  const std::array empty{FeatureSpec{"h", Mask()}};
  EXPECT_EQ(scheduler->add_request({"a", 4, 1, 0, 0, out_of_order}).error, Error::bad_feature);
  EXPECT_EQ(scheduler->add_request({"a", 4, 1, 0, 0, empty}).error, Error::bad_feature);
  add("a", 1, {{"talk", 100, 120}});
  EXPECT_EQ(pass(), "a 0+1");
  EXPECT_EQ(orders(), "talk for a");
}

TEST_F(SchedulerEncoderDecoderTest, NoChunkCutsAnInput) {
  auto config = whisper();
  config.disable_chunked_mm_input = true;
  config.max_num_batched_tokens = 10;
  begin(config);
  add("a", 5, {{"talk", 0, 20}});  // longer than a pass
  add("b", 5, {{"song", 0, 20}});
  add("c", 5);  // not held up by b, as it is where items must not be split
  EXPECT_EQ(pass(), "a 0+5, c 0+5");
}

TEST_F(SchedulerEncoderDecoderTest, ADrafterNeedsNoInputAhead) {
  auto config = whisper();
  config.num_lookahead = 3;
  config.num_prefill_lookahead = 3;
  config.max_num_batched_tokens = 6;
  begin(config);
  add("a", 8, {{"talk", 6, 26}});
  EXPECT_EQ(pass_and_deliver(), "a 0+5");  // no chunk ends in the tail
  EXPECT_EQ(orders(), "talk for a");
  EXPECT_EQ(pass(), "a 5+3");
  EXPECT_EQ(orders(), "");
}

TEST_F(SchedulerEncoderDecoderTest, HandlesOfRequestsAndInputsAreAsEver) {
  begin(whisper());
  const RequestHandle a = add("a", 4, {{"talk", 0, 10}, {"song", 0, 10}});
  EXPECT_EQ(scheduler->mm_hash_of(scheduler->hash_of(a, 1).value), "song");
  EXPECT_EQ(scheduler->hash_of(a, 2).error, Error::unknown_input);
  EXPECT_EQ(try_add("a", 4).error, Error::duplicate_request);
  EXPECT_EQ(scheduler->abort_request(a), Error::none);
  EXPECT_EQ(scheduler->hash_of(a, 0).error, Error::unknown_request);
}

}  // namespace
}  // namespace holdfast::impl
