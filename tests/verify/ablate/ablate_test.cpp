// The rows of the matrix that the issue asks about, and what their evidence is worth.
#include "verify/ablate/ablate.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "spec/profiles/assumptions.hpp"
#include "spec/profiles/variants.hpp"
#include "verify/ablate/dropped.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::ablate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum report::AblationVerdict;

class AblateTest : public ::testing::Test {
 protected:
  AblateTest() { std::filesystem::create_directories(folder_); }
  ~AblateTest() override { std::filesystem::remove_all(folder_); }

  /// The rows of a guard, or of one of its options ("release=optimistic"), by their option;
  /// further ones, with more assumptions, by "option+".
  std::map<std::string, report::AblationResult> rows(const std::string& guard) {
    Options options;
    options.guard = guard;
    options.scenarios = folder_;
    options.timeout_ms = 3'000;
    std::map<std::string, report::AblationResult> all;
    for (auto& result : ablate(options))
      if (auto [at, is_new] = all.emplace(result.option, result); !is_new)
        all.emplace(result.option + "+", result);
    return all;
  }

  /// The file's replay under the guard's other way.
  static report::ReplayResult replayed(const report::AblationResult& row) {
    const auto name = row.guard + "=" + row.option;
    return replay::replay(row.scenario,
                          row.option == "dropped" ? spec::Profile{} : *spec::profile_named(name));
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      ("ablate-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(AblateTest, TheOrderOfDroppingAndEncodingMattersToMemoryAlone) {
  const auto row = rows("worker-order").at("encodes-first");
  EXPECT_EQ(row.safety, needed);
  EXPECT_EQ(row.progress, redundant);
  EXPECT_THAT(row.needed_for, ElementsAre("bounded-worker-memory"));
  EXPECT_THAT(row.open, IsEmpty());
  EXPECT_EQ(replayed(row).property, "bounded-worker-memory");
}

TEST_F(AblateTest, FifoIsNotNeeded) {
  const auto row = rows("fifo-delivery").at("dropped");
  EXPECT_EQ(row.safety, redundant);
  EXPECT_EQ(row.progress, redundant);
  EXPECT_THAT(row.scenario, IsEmpty());
  EXPECT_GT(row.obligations, 0U);
}

TEST_F(AblateTest, ClippingBeforeTheLookAheadHarms) {
  const auto row = rows("clip").at("before-lookahead");
  EXPECT_EQ(row.progress, harmful);
  EXPECT_THAT(row.harmful_to, Contains("progress"));
  EXPECT_EQ(replayed(row).status, report::ReplayStatus::diverges);
}

TEST_F(AblateTest, TheReleaseMarginIsNoSafetyAndCostsProgress) {
  std::map<std::string, report::AblationResult> release;
  for (const std::string option :
       {"lookahead-margin", "margin-before-credit", "before-credit", "optimistic"})
    release.merge(rows("release=" + option));
  for (const auto* option : {"lookahead-margin", "margin-before-credit", "before-credit"}) {
    EXPECT_EQ(release.at(option).safety, redundant) << option;
    EXPECT_EQ(release.at(option).progress, harmful) << option;
  }
  // Where features lie in the prompt, what 0.33.0 does is harmless, and placeholders are not
  // needed.
  EXPECT_THAT(release.at("before-credit+").assumptions, Contains("prompt-only-features"));
  EXPECT_EQ(release.at("before-credit+").progress, redundant);
  EXPECT_EQ(release.at("optimistic").safety, needed);
  EXPECT_EQ(release.at("optimistic+").safety, redundant);
  EXPECT_FALSE(release.contains("lookahead-margin+"));
}

TEST_F(AblateTest, WhoOvertakesBreaksARanking) {
  const auto row = rows("overtaking").at("anybody");
  EXPECT_EQ(row.safety, redundant);
  EXPECT_EQ(row.progress, needed);
  EXPECT_THAT(row.needed_for, ElementsAre("nobody-overtakes"));
  const auto again = replayed(row);
  EXPECT_EQ(again.status, report::ReplayStatus::diverges);
  EXPECT_EQ(again.property, "nobody-overtakes");
}

TEST_F(AblateTest, TheEvidenceIsCleanUnderHoldfast) {
  for (const auto* guard : {"encdec-notice", "encdec-credit", "placeholders"})
    for (const auto& [option, row] : rows(guard)) {
      ASSERT_FALSE(row.scenario.empty()) << guard << "=" << option;
      const auto broken = row.needed_for.front();
      EXPECT_EQ(replayed(row).status, report::ReplayStatus::diverges) << guard << "=" << option;
      replay::Options settings;
      settings.property = broken;
      EXPECT_EQ(replay::replay(row.scenario, spec::Profile{}, settings).status,
                report::ReplayStatus::conforms)
          << guard << "=" << option;
    }
}

TEST_F(AblateTest, WhatIsNotProvedOfTheManagerIsUnclaimed) {
  for (const auto& [option, row] : rows("encdec-notice"))
    EXPECT_EQ(row.progress, unclaimed) << option;
}

TEST(Dropped, EveryVariantAndEveryAssumptionThatIsMadeHasARow) {
  const auto made = std::count_if(spec::assumptions.begin(), spec::assumptions.end(),
                                  [](const auto& a) { return spec::Assumptions{}.*a.made; });
  EXPECT_EQ(all_dropped().size(), spec::variants.size() + static_cast<std::size_t>(made));
}

}  // namespace
}  // namespace holdfast::verify::ablate
