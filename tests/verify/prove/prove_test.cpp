// Everything that is said to be proved closes, whatever the seed; every fault fails where it
// should.
#include "verify/prove/prove.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "tests/verify/prove/options_under.hpp"

namespace holdfast::verify::prove {
namespace {

std::string failures(const std::vector<report::ProofResult>& results) {
  std::string text;
  for (const auto& r : results)
    if (r.status != report::ProofStatus::proved)
      text += r.rule + " [" + r.path + "] " + r.property + "\n" + r.counterexample;
  return text;
}

class EverySeed : public testing::TestWithParam<unsigned> {};

TEST_P(EverySeed, ProvesHoldfastWithTheLearnedPlan) {
  auto o = options_under("holdfast");
  o.seed = GetParam();
  EXPECT_EQ(failures(prove(o)), "") << "seed " << o.seed;
}

INSTANTIATE_TEST_SUITE_P(Seeds, EverySeed,
                         testing::Values(0u, 1u, 2u, 3u, 5u, 8u, 13u, 77u, 1234u, 4294967295u));

TEST(Prove, ProvesHoldfastWithAllLemmasToo) {
  auto o = options_under("holdfast");
  o.all_lemmas = true;
  o.timeout_ms = 60'000;
  EXPECT_EQ(failures(prove(o)), "");
}

TEST(Prove, EveryRulePathMeetsEveryInvariantOnceAndTheInitialStateToo) {
  const auto results = prove(options_under("holdfast"));
  std::set<std::tuple<std::string, std::string, std::string, std::string>> names;
  std::set<std::string> rules, properties;
  for (const auto& r : results) {
    EXPECT_TRUE(names.insert({r.manager, r.rule, r.path, r.property}).second)
        << r.rule << r.path << r.property;
    rules.insert(r.rule);
    properties.insert(r.property);
  }
  const auto all_rules = rule_names(), all_invariants = invariant_names();
  EXPECT_EQ(rules, std::set<std::string>(all_rules.begin(), all_rules.end()));
  EXPECT_EQ(properties, std::set<std::string>(all_invariants.begin(), all_invariants.end()));
}

TEST(Prove, OneRuleOrOnePropertyAlone) {
  auto o = options_under("holdfast");
  o.rule = "evict";
  o.property = "exact-slots";
  const auto results = prove(o);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].status, report::ProofStatus::proved);
  o.rule = "initial";
  EXPECT_EQ(prove(o).size(), 2u);  // both managers have an initial state
  o.rule = "any state";
  o.property = "progress";
  EXPECT_EQ(prove(o).size(), 1u);
}

/// A fault whose rule, read symbolically, no longer keeps `property`.
struct Broken {
  const char* fault;
  const char* rule;
  const char* property;
};

class EveryFault : public testing::TestWithParam<Broken> {};

TEST_P(EveryFault, FailsInItsOwnRuleWithACounterexample) {
  auto o = options_under(GetParam().fault);
  o.rule = GetParam().rule;
  o.property = GetParam().property;
  const auto results = prove(o);
  bool found = false;
  for (const auto& r : results) {
    if (r.status == report::ProofStatus::proved) continue;
    EXPECT_EQ(r.status, report::ProofStatus::failed)
        << r.rule << " [" << r.path << "] " << r.property;
    EXPECT_NE(r.counterexample, "");
    found = true;
  }
  EXPECT_TRUE(found);
}

const Broken broken[] = {{"duplicate-charged-twice", "allocate", "exact-slots"},
                         {"abort-keeps-references", "abort", "no-hold-and-wait"},
                         {"waiting-keeps-references", "put_back", "no-hold-and-wait"},
                         {"hold-past-end", "begin_pass", "confirmed-is-released"},
                         {"rollback-without-lookahead", "gather_draft", "no-interior-miss"},
                         {"split-item", "commit", "whole-items"},
                         {"oversized-queued", "add", "refuses-impossible"},
                         {"release-at-schedule", "release", "scheduled-holds-needs"},
                         {"release-optimistic", "release", "unconfirmed-is-held"},
                         {"lookahead-unplanned", "gather_draft", "no-interior-miss"},
                         {"no-boundary-fallback", "gather_draft", "no-interior-miss"},
                         {"stale-notice", "end_pass", "no-stale-notice"},
                         {"first-occurrence-frees", "release", "held-is-referenced"},
                         {"no-size-check", "touch", "same-size"},
                         {"encdec-notice-early", "encdec_end_pass", "no-ghost-entry"},
                         {"encdec-credit-repeats", "encdec_release", "exact-slots"},
                         {"retract-keeps-entry", "drop", "cached-comes-or-is-there"}};

