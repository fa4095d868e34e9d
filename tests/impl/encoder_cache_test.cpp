#include "holdfast/encoder_cache.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/impl/cache_fixture.hpp"

namespace holdfast::impl {
namespace {

class EncoderCacheTest : public CacheFixture<EncoderCache> {
 protected:
  EncoderCacheTest() : CacheFixture(10) {}

  using Slots = std::tuple<Embeds, Embeds, Embeds, Embeds>;
};

TEST_F(EncoderCacheTest, HasTheSizeThatItIsMadeWith) {
  EXPECT_EQ(EncoderCache::make(-1).error, Error::size_out_of_range);
  EXPECT_EQ(EncoderCache::make(largest_size + 1).error, Error::size_out_of_range);
  EXPECT_EQ(EncoderCache::make(largest_size)->cache_size(), largest_size);
  EXPECT_EQ(EncoderCache().cache_size(), 0);
  EXPECT_EQ(cache.cache_size(), 10);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
}

TEST_F(EncoderCacheTest, AMissIsAllocatedAndThenHit) {
  add("a", {{"cat", 4}});
  add("b", {{"cat", 4}});
  EXPECT_FALSE(hits("a", 0));
  take("a", 0);
  EXPECT_EQ(slots(), Slots(6, 6, 0, 0));
  EXPECT_TRUE(hits("b", 0));
  EXPECT_TRUE(hits("a", 0));
  EXPECT_EQ(slots(), Slots(6, 6, 0, 0));
  give_back("a", 0);
  EXPECT_EQ(slots(), Slots(6, 6, 0, 0));
  give_back("b", 0);
  EXPECT_EQ(slots(), Slots(6, 10, 0, 0));
  EXPECT_TRUE(hits("b", 0));
  EXPECT_EQ(slots(), Slots(6, 6, 0, 0));
}

TEST_F(EncoderCacheTest, HandlesAndStringsAreTheSame) {
  const RequestHandle a = add("a", {{"cat", 4}});
  EXPECT_EQ(cache.find_request("a"), a);
  EXPECT_EQ(*cache.request_id(a), "a");
  EXPECT_EQ(*cache.check_and_update_cache(a, 0), false);
  EXPECT_EQ(*cache.can_allocate(a, 0, 4, 0), true);
  EXPECT_EQ(cache.allocate(a, 0), Error::none);
  EXPECT_EQ(cache.get_cached_input_ids(a)->size(), 1U);
  EXPECT_EQ(cache.free_encoder_input(a, 0), Error::none);
  EXPECT_EQ(cache.free(a), Error::none);
  EXPECT_EQ(cache.remove_request(a), Error::none);
  EXPECT_NE(cache.find_request("a"), a);
}

TEST_F(EncoderCacheTest, TheOldestFreeableEntryGoesFirst) {
  add("a", {{"one", 3}, {"two", 3}, {"three", 3}});
  for (InputId i = 0; i < 3; ++i) take("a", i);
  for (const InputId i : {1U, 0U, 2U}) give_back("a", i);
  EXPECT_TRUE(hits("a", 1));
  give_back("a", 1);  // the newest now: 0, 2, 1
  add("b", {{"big", 5}, {"all", 10}, {"more", 11}});
  EXPECT_TRUE(fits("b", 0));
  EXPECT_EQ(cached("a"), (std::vector<InputId>{1}));
  EXPECT_EQ(freed(), (Strings{"one", "three"}));
  EXPECT_EQ(freed(), Strings{});
  EXPECT_TRUE(fits("b", 1));
  EXPECT_FALSE(fits("b", 2));
  EXPECT_EQ(freed(), Strings{"two"});
}

TEST_F(EncoderCacheTest, SaysAllThatThereIs) {
  const auto a = add("a", {{"one", 3}, {"two", 3}, {"one", 3}, {"three", 3}});
  const auto b = add("b", {{"one", 3}});
  for (const InputId i : {0U, 1U, 3U}) take("a", i);
  EXPECT_TRUE(hits("a", 2));
  EXPECT_TRUE(hits("b", 0));
  give_back("a", 3);
  give_back("a", 1);
  const auto names = [&](const std::vector<HashHandle>& all) {
    Strings said;
    for (const auto h : all) said.emplace_back(*cache.mm_hash(h));
    return said;
  };
  EXPECT_THAT(names(cache.cached()), ::testing::UnorderedElementsAre("one", "two", "three"));
  EXPECT_EQ(names(cache.freeable()), (Strings{"three", "two"}));
  const auto one = *cache.find_mm_hash("one"), two = *cache.find_mm_hash("two");
  EXPECT_THAT(*cache.holders(one), ::testing::UnorderedElementsAre(a, b));
  EXPECT_THAT(*cache.holders(two), ::testing::IsEmpty());
  EXPECT_EQ(*cache.held(a), (std::vector<InputId>{0, 2}));
  EXPECT_EQ(*cache.held(b), std::vector<InputId>{0});

  add("c", {{"four", 4}});
  take("c", 0);  // and "three" is evicted
  EXPECT_EQ(cache.holders(*cache.find_mm_hash("three")).error, Error::not_cached);
  EXPECT_EQ(cache.holders({}).error, Error::not_cached);
  EXPECT_EQ(cache.held({}).error, Error::unknown_request);
}

TEST_F(EncoderCacheTest, WhatIsHeldIsNotEvicted) {
  add("a", {{"one", 6}});
  add("b", {{"two", 5}});
  take("a", 0);
  EXPECT_FALSE(fits("b", 0));
  EXPECT_EQ(cache.allocate("b", 0), Error::no_room);
  give_back("a", 0);
  EXPECT_EQ(cache.allocate("b", 0), Error::no_room);  // nobody has made room
  take("b", 0);
  EXPECT_EQ(freed(), Strings{"one"});
}

TEST_F(EncoderCacheTest, BudgetAndPlannedEmbedsCount) {
  add("a", {{"one", 4}});
  EXPECT_FALSE(*cache.can_allocate("a", 0, 3, 0));
  EXPECT_TRUE(*cache.can_allocate("a", 0, 4, 6));
  EXPECT_FALSE(*cache.can_allocate("a", 0, 4, 7));
  for (const Embeds bad : {Embeds{-1}, largest_size + 1}) {
    EXPECT_EQ(cache.can_allocate("a", 0, bad, 0).error, Error::size_out_of_range);
    EXPECT_EQ(cache.can_allocate("a", 0, 4, bad).error, Error::size_out_of_range);
  }
}

TEST_F(EncoderCacheTest, WhatIsRefusedChangesNothing) {
  const RequestHandle gone = add("gone", {{"x", 1}});
  EXPECT_EQ(cache.remove_request("gone"), Error::none);
  add("a", {{"one", 4}, {"two", 3}});
  add("b", {{"one", 5}, {"two", 3}});
  take("a", 0);
  const Slots before = slots();
  EXPECT_EQ(cache.add_request("a", {}).error, Error::duplicate_request);
  for (const Embeds bad : {Embeds{0}, Embeds{-1}, largest_size + 1}) {
    const Features features{{"new", 1}, {"bad", bad}};
    EXPECT_EQ(cache.add_request("c", features).error, Error::size_out_of_range);
    EXPECT_EQ(cache.find_mm_hash("new").error, Error::not_cached);
  }
  EXPECT_EQ(cache.find_request("c"), RequestHandle{});
  EXPECT_EQ(cache.remove_request("c"), Error::unknown_request);
  EXPECT_EQ(cache.request_id(gone).error, Error::unknown_request);
  for (const RequestHandle r : {gone, RequestHandle{}, RequestHandle{7, 1}, RequestHandle{0, 2}}) {
    EXPECT_EQ(cache.check_and_update_cache(r, 0).error, Error::unknown_request);
    EXPECT_EQ(cache.can_allocate(r, 0, 1, 0).error, Error::unknown_request);
    EXPECT_EQ(cache.allocate(r, 0), Error::unknown_request);
    EXPECT_EQ(cache.get_cached_input_ids(r).error, Error::unknown_request);
    EXPECT_EQ(cache.free_encoder_input(r, 0), Error::unknown_request);
    EXPECT_EQ(cache.free(r), Error::unknown_request);
    EXPECT_EQ(cache.look_up(r, 0).error, Error::unknown_request);
    EXPECT_EQ(cache.choose(r, 0), Error::unknown_request);
    EXPECT_EQ(cache.allocate_chosen(r), Error::unknown_request);
    EXPECT_EQ(cache.forget_chosen(r), Error::unknown_request);
  }
  EXPECT_EQ(cache.check_and_update_cache("a", 2).error, Error::unknown_input);
  EXPECT_EQ(cache.can_allocate("a", 2, 1, 0).error, Error::unknown_input);
  EXPECT_EQ(cache.allocate("a", 2), Error::unknown_input);
  EXPECT_EQ(cache.free_encoder_input("a", ~InputId{0}), Error::unknown_input);
  EXPECT_EQ(cache.look_up("a", 2).error, Error::unknown_input);
  EXPECT_EQ(cache.choose("a", 2), Error::unknown_input);
  EXPECT_EQ(cache.can_allocate("a", 0, 9, 0).error, Error::already_cached);
  EXPECT_EQ(cache.allocate("a", 0), Error::already_cached);
  EXPECT_EQ(cache.choose("a", 0), Error::already_cached);
  EXPECT_EQ(cache.check_and_update_cache("b", 0).error, Error::wrong_size);
  EXPECT_EQ(cache.look_up("b", 0).error, Error::wrong_size);
  EXPECT_EQ(cache.free_encoder_input("b", 0), Error::not_held);
  EXPECT_EQ(cache.free_encoder_input("a", 1), Error::not_held);
  EXPECT_EQ(cache.end_pass().error, Error::wrong_time);
  EXPECT_EQ(slots(), before);
  EXPECT_EQ(cached("b"), (std::vector<InputId>{0}));
  cache.check_invariants();
}

TEST_F(EncoderCacheTest, ARequestHoldsAHashUntilItsLastOccurrence) {
  add("a", {{"cat", 4}, {"dog", 1}, {"cat", 4}});
  take("a", 0);
  EXPECT_TRUE(hits("a", 2));
  EXPECT_EQ(cached("a"), (std::vector<InputId>{0, 2}));
  give_back("a", 0);
  EXPECT_EQ(slots(), Slots(6, 6, 0, 0));
  EXPECT_EQ(cache.free_encoder_input("a", 0), Error::not_held);
  give_back("a", 2);
  EXPECT_EQ(slots(), Slots(6, 10, 0, 0));
}

TEST_F(EncoderCacheTest, FreeGivesAllBackInTheirOrder) {
  add("a", {{"one", 2}, {"two", 2}, {"one", 2}, {"three", 2}});
  for (const InputId i : {3U, 0U, 1U}) take("a", i);
  EXPECT_TRUE(hits("a", 2));
  EXPECT_EQ(cache.free("a"), Error::none);
  EXPECT_EQ(cache.free("a"), Error::none);
  EXPECT_EQ(slots(), Slots(4, 10, 0, 0));
  add("b", {{"all", 10}});
  take("b", 0);
  EXPECT_EQ(freed(), (Strings{"two", "one", "three"}));
}

TEST_F(EncoderCacheTest, WhoIsRemovedHoldsNothing) {
  const RequestHandle a = add("a", {{"one", 2}});
  take("a", 0);
  EXPECT_EQ(cache.remove_request("a"), Error::none);
  EXPECT_EQ(slots(), Slots(8, 10, 0, 0));
  EXPECT_TRUE(cache.find_mm_hash("one").ok());  // cached still
  const RequestHandle again = add("a", {{"one", 2}, {"two", 2}});
  EXPECT_NE(again, a);
  EXPECT_EQ(cache.check_and_update_cache(a, 0).error, Error::unknown_request);
  EXPECT_TRUE(hits("a", 0));
}

TEST_F(EncoderCacheTest, ANoticeIsNotGivenOfWhatIsCachedAgain) {
  add("a", {{"one", 6}});
  add("b", {{"two", 6}});
  take("a", 0);
  give_back("a", 0);
  take("b", 0);
  give_back("b", 0);
  take("a", 0);  // evicts two
  EXPECT_EQ(freed(), Strings{"two"});
  EXPECT_EQ(freed(), Strings{});
}

TEST_F(EncoderCacheTest, AHandleOfAHashLivesAsLongAsSomethingNamesIt) {
  add("a", {{"one", 6}});
  add("b", {{"two", 6}});
  take("a", 0);
  const HashHandle one = *cache.find_mm_hash("one");
  EXPECT_EQ(cache.remove_request("a"), Error::none);
  EXPECT_EQ(*cache.mm_hash(one), "one");  // cached
  take("b", 0);
  EXPECT_EQ(*cache.mm_hash(one), "one");  // to be told
  EXPECT_EQ(freed(), Strings{"one"});
  EXPECT_EQ(*cache.mm_hash(one), "one");  // told
  EXPECT_EQ(freed(), Strings{});
  EXPECT_EQ(cache.mm_hash(one).error, Error::not_cached);
  EXPECT_EQ(cache.find_mm_hash("one").error, Error::not_cached);
  EXPECT_EQ(cache.mm_hash(HashHandle{}).error, Error::not_cached);
  add("c", {{"three", 1}});
  EXPECT_EQ(cache.mm_hash(one).error, Error::not_cached);
}

TEST_F(EncoderCacheTest, AResetForgetsAllButRequests) {
  add("a", {{"one", 6}, {"two", 2}});
  add("b", {{"three", 6}});
  take("a", 0);
  give_back("a", 0);
  take("b", 0);
  take("a", 1);
  EXPECT_EQ(cache.reset(), Error::none);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
  EXPECT_EQ(freed(), Strings{});
  EXPECT_EQ(cached("a"), std::vector<InputId>{});
  EXPECT_EQ(cache.free_encoder_input("a", 1), Error::not_held);
  take("a", 0);
  EXPECT_TRUE(hits("a", 0));
}

TEST_F(EncoderCacheTest, IdsAndHashesAreAnyBytes) {
  const std::string zero("a\0b", 3), other("a\0c", 3), high("\xff\xfe"), empty;
  for (const auto& id : {zero, other, high, empty}) add(id, {{id, 2}});
  for (const auto& id : {zero, other, high, empty}) {
    EXPECT_FALSE(hits(id, 0));
    take(id, 0);
    EXPECT_EQ(*cache.request_id(cache.find_request(id)), id);
    EXPECT_EQ(*cache.mm_hash(*cache.find_mm_hash(id)), id);
  }
  EXPECT_EQ(cache.find_request("a"), RequestHandle{});
  EXPECT_EQ(slots(), Slots(2, 2, 0, 0));
}

TEST_F(EncoderCacheTest, NothingOverflowsAtTheLargestSizes) {
  cache = std::move(EncoderCache::make(largest_size).value);
  add("a", {{"one", largest_size}, {"two", largest_size}, {"three", 1}});
  EXPECT_FALSE(*cache.can_allocate("a", 0, largest_size, largest_size));
  take("a", 0);
  EXPECT_FALSE(fits("a", 1));
  EXPECT_FALSE(fits("a", 2));
  give_back("a", 0);
  take("a", 1);
  EXPECT_EQ(slots(), Slots(0, 0, 0, 0));
  EXPECT_EQ(freed(), Strings{"one"});
}

TEST_F(EncoderCacheTest, ARequestMayBeWithoutFeatures) {
  const RequestHandle a = add("text", {});
  EXPECT_EQ(cache.check_and_update_cache(a, 0).error, Error::unknown_input);
  EXPECT_EQ(cached("text"), std::vector<InputId>{});
  EXPECT_EQ(cache.free("text"), Error::none);
  EXPECT_EQ(cache.remove_request("text"), Error::none);
}

TEST_F(EncoderCacheTest, IsMoved) {
  add("a", {{"one", 4}});
  take("a", 0);
  EncoderCache other = std::move(cache);
  EXPECT_TRUE(*other.check_and_update_cache("a", 0));
  cache = std::move(other);
  EXPECT_TRUE(hits("a", 0));
}

TEST(Error, EachIsSaidWithItsName) {
  EXPECT_EQ(to_string(Error::none), "none");
  for (int n = 1; n <= static_cast<int>(Error::too_large); ++n)
    EXPECT_NE(to_string(static_cast<Error>(n)).find(": "), std::string_view::npos) << n;
  EXPECT_EQ(to_string(static_cast<Error>(99)), "unknown error");
}

}  // namespace
}  // namespace holdfast::impl
