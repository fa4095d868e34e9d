#include "holdfast/encoder_decoder_cache.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/impl/cache_fixture.hpp"
#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

class EncoderDecoderCacheTest : public CacheFixture<EncoderDecoderCache> {
 protected:
  EncoderDecoderCacheTest() : CacheFixture(10) {}

  using Slots = std::tuple<Embeds, Embeds, Embeds, Embeds>;

  void begin_pass() { EXPECT_EQ(cache.begin_pass(), Error::none); }
};

TEST_F(EncoderDecoderCacheTest, HasTheSizeThatItIsMadeWith) {
  EXPECT_EQ(EncoderDecoderCache::make(-1).error, Error::size_out_of_range);
  EXPECT_EQ(EncoderDecoderCache::make(largest_size)->cache_size(), largest_size);
  EXPECT_EQ(EncoderDecoderCache().cache_size(), 0);
}

TEST_F(EncoderDecoderCacheTest, NothingIsShared) {
  add("a", {{"talk", 4}});
  add("b", {{"talk", 4}});
  take("a", 0);
  EXPECT_FALSE(hits("a", 0));
  EXPECT_FALSE(hits("b", 0));
  take("b", 0);
  EXPECT_EQ(slots(), Slots(2, 2, 0, 0));
  EXPECT_EQ(cached("a"), std::vector<InputId>{0});
}

TEST_F(EncoderDecoderCacheTest, SlotsAreGivenBackOnce) {
  add("a", {{"talk", 4}, {"song", 3}});
  take("a", 0);
  take("a", 1);
  give_back("a", 0);
  EXPECT_EQ(cache.free_encoder_input("a", 0), Error::not_held);
  EXPECT_EQ(slots(), Slots(7, 7, 0, 0));
  EXPECT_EQ(cache.free("a"), Error::none);
  EXPECT_EQ(cache.free("a"), Error::none);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
}

TEST_F(EncoderDecoderCacheTest, TheWorkerHearsOnePassLater) {
  add("a", {{"talk", 4}});
  add("b", {{"talk", 4}});
  begin_pass();
  take("a", 0);
  EXPECT_EQ(cache.get_freed_mm_hashes().error, Error::wrong_time);
  EXPECT_EQ(end_pass(), Strings{"a/0 sees talk"});
  EXPECT_EQ(freed(), Strings{});
  begin_pass();
  take("b", 0);  // again: it is not to be dropped
  EXPECT_EQ(end_pass(), Strings{"b/0 sees talk"});
  EXPECT_EQ(freed(), Strings{});
  EXPECT_EQ(cache.remove_request("a"), Error::none);
  EXPECT_EQ(cache.remove_request("b"), Error::none);
  EXPECT_EQ(freed(), Strings{"talk"});
  EXPECT_TRUE(cache.find_mm_hash("talk").ok());
  EXPECT_EQ(freed(), Strings{});
  EXPECT_FALSE(cache.find_mm_hash("talk").ok());
}

TEST_F(EncoderDecoderCacheTest, AnOrderIsTakenBack) {
  add("a", {{"talk", 4}, {"talk", 4}});
  add("b", {{"talk", 2}});
  begin_pass();
  take("a", 0);
  take("a", 1);
  take("b", 0);
  EXPECT_EQ(slots(), Slots(0, 0, 0, 10));
  EXPECT_EQ(cache.free("a"), Error::none);
  EXPECT_EQ(slots(), Slots(8, 8, 0, 10));
  give_back("b", 0);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 8));
  EXPECT_EQ(end_pass(), Strings{});
  EXPECT_EQ(freed(), Strings{});
  EXPECT_EQ(freed(), Strings{});
}

