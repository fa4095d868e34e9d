#include "verify/report/version.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast::verify::report {
namespace {

// A figure of a build that checks less must not pass for one that checks.
TEST(Version, SaysWhatABuildForMeasuringLeavesOut) {
#ifdef NDEBUG
  EXPECT_THAT(std::string(version()), testing::EndsWith(" with assertions off"));
#else
  EXPECT_THAT(std::string(version()), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
#endif
}

}  // namespace
}  // namespace holdfast::verify::report
