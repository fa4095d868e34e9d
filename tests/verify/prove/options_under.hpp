// What the tests of proofs share.
#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "verify/prove/prove.hpp"

namespace holdfast::verify::prove {

/// Of a profile, a fault, or a guard in another way: "release=optimistic".
inline Options options_under(std::string_view profile) {
  Options options;
  const auto found = spec::profile_named(profile);
  EXPECT_TRUE(found) << "no profile " << profile;
  if (found) options.profile = *found;
  return options;
}

}  // namespace holdfast::verify::prove
