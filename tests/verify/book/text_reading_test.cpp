// The text reading: terms with as few parentheses as they need, effects as trees, names without
// capture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/readings/text.hpp"
#include "verify/readings/text_printer.hpp"
#include "verify/readings/text_shorthand.hpp"

namespace holdfast::verify::text {
namespace {

using ::testing::ElementsAre;

Int number(const char* name) { return named(name, Kind::integer); }
Request request(const char* name) { return named(name, Kind::request); }
Hash hash(const char* name) { return named(name, Kind::hash); }

std::string print(const Bool& b) { return Printer()(b.term); }
std::string print(const Int& n) { return Printer()(n.term); }

std::vector<std::string> plain(const std::vector<Item>& items, const std::string& indent = "") {
  std::vector<std::string> lines;
  for (const auto& item : items) {
    lines.push_back(indent + item.line);
    for (const auto& below : plain(item.below, indent + "  ")) lines.push_back(below);
  }
  return lines;
}

class TextReading : public ::testing::Test {
 protected:
  TextReading() { bind(s, d); }

  std::vector<std::string> effect(const std::function<void(State&)>& body) {
    const auto recorded = d.record([&] {
      State copy = s;
      body(copy);
    });
    return plain(Printer({"r", "i", "h"}).items(recorded));
  }

