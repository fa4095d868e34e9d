// Bounded model checking with the symbolic reading, on runs short enough to write by hand.
#include "verify/refute/unrolling.hpp"

#include <gtest/gtest.h>

#include "spec/faults.hpp"

namespace holdfast::verify::refute {
namespace {

struct Story {
  const char* fault;
  spec::Manager manager;
  std::vector<std::string> rules;
};

/// One request whose image occurs twice, in a cache for four; or once, and must not be split.
Workload workload(const Story& story) {
  Workload w;
  w.manager = story.manager;
  w.capacity = 4;
  w.encoder_budget = 4;
  w.requests = {{3, 5, {{0, 1, 1, 0}, {1, 2, 1, 0}}}};
  if (story.manager == spec::Manager::encoder_decoder) w.requests[0].features.pop_back();
  if (story.fault == std::string_view("split-item")) {
    w.whole_items = true;
    w.requests[0].features = {{0, 2, 1, 0}};
  }
  return w;
}

prove::Answer run_rules(const Story& story, std::string_view profile) {
  Unrolling u(workload(story), 3, *spec::find_profile(profile), {});
  for (const auto& rule : story.rules) u.follow(rule);
  return u.violates(std::string(spec::find_fault(story.fault)->property), {60'000, 0});
}

prove::Answer within(const Story& story, std::string_view profile, std::size_t steps) {
  Unrolling u(workload(story), 3, *spec::find_profile(profile), {},
              explore::Choices{.tokens = 2, .drafts = 1});
  for (std::size_t n = 0; n < steps; ++n) u.follow_any();
  return u.violates(std::string(spec::find_fault(story.fault)->property), {60'000, 0}, true);
}

const Story stories[] = {
    {"duplicate-charged-twice",
     spec::Manager::decoder_only,
     {"add", "begin_pass", "plan", "order", "share", "allocate", "allocate"}},
    {"first-occurrence-frees",
     spec::Manager::decoder_only,
     {"add", "begin_pass", "plan", "order", "share", "allocate", "allocate", "commit", "end_pass",
      "release"}},
    {"split-item",
     spec::Manager::decoder_only,
     {"add", "begin_pass", "plan", "order", "allocate", "commit"}},
    {"encdec-credit-repeats",
     spec::Manager::encoder_decoder,
     {"add", "begin_pass", "plan", "encdec_allocate", "commit", "encdec_end_pass", "encdec_release",
      "encdec_release"}},
};

class EveryStory : public testing::TestWithParam<Story> {};

TEST_P(EveryStory, EndsInTheViolationUnderTheFault) {
  EXPECT_EQ(run_rules(GetParam(), GetParam().fault), prove::Answer::satisfiable);
}

TEST_P(EveryStory, DoesNotUnderHoldfast) {
  EXPECT_EQ(run_rules(GetParam(), "holdfast"), prove::Answer::unsatisfiable);
}

TEST_P(EveryStory, IsShortest) {
  const auto length = GetParam().rules.size();
  EXPECT_EQ(within(GetParam(), GetParam().fault, length), prove::Answer::satisfiable);
  EXPECT_EQ(within(GetParam(), GetParam().fault, length - 1), prove::Answer::unsatisfiable);
}

TEST_P(EveryStory, HoldfastHasNoneOfThatLength) {
  EXPECT_EQ(within(GetParam(), "holdfast", GetParam().rules.size()), prove::Answer::unsatisfiable);
}

INSTANTIATE_TEST_SUITE_P(Stories, EveryStory, testing::ValuesIn(stories), [](const auto& test) {
  std::string name = test.param.fault;
  for (auto& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(Unrolling, ChoicesBoundWhatAPassGives) {
  const auto violated_within_7 = [](std::optional<explore::Choices> choices) {
    const Story& story = stories[3];
    Unrolling u(workload(story), 3, *spec::find_profile(story.fault), {}, choices);
    for (int n = 0; n < 7; ++n) u.follow_any();
    return u.violates("exact-slots", {60'000, 0}, true);
  };
  EXPECT_EQ(violated_within_7(explore::Choices{.tokens = 2, .drafts = 1}),
            prove::Answer::unsatisfiable);
  // A prefix hit past the input is as good as having encoded it.
  EXPECT_EQ(violated_within_7(explore::Choices{.tokens = 2, .drafts = 1, .hits = 1}),
            prove::Answer::satisfiable);
  EXPECT_EQ(violated_within_7({}), prove::Answer::satisfiable);
}

TEST(Unrolling, ARuleThatDoesNotExistIsAnError) {
  Unrolling u(workload(stories[0]), 1, *spec::find_profile("holdfast"), {});
  EXPECT_THROW(u.follow("teleport"), std::invalid_argument);
  EXPECT_THROW(u.violates("no-such-property", {1000, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace holdfast::verify::refute
