#include "impl/include/holdfast/gather_plan.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/impl/random_features.hpp"
#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t hashes = 12;

/// A row of an encoder output: of which hash, which row.
using Row = std::pair<HashHandle, Embeds>;

/// What a plan means, destination row by destination row; and what is wrong with its form.
std::map<Tokens, Row> rows_of(const GatherPlan& plan) {
  std::map<Tokens, Row> rows;
  Tokens ended = 0;
  for (const GatherRun& run : plan.runs) {
    EXPECT_GE(run.destination, ended) << "sorted, and disjoint";
    EXPECT_GT(run.rows, 0);
    ended = run.destination + run.rows;
    for (Embeds n = 0; n < run.rows; ++n)
      rows[run.destination + n] = {run.source, run.first_row + n};
  }
  EXPECT_LE(ended, plan.tokens);
  EXPECT_EQ(plan.rows, static_cast<Embeds>(rows.size()));
  return rows;
}

struct PlainRequest {
  std::vector<PlainFeature> features;
  RequestFeatures made;
  Tokens start = 0, tokens = 0;
};

/// The plan as the spec says it, one token and one feature at a time.
struct NaivePlan {
  std::map<Tokens, Row> rows;
  std::vector<BoundaryMiss> boundary_misses;
  std::optional<GatherError> error;

  NaivePlan(const std::vector<PlainRequest>& requests, Tokens lookahead,
            const std::vector<StoredEntry>& stored) {
    Tokens destination = 0;
    for (std::size_t r = 0; r < requests.size() && !error; ++r) {
      add(requests[r], {static_cast<std::uint32_t>(r), 1}, lookahead, stored, destination);
      destination += requests[r].tokens;
    }
  }

  void add(const PlainRequest& request, RequestHandle handle, Tokens lookahead,
           const std::vector<StoredEntry>& stored, Tokens destination) {
    const Tokens from = request.start + lookahead, to = from + request.tokens;
    for (InputId i = 0; i < request.features.size(); ++i) {
      const PlainFeature& f = request.features[i];
      if (!f.touches(from, to)) continue;
      const StoredEntry& entry = stored[f.hash.index];
      const Embeds embeds = entry.generation == f.hash.generation ? entry.embeds : 0;
      if (embeds == f.rows_before(f.end())) continue;
      if (f.start >= request.start + request.tokens) {
        boundary_misses.push_back({handle, i, f.hash});
      } else {
        const Error why = embeds == 0 ? Error::not_cached : Error::wrong_size;
        error = {why, 7, handle, i, f.hash, lookahead > 0};
        return;
      }
    }
    for (Tokens p = from; p < to; ++p) {
      std::optional<Row> row;
      for (const PlainFeature& f : request.features) {
        if (!f.has(p)) continue;
        row = Row{f.hash, f.rows_before(p)};
        if (stored[f.hash.index].embeds != f.rows_before(f.end())) row.reset();
        if (stored[f.hash.index].generation != f.hash.generation) row.reset();
      }
      if (row) rows[destination + (p - from)] = *row;
    }
  }
};

PlainRequest random_request(Dice& dice) {
  PlainRequest request;
  const Tokens origin = dice.one_in(4) ? largest_size - 200 : 0;
  request.features = random_plain_features(dice, origin, hashes);
  std::vector<MaskedFeature> features;
  for (const PlainFeature& f : request.features) features.push_back({f.hash, mask_of(dice, f)});
  request.made = RequestFeatures::of(std::move(features)).value;
  request.start = origin + dice.in(0, 40);
  request.tokens = dice.one_in(8) ? 0 : dice.in(1, 30);
  return request;
}

/// Mostly all that the requests name, of the right size; sometimes an entry is absent, old or
/// wrong.
std::vector<StoredEntry> random_store(Dice& dice, std::vector<PlainRequest>& requests) {
  std::vector<StoredEntry> stored(hashes);
  const std::int64_t absent = dice.in(2, 40);
  for (const PlainRequest& request : requests)
    for (const PlainFeature& f : request.features)
      stored[f.hash.index] = {f.hash.generation, f.rows_before(f.end())};
  for (StoredEntry& entry : stored) {
    if (dice.one_in(absent)) entry.embeds = 0;
    if (dice.one_in(8 * absent)) entry.generation -= 1;
    if (dice.one_in(8 * absent)) entry.embeds += 1;
  }
  return stored;
}