  Reading d{{}, {}};
  State s;
  const Request r = request("r");
  const Hash h = hash("h");
};

TEST_F(TextReading, SumsNeedParenthesesOnlyAfterMinus) {
  const Int a = number("a"), b = number("b"), c = number("c");
  EXPECT_EQ(print(a + b - c), "a + b - c");
  EXPECT_EQ(print(a - (b + c)), "a - (b + c)");
  EXPECT_EQ(print(a - (b - c)), "a - (b - c)");
  EXPECT_EQ(print(a + (b - c)), "a + b - c");
  EXPECT_EQ(print(a + 0 <= b), "a <= b");
}

TEST_F(TextReading, TruthValuesBindInTheUsualOrder) {
  const Bool a = Bool(named("a", Kind::boolean)), b = Bool(named("b", Kind::boolean)),
             c = Bool(named("c", Kind::boolean));
  EXPECT_EQ(print((a && b) || c), "(a and b) or c");
  EXPECT_EQ(print(a && (b || c)), "a and (b or c)");
  EXPECT_EQ(print(!(a && b)), "not (a and b)");
  EXPECT_EQ(print(!a && b), "not a and b");
  EXPECT_EQ(print(d.implies(a && b, c)), "a and b implies c");
  EXPECT_EQ(print(d.implies(a, d.implies(b, c))), "a and b implies c");
  EXPECT_EQ(print(d.implies(d.implies(a, b), c)), "(a implies b) implies c");
  EXPECT_EQ(print(a == b), "a exactly when b");
  EXPECT_EQ(print(a && true && b), "a and b");
  EXPECT_EQ(print(a && (!(a && b))), "a and not b");
}

TEST_F(TextReading, WhatAlternativesShareIsSaidOnce) {
  const Bool a = Bool(named("a", Kind::boolean)), b = Bool(named("b", Kind::boolean)),
             c = Bool(named("c", Kind::boolean)), e = Bool(named("e", Kind::boolean));
  EXPECT_EQ(print((a && b) || (a && c)), "a and (b or c)");
  EXPECT_EQ(print((a && b && e) || (c && a) || (a && e)), "a and ((b and e) or c or e)");
  EXPECT_EQ(print((a && b) || a), "a");
  EXPECT_EQ(print((a && b) || (c && e)), "(a and b) or (c and e)");
}

TEST_F(TextReading, NegationsTurnComparisons) {
  const Int a = number("a"), b = number("b");
  EXPECT_EQ(print(!(a <= b)), "a > b");
  EXPECT_EQ(print(!(a < b)), "a >= b");
  EXPECT_EQ(print(!(a == b)), "a != b");
  EXPECT_EQ(print(!(!(a == b))), "a = b");
}

TEST_F(TextReading, NegationsTurnQuantifiers) {
  const Bool none = d.all_requests([&](Request q) {
    return d.all_features(q, [&](Int i) { return !(s.held(q, i) && s.scheduled(q)); });
  });
  EXPECT_EQ(print(!none),
            "for some request r: for some feature i of r: held(r, i) and scheduled(r)");
  EXPECT_EQ(print(!(!none)), print(none));
}

TEST_F(TextReading, ComparisonsChain) {
  const Int a = number("a"), b = number("b"), c = number("c");
  EXPECT_EQ(print(a <= b && b < c), "a <= b < c");
  EXPECT_EQ(print(a <= b && c < b), "a <= b and c < b");
}

TEST_F(TextReading, ChoicesAreTiedWhereTheyAreNested) {
  const Int a = number("a"), b = number("b"), c = number("c");
  const Int choice = d.ite(a == b, a, c);
  EXPECT_EQ(print(choice), "a if a = b else c");
  EXPECT_EQ(print(b + choice), "b + (a if a = b else c)");
  EXPECT_EQ(print(d.ite(a < b, choice, c)), "(a if a = b else c) if a < b else c");
}

TEST_F(TextReading, ShorthandsStandForWhatTheyAre) {
  EXPECT_EQ(print(s.computed(r) - s.placeholders(r)), "confirmed(r)");
  EXPECT_EQ(print(s.computed(r) - s.placeholders(request("q"))), "computed(r) - placeholders(q)");
  EXPECT_EQ(print(d.config.end(r, 0) - (s.computed(r) - s.placeholders(r))),
            "end(r, 0) - confirmed(r)");
  EXPECT_EQ(print(s.weight(h) > 0), "cached(h)");
  EXPECT_EQ(print(!(s.weight(h) > 0) && s.in_pass()), "not cached(h) and in_pass");
  EXPECT_EQ(print(s.status(r) == 2), "status(r) = running");
}

TEST_F(TextReading, TheStateAfterAStepIsMarked) {
  State after;
  bind(after, d, "'");
  EXPECT_EQ(print(s.computed(r) <= after.computed(r)), "computed(r) <= computed'(r)");
  EXPECT_EQ(print(after.computed(r) - after.placeholders(r)), "confirmed'(r)");
  EXPECT_EQ(print(s.computed(r) - after.placeholders(r)), "computed(r) - placeholders'(r)");
  EXPECT_EQ(print(after.status(r) == 2), "status'(r) = running");
}

TEST_F(TextReading, QuantifiersNameTheirVariablesBySortAndNesting) {
  const Bool b = d.all_requests([&](Request x) {
    return d.all_requests([&](Request y) { return d.implies(s.scheduled(x), s.scheduled(y)); });
  });
  EXPECT_EQ(print(b),
            "for every request r: for every request q: scheduled(r) implies scheduled(q)");
  EXPECT_EQ(print(d.any_feature(r, [&](Int i) { return s.held(r, i); })),
            "for some feature i of r: held(r, i)");
  EXPECT_EQ(print(d.all_steps(s.executed() - 1, s.issued(), [&](Int k) { return 0 < k; })),
            "for every step k with executed <= k <= issued: 0 < k");
  EXPECT_EQ(print(s.refs.none(h)), "refs(h, r) for no request r");
}

TEST_F(TextReading, NoVariableIsCaptured) {
  const Bool b = d.all_requests([&](Request x) { return x == r; });
  EXPECT_EQ(Printer({"r"})(b.term), "for every request q: q = r");
  EXPECT_EQ(Printer({"r", "q", "p"})(b.term), "for every request r2: r2 = r");
  const Bool plan = d.all_requests([&](Request x) { return x == s.plan_request(); });
  EXPECT_EQ(Printer({}, {{"r", s.plan_request().term}})(plan.term), "for every request q: q = r");
}

TEST_F(TextReading, SiblingQuantifiersAreIndependent) {
  const auto all = [&] { return d.all_hashes([&](Hash x) { return s.evicted(x); }); };
  EXPECT_TRUE(same(all().term, all().term));
  EXPECT_EQ(print(all() && !s.in_pass()), "(for every hash h: evicted(h)) and not in_pass");
}

TEST_F(TextReading, BranchesMakeATreeAndShareTheirEnds) {
  EXPECT_THAT(effect([&](State& x) {
                x.clock.set(1);
                if (d.test("it is evicted", x.evicted(h)))
                  x.free.set(x.free() + x.weight(h));
                else
                  x.weight.set(h, 0);
                x.issued.set(2);
              }),
              ElementsAre("`clock := 1`",
                          "If it is evicted (`evicted(h)`):", "  `free := free + weight(h)`",
                          "Otherwise:", "  `weight(h) := 0`", "`issued := 2`"));
}

TEST_F(TextReading, AnEarlyReturnReadsAsUnless) {
  EXPECT_THAT(effect([&](State& x) {
                if (d.test("it is evicted", x.evicted(h))) return;
                x.clock.set(1);
              }),
              ElementsAre("Unless it is evicted (`evicted(h)`):", "  `clock := 1`"));
}

TEST_F(TextReading, NestedBranches) {
  EXPECT_THAT(effect([&](State& x) {
                if (d.test("one", x.evicted(h))) {
                  x.clock.set(1);
                } else if (d.test("two", x.in_pass())) {
                  x.clock.set(2);
                } else {
                  x.clock.set(3);
                }
              }),
              ElementsAre("If one (`evicted(h)`):", "  `clock := 1`",
                          "Otherwise, if two (`in_pass`):", "  `clock := 2`",
                          "Otherwise:", "  `clock := 3`"));
}

TEST_F(TextReading, BranchesThatTheGuardDecidesAreNone) {
  d.assume(s.in_pass() && !s.evicted(h));
  EXPECT_THAT(effect([&](State& x) {
                if (d.test("inside", x.in_pass())) x.clock.set(1);
                if (d.test("evicted", x.evicted(h))) x.clock.set(2);
                x.in_pass.set(false);
                if (d.test("still inside", x.in_pass())) x.clock.set(3);
              }),
              ElementsAre("`clock := 1`", "`in_pass := false`",
                          "If still inside (`in_pass`):", "  `clock := 3`"));
}

TEST_F(TextReading, BulkUpdates) {
  EXPECT_THAT(effect([&](State& x) {
                x.tokens.fill(0);
                x.drafts.fill(0);
                x.worker.assign([&](Hash g) { return d.ite(x.evicted(g), 0, x.worker(g)); });
                x.computed.assign([&](Request q) {
                  return x.computed(q) + d.ite(x.scheduled(q), x.tokens(q), 0);
                });
                x.step_encodes.assign_row(3, [&](Hash g) { return x.pending(g); });
                x.forgotten.assign([&](Request q) { return x.status(q) == 2; });
              }),
              ElementsAre("For every request `q`:", "  `tokens(q) := 0`", "  `drafts(q) := 0`",
                          "For every hash `g` with `evicted(g)`:", "  `worker(g) := 0`",
                          "For every request `q` with `scheduled(q)`:",
                          "  `computed(q) := computed(q) + tokens(q)`",
                          "For every hash `g`:", "  `step_encodes(3, g) := pending(g)`",
                          "For every request `q`:", "  `forgotten(q) := (status(q) = running)`"));
}

TEST_F(TextReading, AValueReadBeforeItsVariableChangedIsOld) {
  EXPECT_THAT(effect([&](State& x) {
                const auto before = x.clock();
                x.clock.set(x.clock() + 1);
                x.issued.set(before + x.clock());
              }),
              ElementsAre("`clock := clock + 1`", "`issued := old(clock) + clock`"));
}

TEST_F(TextReading, LettersStandForValuesAtTheBeginning) {
  const auto recorded = d.record([&] {
    State x = s;
    const Request p = x.plan_request();
    x.plan_request.reset();
    x.status.set(p, 3);
    x.scheduled.set(x.plan_request(), false);
  });
  const auto lets = find_lets(literal(true), recorded, {});
  ASSERT_EQ(lets.size(), 1U);
  const Printer printer({}, lets);
  EXPECT_EQ(printer.meaning(0), "plan_request");
  EXPECT_THAT(plain(printer.items(recorded)),
              ElementsAre("`plan_request := nobody`", "`status(r) := finished`",
                          "`scheduled(plan_request) := false`"));
}

TEST_F(TextReading, LettersAreNotThoseOfParameters) {
  const Bool guard = s.scheduled(s.plan_request()) && s.forgotten(s.plan_request());
  EXPECT_EQ(find_lets(guard.term, {}, {}).size(), 1U);
  EXPECT_TRUE(find_lets(guard.term, {}, {"r"}).empty());
}

class TextShorthand : public TextReading {
 protected:
  std::string folded(const Bool& b) const { return print(Bool(fold(b.term, {shorthand}))); }

