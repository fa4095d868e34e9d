// What is left of the proofs where a guard is in another way than holdfast's.
#include "verify/prove/inductive_subset.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "spec/variants.hpp"

namespace holdfast::verify::prove {
namespace {

constexpr auto decoder_only = spec::Manager::decoder_only;

Options with(std::string_view guard, std::string_view option) {
  Options o;
  const auto v = std::find_if(
      spec::variants.begin(), spec::variants.end(),
      [&](const auto& variant) { return variant.guard == guard && variant.option == option; });
  EXPECT_NE(v, spec::variants.end()) << guard << "=" << option;
  v->set(o.profile);
  return o;
}

TEST(InductiveSubset, OfHoldfastIsEverything) {
  const auto subset = inductive_subset({}, decoder_only);
  EXPECT_TRUE(subset.unproved.empty()) << *subset.unproved.begin();
  EXPECT_TRUE(subset.proved.contains("progress"));
  EXPECT_TRUE(subset.proved.contains("nobody-overtakes"));
}

TEST(InductiveSubset, TheReleaseMarginIsSafeAndCostsProgress) {
  const auto subset = inductive_subset(with("release", "lookahead-margin"), decoder_only);
  for (const char* safe : {"no-freed-while-referenced", "no-interior-miss", "exact-slots",
                           "no-ghost-entry", "no-hold-and-wait"})
    EXPECT_TRUE(subset.proved.contains(safe)) << safe;
  EXPECT_TRUE(subset.unproved.contains("progress"));
}

TEST(InductiveSubset, WhatRestsOnABrokenLemmaIsNotProvedByIt) {
  // Without cursor-holds-needs nothing says that a scheduled request holds what it needs.
  const auto subset = inductive_subset(with("lookahead", "unplanned"), decoder_only);
  for (const char* broken :
       {"cursor-holds-needs", "scheduled-holds-needs", "steps-have-needs", "no-interior-miss"})
    EXPECT_TRUE(subset.unproved.contains(broken)) << broken;
}

TEST(InductiveSubset, PlaceholdersAreNotNeededWhereFeaturesLieInThePrompt) {
  auto o = with("release", "optimistic");
  EXPECT_TRUE(inductive_subset(o, decoder_only).unproved.contains("no-freed-while-referenced"));
  o.assumptions.prompt_only_features = true;
  EXPECT_TRUE(inductive_subset(o, decoder_only).unproved.empty());
}

TEST(InductiveSubset, TheOrderOfDroppingAndEncodingMattersToMemoryAlone) {
  const auto subset = inductive_subset(with("worker-order", "encodes-first"), decoder_only);
  EXPECT_EQ(subset.unproved, std::set<std::string>{"bounded-worker-memory"});
}

TEST(InductiveSubset, NoProofNeedsFifoDelivery) {
  Options o;
  o.assumptions.fifo_delivery = false;
  EXPECT_TRUE(inductive_subset(o, decoder_only).unproved.empty());
  EXPECT_TRUE(inductive_subset(o, spec::Manager::encoder_decoder).unproved.empty());
}

TEST(InductiveSubset, WhoOvertakesBreaksTheRankingAndNothingElse) {
  const auto subset = inductive_subset(with("overtaking", "anybody"), decoder_only);
  EXPECT_EQ(subset.unproved, (std::set<std::string>{"nobody-overtakes"}));
}

}  // namespace
}  // namespace holdfast::verify::prove
