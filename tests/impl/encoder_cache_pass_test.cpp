// Passes: orders that are taken back or handed over, and what is chosen before it is allocated.
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "holdfast/encoder_cache.hpp"
#include "tests/impl/cache_fixture.hpp"

namespace holdfast::impl {
namespace {

class PassTest : public CacheFixture<EncoderCache> {
 protected:
  PassTest() : CacheFixture(10) {}

  using Slots = std::tuple<Embeds, Embeds, Embeds, Embeds>;
  using Found = EncoderCache::Found;

  void begin_pass() { EXPECT_EQ(cache.begin_pass(), Error::none); }
  Error choose(std::string_view id, InputId i) { return cache.choose(id, i); }
};

TEST_F(PassTest, TellsWhatItHasOrdered) {
  const RequestHandle a = add("a", {{"one", 2}, {"two", 3}});
  add("b", {{"one", 2}, {"three", 4}});
  EXPECT_FALSE(cache.in_pass());
  begin_pass();
  EXPECT_TRUE(cache.in_pass());
  EXPECT_EQ(cache.begin_pass(), Error::wrong_time);
  take("a", 1);
  take("b", 0);
  EXPECT_EQ(slots(), Slots(5, 5, 0, 5));
  const auto pass = cache.end_pass();
  ASSERT_TRUE(pass.ok());
  ASSERT_EQ(pass->orders.size(), 2U);
  EXPECT_EQ(pass->orders[0].request, a);
  EXPECT_EQ(pass->orders[0].input, 1U);
  EXPECT_EQ(pass->orders[0].embeds, 3);
  EXPECT_EQ(*cache.mm_hash(pass->orders[0].mm_hash), "two");
  EXPECT_TRUE(pass->hand_overs.empty());
  EXPECT_EQ(slots(), Slots(5, 5, 0, 0));
  begin_pass();
  EXPECT_EQ(end_pass(), Strings{});
}

TEST_F(PassTest, AnOrderThatNobodyWantsIsWithdrawn) {
  add("a", {{"one", 4}});
  begin_pass();
  take("a", 0);
  give_back("a", 0);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
  EXPECT_FALSE(hits("a", 0));
  take("a", 0);
  EXPECT_EQ(slots(), Slots(6, 6, 0, 4));
  EXPECT_EQ(end_pass(), Strings{"a/0 sees one"});
  EXPECT_EQ(cache.free("a"), Error::none);  // outside, the entry stays
  EXPECT_EQ(slots(), Slots(6, 10, 0, 0));
  EXPECT_EQ(freed(), Strings{});
}

TEST_F(PassTest, AnOrderIsHandedOverToTheFirstWhoShares) {
  add("a", {{"one", 4}});
  for (const auto* id : {"b", "c", "d"}) add(id, {{"x", 1}, {"one", 4}});
  begin_pass();
  take("a", 0);
  for (const auto* id : {"b", "c", "d"}) EXPECT_TRUE(hits(id, 1));
  give_back("b", 1);
  EXPECT_EQ(cache.free("a"), Error::none);
  EXPECT_EQ(slots(), Slots(6, 6, 0, 4));
  EXPECT_EQ(end_pass(), (Strings{"c/1 sees one", "a/0 gave one to c/1"}));
}

TEST_F(PassTest, AnOrderMayBeHandedOverTwiceAndWithdrawn) {
  add("a", {{"one", 4}});
  add("b", {{"one", 4}});
  add("c", {{"one", 4}});
  begin_pass();
  take("a", 0);
  EXPECT_TRUE(hits("b", 0));
  give_back("a", 0);
  EXPECT_TRUE(hits("c", 0));
  EXPECT_TRUE(hits("a", 0));
  give_back("b", 0);
  give_back("c", 0);
  EXPECT_EQ(slots(), Slots(6, 6, 0, 4));
  give_back("a", 0);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
  EXPECT_EQ(end_pass(), Strings{});
}

TEST_F(PassTest, AnOrderStaysInTheRequestThatHasItAgain) {
  add("a", {{"one", 4}, {"one", 4}});
  begin_pass();
  take("a", 0);
  EXPECT_TRUE(hits("a", 1));
  give_back("a", 0);
  EXPECT_EQ(end_pass(), Strings{"a/1 sees one"});
}

TEST_F(PassTest, TheWorkerHearsOfWhatWasEvictedBeforeItWasWithdrawn) {
  add("a", {{"one", 6}});
  add("b", {{"two", 6}});
  take("a", 0);
  give_back("a", 0);
  begin_pass();
  take("b", 0);
  give_back("b", 0);
  take("a", 0);
  EXPECT_EQ(cache.get_freed_mm_hashes().error, Error::wrong_time);
  give_back("a", 0);
  EXPECT_EQ(end_pass(), Strings{});
  EXPECT_EQ(freed(), Strings{"one"});  // two never was there
}

TEST_F(PassTest, NobodyIsRemovedInIt) {
  add("a", {{"one", 6}});
  begin_pass();
  EXPECT_EQ(cache.remove_request("a"), Error::wrong_time);
  EXPECT_EQ(cache.reset(), Error::wrong_time);
  add("b", {{"one", 6}});
  take("b", 0);
  EXPECT_EQ(end_pass(), Strings{"b/0 sees one"});
  EXPECT_EQ(cache.remove_request("a"), Error::none);
}

TEST_F(PassTest, WhatIsChosenIsPromised) {
  add("a", {{"one", 4}, {"one", 4}, {"two", 3}, {"three", 4}});
  add("b", {{"one", 4}, {"two", 5}, {"four", 3}});
  EXPECT_EQ(*cache.look_up("a", 0), Found::nothing);
  EXPECT_EQ(choose("a", 0), Error::none);
  EXPECT_EQ(slots(), Slots(10, 10, 4, 0));
  EXPECT_EQ(*cache.look_up("a", 1), Found::promised);
  EXPECT_FALSE(hits("a", 1));
  EXPECT_EQ(choose("a", 1), Error::none);
  EXPECT_EQ(choose("a", 1), Error::already_cached);
  EXPECT_EQ(choose("a", 2), Error::none);
  EXPECT_EQ(choose("a", 3), Error::no_room);
  EXPECT_EQ(choose("b", 2), Error::wrong_time);
  EXPECT_EQ(slots(), Slots(10, 10, 7, 0));
  // The others see what is left.
  EXPECT_TRUE(*cache.can_allocate("b", 2, 9, 0));
  EXPECT_FALSE(*cache.can_allocate("b", 2, 9, 1));
  EXPECT_EQ(cache.can_allocate("b", 0, 9, 0).error, Error::already_cached);
  EXPECT_EQ(cache.allocate("b", 0), Error::already_cached);
  EXPECT_EQ(cache.look_up("b", 1).error, Error::wrong_size);
  EXPECT_EQ(cache.allocate("b", 2), Error::none);
  EXPECT_EQ(cache.allocate_chosen("b"), Error::wrong_time);
  EXPECT_EQ(cache.forget_chosen("b"), Error::wrong_time);
  begin_pass();
  EXPECT_EQ(cache.end_pass().error, Error::wrong_time);
  EXPECT_EQ(cache.free("a"), Error::wrong_time);
  EXPECT_EQ(cache.allocate_chosen("a"), Error::none);
  EXPECT_EQ(slots(), Slots(0, 0, 0, 7));
  EXPECT_EQ(*cache.look_up("b", 0), Found::cached);
  EXPECT_EQ(end_pass(), (Strings{"a/0 sees one", "a/2 sees two"}));
  give_back("a", 0);
  EXPECT_EQ(cache.num_freeable_slots(), 0);
  give_back("a", 1);
  EXPECT_EQ(cache.num_freeable_slots(), 4);
}

TEST_F(PassTest, WhatIsChosenMayBeForgotten) {
  add("a", {{"one", 4}, {"one", 4}, {"one", 5}});
  EXPECT_EQ(choose("a", 0), Error::none);
  EXPECT_EQ(choose("a", 1), Error::none);
  EXPECT_EQ(choose("a", 2), Error::wrong_size);
  EXPECT_EQ(cache.reset(), Error::wrong_time);
  EXPECT_EQ(cache.remove_request("a"), Error::wrong_time);
  EXPECT_EQ(cache.forget_chosen("a"), Error::none);
  EXPECT_EQ(cache.forget_chosen("a"), Error::none);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
  EXPECT_EQ(cached("a"), std::vector<InputId>{});
  EXPECT_EQ(cache.allocate_chosen("a"), Error::none);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
  EXPECT_EQ(choose("a", 2), Error::none);
}

TEST_F(PassTest, WhatIsChosenOutsideIsNoOrder) {
  add("a", {{"one", 4}});
  EXPECT_EQ(choose("a", 0), Error::none);
  EXPECT_EQ(cache.allocate_chosen("a"), Error::none);
  give_back("a", 0);
  EXPECT_EQ(slots(), Slots(6, 10, 0, 0));
}

}  // namespace
}  // namespace holdfast::impl