INSTANTIATE_TEST_SUITE_P(Faults, EveryFault, testing::ValuesIn(broken), [](const auto& test) {
  std::string name = test.param.fault;
  for (auto& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(Faults, AreAllSeenByTheProof) {
  for (const auto& fault : spec::faults)
    EXPECT_EQ(std::ranges::count(broken, fault.profile.name, &Broken::fault), 1)
        << "tests/verify/prove/prove_test.cpp does not say which proof fails under "
        << fault.profile.name;
}

TEST(Prove, SortedSpansAreNeeded) {
  auto o = options_under("holdfast");
  o.assumptions.sorted_spans = false;
  o.rule = "clip";
  bool failed = false;
  for (const auto& r : prove(o)) failed |= r.status == report::ProofStatus::failed;
  EXPECT_TRUE(failed) << "a clip before an unsorted feature may leave one behind that is needed";
}

TEST(Prove, ATimeLimitOfNothingIsUndecidedNotSuccess) {
  auto o = options_under("stale-notice");
  o.timeout_ms = 1;
  o.rule = "end_pass";
  o.property = "no-stale-notice";
  const auto results = prove(o);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_NE(results[0].status, report::ProofStatus::proved);
}

TEST(Vacuity, EveryRulePathHasAModelWithEveryInvariantAndNoForbiddenOneHas) {
  for (const auto& w : path_witnesses(options_under("holdfast"))) {
    const auto expected =
        w.forbidden ? PathWitness::Status::impossible : PathWitness::Status::possible;
    EXPECT_EQ(w.status, expected) << w.manager << ": " << w.rule << " [" << w.path << "]";
  }
}

TEST(LemmaPlan, SurvivesItsTextForm) {
  const auto& plan = learned_plan();
  EXPECT_GT(plan.size(), 100u);
  EXPECT_EQ(parse_plan(to_text(plan)), plan);
}

TEST(LemmaPlan, NamesOnlyRulesAndInvariantsThatExist) {
  const auto rules = rule_names(), invariants = invariant_names();
  const std::set<std::string> known(invariants.begin(), invariants.end());
  for (const auto& [name, lemmas] : learned_plan()) {
    EXPECT_NE(std::find(rules.begin(), rules.end(), name.rule), rules.end()) << name.rule;
    EXPECT_TRUE(known.contains(name.property)) << name.property;
    for (const auto& lemma : lemmas)
      EXPECT_TRUE(known.contains(lemma) || lemma == "configuration") << lemma;
  }
}

// A property that only follows from lemmas is not proved where those do not hold.
TEST(Prove, APropertyIsProvedWithTheLemmasThatItRestsOn) {
  // What is proved takes a moment; where no proof is to be had, the solver would use all its time.
  const auto statuses = [](const char* profile, std::string_view property,
                           unsigned timeout_ms = 2'000) {
    auto o = options_under(profile);
    o.property = property;
    o.timeout_ms = timeout_ms;
    std::set<report::ProofStatus> all;
    for (const auto& result : prove(o)) all.insert(result.status);
    return all;
  };
  const std::set<report::ProofStatus> proved = {report::ProofStatus::proved};
  for (const auto property : spec::names<spec::Progress, spec::AllReturned,
                                         spec::NoFreedWhileReferenced, spec::ExactSlots>)
    EXPECT_EQ(statuses("holdfast", property, Options{}.timeout_ms), proved) << property;
  EXPECT_NE(statuses("hold-past-end", spec::Progress::info.name), proved);
  EXPECT_NE(statuses("release=before-credit", spec::Progress::info.name), proved);
  EXPECT_NE(statuses("abort-keeps-references", spec::AllReturned::info.name), proved);
  EXPECT_NE(statuses("release-at-schedule", spec::NoFreedWhileReferenced::info.name), proved);
}

}  // namespace
}  // namespace holdfast::verify::prove
