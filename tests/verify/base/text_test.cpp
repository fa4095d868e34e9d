#include "verify/base/text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace holdfast::verify::inline base {
namespace {

TEST(Text, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(Text, CountsColumnsNotBytes) {
  EXPECT_EQ(columns(""), 0U);
  EXPECT_EQ(columns("✓ ok"), 4U);
}

TEST(Text, ShortensAtCharacters) {
  EXPECT_EQ(shortened("exact", 5), "exact");
  EXPECT_EQ(shortened("exactly", 5), "exac…");
  EXPECT_EQ(shortened("✓✓✓✓", 3), "✓✓…");
  EXPECT_EQ(shortened("ab", 1), "…");
}

TEST(Text, SaysDurations) {
  EXPECT_EQ(duration(0), "0 ms");
  EXPECT_EQ(duration(0.0124), "12 ms");
  EXPECT_EQ(duration(0.0999), "0.10 s");
  EXPECT_EQ(duration(1.917), "1.92 s");
  EXPECT_EQ(duration(125.2), "2 min 5 s");
  EXPECT_EQ(duration(std::numeric_limits<double>::quiet_NaN()), "–");
}

}  // namespace
}  // namespace holdfast::verify::inline base
