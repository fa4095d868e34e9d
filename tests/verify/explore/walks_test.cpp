// Random walks through random workloads larger than can be searched: masks, gaps, overlaps, items
// that must not be split, four requests, four steps in flight. Every property and lemma holds after
// every action.
#include <algorithm>
#include <random>
#include <type_traits>

#include <gtest/gtest.h>

#include "tests/random_rounds.hpp"
#include "verify/explore/explore.hpp"
#include "verify/explore/steps.hpp"

namespace holdfast::verify::explore {
namespace {

using D = LargestReading;
using Random = std::mt19937_64;

int pick(Random& random, int first, int last) {
  return std::uniform_int_distribution<int>(first, last)(random);
}

WorkloadFeature random_feature(Random& random, int start, int hashes, int embeds_of_hash) {
  const int length = pick(random, 1, 3);
  WorkloadFeature f{start, start + length, embeds_of_hash, pick(random, 0, hashes - 1), {}};
  if (pick(random, 0, 3) == 0) f.embeds = pick(random, 1, 3);
  if (length == 3 && pick(random, 0, 1) == 0) f.mask = {{0, 1}, {2, 1}};
  return f;
}

Workload random_workload(Random& random, spec::Manager manager) {
  Workload w;
  w.manager = manager;
  w.capacity = pick(random, 2, 6);
  w.encoder_budget = pick(random, 2, 6);
  w.lookahead = pick(random, 0, 2);
  w.depth = pick(random, 1, most_depth);
  w.hashes = pick(random, 1, most_hashes);
  w.whole_items = pick(random, 0, 2) == 0;
  w.tail = pick(random, 0, 2);
  if (pick(random, 0, 1) == 0) w.token_budget = pick(random, 2, 8);
  const bool overlapping = pick(random, 0, 1) == 0;
  const int embeds = pick(random, 1, 2);
  for (int r = pick(random, 1, most_requests); r > 0; --r) {
    WorkloadRequest request;
    int position = 0;
    for (int i = pick(random, 0, most_features); i > 0; --i) {
      int start = position + pick(random, 0, 2);
      // An overlap with the one before, which must not start later.
      if (overlapping && !request.features.empty() && pick(random, 0, 1) == 0)
        start = pick(random, request.features.back().start, request.features.back().end - 1);
      request.features.push_back(random_feature(random, start, w.hashes, embeds));
      position = std::max(position, request.features.back().end);
    }
    request.prompt = position + pick(random, 0, 2) + (position == 0);
    request.limit = request.prompt + pick(random, 0, 4);
    request.priority = pick(random, 0, 2);
    w.requests.push_back(request);
  }
  return w;
}

std::string told(const Run& run) {
  std::string way;
  for (const auto& line : run_lines(run)) way += line + "\n";
  return way;
}

template <class System>
void walk(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const auto w = random_workload(random, System::manager);
  D d(w, {}, {});
  const Walk<D> choices(
      d, {.tokens = pick(random, 1, 6), .drafts = pick(random, 0, 3), .hits = pick(random, 0, 2)});
  Steps<D, System> steps(d);
  Run run{w, {}};
  for (int n = 0; n < 400; ++n) {
    std::vector<Action> possible;
    System::Rules::each([&]<class Rule>() {
      std::vector<Action> of_rule;
      choices.template each_choice<Rule>(steps.state(), [&]<class R>(auto... arguments) {
        of_rule.push_back(steps.template name<R>(arguments...));
        auto next = steps.state();
        R::template effect<D>(d, next, arguments...);
        System::Rankings::each([&]<class Claim>() {
          EXPECT_TRUE(Claim::template holds<D>(d, steps.state(), next))
              << Claim::info.name << " broken by " << to_string(of_rule.back()) << " after\n"
              << told(run);
        });
      });
      // One choice of each rule, and endings seldom, so that no rule drowns the others.
      const bool is_ending = std::is_same_v<Rule, spec::Finish> ||
                             std::is_same_v<Rule, spec::AbortRequest> ||
                             std::is_same_v<Rule, spec::Reset>;
      if (!of_rule.empty() && (!is_ending || pick(random, 0, 9) == 0))
        possible.push_back(of_rule[pick(random, 0, static_cast<int>(of_rule.size()) - 1)]);
    });
    if (possible.empty()) break;
    run.actions.push_back(possible[pick(random, 0, static_cast<int>(possible.size()) - 1)]);
    ASSERT_EQ(steps.take(run.actions.back()), "") << to_string(run.actions.back());
    const auto look = [&]<class P>() {
      if (!P::template holds<D>(d, steps.state())) {
        ADD_FAILURE() << P::info.name << " after " << n + 1 << " actions:\n" << told(run);
      }
    };
    System::Properties::each(look);
    System::Lemmas::each(look);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_TRUE(check_run(run, {}).executes());
}

template <class System>
void walk_all() {
  const auto [seed, rounds] = tests::RandomRounds(1, 400);
  for (std::uint64_t n = 0; n < rounds && !testing::Test::HasFailure(); ++n) walk<System>(seed + n);
}

TEST(Walks, DecoderOnly) { walk_all<spec::DecoderOnly>(); }
TEST(Walks, EncoderDecoder) { walk_all<spec::EncoderDecoder>(); }

}  // namespace
}  // namespace holdfast::verify::explore
