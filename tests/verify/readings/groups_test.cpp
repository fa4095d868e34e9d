#include "verify/readings/groups.hpp"

#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast::verify::inline readings {
namespace {

using ::testing::ElementsAre;
using Row = std::tuple<bool, std::int64_t, std::int64_t, std::int64_t>;

struct Span {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t embeds = 0;
};

/// Grouped, start, end, embeds of each.
std::vector<Row> groups(const std::vector<Span>& spans) {
  std::vector<Row> rows;
  for (const auto& g : groups_of(spans)) rows.emplace_back(g.grouped, g.start, g.end, g.embeds);
  return rows;
}

TEST(Groups, OfOneIsItself) {
  EXPECT_THAT(groups({{0, 4, 2}, {4, 6, 1}}),
              ElementsAre(Row(false, 0, 4, 2), Row(false, 4, 6, 1)));
  EXPECT_THAT(groups({}), ElementsAre());
}

TEST(Groups, CountTheEmbedsFromEachFeatureOn) {
  EXPECT_THAT(groups({{0, 4, 2}, {3, 6, 1}, {6, 8, 5}}),
              ElementsAre(Row(true, 0, 6, 3), Row(true, 0, 6, 1), Row(false, 6, 8, 5)));
}

TEST(Groups, ReachThroughThoseBetween) {
  EXPECT_THAT(groups({{0, 3, 1}, {2, 5, 1}, {4, 6, 1}}),
              ElementsAre(Row(true, 0, 6, 3), Row(true, 0, 6, 2), Row(true, 0, 6, 1)));
}

TEST(Groups, HoldWhatLiesInsideAnother) {
  EXPECT_THAT(groups({{0, 9, 1}, {2, 3, 1}, {5, 6, 1}}),
              ElementsAre(Row(true, 0, 9, 3), Row(true, 0, 9, 2), Row(true, 0, 9, 1)));
}

TEST(Groups, OfSpansThatAreNotSorted) {
  EXPECT_THAT(groups({{4, 6, 1}, {0, 2, 1}, {1, 3, 1}}),
              ElementsAre(Row(false, 4, 6, 1), Row(true, 0, 3, 2), Row(true, 0, 3, 1)));
}

TEST(Groups, OfInputsThatAreNeededAllAtOnce) {
  std::vector<Row> rows;
  for (const auto& g : groups_of(std::vector<Span>{{0, 2, 3}, {4, 6, 1}}, true))
    rows.emplace_back(g.grouped, g.start, g.end, g.embeds);
  EXPECT_THAT(rows, ElementsAre(Row(true, 0, 6, 4), Row(true, 0, 6, 1)));
  EXPECT_FALSE(groups_of(std::vector<Span>{{0, 2, 3}}, true)[0].grouped);
}

}  // namespace
}  // namespace holdfast::verify::inline readings
