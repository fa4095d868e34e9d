// The maps of fixed size: what lies beyond them, and what they refuse.
#include "verify/readings/compact.hpp"

#include <gtest/gtest.h>

namespace holdfast::verify::inline readings::compact {
namespace {

using D = Reading<2, 2, 2, 3>;
using State = spec::State<D>;

Workload one_image() {
  return {.capacity = 2, .encoder_budget = 2, .requests = {{1, 2, {{0, 1, 1, 0}}}}};
}

State initial() {
  D d(one_image(), {}, {});
  State s;
  spec::initialise(d, s);
  return s;
}

template <class M>
concept can_clear = requires(M m) { m.clear(); };
static_assert(!can_clear<D::SlotMap<spec::HashSort>>);

// Rules ask for the feature at a cursor that is past the last one; the neighbour's cell must not
// answer.
TEST(CompactMap, BeyondItsEndIsTheDefault) {
  State s = initial();
  s.held.set({1}, 0, true);
  s.step_tokens.set(0, {0}, 3);
  EXPECT_FALSE(s.held({0}, 2));
  EXPECT_FALSE(s.held({1}, -1));
  EXPECT_EQ(s.step_tokens(3, {0}), 0);
  EXPECT_EQ(s.step_tokens(-1, {0}), 0);
  EXPECT_EQ(s.available.sum(3), 0);
  EXPECT_EQ(D(one_image(), {}, {}).config.start({0}, 2), 0);
}

TEST(CompactCell, SaysWhichVariableAValueDoesNotFit) {
  State s = initial();
  try {
    s.computed.set({1}, 128);
    FAIL() << "128 was kept in a byte";
  } catch (const Overflow& overflow) {
    EXPECT_EQ(variable_at(s, overflow.cell), "computed");
  }
  EXPECT_EQ(s.computed({1}), 0);
  try {
    s.step_encodes.assign_row(1, [](Hash h) { return h.id == 1 ? 200 : 0; });
    FAIL() << "200 was kept in a byte";
  } catch (const Overflow& overflow) {
    EXPECT_EQ(variable_at(s, overflow.cell), "step_encodes");
  }
}

#ifndef NDEBUG
TEST(CompactMapDeathTest, NothingIsWrittenBeyondItsEnd) {
  State s = initial();
  EXPECT_DEATH(s.held.set({0}, 2, true), "compact.hpp:[0-9]+: required: a feature or a step");
  EXPECT_DEATH(s.step_tokens.set(3, {0}, 1), "required: a feature or a step that there is");
}

TEST(CompactMapDeathTest, ARequestThatIsAValueFitsItsCell) {
  State s = initial();
  EXPECT_DEATH(s.plan_request.set({-1}), "required: a request or hash that there is");
  EXPECT_DEATH(s.ordered_by.set({0}, {300}), "required: a request or hash that there is");
}
#endif

}  // namespace
}  // namespace holdfast::verify::inline readings::compact
