// The symbolic reading: branches become paths, updates substitute, sums follow, axioms are true of
// the things they stand for.
#include "verify/readings/symbolic.hpp"

#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "verify/prove/query.hpp"
#include "verify/readings/symbolic_clauses.hpp"

namespace holdfast::verify::inline readings::symbolic {
namespace {

class Symbolic : public testing::Test {
 protected:
  z3::context context;
  Universe unbounded{context};
  UseUniverse in_use{unbounded};

  bool valid(const z3::expr& claim, const Terms& given = {}) {
    z3::solver solver(context);
    for (const auto& g : given) solver.add(g);
    solver.add(!claim);
    return solver.check() == z3::unsat;
  }
};

TEST_F(Symbolic, AReadAfterAWriteSeesItThereAndOnlyThere) {
  State s;
  bind(s, "");
  const Hash g(context.constant("g", unbounded.hash)), h(context.constant("h", unbounded.hash));
  const auto before = s.order(g).term;
  s.order.set(h, 7);
  EXPECT_TRUE(valid(s.order(h).term == 7));
  EXPECT_TRUE(valid(s.order(g).term == before, {g.term != h.term}));
  EXPECT_FALSE(valid(s.order(g).term == before));
}

TEST_F(Symbolic, ABulkUpdateReadsTheStateBeforeIt) {
  State s;
  bind(s, "");
  const Request r(context.constant("r", unbounded.request));
  const auto before = s.computed(r).term;
  s.computed.assign([&](const Request& q) { return s.computed(q) + 1; });
  s.computed.assign([&](const Request& q) { return s.computed(q) + 1; });
  EXPECT_TRUE(valid(s.computed(r).term == before + 2));
}

TEST_F(Symbolic, ARowUpdateLeavesOtherRows) {
  State s;
  bind(s, "");
  const Int k(context.int_const("k")), m(context.int_const("m"));
  const Hash h(context.constant("h", unbounded.hash));
  const auto before = s.available(m, h).term;
  s.available.copy_row(k, s.weight);
  EXPECT_TRUE(valid(s.available(k, h).term == s.weight(h).term));
  EXPECT_TRUE(valid(s.available(m, h).term == before, {m.term != k.term}));
  EXPECT_TRUE(valid(s.available.sum(k).term == s.weight.sum().term));
}

TEST_F(Symbolic, ASumFollowsPointUpdates) {
  State s;
  bind(s, "");
  const Hash h(context.constant("h", unbounded.hash));
  const auto sum = s.weight.sum().term, old = s.weight(h).term;
  s.weight.set(h, 5);
  EXPECT_TRUE(valid(s.weight.sum().term == sum - old + 5));
  s.weight.fill(0);
  EXPECT_TRUE(valid(s.weight.sum().term == 0));
}

TEST_F(Symbolic, AnEmptiedMapHasSumZero) {
  State s;
  bind(s, "");
  s.weight.reset();
  EXPECT_TRUE(valid(s.weight.sum().term == 0));
}

TEST_F(Symbolic, AMapOverAnUnboundedSortIsFilledWithNothingButZero) {
  State s;
  bind(s, "");
  EXPECT_THROW(s.weight.fill(1), std::logic_error) << "its sum would be any multiple of 1";
}

TEST_F(Symbolic, EachPathRunsOnceWithItsConditions) {
  Reading d(*spec::find_profile("holdfast"), {});
  const Int x(context.int_const("x"));
  std::vector<std::string> names;
  d.each_path(
      [&] {
        if (d.test("positive", x > 0)) {
          d.test("large", x > 10);
        }
      },
      [&](const Path& path) { names.push_back(path.name()); });
  EXPECT_EQ(names,
            (std::vector<std::string>{"positive; large", "positive; not: large", "not: positive"}));
}

TEST_F(Symbolic, AConstantConditionIsNoBranch) {
  Reading d(*spec::find_profile("holdfast"), {});
  std::size_t paths = 0;
  d.each_path([&] { EXPECT_TRUE(d.test("certain", Int(1) < Int(2))); },
              [&](const Path&) { ++paths; });
  EXPECT_EQ(paths, 1u);
}

TEST_F(Symbolic, ClausesHaveTheirQuantifiersInFrontAndMeanTheSame) {
  Reading d(*spec::find_profile("holdfast"), {});
  State s;
  bind(s, "");
  const auto formula = d.all_hashes([&](const Hash& h) -> Bool {
                          return s.weight(h) >= 0 && d.all_requests([&](const Request& r) -> Bool {
                            return d.implies(s.refs(h, r), s.weight(h) > 0 && s.freeable(h) == 0);
                          });
                        }).term;
  const auto split = clauses(formula);
  EXPECT_EQ(split.size(), 3u);
  for (const auto& clause : split) {
    ASSERT_TRUE(clause.is_quantifier());
    EXPECT_FALSE(clause.body().is_quantifier());
    EXPECT_FALSE(clause.body().is_and());
  }
  z3::expr_vector all(context);
  for (const auto& clause : split) all.push_back(clause);
  EXPECT_TRUE(valid(z3::implies(formula, z3::mk_and(all))));
  EXPECT_TRUE(valid(z3::implies(z3::mk_and(all), formula)));
}

/// The axioms of `touches` hold of every mask: tried on random ones.
TEST(TouchesAxioms, HoldOfRandomMasks) {
  const unsigned seed = 20261129;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 2000; ++round) {
    constexpr int size = 8;
    const int start = static_cast<int>(random() % size),
              end = start + 1 + static_cast<int>(random() % (size - start));
    std::vector<bool> mask(size);
    for (int p = start; p < end; ++p) mask[static_cast<std::size_t>(p)] = random() % 2;
    const auto touches = [&](int lo, int hi) {
      for (int p = std::max(lo, 0); p < std::min(hi, size); ++p)
        if (mask[static_cast<std::size_t>(p)]) return true;
      return false;
    };
    const int lo = static_cast<int>(random() % (size + 2)) - 1,
              hi = static_cast<int>(random() % (size + 2)) - 1;
    const int lower = lo - static_cast<int>(random() % 3),
              higher = hi + static_cast<int>(random() % 3);
    if (touches(lo, hi)) {
      EXPECT_TRUE(lo < hi && start < hi && lo < end);
      EXPECT_TRUE(touches(lower, higher));
      for (int cut = lo; cut <= hi; ++cut) EXPECT_TRUE(touches(lo, cut) || touches(cut, hi));
    }
  }
}

/// The third sum axiom, as it is instantiated, holds of finite maps whatever the witness.
TEST(SumAxioms, MonotoneHoldsOfFiniteMaps) {
  z3::context context;
  Universe finite(context, FiniteSizes{1, 1, 3, 1});
  UseUniverse in_use(finite);
  State s;
  const auto ranges = bind(s, "");
  const auto claim = [&](const z3::expr& small, const z3::expr& large,
                         const z3::expr& nowhere_larger) {
    z3::solver solver(context);
    for (const auto& range : ranges) solver.add(range);
    solver.add(nowhere_larger && !(small <= large));
    return solver.check() == z3::unsat;
  };
  Reading d(*spec::find_profile("holdfast"), {});
  const auto nowhere_larger =
      d.all_hashes([&](const Hash& h) -> Bool { return s.freeable(h) <= s.weight(h); }).term;
  EXPECT_TRUE(claim(s.freeable.sum().term, s.weight.sum().term, nowhere_larger));
  EXPECT_FALSE(claim(s.freeable.sum().term, s.weight.sum().term, context.bool_val(true)));
}

}  // namespace
}  // namespace holdfast::verify::inline readings::symbolic
