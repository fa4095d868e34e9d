#include "verify/hunt/cause.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "spec/profiles/releases.hpp"
#include "tests/verify/hunt/scripts.hpp"
#include "verify/hunt/shrink.hpp"

namespace holdfast::verify::hunt {
namespace {

std::string text(const Variants& variants) {
  std::string out;
  for (const auto* v : variants) out += std::string(v->guard) + "=" + std::string(v->option) + " ";
  return out;
}

TEST(Cause, IsOneOfTheVariantsThatAProfileHas) {
  const auto profile = *spec::find_profile("hold-past-end");
  EXPECT_EQ(text(spec::variants_in(profile)), "release=lookahead-margin clip=before-lookahead ");
  const auto cause = cause_of(script_of(one_at_a_time()), profile, spec::Progress::info.name);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->variants, spec::variants_in(profile))
      << "either of the two would do: " << text(cause->variants);
  EXPECT_FALSE(breaks(script_of(one_at_a_time()), without(profile, cause->variants),
                      spec::Progress::info.name));
}

TEST(Cause, OfSeveralIsOneThatIsEnough) {
  // Two items on one range, which get in one by one; the second has no room while the first is
  // held.
  const auto genes = genes_of(
      {{OfScript::encoder_budget, 1}, {0, OfRequest::features, 2}, {0, 1, OfFeature::overlap, 1}});
  const auto cause = cause_of(script_of(genes), spec::vllm_0_33_0, spec::Progress::info.name);
  ASSERT_TRUE(cause);
  EXPECT_EQ(text(cause->variants), "groups=each-alone ");
  EXPECT_TRUE(cause->is_enough);
}

TEST(Cause, IsNothingThatHoldfastDoesToo) {
  EXPECT_TRUE(spec::variants_in(spec::Profile{}).empty());
  for (const auto& profile : {spec::vllm_0_32_0, spec::vllm_0_33_0}) {
    EXPECT_FALSE(spec::variants_in(profile).empty());
    EXPECT_TRUE(spec::variants_in(without(profile, spec::variants_in(profile))).empty());
    EXPECT_EQ(spec::variants_in(with_only(spec::variants_in(profile))), spec::variants_in(profile));
  }
}

/// A finding can only be laid to variants that are registered: without them a release must be
/// holdfast.
TEST(Cause, CoversAllThatAReleaseDoesDifferently) {
  for (const auto& release : spec::known_profiles)
    EXPECT_EQ(without(release, spec::variants_in(release)), spec::Profile{}) << release.name;
}

TEST(Shrink, LowersWhatIsNotNeeded) {
  auto genes = one_at_a_time();
  genes[place_of(OfScript::requests)] = 2;
  genes[place_of(OfScript::depth)] = 2;
  genes[place_of(0, OfRequest::text)] = 3;
  genes[place_of(0, OfRequest::arrives)] = 2;
  genes[place_of(2, OfRequest::features)] = 1;
  genes[place_of(2, OfRequest::outputs)] = 2;
  const Bounds bounds;
  const auto profile = *spec::find_profile("hold-past-end");
  const auto small = shrink(genes, bounds, [&](const Genes& g) -> std::optional<std::uint64_t> {
    if (!breaks(script_of(g), profile, spec::Progress::info.name)) return std::nullopt;
    return static_cast<std::uint64_t>(size_of(g));
  });
  EXPECT_LE(size_of(small), size_of(one_at_a_time()));
  EXPECT_TRUE(breaks(script_of(small), profile, spec::Progress::info.name));
}

}  // namespace
}  // namespace holdfast::verify::hunt
