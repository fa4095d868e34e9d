#include "spec/rules/encoder_decoder_cache.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Whisper: one audio input of 4 slots a request.
class EncoderDecoderCacheTest : public MachineTest<EncoderDecoder> {
 protected:
  void start_whisper(std::string_view profile = "holdfast") {
    start({.capacity = 8, .encoder_budget = 8}, profile);
    audio = hash();
    r = request(4, {feature(audio, 0, 4)});
  }

  Hash audio;
  Request r;
};

TEST_F(EncoderDecoderCacheTest, ReleasedAfterOneToken) {
  start_whisper();
  take<BeginPass>();
  EXPECT_THAT(schedule(r, 1), ElementsAre("encdec_allocate"));
  EXPECT_EQ(s().free(), 4);
  EXPECT_FALSE(can<EncdecRelease>(r, Int{0}));
  end_pass();
  execute();
  deliver({r});
  EXPECT_EQ(s().computed(r), 1);
  take<EncdecRelease>(r, Int{0});
  EXPECT_EQ(s().free(), 8);
}

TEST_F(EncoderDecoderCacheTest, SlotsAreGivenBackOnce) {
  start_whisper();
  run(r, 1);
  take<EncdecRelease>(r, Int{0});
  EXPECT_FALSE(can<EncdecRelease>(r, Int{0}));
}

TEST_F(EncoderDecoderCacheTest, SlotsAreGivenBackAgainUnderTheFault) {
  start_whisper("encdec-credit-repeats");
  run(r, 1);
  take<EncdecRelease>(r, Int{0});
  EXPECT_TRUE(can<EncdecRelease>(r, Int{0}));
  EncdecRelease::effect<D>(d(), s(), r, 0);
  EXPECT_EQ(s().free(), 12);
  EXPECT_EQ(violated(), EncdecExactSlots::info.name);
}

TEST_F(EncoderDecoderCacheTest, WorkerIsToldOnePassLater) {
  start_whisper();
  run(r, 1);
  EXPECT_EQ(s().worker(audio), 4);
  EXPECT_THAT(run(r, 1), IsEmpty());
  EXPECT_THAT(notices(), ElementsAre(audio));
  EXPECT_EQ(s().worker(audio), 0);
}

TEST_F(EncoderDecoderCacheTest, ToldTooEarlyTheWorkerKeepsItUnderTheFault) {
  start_whisper("encdec-notice-early");
  take<BeginPass>();
  schedule(r, 1);
  EncdecEndPass::effect<D>(d(), s());
  EXPECT_THAT(notices(), ElementsAre(audio));
  EXPECT_NE(violated(), "");
}

TEST_F(EncoderDecoderCacheTest, InputIsReadInTheStepThatEncodesIt) {
  start_whisper();
  take<BeginPass>();
  schedule(r, 1);
  end_pass();
  execute();
  EXPECT_TRUE(can<EncdecRead>(r, Int{0}));
  take<EncdecRead>(r, Int{0});
  deliver({r});
  take<BeginPass>();
  schedule(r, 1);
  end_pass();
  execute();
  EXPECT_FALSE(can<EncdecRead>(r, Int{0}));
}

TEST_F(EncoderDecoderCacheTest, NoSlotsNoTokens) {
  start_whisper();
  const Request large = request(8, {feature(hash(), 0, 8)});
  take<BeginPass>();
  schedule(r, 1);
  EXPECT_THAT(plan(large, 1), ElementsAre("encdec_abandon"));
}

}  // namespace
}  // namespace holdfast::spec_test
