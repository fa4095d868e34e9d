// The implementation beside the model. That a difference would be seen is shown with models that
// are wrong: every fault, and both releases of vLLM.
#include "verify/diff/diff.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "verify/diff/difference_result.hpp"
#include "verify/diff/lockstep.hpp"
#include "verify/diff/refinement.hpp"
#include "verify/hunt/breeder.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::diff {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Compared compared(const spec::Profile& model, std::uint64_t seed, std::uint64_t steps,
                  const hunt::Bounds& bounds = {}) {
  Options options;
  options.bounds = bounds;
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
  // Of both managers.
  EXPECT_GT(result.encoder_decoder_steps, result.steps / 50);
  EXPECT_GT(result.steps - result.encoder_decoder_steps, result.steps / 2);
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
  const auto files = files_in(::testing::TempDir() + "diff", false);
  const std::string file = files.script;
  report::DiffResult result;
  tell(*found.difference, files, result);
  EXPECT_EQ(result.scenario, file);
  EXPECT_TRUE(result.asked.empty());
  EXPECT_TRUE(result.repeats);
  EXPECT_THAT(result.trace, Not(IsEmpty()));
  const auto replayed = replay::replay(file, spec::Profile{});
  EXPECT_EQ(replayed.status, report::ReplayStatus::conforms);
  // A file that says nothing would conform too: there is the header, an arrival and a pass at
  // least.
  EXPECT_GE(replayed.events, 3U);
}

/// What no gene says of an encoder-decoder model: several inputs, some of them twice, a prefix hit,
/// a tail, a look-ahead, and priorities that the queue does not go by.
hunt::Script with_more(hunt::Script script, unsigned n) {
  auto& w = script.workload;
  w.manager = spec::Manager::encoder_decoder;
  w.lookahead = static_cast<int>(n % 3);
  w.tail = n % 5 == 0 ? 2 : 0;
  w.hashes = hunt::most_hashes;
  std::size_t number = 0;
  for (auto& r : script.requests) {
    r.hit = n % 7 == 0 ? 1 : 0;
    // First come first served, who waits behind may be the more urgent, and may overtake.
    if (script.policy == spec::Policy::fcfs)
      r.request.priority = static_cast<int>(script.requests.size() - number++);
    auto& features = r.request.features;
    for (unsigned more = n % 4; more > 0 && features.size() < hunt::most_features; --more) {
      const int start = features.empty() ? 0 : features.back().start;
      const int hash = static_cast<int>((n / 4 + more) % hunt::most_hashes);
      features.push_back(
          {.start = start, .end = start + 1 + hash % 2, .embeds = 1 + hash % 2, .hash = hash});
    }
    if (features.size() == 1) features.push_back(features.front());
  }
  return script;
}

TEST(Diff, AgreesOfSeveralInputsToo) {
  const hunt::Bounds bounds;
  hunt::Breeder breeder(bounds, 1);
  hunt::Coverage coverage;
  Lockstep lockstep;
  std::uint64_t steps = 0, passes = 0;
  for (unsigned n = 0; n < 50'000; ++n) {
    auto genes = breeder.next();
    genes[hunt::place_of(hunt::OfScript::encoder_decoder)] = 1;
    const auto script = with_more(hunt::script_of(bounds.inside(genes)), n);
    hunt::Watch watch;
    watch.coverage = &coverage;
    watch.companion = &lockstep;
    const auto outcome = hunt::run_script(script, {}, watch);
    ASSERT_THAT(outcome.differs, IsEmpty()) << "script " << n;
    // Who is less urgent may be overtaken for ever.
    for (const auto& broken : outcome.broken) {
      ASSERT_EQ(broken.property, spec::Progress::info.name) << "script " << n;
      ASSERT_FALSE(broken.is_contradiction) << broken.rule << ", script " << n;
    }
    if (watch.covers_more) breeder.keep(bounds.inside(genes));
    steps += outcome.steps;
    passes += outcome.passes;
  }
  EXPECT_GT(steps, 1'000'000U);
  EXPECT_GT(passes, 100'000U);
}

/// What the model says that the first pass encodes of the first hash.
struct FirstEncode : Lockstep {
  void passes(const hunt::Model& model) override {
    Lockstep::passes(model);
    if (std::exchange(seen, true)) return;
    const spec::Hash<hunt::Reading> h{0};
    embeds = model.s.step_encodes(1, h);
    compared = comparable(model, h, embeds);
  }
  bool seen = false;
  std::int64_t embeds = 0, compared = 0;
};

/// Two inputs of one hash, the second of `length` positions; for its request the KV blocks are
/// lacking.
FirstEncode second_is_put_back(int length) {
  using enum hunt::OfScript;
  hunt::Genes genes{};
  genes[hunt::place_of(requests)] = genes[hunt::place_of(encoder_decoder)] = 1;
  genes[hunt::place_of(kv_blocks)] = 5;
  for (const std::size_t r : {0U, 1U}) {
    genes[hunt::place_of(r, hunt::OfRequest::features)] = 1;
    genes[hunt::place_of(r, hunt::OfRequest::text)] = 3;
  }
  genes[hunt::place_of(1, 0, hunt::OfFeature::length)] = static_cast<std::uint8_t>(length - 1);
  genes[hunt::place_of(1, 0, hunt::OfFeature::hash)] = 1;
  FirstEncode seen;
  hunt::Watch watch;
  watch.companion = &seen;
  const auto outcome = hunt::run_script(hunt::script_of(genes), {}, watch);
  EXPECT_THAT(outcome.differs, IsEmpty());
  return seen;
}

// In the first case the model is wrong: what is encoded is the input of 1. So sizes are compared
// where they are the same, only.
TEST(Diff, ComparesNoSizesWhereInputsOfOneHashDifferInThem) {
  EXPECT_EQ(second_is_put_back(2).embeds, 2);
  EXPECT_EQ(second_is_put_back(2).compared, 1);
  EXPECT_EQ(second_is_put_back(1).embeds, 1);
}

/// Of those whose model of the whole pass goes another way.
class EveryFault : public ::testing::TestWithParam<spec::Profile> {};

TEST_P(EveryFault, IsSeenAsADifference) {
  // Scripts of the other manager would be no help.
  const auto* fault = spec::find_fault(GetParam().name);
  const bool is_decoder_only = fault == nullptr || fault->manager() == spec::Manager::decoder_only;
  const auto result =
      compared(GetParam(), 1, 20'000'000,
               is_decoder_only ? hunt::Bounds("encoder_decoder=0") : hunt::Bounds());
  RecordProperty("steps", std::to_string(result.steps));
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
  for (const auto& fault : spec::faults) all.push_back(fault.profile);
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
