// Exact numbers: a tripwire for accidental changes of the rules, and a check of everything that
// makes exploration fast.
#include <array>
#include <ostream>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/verify/explore/naive.hpp"
#include "verify/explore/workloads.hpp"

namespace holdfast::verify {
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
    EXPECT_NE(found.result.status, ExplorationStatus::violated) << found.result.property;
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
        testing::Values(Case{{.requests = 1, .features = 1, .hashes = 1}, 26},
                        Case{{.requests = 1, .features = 1, .hashes = 1, .depth = 2}, 22},
                        Case{{.requests = 1, .features = 2}, 20},
                        Case{{.requests = 2, .features = 1, .hashes = 2, .drafts = 0, .tokens = 1},
                             18},
                        Case{{.features = 1,
                              .capacity = 1,
                              .encoder_budget = 1,
                              .lookahead = 0,
                              .drafts = 0,
                              .tokens = 1,
                              .beyond = 0},
                             24},
                        Case{{}, 12}, Case{{.features = 1, .capacity = 3, .disagree = true}, 14},
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
  EXPECT_EQ(found.result.status, ExplorationStatus::holds) << found.result.property << found.note;
  return {found.result.states, found.result.transitions, found.result.depth};
}

TEST(Counts, OneRequest) {
  EXPECT_EQ(totals({.requests = 1, .features = 1, .hashes = 1}), (Totals{831, 2270, 26}));
  EXPECT_EQ(totals({.requests = 1, .features = 1, .hashes = 1, .depth = 2}),
            (Totals{10736, 31666, 32}));
  EXPECT_EQ(totals({.requests = 1}), (Totals{4123, 12136, 39}));
}

TEST(Counts, TwoRequests) {
  EXPECT_EQ(totals({.features = 1}), (Totals{52766, 176171, 41}));
  EXPECT_EQ(totals({.features = 1}, false), (Totals{104692, 347866, 41}));
  EXPECT_EQ(totals({.capacity = 1, .encoder_budget = 1}), (Totals{324310, 1132818, 65}));
}

TEST(Counts, StandardSizes) { EXPECT_EQ(totals({}), (Totals{926853, 3358471, 55})); }

TEST(Counts, EncoderDecoder) {
  EXPECT_EQ(totals({.manager = encoder_decoder}), (Totals{512972, 1799555, 45}));
}

TEST(Counts, ThreeRequests) {
  EXPECT_EQ(
      totals({.requests = 3, .features = 1, .lookahead = 0, .drafts = 0, .tokens = 1, .beyond = 0}),
      (Totals{70716, 245428, 51}));
}

}  // namespace
}  // namespace holdfast::verify
