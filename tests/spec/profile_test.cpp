#include "spec/profile.hpp"

#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "spec/catalogue.hpp"

namespace holdfast::spec_test {
namespace {

using namespace spec;

int variants_that_differ(const Profile& a, const Profile& b) {
  return (a.release != b.release) + (a.occurrence != b.occurrence) + (a.duplicate != b.duplicate) +
         (a.size_check != b.size_check) + (a.notice != b.notice) + (a.retraction != b.retraction) +
         (a.abort != b.abort) + (a.lookahead != b.lookahead) +
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

TEST(ProfileTest, TwelveFaultsOfThisIssue) { EXPECT_EQ(faults.size(), 12U); }

TEST(ProfileTest, EachFaultDiffersInOneVariant) {
  for (const auto& f : faults)
    EXPECT_EQ(variants_that_differ(f.profile, Profile{}), 1) << f.profile.name;
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
