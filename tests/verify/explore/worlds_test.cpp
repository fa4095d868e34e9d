// A world said in words is the workload that the words mean.
#include "verify/explore/worlds.hpp"

#include <gtest/gtest.h>

namespace holdfast::verify::explore::worlds {
namespace {

TEST(Worlds, PartsOfAPromptLieOneAfterTheOther) {
  const auto prompt = prompt_of({text(3), long_image(0), image(1)});
  EXPECT_EQ(prompt.prompt, 6);
  ASSERT_EQ(prompt.features.size(), 2U);
  EXPECT_EQ(prompt.features[0].start, 3);
  EXPECT_EQ(prompt.features[0].end, 5);
  EXPECT_EQ(prompt.features[1].start, 5);
  EXPECT_EQ(prompt.features[1].end, 6);
}

TEST(Worlds, PartsOfAGroupBeginTogether) {
  const auto both = group(image(0), prompt_of({text(), large_image(1)}));
  EXPECT_EQ(both.prompt, 3) << "as long as the longer part";
  ASSERT_EQ(both.features.size(), 2U);
  EXPECT_EQ(both.features[0].start, 0);
  EXPECT_EQ(both.features[1].start, 1);
}

TEST(Worlds, ARequestMayComputeOneTokenBehindItsWholePrompt) {
  EXPECT_EQ(prompt_of({image(0), text(2)}).limit, 4) << "the parts' own outputs do not count";
  EXPECT_EQ(group(image(0), text(2)).limit, 3);
  EXPECT_EQ(with_output(0, text(2)).limit, 2);
}

TEST(Worlds, HaveTheHashesOfTheirImages) {
  EXPECT_EQ(roomy({text()}).hashes, 1) << "a workload has one at least";
  EXPECT_EQ(roomy({image(0), images(2, 0)}).hashes, 3);
}

TEST(Worlds, LargeImagesTakeTheirTokensInSlotsAndLongOnesDoNot) {
  EXPECT_EQ(long_image(0).features[0].embeds, 1);
  EXPECT_EQ(large_image(0).features[0].embeds, 2);
  EXPECT_EQ(large_image(0).prompt, long_image(0).prompt);
}

}  // namespace
}  // namespace holdfast::verify::explore::worlds
