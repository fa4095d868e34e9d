#include "verify/readings/dynamic.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/catalogue.hpp"
#include "verify/readings/dynamic_machine.hpp"

namespace holdfast::verify::inline readings::dynamic {
namespace {

using ::testing::ElementsAre;

TEST(DynamicMapTest, WhatIsNotSetIsTheDefault) {
  Map<spec::IntSort, spec::HashSort> map;
  EXPECT_EQ(map(Hash{1'000'000}), 0);
  map.set(Hash{3}, 5);
  EXPECT_EQ(map(Hash{3}), 5);
  map.reset(Hash{3});
  EXPECT_EQ(map(Hash{3}), 0);
  EXPECT_TRUE(map.empty());
  Map<spec::RequestSort, spec::HashSort> names;
  EXPECT_EQ(names(Hash{0}), Request{});
}

TEST(DynamicMapTest, AssignSeesTheOldValues) {
  Universe universe{{}, {Hash{0}, Hash{1}, Hash{2}}};
  Map<spec::IntSort, spec::HashSort> map;
  map.bind(universe);
  for (int n = 0; n < 3; ++n) map.set(Hash{n}, n + 1);
  map.assign([&](Hash h) { return map(Hash{(h.id + 1) % 3}); });
  EXPECT_EQ(map(Hash{0}), 2);
  EXPECT_EQ(map(Hash{1}), 3);
  EXPECT_EQ(map(Hash{2}), 1);
}

TEST(DynamicMapTest, RowsOfSteps) {
  Universe universe{{}, {Hash{0}, Hash{1}, Hash{2}}};
  SlotMap<spec::HashSort> weight;
  SlotMap<spec::StepSort, spec::HashSort> available;
  weight.bind(universe);
  available.bind(universe);
  weight.set(Hash{0}, 2);
  weight.set(Hash{2}, 3);
  available.copy_row(7, weight);
  weight.fill(0);
  EXPECT_EQ(available(7, Hash{2}), 3);
  EXPECT_EQ(available.sum(7), 5);
  EXPECT_EQ(available.sum(6), 0);
  available.assign_row(8, [](Hash h) { return h.id == 1 ? 4 : 0; });
  EXPECT_EQ(available.sum(8), 4);
  available.drop_rows_before(8);
  EXPECT_EQ(available.sum(7), 0);
  EXPECT_EQ(available.sum(8), 4);
}

TEST(DynamicMapTest, NobodyReferences) {
  Map<spec::BoolSort, spec::HashSort, spec::RequestSort> refs;
  EXPECT_TRUE(refs.none(Hash{4}));
  refs.set(Hash{4}, Request{9}, true);
  refs.set(Hash{4}, Request{2}, true);
  refs.set(Hash{4}, Request{9}, false);
  EXPECT_FALSE(refs.none(Hash{4}));
  std::vector<int> ids;
  refs.each(Hash{4}, [&](Request r) { ids.push_back(r.id); });
  EXPECT_THAT(ids, ElementsAre(2));
  refs.set(Hash{4}, Request{2}, false);
  EXPECT_TRUE(refs.none(Hash{4}));
}

TEST(DynamicMapTest, SumsFollowEveryUpdate) {
  std::mt19937 random(1);
  SlotMap<spec::HashSort> one;
  SlotMap<spec::RequestSort, spec::FeatureSort> two;
  std::vector<Int> values(64);
  for (int n = 0; n < 2000; ++n) {
    const auto key = static_cast<std::int32_t>(random() % 64);
    const auto value = static_cast<Int>(random() % 3);
    one.set(Hash{key}, value);
    two.set(Request{key / 8}, key % 8, value);
    values[static_cast<std::size_t>(key)] = value;
    Int sum = 0;
    for (const auto v : values) sum += v;
    ASSERT_EQ(one.sum(), sum);
    ASSERT_EQ(two.sum(), sum);
  }
  Int left = two.sum();
  for (int f = 0; f < 8; ++f) left -= two(Request{3}, f);
  two.forget(Request{3});
  EXPECT_EQ(two.sum(), left);
}

TEST(DynamicReadingTest, MasksCountEmbeddingsInAWindow) {
  Machine machine({});
  machine.start({.capacity = 8, .encoder_budget = 8});
  const Hash h = machine.new_hash();
  const std::vector<MaskRun> runs = {{1, 2}, {5, 1}, {8, 2}};
  const Request r = machine.new_request(20, 20, {{h, 3, 13, 5, runs}, {h, 13, 15, 2, {}}});
  const auto embedded = [&](Int position) {
    return std::any_of(runs.begin(), runs.end(), [&](const MaskRun& run) {
      return 3 + run.first <= position && position < 3 + run.first + run.count;
    });
  };
  for (Int lo = 0; lo < 18; ++lo)
    for (Int hi = lo; hi < 18; ++hi) {
      Int expected = 0;
      for (Int p = lo; p < hi; ++p) expected += embedded(p) ? 1 : 0;
      ASSERT_EQ(machine.d.embeddings_in(r, 0, lo, hi), expected) << lo << ", " << hi;
      ASSERT_EQ(machine.d.touches(r, 0, lo, hi), expected > 0);
    }
  EXPECT_EQ(machine.d.embeddings_in(r, 1, 0, 20), 2);
}

TEST(DynamicReadingTest, WitnessNamesWhatBreaksAProperty) {
  Machine machine({});
  machine.start({.capacity = 8, .encoder_budget = 8});
  const Hash h = machine.new_hash();
  machine.new_request(20, 20, {});
  const Request r = machine.new_request(20, 20, {{h, 0, 4, 4, {}}, {h, 4, 8, 4, {}}});
  machine.s.held.set(r, 1, true);
  EXPECT_FALSE(spec::SameSize::holds(machine.d, machine.s));
  const auto witness = machine.d.witness();
  ASSERT_EQ(witness.size(), 2U);
  EXPECT_EQ(witness[0].kind, Witness::Kind::request);
  EXPECT_EQ(witness[0].value, r.id);
  EXPECT_EQ(witness[1].kind, Witness::Kind::feature);
  EXPECT_EQ(witness[1].value, 1);
}

TEST(DynamicMachineTest, SweepForgetsWhatIsGoneAndUsesItsNumbersAgain) {
  Machine machine({});
  auto& d = machine.d;
  auto& s = machine.s;
  machine.start({.capacity = 8, .encoder_budget = 8});
  const Hash kept = machine.new_hash();
  const Hash gone = machine.new_hash();
  const Request running = machine.new_request(8, 9, {{kept, 0, 4, 4, {}}});
  const Request finished = machine.new_request(8, 9, {{gone, 0, 4, 4, {}}});
  spec::Add::effect(d, s, running);
  spec::Add::effect(d, s, finished);
  spec::end_request(d, s, finished);
  const auto forgotten = machine.sweep();
  EXPECT_EQ(forgotten.requests, std::vector{finished});
  EXPECT_EQ(forgotten.hashes, std::vector{gone});
  EXPECT_EQ(d.universe.requests, std::vector{running});
  EXPECT_EQ(machine.new_hash(), gone);
  const Request again = machine.new_request(5, 6, {});
  EXPECT_EQ(again, finished);
  EXPECT_TRUE(spec::has_status(s, again, spec::Status::absent));
  EXPECT_EQ(s.epoch(again), 0);
  EXPECT_EQ(d.config.features(again), 0);
}

TEST(DynamicMachineTest, SweepKeepsWhatIsHeldOrCached) {
  Machine machine({});
  auto& d = machine.d;
  auto& s = machine.s;
  machine.start({.capacity = 8, .encoder_budget = 8});
  const Hash h = machine.new_hash();
  const Request r = machine.new_request(8, 9, {{h, 0, 4, 4, {}}});
  spec::Add::effect(d, s, r);
  spec::allocate_entry<Reading>(d, s, r, 0);
  spec::end_request(d, s, r);
  EXPECT_TRUE(machine.sweep().requests.empty());
  spec::drop_occurrence<Reading>(d, s, r, 0);
  const auto forgotten = machine.sweep();
  EXPECT_EQ(forgotten.requests, std::vector{r});
  EXPECT_TRUE(forgotten.hashes.empty());
  EXPECT_TRUE(spec::is_cached<Reading>(s, h));
}

}  // namespace
}  // namespace holdfast::verify::inline readings::dynamic
