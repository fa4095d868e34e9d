// The pieces of exploration, each by itself, and what it says when it has to give up.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "verify/base/errors.hpp"
#include "verify/explore/canonical.hpp"
#include "verify/explore/packing.hpp"
#include "verify/explore/state_table.hpp"
#include "verify/explore/symmetry.hpp"
#include "verify/explore/workloads.hpp"

namespace holdfast::verify::explore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using D = compact::Reading<2, 2, 2, 3>;

Workload two_images() {
  return {.capacity = 2,
          .encoder_budget = 2,
          .hashes = 2,
          .requests = {{1, 2, {{0, 1, 1, 0}}}, {1, 2, {{0, 1, 1, 1}}}}};
}

TEST(Symmetries, RenameHashesAlong) {
  const auto all = symmetries(two_images());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], (Renaming{{0, 1}, {0, 1}}));
  EXPECT_EQ(all[1], (Renaming{{1, 0}, {1, 0}}));
}

TEST(Symmetries, KeepDifferentRequestsApart) {
  auto w = two_images();
  w.requests[1].limit = 3;
  EXPECT_EQ(symmetries(w).size(), 1u);
  w = two_images();
  w.requests[1].features[0].embeds = 2;
  EXPECT_EQ(symmetries(w).size(), 1u);
}

TEST(Symmetries, NeedAPermutationOfHashes) {
  auto w = two_images();
  w.requests[0].features = {{0, 1, 1, 0}, {1, 2, 1, 0}};
  w.requests[1].features = {{0, 1, 1, 0}, {1, 2, 1, 1}};
  EXPECT_EQ(symmetries(w).size(), 1u);
}

TEST(Workloads, AreAllAssignmentsUpToRenaming) {
  EXPECT_EQ(workloads({.features = 1}).size(), 2u);  // the same hash, or two
  EXPECT_EQ(workloads({}).size(), 6u);
  EXPECT_EQ(workloads({.requests = 1, .features = 3, .hashes = 3}).size(), 5u);  // Bell number
  EXPECT_EQ(workloads({.requests = 3, .features = 1, .hashes = 3}).size(), 3u);  // partitions of 3
}

TEST(Workloads, AreLaidOutAsSaid) {
  const auto w = workloads({.requests = 1, .text = 1, .span = 2, .beyond = 3}).front();
  ASSERT_EQ(w.requests.size(), 1u);
  EXPECT_EQ(w.requests[0].prompt, 6);
  EXPECT_EQ(w.requests[0].limit, 9);
  EXPECT_EQ(w.requests[0].features[0].start, 1);
  EXPECT_EQ(w.requests[0].features[0].end, 3);
  EXPECT_EQ(w.requests[0].features[1].start, 4);
  EXPECT_EQ(w.requests[0].features[1].end, 6);
}

TEST(Workloads, MayOverlapInPairs) {
  const auto w =
      workloads({.requests = 1, .features = 4, .hashes = 1, .text = 1, .span = 3, .overlap = 2})
          .front();
  std::vector<std::pair<int, int>> spans;
  for (const auto& f : w.requests[0].features) spans.emplace_back(f.start, f.end);
  EXPECT_THAT(spans,
              ElementsAre(std::pair(1, 4), std::pair(2, 5), std::pair(6, 9), std::pair(7, 10)));
}

TEST(Workloads, RankedRequestsDoNotChangePlaces) {
  const auto all = workloads({.features = 2, .ranked = true});
  EXPECT_EQ(all.size(), 8u);  // 4 features in 2 hashes, up to renaming the hashes
  for (const auto& w : all) {
    EXPECT_LT(w.requests[0].priority, w.requests[1].priority);
    EXPECT_EQ(symmetries(w).size(), 1u);
  }
}

TEST(Packing, GivesTheStateBack) {
  D d(two_images(), {}, {});
  spec::State<D> s, t;
  spec::initialise(d, s);
  s.weight.set({1}, 15);
  s.refs.set({1}, {0}, true);
  s.step_epoch.set(2, {1}, 7);
  using Nibbles = Packing<D, Cells::nibbles>;
  using Bytes = Packing<D, Cells::bytes>;
  Nibbles::unpack(Nibbles::pack(s), t);
  EXPECT_EQ(std::memcmp(&s, &t, sizeof s), 0);
  Bytes::unpack(Bytes::pack(s), t);
  EXPECT_EQ(std::memcmp(&s, &t, sizeof s), 0);
}