/// Every feature has a hash of its own, so that sizes agree.
void rename(std::vector<PlainRequest>& requests, Dice& dice) {
  std::uint32_t next = 0;
  for (PlainRequest& request : requests) {
    std::vector<MaskedFeature> features;
    for (PlainFeature& f : request.features) {
      f.hash = {next % hashes, 2 * (next % hashes) + 1};
      ++next;
      features.push_back({f.hash, mask_of(dice, f)});
    }
    request.made = RequestFeatures::of(std::move(features)).value;
  }
}

std::vector<GatherWindow> windows_of(const std::vector<PlainRequest>& requests) {
  std::vector<GatherWindow> windows;
  for (std::uint32_t r = 0; r < requests.size(); ++r)
    windows.push_back({{r, 1}, &requests[r].made, requests[r].start, requests[r].tokens});
  return windows;
}

TEST(GatherPlanTest, IsWhatTheSpecSaysTokenByToken) {
  const tests::RandomRounds random(1, 20000);
  Dice dice{std::mt19937_64(random.seed)};
  std::map<std::string, int> seen;
  GatherPlan plan;
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    std::vector<PlainRequest> requests(static_cast<std::size_t>(dice.in(0, 3)));
    for (PlainRequest& request : requests) request = random_request(dice);
    if (!dice.one_in(4)) rename(requests, dice);
    const auto stored = random_store(dice, requests);
    const Tokens lookahead = dice.one_in(2) ? 0 : dice.in(1, 12);
    const NaivePlan naive(requests, lookahead, stored);
    const auto windows = windows_of(requests);
    const GatherError error = plan_gather({7, lookahead, windows, stored}, plan);
    ASSERT_EQ(error, naive.error.value_or(GatherError{}))
        << "round " << round << ' ' << to_string(error);
    ++seen[std::string(to_string(error.error).substr(0, 5)) + (lookahead > 0 ? " draft" : "")];
    if (!error.ok()) {
      ASSERT_EQ(plan.runs.size() + plan.ends.size() + plan.boundary_misses.size(), 0u);
      continue;
    }
    ASSERT_EQ(rows_of(plan), naive.rows) << "round " << round;
    ASSERT_EQ(plan.boundary_misses, naive.boundary_misses);
    if (!plan.boundary_misses.empty()) ++seen["boundary miss"];
    if (plan.runs.size() > 4) ++seen["many runs"];
    ASSERT_EQ(plan.ends.size(), requests.size());
    Tokens destination = 0;
    for (std::size_t r = 0; r < requests.size(); ++r) {
      for (const GatherRun& run : plan.runs_of(r)) {
        ASSERT_GE(run.destination, destination);
        ASSERT_LE(run.destination + run.rows, destination + requests[r].tokens);
      }
      destination += requests[r].tokens;
    }
    ASSERT_EQ(plan.tokens, destination);
  }
  for (const auto* what : {"none", "none draft", "not_c", "not_c draft", "wrong", "wrong draft",
                           "boundary miss", "many runs"})
    EXPECT_GT(seen[what], static_cast<int>(random.rounds / 1000)) << what;
}

/// One request with one feature [4, 8) of hash 0.
struct OneFeature : testing::Test {
  RequestFeatures features = RequestFeatures::of({{{0, 1}, Mask::whole(4, 8).value}}).value;
  std::vector<StoredEntry> stored{{1, 4}};
  GatherPlan plan;

  GatherError gather(Tokens start, Tokens tokens, Tokens lookahead = 0) {
    const std::vector<GatherWindow> windows{{{3, 1}, &features, start, tokens}};
    return plan_gather({9, lookahead, windows, stored}, plan);
  }
};

TEST_F(OneFeature, TheDrafterReadsTheLookAheadFurtherOn) {
  ASSERT_TRUE(gather(0, 6).ok());
  EXPECT_THAT(plan.runs, ElementsAre(GatherRun{{0, 1}, 0, 4, 2}));
  ASSERT_TRUE(gather(0, 6, 1).ok());
  EXPECT_THAT(plan.runs, ElementsAre(GatherRun{{0, 1}, 0, 3, 3}));
  ASSERT_TRUE(gather(6, 6).ok());
  EXPECT_THAT(plan.runs, ElementsAre(GatherRun{{0, 1}, 2, 0, 2}));
}

