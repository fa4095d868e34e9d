// Progress has no state predicate: what the monitor calls stuck, starved, or neither.
#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "tests/verify/hunt/scripts.hpp"
#include "verify/hunt/cause.hpp"

namespace holdfast::verify::hunt {
namespace {

constexpr std::string_view progress = spec::Progress::info.name;

bool has_progress(const Genes& genes, const spec::Profile& profile) {
  return run(genes, profile).find(progress) == nullptr;
}

std::string story_of(const Genes& genes, const spec::Profile& profile) {
  Story story;
  Watch watch;
  watch.story = &story;
  watch.until = progress;
  run_script(script_of(genes), profile, watch);
  std::string text;
  for (const auto& line : story.lines) text += line + "\n";
  return text;
}

TEST(Progress, IsLostWhereNobodyGetsATokenAnyMore) {
  const auto profile = *spec::find_profile("hold-past-end");
  EXPECT_FALSE(has_progress(one_at_a_time(), profile));
  EXPECT_TRUE(has_progress(one_at_a_time(), spec::Profile{}));
  EXPECT_NE(story_of(one_at_a_time(), profile)
                .find("nothing is in flight, and no pass schedules a token any more"),
            std::string::npos);
}

// The theorem speaks of passes in which requests have had their turns.
TEST(Progress, IsLostWhereNobodyGetsATurn) {
  const auto genes = genes_of({{OfScript::drafts, 1},
                               {OfScript::token_budget, 1},
                               {0, OfRequest::features, 1},
                               {0, OfRequest::text, 1},
                               {0, OfRequest::hit, 1}});
  spec::Profile profile;
  profile.padding = spec::Padding::ends_admission;
  Watch stall, turns{.expects_turns = true}, ours;
  const auto in_the_end = run_script(script_of(genes), profile, stall),
             at_once = run_script(script_of(genes), profile, turns);
  ASSERT_NE(at_once.find(progress), nullptr);
  ASSERT_NE(in_the_end.find(progress), nullptr);
  EXPECT_LT(at_once.find(progress)->steps, in_the_end.find(progress)->steps);
  EXPECT_EQ(run_script(script_of(genes), spec::Profile{}, ours).find(progress), nullptr);
}

TEST(Progress, IsNotLostWhileSomethingIsStillToCome) {
  auto genes = one_at_a_time();
  // The one that is stuck is aborted before it is known to be.
  genes[place_of(0, OfRequest::aborted)] = 3;
  EXPECT_TRUE(has_progress(genes, *spec::find_profile("hold-past-end")));
}

/// The first one needs both slots; the others take one each, in turns, for ever.
Genes overtaken() {
  return genes_of({{OfScript::requests, 3},
                   {OfScript::depth, 2},
                   {OfScript::capacity, 1},
                   {0, OfRequest::features, 1},
                   {0, OfRequest::arrives, 1},
                   {1, OfRequest::features, 1},
                   {1, OfRequest::arrives, 1},
                   {1, OfRequest::again, 1},
                   {2, OfRequest::features, 1},
                   {2, OfRequest::again, 1},
                   {2, 0, OfFeature::hash, 1}});
}

TEST(Progress, IsLostWhereOneStarves) {
  spec::Profile profile;
  profile.overtaking = spec::Overtaking::anybody;
  EXPECT_FALSE(has_progress(overtaken(), profile));
  EXPECT_NE(story_of(overtaken(), profile).find("r0 gets nothing, while others such as"),
            std::string::npos);
  EXPECT_TRUE(has_progress(overtaken(), spec::Profile{}));
}

TEST(Progress, LetsTheMoreUrgentGoFirst) {
  auto genes = overtaken();
  genes[place_of(OfScript::priority_policy)] = 1;
  genes[place_of(0, OfRequest::priority)] = 1;
  spec::Profile profile;
  profile.overtaking = spec::Overtaking::anybody;
  EXPECT_TRUE(has_progress(genes, profile)) << story_of(genes, profile);
}

TEST(Progress, IsNotLostWhereTwoOfAKindTakeTurns) {
  // Two equal requests: one stands where the other stood, and gets its turn next.
  const auto genes = genes_of({{OfScript::requests, 3},
                               {OfScript::encoder_decoder, 1},
                               {OfScript::drafts, 1},
                               {OfScript::token_budget, 2},
                               {OfScript::capacity, 2},
                               {0, OfRequest::features, 1},
                               {0, OfRequest::arrives, 1},
                               {0, OfRequest::again, 1},
                               {0, 0, OfFeature::length, 2},
                               {1, OfRequest::features, 1},
                               {1, OfRequest::arrives, 1},
                               {1, 0, OfFeature::length, 2},
                               {1, 0, OfFeature::hash, 1},
                               {2, OfRequest::outputs, 2},
                               {2, OfRequest::again, 1}});
  EXPECT_TRUE(has_progress(genes, spec::Profile{})) << story_of(genes, spec::Profile{});
}

}  // namespace
}  // namespace holdfast::verify::hunt
