// Every property can be broken: by a fault of the public history, or by a mutant made for it.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "spec/catalogue.hpp"
#include "spec/faults.hpp"
#include "verify/explore/workloads.hpp"

namespace holdfast::verify::explore {
namespace {

TEST(Falsifiable, EveryPropertyHasAFaultOrAMutant) {
  std::set<std::string_view> broken;
  for (const auto& fault : spec::faults) broken.insert(fault.property);
  for (const auto& mutant : spec::mutants) broken.insert(mutant.property);
  const auto check = [&]<class Property>() {
    EXPECT_TRUE(broken.contains(Property::info.name)) << Property::info.name;
  };
  spec::DecoderOnly::Properties::each(check);
  spec::EncoderDecoder::Properties::each(check);
}

TEST(Falsifiable, EveryMutantBreaksItsProperty) {
  for (const auto& mutant : spec::mutants) {
    ExploreSizes sizes;
    sizes.capacity = 1;
    auto options = options_for(sizes, mutant.profile);
    options.property = mutant.property;
    const auto exploration = explore(options);
    EXPECT_EQ(exploration.result.status, report::ExplorationStatus::violated)
        << mutant.profile.name;
    ASSERT_TRUE(exploration.counterexample) << mutant.profile.name;
    EXPECT_EQ(check_run(*exploration.counterexample, mutant.profile, {}, mutant.property).property,
              mutant.property);
  }
}

}  // namespace
}  // namespace holdfast::verify::explore
