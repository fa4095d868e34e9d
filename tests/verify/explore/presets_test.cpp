// Every fault breaks its property in its preset, by a run of exactly so many actions, and
// `holdfast` breaks nothing there.
#include "verify/refute/presets.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "verify/explore/workloads.hpp"

namespace holdfast::verify::explore {
namespace {

struct Expected {
  std::size_t steps;
  const char* last;  ///< the action that breaks it
};

const std::map<std::string_view, Expected>& expected() {
  static const std::map<std::string_view, Expected> all = {
      {"abort-keeps-references", {8, "abort(r0)"}},
      {"duplicate-charged-twice", {7, "allocate(feature 1)"}},
      {"waiting-keeps-references", {10, "put_back"}},
      {"release-at-schedule", {11, "gather_target(r0, feature 0, at 0)"}},
      {"release-optimistic", {8, "release(r0, feature 0)"}},
      {"lookahead-unplanned", {9, "gather_draft(r0, feature 0, at 0)"}},
      {"no-boundary-fallback", {11, "gather_draft(r0, feature 1, at 0)"}},
      {"rollback-without-lookahead", {9, "gather_draft(r0, feature 0, at 0)"}},
      {"hold-past-end", {16, "abandon"}},
      {"stale-notice", {26, "end_pass"}},
      {"first-occurrence-frees", {10, "release(r0, feature 0)"}},
      {"split-item", {6, "commit(drafts 0, owed 0)"}},
      {"no-size-check", {9, "touch"}},
      {"oversized-queued", {1, "add(r0)"}},
      {"encdec-notice-early", {8, "encdec_end_pass"}},
      {"encdec-credit-repeats", {8, "encdec_release(r0, feature 0)"}},
      {"retract-keeps-entry", {13, "end_pass"}},
  };
  return all;
}

class Fault : public testing::TestWithParam<spec::Fault> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(expected().contains(GetParam().profile.name))
        << "tests/verify/explore/presets_test.cpp does not say in how many actions it is refuted";
  }
};

TEST_P(Fault, IsRefutedByAShortestRun) {
  const auto& fault = GetParam();
  const auto found = explore(refute::preset(fault.profile.name));
  ASSERT_EQ(found.result.status, report::ExplorationStatus::violated);
  EXPECT_EQ(found.result.property, fault.property);
  EXPECT_EQ(found.result.trace.size(), expected().at(fault.profile.name).steps);
  EXPECT_EQ(found.result.trace.back(), expected().at(fault.profile.name).last);
  EXPECT_EQ(found.result.depth, found.result.trace.size());
}

TEST_P(Fault, RunExecutesAndIsHarmlessToHoldfast) {
  const auto& fault = GetParam();
  const auto run = *explore(refute::preset(fault.profile.name)).counterexample;
  const auto check = check_run(run, fault.profile, {}, fault.property);
  EXPECT_TRUE(check.executes()) << check.problem;
  EXPECT_EQ(check.property, fault.property);
  EXPECT_EQ(check.after, run.actions.size());
  // Under holdfast it goes through without a violation, or some action is not permitted.
  const auto harmless = check_run(run, spec::Profile{});
  EXPECT_EQ(harmless.property, "");
}

TEST_P(Fault, SymmetryDoesNotHideIt) {
  auto options = refute::preset(GetParam().profile.name);
  options.symmetry = false;
  EXPECT_EQ(explore(options).result.trace.size(), expected().at(GetParam().profile.name).steps);
}

TEST_P(Fault, HoldfastHasNoneInThatWorkload) {
  auto options = refute::preset(GetParam().profile.name);
  options.profile = {};
  options.property.clear();
  options.check_lemmas = true;
  const auto found = explore(options);
  EXPECT_EQ(found.result.status, report::ExplorationStatus::holds)
      << found.result.property << found.note;
}

TEST_P(Fault, BreaksTheOthersTooThatItIsSaidTo) {
  const auto& fault = GetParam();
  ExploreSizes scarce{.features = 1, .capacity = 1, .encoder_budget = 1};
  scarce.manager = fault.manager();
  for (const auto property : fault.also) {
    bool broken = false;
    for (auto options : {refute::preset(fault.profile.name), options_for(scarce, fault.profile)}) {
      options.property = property;
      broken = broken || explore(options).result.status == report::ExplorationStatus::violated;
    }
    EXPECT_TRUE(broken) << property;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Fault, testing::ValuesIn(spec::faults), [](const auto& instance) {
  std::string name(instance.param.profile.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Faults, StoriesAreTheRealOnes) {
  const auto lines = [](std::string_view fault) {
    return explore(refute::preset(fault)).result.trace;
  };
  const auto has = [](const std::vector<std::string>& trace, const std::string& line) {
    return std::ranges::find(trace, line) != trace.end();
  };
  EXPECT_TRUE(has(lines("retract-keeps-entry"), "retract(r0)"));
  EXPECT_TRUE(has(lines("stale-notice"), "evict(h0)"));
  EXPECT_TRUE(has(lines("no-boundary-fallback"), "clip"));
}

}  // namespace
}  // namespace holdfast::verify::explore
