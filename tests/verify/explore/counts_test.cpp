// Exact numbers: a tripwire for accidental changes of the rules, and a check of everything that
// makes exploration fast.
#include <array>
#include <ostream>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/verify/explore/naive.hpp"
#include "verify/explore/workloads.hpp"

namespace holdfast::verify::explore {
namespace {

struct Case {
  ExploreSizes sizes;
  int depth;
  friend void PrintTo(const Case& c, std::ostream* out) {
    for (const auto& [name, value] : options_for(c.sizes).sizes)
      *out << name << ' ' << value << ' ';
    *out << "up to " << c.depth << " actions";
  }
};

class AgreesWithNaive : public testing::TestWithParam<std::tuple<Case, bool>> {};

TEST_P(AgreesWithNaive, StatesAndTransitionsUpToDepth) {
  const auto& [c, symmetry] = GetParam();
  auto options = options_for(c.sizes);
  const auto all = options.workloads;
  for (const auto& workload : all) {
    options.workloads = {workload};
    options.symmetry = symmetry;
    options.max_depth = c.depth;
    options.check_lemmas = true;
    const auto found = explore(options);
    EXPECT_NE(found.result.status, report::ExplorationStatus::violated) << found.result.property;
    const naive::Counts counts{found.result.states, found.result.transitions};
    const auto expected = naive::count(workload, {}, options.choices, symmetry, c.depth);
    EXPECT_EQ(counts.states, expected.states);
    EXPECT_EQ(counts.transitions, expected.transitions);
  }
}

constexpr auto encoder_decoder = spec::Manager::encoder_decoder;

INSTANTIATE_TEST_SUITE_P(
    Sizes, AgreesWithNaive,
    testing::Combine(
        testing::Values(
            Case{{.requests = 1, .features = 1, .hashes = 1}, 28},
            Case{{.requests = 1, .features = 1, .hashes = 1, .depth = 2}, 22},
            Case{{.requests = 1, .features = 2}, 45},
            Case{{.requests = 2, .features = 1, .hashes = 2, .drafts = 0, .tokens = 1}, 20},
            Case{{.features = 1,
                  .capacity = 1,
                  .encoder_budget = 1,
                  .lookahead = 0,
                  .drafts = 0,
                  .tokens = 1,
                  .beyond = 0},
                 30},
            Case{{}, 16}, Case{{.features = 1, .capacity = 3, .disagree = true}, 18},
            Case{{.features = 1, .capacity = 1, .disagree = true}, 29},
            Case{{.features = 1, .hits = 1, .ranked = true}, 19}, Case{{.overlap = 1}, 19},
            Case{{.features = 1,
                  .tokens = 3,
                  .token_budget = 3,
                  .text = 1,
                  .span = 2,
                  .tail = 1,
                  .whole_items = true},
                 19},
            Case{{.tokens = 3,
                  .token_budget = 3,
                  .hits = 1,
                  .span = 2,
                  .overlap = 1,
                  .whole_items = true},
                 17},
            Case{{.manager = encoder_decoder, .features = 1}, 18},
            Case{{.manager = encoder_decoder, .features = 2, .depth = 2}, 13}),
        testing::Bool()));

/// States, transitions, depth.
using Totals = std::array<std::uint64_t, 3>;

Totals totals(const ExploreSizes& sizes, bool symmetry = true) {
  auto options = options_for(sizes);
  options.check_lemmas = true;
  options.symmetry = symmetry;
  const auto found = explore(options);
  EXPECT_EQ(found.result.status, report::ExplorationStatus::holds)
      << found.result.property << found.note;
  return {found.result.states, found.result.transitions, found.result.depth};
}

TEST(Counts, OneRequest) {
  EXPECT_EQ(totals({.requests = 1, .features = 1, .hashes = 1}), (Totals{1340, 3550, 27}));
  EXPECT_EQ(totals({.requests = 1, .features = 1, .hashes = 1, .depth = 2}),
            (Totals{23966, 68058, 35}));
  EXPECT_EQ(totals({.requests = 1}), (Totals{6373, 17641, 44}));
}

TEST(Counts, TwoRequests) {
  EXPECT_EQ(totals({.features = 1}), (Totals{81178, 258510, 44}));
  EXPECT_EQ(totals({.features = 1}, false), (Totals{161125, 510779, 44}));
  EXPECT_EQ(totals({.capacity = 1, .encoder_budget = 1}), (Totals{485071, 1586470, 68}));
}

TEST(Counts, StandardSizes) { EXPECT_EQ(totals({}), (Totals{1274185, 4226078, 68})); }

TEST(Counts, Groups) { EXPECT_EQ(totals({.overlap = 1}), (Totals{241030, 808195, 52})); }

TEST(Counts, WholeItems) {
  EXPECT_EQ(totals({.tokens = 3,
                    .token_budget = 3,
                    .hits = 1,
                    .span = 2,
                    .overlap = 1,
                    .whole_items = true}),
            (Totals{636059, 2159597, 64}));
}

TEST(Counts, EncoderDecoder) {
  EXPECT_EQ(totals({.manager = encoder_decoder}), (Totals{706080, 2380565, 47}));
}

TEST(Counts, ThreeRequests) {
  EXPECT_EQ(
      totals({.requests = 3, .features = 1, .lookahead = 0, .drafts = 0, .tokens = 1, .beyond = 0}),
      (Totals{108874, 361569, 54}));
}

}  // namespace
}  // namespace holdfast::verify::explore