  const Int i = Int(named("i", Kind::feature));
  const Request q = request("q");
  /// ready(r): r is scheduled and every feature of it is held.
  const Shorthand shorthand{"ready", {r.term}, (s.scheduled(r) && d.all_features(r, [&](Int j) {
                                                 return s.held(r, j);
                                               })).term};
};

TEST_F(TextShorthand, StandsForItsMeaningWhateverTheArguments) {
  const auto meaning = [&](const Request& x) {
    return s.scheduled(x) && d.all_features(x, [&](Int j) { return s.held(x, j); });
  };
  EXPECT_EQ(folded(meaning(q)), "ready(q)");
  EXPECT_EQ(folded(!meaning(s.plan_request())), "not ready(plan_request)");
  EXPECT_EQ(folded(d.all_requests([&](Request x) { return meaning(x); })),
            "for every request r: ready(r)");
}

TEST_F(TextShorthand, ConjunctsMayStandAnywhere) {
  const Bool all_held = d.all_features(q, [&](Int j) { return s.held(q, j); });
  EXPECT_EQ(folded(all_held && s.in_pass() && s.scheduled(q) && s.half_done()),
            "ready(q) and in_pass and half_done");
  EXPECT_EQ(folded(all_held && s.in_pass()), "(for every feature i of q: held(q, i)) and in_pass");
}

TEST_F(TextShorthand, ArgumentsAgree) {
  const Bool mixed = s.scheduled(r) && d.all_features(q, [&](Int j) { return s.held(q, j); });
  EXPECT_THAT(folded(mixed), ::testing::Not(::testing::HasSubstr("ready")));
}

TEST_F(TextShorthand, NoQuantifiersVariableBecomesAnArgument) {
  const Int x = Int(named("x", Kind::integer));
  const Shorthand odd{"odd", {x.term}, d.all_features(r, [&](Int) { return x < s.clock(); }).term};
  const Bool captured = d.all_features(r, [&](Int j) { return j < s.clock(); });
  EXPECT_EQ(print(Bool(fold(captured.term, {odd}))), "for every feature i of r: i < clock");
}

TEST_F(TextShorthand, AMeaningWithoutItsParameterStandsForNothing) {
  const Shorthand constant{"constant", {r.term}, (s.clock() + 1).term};
  EXPECT_EQ(print(Int(fold((s.clock() + 1).term, {constant}))), "clock + 1");
}

TEST_F(TextShorthand, ALaterOneMayMeanAnEarlierOne) {
  const Shorthand next{"next", {}, (s.clock() + 1).term};
  const Shorthand fits{"fits", {i.term}, fold((i <= s.clock() + 1).term, {next})};
  EXPECT_EQ(print(Bool(fold((s.cursor() <= s.clock() + 1).term, {next, fits}))), "fits(cursor)");
}

TEST_F(TextShorthand, StatementsHaveNamesToo) {
  const EffectShorthand stop{"stop", d.record([&] {
                               State x = s;
                               x.in_pass.set(false);
                               x.tokens.fill(0);
                             })};
  const auto recorded = d.record([&] {
    State x = s;
    x.clock.set(1);
    if (d.test("it is evicted", x.evicted(h))) {
      x.in_pass.set(false);
      x.tokens.fill(0);
    }
    x.in_pass.set(false);
  });
  EXPECT_THAT(plain(Printer({"r", "i", "h"}).items(fold(recorded, {}, {stop}))),
              ElementsAre("`clock := 1`", "If it is evicted (`evicted(h)`):", "  `stop`",
                          "`in_pass := false`"));
}

TEST_F(TextReading, LongFormulasBreakAtTheirStructure) {
  const Bool b = d.all_requests([&](Request q) {
    return d.all_features(q, [&](Int i) {
      return d.implies(
          s.scheduled(q) && s.held(q, i) && d.config.start(q, i) < s.computed(q) + s.tokens(q),
          s.refs(d.config.hash(q, i), q));
    });
  });
  EXPECT_THAT(
      Printer().lines(b.term, 60),
      ElementsAre(
          "for every request r, every feature i of r:", "    if scheduled(r) and held(r, i)",
          "       and start(r, i) < computed(r) + tokens(r):", "        refs(hash(r, i), r)"));
}

}  // namespace
}  // namespace holdfast::verify::text
