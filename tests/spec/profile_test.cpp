#include "spec/profile.hpp"

#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "spec/catalogue.hpp"
#include "spec/variants.hpp"

namespace holdfast::spec_test {
namespace {

using namespace spec;

int variants_that_differ(const Profile& a, const Profile& b) {
  return (a.release != b.release) + (a.occurrence != b.occurrence) + (a.duplicate != b.duplicate) +
         (a.size_check != b.size_check) + (a.notice != b.notice) + (a.retraction != b.retraction) +
         (a.refund != b.refund) + (a.placeholders != b.placeholders) + (a.abort != b.abort) +
         (a.lookahead != b.lookahead) + (a.window != b.window) + (a.look_up != b.look_up) +
         (a.groups != b.groups) + (a.clip != b.clip) + (a.whole_items != b.whole_items) +
         (a.tail != b.tail) + (a.undone != b.undone) + (a.overtaking != b.overtaking) +
         (a.own_victim != b.own_victim) + (a.padding != b.padding) +
         (a.worker_order != b.worker_order) + (a.admission != b.admission) +
         (a.encdec_notice != b.encdec_notice) + (a.encdec_credit != b.encdec_credit);
}

template <class System>
std::set<std::string_view> names_of_properties() {
  std::set<std::string_view> names;
  System::Properties::each([&]<class P>() { names.insert(P::info.name); });
  return names;
}
template <class System>
std::set<std::string_view> names_of_rules() {
  std::set<std::string_view> names;
  System::Rules::each([&]<class R>() { names.insert(R::info.name); });
  return names;
}

TEST(ProfileTest, HoldfastIsAllDefaults) {
  const auto holdfast = find_profile("holdfast");
  ASSERT_TRUE(holdfast);
  EXPECT_EQ(variants_that_differ(*holdfast, Profile{}), 0);
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

TEST(ProfileTest, SeventeenFaults) { EXPECT_EQ(faults.size(), 17U); }

TEST(ProfileTest, EachFaultDiffersInOneVariant) {
  for (const auto& f : faults) {
    // Releasing later and clipping earlier are the two halves of one decision.
    const int expected = f.profile.name == "hold-past-end" ? 2 : 1;
    EXPECT_EQ(variants_that_differ(f.profile, Profile{}), expected) << f.profile.name;
  }
}

TEST(ProfileTest, ReleasesAreKnown) {
  EXPECT_EQ(find_profile("vllm-0.33.0")->clip, ClipTo::start);
  EXPECT_EQ(find_profile("vllm-0.32.0")->clip, ClipTo::before_lookahead);
  EXPECT_EQ(variants_that_differ(vllm_0_32_0, vllm_0_33_0), 5);
  EXPECT_EQ(vllm_0_32_0.release, Release::margin_before_credit);
}

TEST(ProfileTest, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const auto& p : profiles) EXPECT_TRUE(names.insert(p.name).second) << p.name;
  for (const auto& f : faults) EXPECT_TRUE(names.insert(f.profile.name).second) << f.profile.name;
  for (const auto name : names) EXPECT_EQ(find_profile(name)->name, name);
  EXPECT_FALSE(find_profile("holdfst"));
  EXPECT_EQ(find_fault("holdfast"), nullptr);
  ASSERT_NE(find_fault("stale-notice"), nullptr);
}

TEST(ProfileTest, EachFaultNamesARuleAndAPropertyOfItsManager) {
  for (const auto& f : faults) {
    const auto properties = f.encoder_decoder ? names_of_properties<EncoderDecoder>()
                                              : names_of_properties<DecoderOnly>();
    const auto rules =
        f.encoder_decoder ? names_of_rules<EncoderDecoder>() : names_of_rules<DecoderOnly>();
    EXPECT_TRUE(properties.contains(f.property)) << f.profile.name;
    EXPECT_TRUE(rules.contains(f.rule)) << f.profile.name;
  }
}

}  // namespace
}  // namespace holdfast::spec_test
