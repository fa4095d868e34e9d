#include "impl/include/holdfast/mask.hpp"

#include <cstdint>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/impl/random_features.hpp"
#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

using testing::ElementsAre;

Error of_runs(Tokens start, Tokens end, std::vector<MaskRun> runs) {
  return Mask::of_runs(start, end, runs).error;
}

TEST(MaskTest, AgreesWithItsBits) {
  const tests::RandomRounds random(1, 2000);
  Dice dice{std::mt19937_64(random.seed)};
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    const Tokens start = dice.one_in(2) ? dice.in(0, 9) : largest_size - 40;
    PlainFeature plain{{}, start, random_bits(dice, static_cast<std::size_t>(dice.in(1, 40)))};
    if (!plain.touches(start, plain.end())) continue;
    const Mask mask = mask_of(dice, plain);
    ASSERT_EQ(mask.start(), plain.start);
    ASSERT_EQ(mask.end(), plain.end());
    ASSERT_EQ(mask.embeds(), plain.rows_before(plain.end()));
    for (Tokens from = start - 2; from <= plain.end() + 2; ++from) {
      ASSERT_EQ(mask.rows_before(from), plain.rows_before(from));
      const Tokens to = dice.in(start - 3, plain.end() + 3);
      ASSERT_EQ(mask.touches(from, to), plain.touches(from, to)) << from << ' ' << to;
      std::map<Tokens, Embeds> rows, expected;
      for (Tokens p = from; p < to; ++p)
        if (plain.has(p)) expected[p] = plain.rows_before(p);
      std::size_t runs = 0;
      mask.each_run(from, to, [&](Tokens position, Embeds row, Embeds count) {
        ++runs;
        EXPECT_GT(count, 0);
        for (Embeds n = 0; n < count; ++n) rows[position + n] = row + n;
      });
      ASSERT_EQ(rows, expected) << from << ' ' << to;
      ASSERT_EQ(mask.count(from, to), static_cast<Embeds>(expected.size()));
      ASSERT_LE(runs, mask.runs());
    }
  }
}

TEST(MaskTest, RunsThatMeetAreOne) {
  EXPECT_EQ(Mask::of_runs(3, 13, std::vector<MaskRun>{{0, 2}, {2, 3}, {7, 1}})->runs(), 2u);
  EXPECT_EQ(Mask::of_runs(3, 13, std::vector<MaskRun>{{0, 4}, {4, 6}})->runs(), 1u);
  EXPECT_EQ(Mask::of_runs(3, 13, {})->embeds(), 10);
}

TEST(MaskTest, RefusesWhatIsNoMask) {
  EXPECT_EQ(of_runs(4, 4, {}), Error::bad_feature);
  EXPECT_EQ(of_runs(4, 3, {}), Error::bad_feature);
  EXPECT_EQ(of_runs(4, 9, {{0, 0}}), Error::bad_feature) << "empty";
  EXPECT_EQ(of_runs(4, 9, {{0, -1}}), Error::bad_feature);
  EXPECT_EQ(of_runs(4, 9, {{-1, 2}}), Error::bad_feature);
  EXPECT_EQ(of_runs(4, 9, {{0, 3}, {2, 1}}), Error::bad_feature) << "overlap";
  EXPECT_EQ(of_runs(4, 9, {{3, 1}, {0, 1}}), Error::bad_feature) << "out of order";
  EXPECT_EQ(of_runs(4, 9, {{0, 6}}), Error::bad_feature) << "leaves the span";
  EXPECT_EQ(of_runs(4, 9, {{5, 1}}), Error::bad_feature);
  EXPECT_EQ(of_runs(4, 9, {{4, INT64_MAX}}), Error::bad_feature);
  EXPECT_EQ(of_runs(4, 9, {{0, 5}}), Error::none);
}

TEST(MaskTest, RefusesPositionsOutOfRange) {
  EXPECT_EQ(Mask::whole(-1, 3).error, Error::size_out_of_range);
  EXPECT_EQ(Mask::whole(0, largest_size + 1).error, Error::size_out_of_range);
  EXPECT_EQ(Mask::whole(INT64_MAX, INT64_MAX).error, Error::size_out_of_range);
  EXPECT_EQ(Mask::whole(3, INT64_MIN).error, Error::size_out_of_range);
  EXPECT_EQ(Mask::whole(0, largest_size).error, Error::none);
}

TEST(MaskTest, CostsRunsAndNotTokens) {
  const Tokens half = largest_size / 2;
  const auto mask =
      Mask::of_runs(0, largest_size, std::vector<MaskRun>{{0, half - 1}, {half + 1, half - 1}});
  ASSERT_TRUE(mask);
  EXPECT_EQ(mask->embeds(), largest_size - 2);
  EXPECT_EQ(mask->rows_before(half + 5), half + 3);
  EXPECT_EQ(mask->count(half - 1, half + 1), 0);
  EXPECT_FALSE(mask->touches(half - 1, half + 1));
  EXPECT_TRUE(mask->touches(INT64_MIN, INT64_MAX));
}

TEST(RequestFeaturesTest, AtAPositionOfManyTheLastHasTheRow) {
  std::vector<MaskedFeature> features{{{0, 1}, Mask::whole(0, 10).value},
                                      {{1, 1}, Mask::whole(2, 8).value},
                                      {{2, 1}, Mask::whole(4, 5).value}};
  const auto made = RequestFeatures::of(std::move(features));
  ASSERT_TRUE(made);
  EXPECT_THAT(made->pieces(), ElementsAre(Piece{0, 0, 2, 0}, Piece{2, 0, 2, 1}, Piece{4, 0, 1, 2},
                                          Piece{5, 3, 3, 1}, Piece{8, 8, 2, 0}));
  std::vector<InputId> touching;
  made->each_touching(8, 10, [&](InputId i) {
    touching.push_back(i);
    return true;
  });
  EXPECT_THAT(touching, ElementsAre(0)) << "the others nest in it, and have ended";
}

TEST(RequestFeaturesTest, RefusesWhatIsOutOfOrderOrEmpty) {
  EXPECT_EQ(
      RequestFeatures::of({{{0, 1}, Mask::whole(5, 6).value}, {{1, 1}, Mask::whole(4, 9).value}})
          .error,
      Error::bad_feature);
  EXPECT_EQ(RequestFeatures::of({{{0, 1}, Mask()}}).error, Error::bad_feature);
  EXPECT_EQ(RequestFeatures::of({}).error, Error::none);
}

}  // namespace
}  // namespace holdfast::impl
