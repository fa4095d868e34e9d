#include "verify/diff/comparison.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast::verify::diff {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Comparison, SaysNothingOfWhatIsTheSame) {
  Comparison comparison;
  comparison.same("free", 3, 3);
  comparison.same("held", 0, std::vector<int>{1, 2}, std::vector<int>{1, 2});
  EXPECT_THAT(comparison.lines(), IsEmpty());
}

TEST(Comparison, SaysAllThatDiffersWithBothValues) {
  Comparison comparison;
  comparison.same("free", 3, 4);
  comparison.same("held", 7, std::vector<int>{1, 2}, std::vector<int>{});
  EXPECT_THAT(comparison.lines(), ElementsAre("free: model 3, implementation 4",
                                              "held(7): model [1, 2], implementation []"));
}

}  // namespace
}  // namespace holdfast::verify::diff
