// What is known by name: the ways of the guards, and the systems made of them.
#include "spec/profiles/profile.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "spec/catalogue.hpp"
#include "spec/faults.hpp"
#include "spec/profiles/enumerators.hpp"
#include "spec/profiles/releases.hpp"
#include "spec/profiles/variants.hpp"

namespace holdfast::spec_test {
namespace {

using namespace spec;

enum class Colour : std::int8_t { red, green, blue };
enum class Nothing : std::int8_t {};

// If the compiler spelled enumerators in another way, every guard would have no or endless
// variants.
TEST(EnumeratorsTest, AreCounted) {
  EXPECT_EQ(enumerators<Colour>(), 3U);
  EXPECT_EQ(enumerators<Nothing>(), 0U);
}

int guards_that_differ(const Profile& a, const Profile& b) {
  return std::apply(
      [&](const auto&... guard) { return (... + (a.*guard.way != b.*guard.way ? 1 : 0)); }, guards);
}

template <class System>
bool has_property(std::string_view name) {
  bool found = false;
  System::Properties::each([&]<class P>() { found |= P::info.name == name; });
  return found;
}
template <class System>
bool has_rule(std::string_view name) {
  bool found = false;
  System::Rules::each([&]<class R>() { found |= R::info.name == name; });
  return found;
}

TEST(ProfileTest, HoldfastIsAllDefaults) {
  const auto holdfast = find_profile("holdfast");
  ASSERT_TRUE(holdfast);
  EXPECT_EQ(guards_that_differ(*holdfast, Profile{}), 0);
  EXPECT_TRUE(variants_in(*holdfast).empty());
}

TEST(ProfileTest, EachVariantIsOneWayOfItsGuard) {
  for (const auto& v : variants) {
    Profile p;
    v.set(p);
    EXPECT_EQ(guards_that_differ(p, Profile{}), 1) << v.guard << "=" << v.option;
    ASSERT_EQ(variants_in(p).size(), 1U) << v.guard << "=" << v.option;
    EXPECT_EQ(variants_in(p).front(), &v) << v.guard << "=" << v.option;
    v.reset(p);
    EXPECT_EQ(guards_that_differ(p, Profile{}), 0) << v.guard << "=" << v.option;
  }
}

// Copied lines with the name of another way or guard.
TEST(ProfileTest, NoTwoVariantsAreToldInTheSameWords) {
  std::set<std::string> names;
  std::set<std::string_view> sentences;
  for (const auto& v : variants) {
    EXPECT_TRUE(names.insert(std::string(v.guard) + "=" + std::string(v.option)).second)
        << v.guard << "=" << v.option;
    EXPECT_TRUE(sentences.insert(v.says).second) << v.says;
  }
}

TEST(ProfileTest, GuardsInAnotherWayMakeAProfile) {
  for (const auto& v : variants) {
    const auto text = std::string(v.guard) + "=" + std::string(v.option);
    ASSERT_TRUE(profile_named(text)) << text;
    EXPECT_TRUE(v.is_in(*profile_named(text))) << text;
    EXPECT_EQ(profile_named(text)->name, text);
  }
  const auto two = profile_named("release=optimistic,notice=never");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->release, Release::optimistic);
  EXPECT_EQ(two->notice, Notice::never);
  for (const char* none : {"", "release", "release=", "=optimistic",
                           "release=optimistic=", "release=optimistic;notice=never"})
    EXPECT_FALSE(profile_named(none)) << none;
  EXPECT_EQ(profile_named("stale-notice")->notice, Notice::every_eviction);
}

TEST(ProfileTest, EachFaultDiffersInOneVariant) {
  for (const auto& f : faults) {
    // Releasing later and clipping earlier are the two halves of one decision.
    const int expected = f.profile.name == "hold-past-end" ? 2 : 1;
    EXPECT_EQ(guards_that_differ(f.profile, Profile{}), expected) << f.profile.name;
  }
}

TEST(ProfileTest, ReleasesAreKnown) {
  EXPECT_EQ(find_profile("vllm-0.33.0")->clip, ClipTo::start);
  EXPECT_EQ(find_profile("vllm-0.32.0")->clip, ClipTo::before_lookahead);
  EXPECT_EQ(guards_that_differ(vllm_0_32_0, vllm_0_33_0), 5);
  EXPECT_EQ(vllm_0_32_0.release, Release::margin_before_credit);
}

TEST(ProfileTest, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const auto& p : known_profiles) EXPECT_TRUE(names.insert(p.name).second) << p.name;
  for (const auto& f : faults) EXPECT_TRUE(names.insert(f.profile.name).second) << f.profile.name;
  for (const auto& m : mutants) EXPECT_TRUE(names.insert(m.profile.name).second) << m.profile.name;
  for (const auto name : names) EXPECT_EQ(find_profile(name)->name, name);
  EXPECT_FALSE(find_profile("holdfst"));
  EXPECT_EQ(find_fault("holdfast"), nullptr);
  ASSERT_NE(find_fault("stale-notice"), nullptr);
}

// A property or rule of the other manager, whose system does not have it.
TEST(ProfileTest, EachFaultIsOfOneManager) {
  for (const auto& f : faults) {
    SCOPED_TRACE(f.profile.name);
    const bool decoder_only = f.manager() == Manager::decoder_only;
    const auto knows_property =
        decoder_only ? has_property<DecoderOnly> : has_property<EncoderDecoder>;
    EXPECT_TRUE(knows_property(f.property)) << f.property;
    for (const auto also : f.also) EXPECT_TRUE(knows_property(also)) << also;
    EXPECT_TRUE((decoder_only ? has_rule<DecoderOnly> : has_rule<EncoderDecoder>)(f.rule))
        << f.rule;
    for (const auto* v : variants_in(f.profile)) EXPECT_EQ(v->manager, f.manager()) << v->guard;
  }
}

}  // namespace
}  // namespace holdfast::spec_test