TEST(Packing, NeverCutsAValue) {
  D d(two_images(), {}, {});
  spec::State<D> s;
  spec::initialise(d, s);
  s.free.set(16);
  EXPECT_THROW((Packing<D, Cells::nibbles>::pack(s)), compact::Overflow);
  s.free.set(-1);
  EXPECT_THROW((Packing<D, Cells::nibbles>::pack(s)), compact::Overflow);
  EXPECT_THROW(s.free.set(128), compact::Overflow);
}

// A value that is too large for the table must not lose its name on the way.
TEST(Packing, SaysWhichVariableDoesNotFit) {
  D d(two_images(), {}, {});
  spec::State<D> s;
  spec::initialise(d, s);
  s.step_tokens.set(2, {1}, 16);
  try {
    Packing<D, Cells::nibbles>::pack(s);
    FAIL() << "16 was kept in a nibble";
  } catch (const compact::Overflow& overflow) {
    EXPECT_EQ(overflow.variable, "step_tokens");
  }
}

spec::State<D> in_the_middle(D& d) {
  spec::State<D> s;
  spec::initialise(d, s);
  s.issued.set(2);
  s.executed.set(1);
  s.delivered.set(1);
  s.reset_step.set(2);
  for (int k = 1; k <= 2; ++k) {
    s.step_notices.set(k, {0}, true);
    s.available.set(k, {0}, k);
    s.step_tokens.set(k, {1}, k);
    s.step_computed.set(k, {1}, k);
  }
  return s;
}

TEST(Canonical, RowsAndStepNumbersGoDownTogether) {
  D d(two_images(), {}, {});
  auto s = in_the_middle(d);
  EXPECT_EQ(CanonicalForm<D>::settle(d, s), 1);
  EXPECT_EQ(s.issued(), 1);
  EXPECT_EQ(s.executed(), 0);
  EXPECT_EQ(s.delivered(), 0);
  EXPECT_EQ(s.reset_step(), 1);
  EXPECT_FALSE(s.step_notices(0, {0})) << "an executed step's";
  EXPECT_TRUE(s.step_notices(1, {0}));
  EXPECT_EQ(s.available(0, {0}), 1) << "of the step that was executed last";
  EXPECT_EQ(s.available(1, {0}), 2);
  EXPECT_EQ(s.step_tokens(0, {1}), 0) << "a delivered step's";
  EXPECT_EQ(s.step_tokens(1, {1}), 2);
  EXPECT_EQ(s.step_computed(1, {1}), 2);
  EXPECT_EQ(s.available(2, {0}), 0);
  CanonicalForm<D>(symmetries(two_images())).require_form(d, s);
}

TEST(Canonical, RenamesKeysAndValuesTogether) {
  D d(two_images(), {}, {});
  const CanonicalForm<D> form(symmetries(two_images()));
  const auto taken_by = [&](int r) {
    spec::State<D> s;
    spec::initialise(d, s);
    s.planning.set(true);
    s.plan_request.set({r});
    s.cursor.set(1);
    s.pending.set({r}, 1);
    s.weight.set({r}, 1);
    s.refs.set({r}, {r}, true);
    s.held.set({r}, 0, true);
    s.ordered_by.set({r}, {r});
    form.settle(d, s);
    form.choose(s);
    return s;
  };
  const auto one = taken_by(0), other = taken_by(1);
  EXPECT_EQ(std::memcmp(&one, &other, sizeof one), 0);
  const auto r = one.plan_request();
  EXPECT_EQ(one.ordered_by({r.id}), r);
  EXPECT_TRUE(one.held(r, 0));
}