TEST_F(EncoderDecoderCacheTest, WhatIsRefusedChangesNothing) {
  const RequestHandle gone = add("gone", {{"x", 1}});
  EXPECT_EQ(cache.remove_request(gone), Error::none);
  add("a", {{"talk", 4}, {"song", 7}, {"noise", 1}});
  add("b", {{"talk", 4}});
  take("a", 0);
  for (const RequestHandle r : {gone, RequestHandle{}}) {
    EXPECT_EQ(cache.check_and_update_cache(r, 0).error, Error::unknown_request);
    EXPECT_EQ(cache.can_allocate(r, 0, 1, 0).error, Error::unknown_request);
    EXPECT_EQ(cache.allocate(r, 0), Error::unknown_request);
    EXPECT_EQ(cache.get_cached_input_ids(r).error, Error::unknown_request);
    EXPECT_EQ(cache.free_encoder_input(r, 0), Error::unknown_request);
    EXPECT_EQ(cache.free(r), Error::unknown_request);
    EXPECT_EQ(cache.remove_request(r), Error::unknown_request);
    EXPECT_EQ(cache.look_up(r, 0).error, Error::unknown_request);
    EXPECT_EQ(cache.choose(r, 0), Error::unknown_request);
    EXPECT_EQ(cache.allocate_chosen(r), Error::unknown_request);
    EXPECT_EQ(cache.forget_chosen(r), Error::unknown_request);
    EXPECT_EQ(cache.request_id(r).error, Error::unknown_request);
  }
  EXPECT_EQ(cache.add_request("a", {}).error, Error::duplicate_request);
  EXPECT_EQ(cache.add_request("c", Features{{"x", 0}}).error, Error::size_out_of_range);
  EXPECT_EQ(cache.allocate("a", 3), Error::unknown_input);
  EXPECT_EQ(cache.can_allocate("a", 0, 9, 0).error, Error::already_held);
  EXPECT_EQ(cache.can_allocate("a", 1, -1, 0).error, Error::size_out_of_range);
  EXPECT_EQ(cache.allocate("a", 0), Error::already_held);
  EXPECT_EQ(cache.choose("a", 0), Error::already_held);
  EXPECT_EQ(cache.allocate("a", 1), Error::no_room);
  EXPECT_EQ(cache.choose("a", 1), Error::no_room);
  EXPECT_FALSE(*cache.can_allocate("a", 1, 9, 0));
  EXPECT_FALSE(*cache.can_allocate("b", 0, 3, 0));
  EXPECT_EQ(cache.end_pass().error, Error::wrong_time);
  begin_pass();
  EXPECT_EQ(cache.begin_pass(), Error::wrong_time);
  EXPECT_EQ(cache.reset(), Error::wrong_time);
  EXPECT_EQ(cache.remove_request("b"), Error::wrong_time);
  EXPECT_EQ(cache.mm_hash(HashHandle{}).error, Error::not_cached);
  EXPECT_EQ(slots(), Slots(6, 6, 0, 0));
  EXPECT_EQ(end_pass(), Strings{});
}

TEST_F(EncoderDecoderCacheTest, WhatIsChosenIsPromised) {
  add("a", {{"talk", 4}, {"talk", 4}});
  add("b", {{"song", 3}});
  begin_pass();
  EXPECT_EQ(cache.choose("a", 0), Error::none);
  EXPECT_EQ(cache.choose("a", 0), Error::already_held);
  EXPECT_EQ(cache.choose("a", 1), Error::none);
  EXPECT_EQ(slots(), Slots(10, 10, 8, 0));
  EXPECT_EQ(*cache.look_up("a", 0), EncoderCache::Found::nothing);
  EXPECT_FALSE(fits("b", 0));
  EXPECT_EQ(cache.choose("b", 0), Error::wrong_time);
  EXPECT_EQ(cache.allocate_chosen("b"), Error::wrong_time);
  EXPECT_EQ(cache.free("a"), Error::wrong_time);
  EXPECT_EQ(cache.end_pass().error, Error::wrong_time);
  EXPECT_EQ(cache.forget_chosen("a"), Error::none);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
  EXPECT_EQ(cache.choose("a", 1), Error::none);
  EXPECT_EQ(cache.allocate_chosen("a"), Error::none);
  EXPECT_EQ(slots(), Slots(6, 6, 0, 4));
  EXPECT_EQ(end_pass(), Strings{"a/1 sees talk"});
}

