#include "verify/base/nearest.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace holdfast::verify::inline base {
namespace {

const std::vector<std::string> faults = {
    "stale-notice",  "split-item",    "release-optimistic",  "release-at-schedule",
    "hold-past-end", "no-size-check", "encdec-notice-early",
};

TEST(Nearest, FindsASlipOfTheFinger) {
  EXPECT_EQ(nearest("stale-notic", faults), "stale-notice");
  EXPECT_EQ(nearest("slpit-item", faults), "split-item");
  EXPECT_EQ(nearest("release_optimistic", faults), "release-optimistic");
  EXPECT_EQ(nearest("stale-notice", faults), "stale-notice");
}

TEST(Nearest, FindsNothingFarAway) {
  EXPECT_EQ(nearest("bananas", faults), "");
  EXPECT_EQ(nearest("", faults), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest("ab", {"xy"}), "");
}

TEST(UnknownName, SuggestsOrListsOrPoints) {
  EXPECT_EQ(unknown_name("fault", "stale-notic", faults),
            "unknown fault 'stale-notic'; did you mean 'stale-notice'?");
  EXPECT_EQ(unknown_name("profile", "bananas", {"holdfast", "vllm-0.33.0"}),
            "unknown profile 'bananas'; there are: holdfast, vllm-0.33.0");
  EXPECT_EQ(unknown_name("fault", "bananas", faults),
            "unknown fault 'bananas'; there are 7 of them, `holdfast list` names them");
}

}  // namespace
}  // namespace holdfast::verify::inline base
