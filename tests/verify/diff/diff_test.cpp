// The implementation beside the model. That a difference would be seen is shown with models that
// are wrong: every fault, and both releases of vLLM.
#include "verify/diff/diff.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "verify/diff/difference_result.hpp"
#include "verify/diff/lockstep.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::diff {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Compared compared(const spec::Profile& model, std::uint64_t seed, std::uint64_t steps) {
  Options options;
  options.profile = model;
  options.seed = seed;
  options.steps = steps;
  return compare(options);
}

TEST(Diff, AgreesOverTwentyMillionSmallSteps) {
  const auto result = compared({}, 1, 20'000'000);
  EXPECT_FALSE(result.difference) << result.difference->what;
  EXPECT_THAT(result.broken, IsEmpty());
  EXPECT_GE(result.steps, 20'000'000U);
  EXPECT_GT(result.events, result.passes);
}

TEST(Diff, IsTheSameForASeed) {
  const auto once = compared({}, 7, 200'000), again = compared({}, 7, 200'000);
  EXPECT_EQ(once.scripts, again.scripts);
  EXPECT_EQ(once.steps, again.steps);
  EXPECT_NE(compared({}, 8, 200'000).steps, once.steps);
}

TEST(Diff, TakesAsManyStepsAsItIsAskedForWithAnyNumberOfThreads) {
  for (const unsigned jobs : {1U, 2U, 3U}) {
    Options options;
    options.jobs = jobs;
    options.steps = 300'000;
    const auto result = compare(options);
    EXPECT_FALSE(result.difference);
    EXPECT_GE(result.steps, options.steps) << jobs << " threads";
  }
}

// The file is a script for `holdfast replay`, which runs the model alone.
TEST(Diff, TheScriptOfADifferenceReplays) {
  Options options;
  options.profile = spec::find_fault("stale-notice")->profile;
  options.steps = 20'000'000;
  const auto found = compare(options);
  ASSERT_TRUE(found.difference);
  const std::string file = ::testing::TempDir() + "diff/diff-impl.jsonl";
  report::DiffResult result;
  tell(*found.difference, file, result);
  EXPECT_EQ(result.scenario, file);
  EXPECT_THAT(result.trace, Not(IsEmpty()));
  const auto replayed = replay::replay(file, spec::Profile{});
  EXPECT_EQ(replayed.status, report::ReplayStatus::conforms);
  // A file that says nothing would conform too: there is the header, an arrival and a pass at
  // least.
  EXPECT_GE(replayed.events, 3U);
}

/// Of those whose model of the whole pass goes another way.
class EveryFault : public ::testing::TestWithParam<spec::Profile> {};

TEST_P(EveryFault, IsSeenAsADifference) {
  const auto result = compared(GetParam(), 1, 20'000'000);
  ASSERT_TRUE(result.difference) << GetParam().name << " in " << result.steps << " small steps";
  EXPECT_THAT(result.difference->what, HasSubstr("implementation"));

  // The script as it was shrunk parts them too, and not where the model is right.
  for (const bool is_faulty : {true, false}) {
    Lockstep lockstep;
    hunt::Watch watch;
    watch.companion = &lockstep;
    const auto outcome = hunt::run_script(hunt::script_of(result.difference->genes),
                                          is_faulty ? GetParam() : spec::Profile{}, watch);
    EXPECT_EQ(outcome.differs.empty(), !is_faulty) << outcome.differs;
  }
}

std::vector<spec::Profile> faulty_models() {
  std::vector<spec::Profile> all = {spec::vllm_0_32_0, spec::vllm_0_33_0};
  for (const auto& fault : spec::faults)
    if (fault.manager() == spec::Manager::decoder_only) all.push_back(fault.profile);
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryFault, ::testing::ValuesIn(faulty_models()), [](const auto& named) {
      std::string name(named.param.name);
      std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
      return name;
    });

}  // namespace
}  // namespace holdfast::verify::diff