TEST_F(EncoderDecoderCacheTest, AResetForgetsAllButRequests) {
  add("a", {{"talk", 4}, {"song", 3}});
  take("a", 0);
  EXPECT_EQ(freed(), Strings{});
  take("a", 1);
  EXPECT_EQ(cache.reset(), Error::none);
  EXPECT_EQ(slots(), Slots(10, 10, 0, 0));
  EXPECT_EQ(freed(), Strings{});
  EXPECT_EQ(freed(), Strings{});
  EXPECT_EQ(cache.free_encoder_input("a", 0), Error::not_held);
  take("a", 0);
}

TEST_F(EncoderDecoderCacheTest, NothingOverflowsAtTheLargestSizes) {
  cache = std::move(EncoderDecoderCache::make(largest_size).value);
  add("a", {{"one", largest_size}, {std::string_view("\xff\0", 2), largest_size}});
  EXPECT_FALSE(*cache.can_allocate("a", 0, largest_size, largest_size));
  take("a", 0);
  EXPECT_FALSE(fits("a", 1));
}

/// With maps, as spec/rules/encoder_decoder_cache.hpp says it.
struct NaiveOnce {
  using Occurrence = std::pair<std::string, InputId>;

  std::map<Occurrence, std::pair<std::string, Embeds>> inputs;
  std::map<Occurrence, Embeds> charged;
  std::map<std::string, Embeds> pending;
  std::set<std::pair<std::string, std::string>> refs;
  std::set<std::string> evicted;
  Embeds free = 10, ordered = 0;
  bool in_pass = false;

  Error allocate(const Occurrence& o) {
    const auto& [hash, embeds] = inputs[o];
    if (charged.contains(o)) return Error::already_held;
    if (embeds > free) return Error::no_room;
    free -= embeds;
    charged[o] = embeds;
    refs.insert({hash, o.first});
    pending[hash] = embeds;
    ordered += embeds;
    return Error::none;
  }
  Error drop(const Occurrence& o) {
    if (!charged.contains(o)) return Error::not_held;
    const std::string hash = inputs[o].first;
    free += charged[o];
    charged.erase(o);
    for (const auto& [other, _] : charged)
      if (other.first == o.first && inputs[other].first == hash) return Error::none;
    refs.erase({hash, o.first});
    if (std::ranges::any_of(refs, [&](const auto& ref) { return ref.first == hash; }))
      return Error::none;
    if (pending.contains(hash)) ordered -= pending[hash];
    pending.erase(hash);
    return Error::none;
  }
  std::set<std::string> end_pass() {
    std::set<std::string> told;
    for (const auto& h : std::exchange(evicted, {}))
      if (!pending.contains(h)) told.insert(h);
    for (const auto& [h, _] : std::exchange(pending, {})) evicted.insert(h);
    refs.clear();
    ordered = 0;
    return told;
  }
};

TEST_F(EncoderDecoderCacheTest, IsThatOfMaps) {
  const tests::RandomRounds random(1, 30'000);
  std::mt19937_64 draw(random.seed);
  NaiveOnce naive;
  const Strings ids{"a", "b", "c"};
  for (const auto& id : ids) {
    const Features features{{"one", 1}, {"two", 2}, {"one", 1}, {id, 4}};
    add(id, features);
    for (InputId i = 0; i < 4; ++i)
      naive.inputs[{id, i}] = {std::string(features[i].mm_hash), features[i].embeds};
  }
  begin_pass();
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    const NaiveOnce::Occurrence o{ids[draw() % 3], static_cast<InputId>(draw() % 4)};
    switch (draw() % 8) {
      case 0: {
        end_pass();
        const Strings told = freed();
        ASSERT_EQ(std::set<std::string>(told.begin(), told.end()), naive.end_pass());
        begin_pass();
        break;
      }
      case 1:
        ASSERT_EQ(cache.free(o.first), Error::none);
        for (InputId i = 0; i < 4; ++i) naive.drop({o.first, i});
        break;
      case 2:
      case 3: ASSERT_EQ(cache.free_encoder_input(o.first, o.second), naive.drop(o)); break;
      default: ASSERT_EQ(cache.allocate(o.first, o.second), naive.allocate(o));
    }
    ASSERT_EQ(slots(), Slots(naive.free, naive.free, 0, naive.ordered)) << "in round " << round;
    cache.check_invariants();
  }
}

}  // namespace
}  // namespace holdfast::impl
