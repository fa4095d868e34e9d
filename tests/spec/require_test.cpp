#include "spec/require.hpp"

#include <gtest/gtest.h>

namespace holdfast::spec {
namespace {

int asked = 0;
bool ask(bool answer) {
  ++asked;
  return answer;
}

TEST(Require, AsksOnceAndGoesOn) {
  asked = 0;
  HOLDFAST_REQUIRE(ask(true), "it holds");
  EXPECT_EQ(asked, cheap_checks ? 1 : 0);
}

// What is switched off must not even be computed.
TEST(Require, ExpensiveOnesOnlyWhereTheyAreWanted) {
  asked = 0;
  HOLDFAST_EXPENSIVELY_REQUIRE(ask(true), "it holds");
  EXPECT_EQ(asked, expensive_checks ? 1 : 0);
}

#ifdef NDEBUG
static_assert(!cheap_checks);
#else
static_assert(cheap_checks);

TEST(RequireDeathTest, SaysWhereAndWhat) {
  EXPECT_DEATH(HOLDFAST_REQUIRE(1 + 1 == 3, "a sum that is right"),
               "require_test\\.cpp:[0-9]+: required: a sum that is right \\[1 \\+ 1 == 3\\]");
}
#endif

TEST(RequireDeathTest, ExpensiveOnesEndTheProgramToo) {
  if (!expensive_checks) GTEST_SKIP() << "HOLDFAST_EXPENSIVE_CHECKS is off";
  EXPECT_DEATH(HOLDFAST_EXPENSIVELY_REQUIRE(ask(false), "an answer"), "required: an answer");
}

}  // namespace
}  // namespace holdfast::spec
