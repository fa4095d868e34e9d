// The maps without size limits: their sums, and what they refuse.
#include "verify/readings/dynamic_maps.hpp"

#include <type_traits>

#include <gtest/gtest.h>

#include "verify/readings/dynamic_machine.hpp"

namespace holdfast::verify::inline readings::dynamic {
namespace {

using Weight = SlotMap<spec::HashSort>;
using Charged = SlotMap<spec::RequestSort, spec::FeatureSort>;
using Notices = Map<spec::BoolSort, spec::StepSort, spec::HashSort>;
using References = Map<spec::BoolSort, spec::HashSort, spec::RequestSort>;

// Whoever could empty a map beside `reset` and `fill` could forget its sum.
template <class M>
concept can_clear = requires(M m) { m.clear(); };
static_assert(!can_clear<Weight> && !can_clear<Charged> && !can_clear<Notices>);

TEST(SlotMap, EveryWayToWriteKeepsTheSum) {
  const Universe universe{{Request{0}, Request{1}}, {Hash{0}, Hash{1}, Hash{2}}};
  Weight one;
  one.bind(universe);
  one.assign([](Hash h) { return Int{h.id} + 1; });
  EXPECT_EQ(one.sum(), 6);
  one.reset(Hash{1});
  EXPECT_EQ(one.sum(), 4);
  one.fill(5);
  EXPECT_EQ(one.sum(), 15);
  one.reset();
  EXPECT_EQ(one.sum(), 0);

  Charged two;
  two.bind(universe);
  two.set(Request{0}, 3, 7);
  two.set(Request{1}, 0, 2);
  two.forget(Request{0});
  EXPECT_EQ(two.sum(), 2);
  two.fill(0);
  EXPECT_EQ(two.sum(), 0);
  two.set(Request{1}, 0, 2);
  two.reset();
  EXPECT_EQ(two.sum(), 0);
}

TEST(SlotMap, RowsThatAreWrittenWholeCountInTheSum) {
  const Universe universe{{}, {Hash{0}, Hash{1}}};
  SlotMap<spec::RequestSort, spec::HashSort> map;
  map.bind(universe);
  map.assign_row(Request{0}, [](Hash h) { return Int{h.id} + 1; });
  EXPECT_EQ(map.sum(), 3);
  map.assign_row(Request{0}, [](Hash) { return Int{4}; });
  EXPECT_EQ(map.sum(), 8);
}

#ifndef NDEBUG
using DynamicMapDeathTest = testing::Test;

TEST(DynamicMapDeathTest, NobodyHasNoValues) {
  Weight weight;
  EXPECT_DEATH(weight.set(Hash{}, 1), "dynamic_maps.hpp:[0-9]+: required: a request or hash");
  References refs;
  EXPECT_DEATH(refs.set(Hash{}, Request{0}, true), "nobody has no row");
  EXPECT_DEATH(refs.set(Hash{0}, Request{}, true), "nobody has no values");
}

TEST(DynamicMapDeathTest, AFeatureHasAnIndex) {
  Charged charged;
  EXPECT_DEATH(charged.set(Request{0}, -1, 1), "required: the index of a feature");
}

TEST(DynamicMapDeathTest, AForgottenStepIsNotWritten) {
  Notices notices;
  notices.set(3, Hash{0}, true);
  notices.drop_rows_before(3);
  notices.set(3, Hash{0}, false);
  EXPECT_DEATH(notices.set(2, Hash{0}, true), "required: a step that is not forgotten");
}

TEST(DynamicMapDeathTest, OnlyTheDefaultHasNoEnd) {
  References refs;
  EXPECT_DEATH(refs.fill(true), "required: only the default is filled in");
}

TEST(MachineDeathTest, HashesAreThoseThatWereMade) {
  Machine machine({});
  machine.start({.capacity = 8, .encoder_budget = 8});
  EXPECT_DEATH(machine.new_request(4, 5, {{Hash{0}, 0, 1, 1, {}}}), "required: a hash of new_hash");
}

TEST(MachineDeathTest, NothingIsForgottenInsideAPass) {
  Machine machine({});
  machine.start({.capacity = 8, .encoder_budget = 8});
  machine.s.in_pass.set(true);
  EXPECT_DEATH(machine.sweep(), "required: no pass is being made");
}
#endif

/// A map whose sum was forgotten by something that knows only of the values.
class Broken : public Charged {
 public:
  void lose_the_sum() { sum_ = 0; }
};

TEST(SumDeathTest, IsComparedWithTheValues) {
  if (!spec::expensive_checks) GTEST_SKIP() << "HOLDFAST_EXPENSIVE_CHECKS is off";
  Broken map;
  map.set(Request{0}, 0, 3);
  map.lose_the_sum();
  EXPECT_DEATH((void)map.sum(), "required: the sum of the values");
}

}  // namespace
}  // namespace holdfast::verify::inline readings::dynamic
