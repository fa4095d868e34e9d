#include "spec/rules/encoder_cache.hpp"

#include "tests/spec/machine_fixture.hpp"

namespace holdfast::spec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class EncoderCacheTest : public MachineTest<> {
 protected:
  /// Requests for a, b and c of 4 slots; a and b allocated and released, a first. Capacity 8.
  void allocate_and_release_a_and_b(std::string_view profile = "holdfast") {
    start({.capacity = 8, .encoder_budget = 8}, profile);
    a = hash();
    b = hash();
    c = hash();
    ra = request(10, {feature(a, 0, 4)});
    rb = request(10, {feature(b, 0, 4)});
    rc = request(10, {feature(c, 0, 4)});
    run(ra, 4);
    take<ReleaseInput>(ra, Int{0});
    run(rb, 4);
    take<ReleaseInput>(rb, Int{0});
    preempt(ra);
  }

  Hash a, b, c;
  Request ra, rb, rc;
};

TEST_F(EncoderCacheTest, EntryCachedAgainInTheSamePassIsNotNoticed) {
  allocate_and_release_a_and_b();
  take<BeginPass>();
  EXPECT_THAT(schedule(rc, 4), ElementsAre("evict", "order"));
  EXPECT_FALSE(cached(a));
  EXPECT_THAT(schedule(ra, 4), ElementsAre("evict", "order"));
  EXPECT_FALSE(cached(b));
  end_pass();
  EXPECT_THAT(notices(), ElementsAre(b));
  EXPECT_THAT(encodes(), UnorderedElementsAre(c, a));
}

TEST_F(EncoderCacheTest, EveryEvictionIsNoticedUnderTheFault) {
  allocate_and_release_a_and_b("stale-notice");
  take<BeginPass>();
  schedule(rc, 4);
  schedule(ra, 4);
  EndPass::effect<D>(d(), s());
  EXPECT_THAT(notices(), ElementsAre(a, b));
  EXPECT_EQ(violated(), NoStaleNotice::info.name);
}

TEST_F(EncoderCacheTest, EvictedTwiceInOnePassIsNoticedOnce) {
  allocate_and_release_a_and_b();
  take<BeginPass>();
  EXPECT_TRUE(is_oldest<D>(d(), s(), a));
  EXPECT_FALSE(is_oldest<D>(d(), s(), b));
  evict_entry<D>(d(), s(), a);
  allocate_entry<D>(d(), s(), ra, 0);
  drop_occurrence<D>(d(), s(), ra, 0);
  evict_entry<D>(d(), s(), a);
  EXPECT_EQ(violated(), "");
  end_pass();
  EXPECT_THAT(notices(), ElementsAre(a));
}

TEST_F(EncoderCacheTest, EvictedAndEndingCachedIsNotNoticed) {
  allocate_and_release_a_and_b();
  take<BeginPass>();
  EXPECT_THAT(schedule(rc, 4), ElementsAre("evict", "order"));
  EXPECT_TRUE(s().evicted(a));
  allocate_entry<D>(d(), s(), ra, 0);
  EXPECT_FALSE(is_noticed<D>(d(), s(), a));
}

TEST_F(EncoderCacheTest, EvictedAndOrderedInVainIsNoticed) {
  allocate_and_release_a_and_b();
  take<BeginPass>();
  schedule(rc, 4);
  EXPECT_THAT(plan(ra, 4), ElementsAre("evict", "order"));
  take<PutBack>();
  drain();
  EXPECT_FALSE(cached(a));
  EXPECT_EQ(s().compute(), 4);
  end_pass();
  EXPECT_THAT(notices(), ElementsAre(a, b));
}

TEST_F(EncoderCacheTest, HitTakesTheEntryOutOfTheFreeableOnes) {
  allocate_and_release_a_and_b();
  EXPECT_EQ(s().free(), 0);
  EXPECT_EQ(s().reclaimable(), 8);
  take<BeginPass>();
  EXPECT_THAT(schedule(ra, 4), ElementsAre("touch"));
  EXPECT_EQ(s().reclaimable(), 4);
  EXPECT_TRUE(is_oldest<D>(d(), s(), b));
}

TEST_F(EncoderCacheTest, ReferenceGoesWithTheLastOccurrence) {
  start({.capacity = 20, .encoder_budget = 20});
  const Hash image = hash();
  const Request r = request(20, {feature(image, 0, 4), feature(image, 4, 4)});
  EXPECT_THAT(run(r, 8), ElementsAre("order", "share"));
  EXPECT_EQ(s().reclaimable(), 16);
  take<ReleaseInput>(r, Int{0});
  EXPECT_TRUE(s().refs(image, r));
  EXPECT_EQ(s().free() + s().freeable.sum(), 16);
  take<ReleaseInput>(r, Int{1});
  EXPECT_FALSE(s().refs(image, r));
  EXPECT_EQ(s().free() + s().freeable.sum(), 20);
}

TEST_F(EncoderCacheTest, ReferenceGoesWithTheFirstOccurrenceUnderTheFault) {
  start({.capacity = 20, .encoder_budget = 20}, "first-occurrence-frees");
  const Hash image = hash();
  const Request r = request(20, {feature(image, 0, 4), feature(image, 4, 4)});
  run(r, 8);
  ReleaseInput::effect<D>(d(), s(), r, 0);
  EXPECT_EQ(s().free() + s().freeable.sum(), 20);
  EXPECT_EQ(violated(), NoFreedWhileReferenced::info.name);
}

TEST_F(EncoderCacheTest, EntryIsKeptForItsSecondOccurrence) {
  start({.capacity = 8, .encoder_budget = 8});
  const Hash image = hash();
  const Request r = request(20, {feature(image, 0, 4), feature(image, 4, 4)});
  const Request other = request(20, {feature(hash(), 0, 8)});
  run(r, 6);
  take<ReleaseInput>(r, Int{0});
  take<BeginPass>();
  EXPECT_THAT(plan(other, 8), ElementsAre("abandon"));
  EXPECT_TRUE(s().draining());
  drain();
  EXPECT_THAT(schedule(r, 2), ElementsAre("touch"));
  end_pass();
  EXPECT_THAT(notices(), IsEmpty());
}

TEST_F(EncoderCacheTest, ResetForgetsEverything) {
  allocate_and_release_a_and_b();
  take<Reset>();
  EXPECT_EQ(s().free(), 8);
  EXPECT_FALSE(cached(a));
  execute();
  EXPECT_EQ(s().worker.sum(), 0);
}

TEST_F(EncoderCacheTest, AnotherSizeIsRefusedAlone) {
  start({.capacity = 8, .encoder_budget = 8});
  const Hash h = hash();
  const Request r = request(20, {feature(h, 0, 4)});
  const Request other = request(20, {feature(h, 0, 3)});
  run(r, 3);
  take<BeginPass>();
  EXPECT_THAT(plan(other, 3), ElementsAre("refuse"));
  drain();
  EXPECT_TRUE(has_status<D>(s(), other, Status::finished));
  EXPECT_TRUE(has_status<D>(s(), r, Status::running));
  EXPECT_TRUE(s().refs(h, r));
}

}  // namespace
}  // namespace holdfast::spec_test