#ifndef NDEBUG
TEST(CanonicalDeathTest, AStateThatIsNotSettledIsNoForm) {
  D d(two_images(), {}, {});
  const CanonicalForm<D> form(symmetries(two_images()));
  EXPECT_DEATH(form.require_form(d, in_the_middle(d)), "required: a canonical form is its own");
}

TEST(StateTableDeathTest, AsksForRoomAndForKeysThatAreThere) {
  Arena arena;
  StateTable<2> table(arena, 1);
  table.insert({1, 2}, 3);
  EXPECT_DEATH(table.insert({2, 2}, 4), "state_table.hpp:[0-9]+: required: room for another key");
  EXPECT_DEATH((void)table[1], "required: the number of a key that is there");
}
#endif

TEST(StateTable, NumbersInOrderAndFindsAgain) {
  Arena arena;
  StateTable<2> table(arena, 100'000);
  const auto key = [](std::uint64_t n) { return StateTable<2>::Key{n % 7, n / 7}; };
  for (std::uint32_t n = 0; n < 100'000; ++n) {
    const auto [number, fresh] = table.insert(key(n), table.hash(key(n)));
    ASSERT_TRUE(fresh);
    ASSERT_EQ(number, n);
  }
  EXPECT_TRUE(table.full());
  for (std::uint32_t n = 0; n < 100'000; ++n) {
    const auto [number, fresh] = table.insert(key(n), table.hash(key(n)));
    ASSERT_FALSE(fresh);
    ASSERT_EQ(number, n);
  }
}

TEST(StateTable, ComparesWholeKeys) {
  Arena arena;
  StateTable<2> table(arena, 10);
  constexpr std::uint64_t same_hash = 12345;
  for (std::uint64_t n = 0; n < 5; ++n) EXPECT_TRUE(table.insert({n, 0}, same_hash).fresh);
  for (std::uint64_t n = 0; n < 5; ++n) EXPECT_EQ(table.insert({n, 0}, same_hash).number, n);
}

TEST(Reading, TouchesSeesMasks) {
  auto w = two_images();
  w.requests[0].limit = 9;
  w.requests[0].features = {{2, 7, 1, 0, {{0, 1}, {3, 1}}}};  // positions 2 and 5
  const D d(w, {}, {});
  EXPECT_TRUE(d.touches({0}, 0, 2, 3));
  EXPECT_FALSE(d.touches({0}, 0, 3, 5));
  EXPECT_TRUE(d.touches({0}, 0, 3, 6));
  EXPECT_FALSE(d.touches({0}, 0, 6, 9));
  EXPECT_FALSE(d.touches({0}, 0, 5, 5));
  EXPECT_FALSE(d.touches({0}, 0, 7, 2));
}

TEST(CheckRun, SaysWhatStops) {
  const verify::explore::Run run{two_images(), {{"add", {0}}, {"plan", {0, 1, 0}}}};
  const auto check = check_run(run, {});
  EXPECT_FALSE(check.executes());
  EXPECT_EQ(check.taken, 1u);
  EXPECT_EQ(check.problem, "plan(r0, tokens 1, hit 0): its guard is false");
  EXPECT_THAT(check_run({two_images(), {{"add", {7}}}}, {}).problem, HasSubstr("out of range"));
  EXPECT_THAT(check_run({two_images(), {{"add", {}}}}, {}).problem, HasSubstr("wrong number"));
  EXPECT_THAT(check_run({two_images(), {{"fly", {}}}}, {}).problem, HasSubstr("no such rule"));
}

TEST(RunLines, ReadLikeTheRules) {
  const verify::explore::Run run{two_images(),
                                 {{"begin_pass", {}}, {"evict", {1}}, {"deliver", {1, 0, 2}}}};
  EXPECT_THAT(run_lines(run),
              ElementsAre("begin_pass", "evict(h1)", "deliver(step 1, r0, rejected 2)"));
}

TEST(Explore, BoundsMakeItUnknown) {
  auto options = options_for({});
  options.max_states = 1000;
  auto found = explore(options);
  EXPECT_EQ(found.result.status, report::ExplorationStatus::unknown);
  EXPECT_EQ(found.result.states, 1000u);
  EXPECT_THAT(found.note, HasSubstr("1000 states"));

  options = options_for({});
  options.max_bytes = 1 << 20;
  EXPECT_EQ(explore(options).result.status, report::ExplorationStatus::unknown);

  options = options_for({});
  options.max_depth = 5;
  found = explore(options);
  EXPECT_EQ(found.result.status, report::ExplorationStatus::unknown);
  EXPECT_EQ(found.result.depth, 5u);
  EXPECT_THAT(found.note, HasSubstr("5 actions"));

  options = options_for({});
  options.max_seconds = 1e-9;
  EXPECT_EQ(explore(options).result.status, report::ExplorationStatus::unknown);
}

TEST(Explore, RefusesWhatItCannotSearch) {
  EXPECT_THROW(explore(options_for({.requests = 5, .features = 1})), InputError);
  EXPECT_THROW(explore(options_for({.depth = 5})), InputError);
  EXPECT_THROW(explore(options_for({.beyond = 100})), InputError);
  EXPECT_THROW(explore(options_for({.token_budget = 200})), InputError);
  auto options = options_for({});
  options.workloads[0].requests[0].features[0].hash = 2;
  EXPECT_THROW(explore(options), InputError);
  options = options_for({});
  std::swap(options.workloads[0].requests[0].features[0],
            options.workloads[0].requests[0].features[1]);
  EXPECT_THROW(explore(options), InputError) << "spans that are not sorted";
  options.assumptions.sorted_spans = false;
  options.max_depth = 4;
  EXPECT_NO_THROW(explore(options));
  options = options_for({.overlap = 1});
  options.max_depth = 4;
  EXPECT_NO_THROW(explore(options));
  options.assumptions.disjoint_spans = true;
  EXPECT_THROW(explore(options), InputError);
}

TEST(Explore, LemmasAreAskedToo) {
  auto options = options_for({.features = 1}, *spec::find_profile("release-at-schedule"));
  options.property = "all-returned";
  EXPECT_EQ(explore(options).result.status, report::ExplorationStatus::holds);
  options.check_lemmas = true;
  const auto found = explore(options);
  EXPECT_EQ(found.result.status, report::ExplorationStatus::violated);
  EXPECT_EQ(found.result.property, "scheduled-holds-needs");
}

TEST(Explore, StepsAreAskedToo) {
  auto options = options_for({.features = 1}, *spec::find_profile("placeholders-forgotten"));
  options.property = "all-returned";
  options.check_lemmas = true;
  const auto found = explore(options);
  EXPECT_EQ(found.result.status, report::ExplorationStatus::violated);
  EXPECT_EQ(found.result.property, "output-counts");
  EXPECT_EQ(found.result.trace.back(), "end_pass");
}

TEST(Explore, LargeValuesTakeWholeBytes) {
  auto options = options_for({.requests = 1, .features = 1, .hashes = 1});
  const auto small = explore(options).result;
  options.workloads[0].encoder_budget = 40;
  const auto large = explore(options).result;
  EXPECT_EQ(small.states, large.states);
  EXPECT_EQ(small.transitions, large.transitions);
  EXPECT_EQ(large.status, report::ExplorationStatus::holds);
}

TEST(Explore, AViolationOfAnotherPropertyDoesNotStopIt) {
  // Slots are given back without end, so the counter of free ones has no bound.
  auto options = options_for({.manager = spec::Manager::encoder_decoder, .requests = 1},
                             *spec::find_profile("encdec-credit-repeats"));
  options.property = "no-interior-miss";
  const auto found = explore(options);
  EXPECT_EQ(found.result.status, report::ExplorationStatus::unknown);
  EXPECT_EQ(found.note, "a counter grows without end: free");
}

TEST(Explore, FindsTheShortestOfAllWorkloads) {
  auto options = options_for({}, *spec::find_profile("duplicate-charged-twice"));
  options.property = "exact-slots";
  std::ranges::reverse(options.workloads);
  const auto found = explore(options);
  EXPECT_EQ(found.result.depth, 7u);
  EXPECT_EQ(found.result.trace.size(), 7u);
}

}  // namespace
}  // namespace holdfast::verify::explore
