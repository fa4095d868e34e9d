// What is left of the proofs where a guard is in another way than holdfast's.
#include "verify/prove/inductive_subset.hpp"

#include <gtest/gtest.h>

#include "tests/verify/prove/options_under.hpp"

namespace holdfast::verify::prove {
namespace {

constexpr auto decoder_only = spec::Manager::decoder_only;

TEST(InductiveSubset, OfHoldfastIsEverything) {
  const auto subset = inductive_subset({}, decoder_only);
  EXPECT_TRUE(subset.unproved.empty()) << *subset.unproved.begin();
  EXPECT_TRUE(subset.proved.contains("progress"));
  EXPECT_TRUE(subset.proved.contains("nobody-overtakes"));
}

TEST(InductiveSubset, TheReleaseMarginIsSafeAndCostsProgress) {
  const auto subset = inductive_subset(options_under("release=lookahead-margin"), decoder_only);
  for (const char* safe : {"no-freed-while-referenced", "no-interior-miss", "exact-slots",
                           "no-ghost-entry", "no-hold-and-wait"})
    EXPECT_TRUE(subset.proved.contains(safe)) << safe;
  EXPECT_TRUE(subset.unproved.contains("progress"));
}

TEST(InductiveSubset, WhatRestsOnABrokenLemmaIsNotProvedByIt) {
  // Without cursor-holds-needs nothing says that a scheduled request holds what it needs.
  const auto subset = inductive_subset(options_under("lookahead=unplanned"), decoder_only);
  for (const char* property :
       {"cursor-holds-needs", "scheduled-holds-needs", "steps-have-needs", "no-interior-miss"})
    EXPECT_TRUE(subset.unproved.contains(property)) << property;
}

TEST(InductiveSubset, PlaceholdersAreNotNeededWhereFeaturesLieInThePrompt) {
  auto o = options_under("release=optimistic");
  EXPECT_TRUE(inductive_subset(o, decoder_only).unproved.contains("no-freed-while-referenced"));
  o.assumptions.prompt_only_features = true;
  EXPECT_TRUE(inductive_subset(o, decoder_only).unproved.empty());
}

TEST(InductiveSubset, TheOrderOfDroppingAndEncodingMattersToMemoryAlone) {
  const auto subset = inductive_subset(options_under("worker-order=encodes-first"), decoder_only);
  EXPECT_EQ(subset.unproved, std::set<std::string>{"bounded-worker-memory"});
}

TEST(InductiveSubset, NoProofNeedsFifoDelivery) {
  Options o;
  o.assumptions.fifo_delivery = false;
  EXPECT_TRUE(inductive_subset(o, decoder_only).unproved.empty());
  EXPECT_TRUE(inductive_subset(o, spec::Manager::encoder_decoder).unproved.empty());
}

TEST(InductiveSubset, WhoOvertakesBreaksTheRankingAndNothingElse) {
  const auto subset = inductive_subset(options_under("overtaking=anybody"), decoder_only);
  EXPECT_EQ(subset.unproved, (std::set<std::string>{"nobody-overtakes"}));
}

}  // namespace
}  // namespace holdfast::verify::prove
