#include "verify/diff/exhaustion.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "verify/diff/driving.hpp"
#include "verify/diff/lockstep.hpp"
#include "verify/diff/sizes.hpp"

namespace holdfast::verify::diff {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

TEST(Exhaustion, FindsNoDifferenceInAnyState) {
  std::uint64_t states = 0;
  for (const auto& row : exhaustion_sizes()) {
    if (row.is_large) continue;
    SCOPED_TRACE(row.name);
    auto options = row.options;
    options.jobs = 2;
    const auto all = exhaust(options);
    EXPECT_EQ(all.difference, "");
    EXPECT_EQ(all.broken, "");
    EXPECT_TRUE(all.is_complete);
    EXPECT_GT(all.events, 2 * all.states);
    EXPECT_GT(all.deepest, 10U);
    states += all.states;
    std::printf("%s: %zu states, %zu events\n", std::string(row.name).c_str(), all.states,
                all.events);
  }
  EXPECT_GT(states, 100'000U);
}

// An event that is never offered is never compared.
TEST(Exhaustion, OffersEveryKindOfEvent) {
  using enum Driving::Kind;
  const auto script = hunt::script_of(hunt::Genes{});
  Machine machine(script, {});
  Lockstep lockstep;
  lockstep.begins(script);
  auto at = machine.initial();
  std::set<Driving::Kind> offered;
  for (const auto next : {add, pass, execute, deliver}) {
    auto events = machine.enabled(at);
    for (const auto& event : events) offered.insert(event.kind);
    const auto chosen =
        std::ranges::find_if(events, [&](const auto& event) { return event.kind == next; });
    ASSERT_NE(chosen, events.end());
    EXPECT_GT(machine.take(at, *chosen, lockstep), 0U);
  }
  EXPECT_THAT(offered, UnorderedElementsAre(add, abort, preempt, reset, pass, execute, deliver));
}

// However many threads share the workloads.
TEST(Exhaustion, CountsTheSame) {
  auto options = exhaustion_sizes().front().options;
  const auto one = exhaust(options);
  options.jobs = 2;
  const auto two = exhaust(options);
  EXPECT_EQ(one.states, two.states);
  EXPECT_EQ(one.events, two.events);
  EXPECT_EQ(one.steps, two.steps);
  EXPECT_EQ(one.deepest, two.deepest);
}

TEST(Exhaustion, SaysWhereALimitStoppedIt) {
  auto options = exhaustion_sizes().front().options;
  options.max_states = 100;
  EXPECT_FALSE(exhaust(options).is_complete);
  options.max_states = 1'000'000;
  options.stops = [] { return true; };
  EXPECT_FALSE(exhaust(options).is_complete);
}

TEST(Exhaustion, TellsTheWayToADifference) {
  auto options = exhaustion_sizes().front().options;
  options.profile = *spec::find_profile("abort-keeps-references");
  const auto all = exhaust(options);
  EXPECT_THAT(all.difference, HasSubstr("after abort_request"));
  EXPECT_FALSE(all.is_complete);
  ASSERT_GE(all.way.size(), 3U);
  EXPECT_THAT(all.way.front(), HasSubstr("add r"));
  EXPECT_THAT(all.way.back(), HasSubstr("abort r"));
  EXPECT_THAT(all.way, Contains("a pass"));
}

class EveryFaultAtASize : public ::testing::TestWithParam<spec::Fault> {};

/// The first of the sizes at which a fault is seen.
std::string_view size_for(std::string_view fault) {
  const std::map<std::string_view, std::string_view> others = {
      {"waiting-keeps-references", "three requests of one feature, KV blocks are short"},
      {"release-optimistic", "two passes in flight, two outputs"},
      {"no-boundary-fallback", "whole items"},
      {"rollback-without-lookahead", "whole items"},
      {"stale-notice", "requests disagree about a hash's size"},
      {"split-item", "whole items"},
      {"no-size-check", "requests disagree about a hash's size"},
      {"oversized-queued", "an item that is too large"},
      {"retract-keeps-entry", "KV blocks are short, priority"},
      {"encdec-notice-early", "encoder-decoder"},
      {"encdec-credit-repeats", "encoder-decoder"}};
  const auto found = others.find(fault);
  return found == others.end() ? "one pass at a time" : found->second;
}

// In the model's place, each fault is seen.
TEST_P(EveryFaultAtASize, IsSeen) {
  const auto& all_sizes = exhaustion_sizes();
  const auto row = std::find_if(all_sizes.begin(), all_sizes.end(), [](const auto& sizes) {
    return sizes.name == size_for(GetParam().profile.name);
  });
  ASSERT_NE(row, all_sizes.end());
  auto options = row->options;
  options.profile = GetParam().profile;
  options.jobs = 2;
  const auto all = exhaust(options);
  EXPECT_FALSE(all.difference.empty() && all.broken.empty());
  EXPECT_FALSE(all.way.empty());
}

INSTANTIATE_TEST_SUITE_P(All, EveryFaultAtASize, ::testing::ValuesIn(spec::faults),
                         [](const auto& test) {
                           std::string name(test.param.profile.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace holdfast::verify::diff