TEST_F(OneFeature, AbsentAtTheBoundaryIsNoError) {
  stored.clear();
  ASSERT_TRUE(gather(0, 4, 1).ok()) << "it starts where the target's window ends";
  EXPECT_THAT(plan.runs, IsEmpty());
  EXPECT_THAT(plan.boundary_misses, ElementsAre(BoundaryMiss{{3, 1}, 0, {0, 1}}));
  EXPECT_EQ(gather(0, 5, 1).error, Error::not_cached) << "the target's window reaches into it";
  EXPECT_TRUE(gather(0, 4).ok()) << "the target does not read it";
  EXPECT_TRUE(gather(8, 4).ok()) << "it has ended";
}

TEST_F(OneFeature, AnInteriorMissSaysWhatIsMissing) {
  stored[0].generation = 3;
  const GatherError error = gather(5, 2);
  EXPECT_EQ(error, (GatherError{Error::not_cached, 9, {3, 1}, 0, {0, 1}, false}));
  EXPECT_EQ(to_string(error),
            "step 9, request 3 (generation 1), input 0, hash 0 (generation 1), target: not_cached: "
            "the entry is not cached");
  EXPECT_EQ(gather(5, 2, 1).is_draft, true);
}

TEST_F(OneFeature, AnOutputOfAnotherSizeIsNotRead) {
  stored[0].embeds = 5;
  EXPECT_EQ(gather(5, 2).error, Error::wrong_size);
  EXPECT_THAT(to_string(gather(5, 2, 2)), HasSubstr("drafter: wrong_size"));
  EXPECT_TRUE(gather(0, 4, 1).ok()) << "at the boundary it is a miss, as nobody has planned it yet";
  EXPECT_EQ(plan.boundary_misses.size(), 1u);
  EXPECT_TRUE(plan.runs.empty());
}

TEST_F(OneFeature, RefusesWindowsOutOfRange) {
  EXPECT_EQ(gather(-1, 2).error, Error::size_out_of_range);
  EXPECT_EQ(gather(0, -1).error, Error::size_out_of_range);
  EXPECT_EQ(gather(largest_size + 1, 2).error, Error::size_out_of_range);
  EXPECT_EQ(gather(0, largest_size + 1).error, Error::size_out_of_range);
  EXPECT_EQ(gather(0, 2, -1).error, Error::size_out_of_range);
  EXPECT_EQ(gather(0, 2, largest_size + 1).error, Error::size_out_of_range);
  EXPECT_EQ(to_string(gather(0, -1)),
            "step 9, request 3 (generation 1), target: size_out_of_range: "
            "a size is out of its range");
  const std::vector<GatherWindow> windows{{{0, 1}, nullptr, 0, largest_size},
                                          {{1, 1}, nullptr, 0, 1}};
  EXPECT_EQ(plan_gather({1, 0, windows, stored}, plan).error, Error::size_out_of_range);
  EXPECT_EQ(plan.tokens, 0);
}

TEST(GatherPlanTest, NothingOverflowsAtTheLargestSize) {
  const auto features = RequestFeatures::of({{{0, 1}, Mask::whole(0, largest_size).value}}).value;
  const std::vector<StoredEntry> stored{{1, largest_size}};
  const std::vector<GatherWindow> windows{{{0, 1}, &features, 0, largest_size - 3},
                                          {{1, 1}, &features, largest_size, 1},
                                          {{2, 1}, &features, largest_size - 1, 2}};
  GatherPlan plan;
  ASSERT_TRUE(plan_gather({1, 0, windows, stored}, plan).ok());
  EXPECT_THAT(plan.runs, ElementsAre(GatherRun{{0, 1}, 0, 0, largest_size - 3},
                                     GatherRun{{0, 1}, largest_size - 1, largest_size - 2, 1}));
  EXPECT_EQ(plan.tokens, largest_size);
  ASSERT_TRUE(plan_gather({1, largest_size, windows, stored}, plan).ok());
  EXPECT_THAT(plan.runs, IsEmpty());
}

}  // namespace
}  // namespace holdfast::impl
