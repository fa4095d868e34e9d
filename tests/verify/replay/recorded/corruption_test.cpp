// Every kind of answer in a recorded trace, corrupted on one line: found on exactly that line.
#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/verify/replay/recorded/corruptions.hpp"
#include "tests/verify/replay/replay_fixture.hpp"

namespace holdfast::verify::replay::inline recorded {
namespace {

constexpr unsigned seed = 20250403;
constexpr std::size_t lines_per_kind = 3;

class CorruptionTest : public ::testing::TestWithParam<std::string_view> {
 protected:
  CorruptionTest() : events_(recorded_events(GetParam())), random_(seed) {
    std::printf("seed %u\n", seed);
  }

  /// Some of the lines where `change` finds something to change.
  template <class Change>
  std::vector<std::size_t> some_places(const Change& change) {
    std::vector<std::size_t> places;
    for (std::size_t n = 0; n < events_.size(); ++n) {
      auto copy = events_[n];
      if (change(copy)) places.push_back(n);
    }
    std::shuffle(places.begin(), places.end(), random_);
    places.resize(std::min(places.size(), lines_per_kind));
    return places;
  }

  void expect_found(const std::vector<Kind>& kinds, const Options& options) {
    for (const auto& kind : kinds)
      for (const auto n : some_places(kind.corrupt)) {
        SCOPED_TRACE(std::string(kind.name) + " on line " + std::to_string(n + 1));
        const auto sound = events_[n];
        kind.corrupt(events_[n]);
        const auto result = replay_events(events_, profile("vllm-0.33.0"), options);
        expect_diverges(result, n + 1, kind.property.empty() ? result.property : kind.property);
        events_[n] = sound;
      }
  }

  std::vector<trace::Event> events_;
  std::mt19937 random_;
};

TEST_P(CorruptionTest, OfTheManagerIsFoundByAReplayOfTheManager) {
  Options options;
  options.manager_only = true;
  expect_found(manager_kinds(), options);
}

TEST_P(CorruptionTest, OfTheManagerIsFoundByAReplayOfThePass) { expect_found(manager_kinds(), {}); }

TEST_P(CorruptionTest, OfThePassIsFoundByAReplayOfThePass) { expect_found(pass_kinds(), {}); }

/// What only answers, and no state, which may stand anywhere.
bool is_answer(const trace::Event& event, bool in_pass) {
  using namespace trace;
  if (const auto* e = std::get_if<Finish>(&event)) return e->reason == FinishReason::stopped;
  if (std::holds_alternative<Preempt>(event)) return in_pass;
  return std::holds_alternative<Check>(event) || std::holds_alternative<CanAllocate>(event) ||
         std::holds_alternative<Allocate>(event) || std::holds_alternative<FreeInput>(event) ||
         std::holds_alternative<FreeRequest>(event) || std::holds_alternative<TakeFreed>(event) ||
         std::holds_alternative<EndPass>(event) || std::holds_alternative<Gather>(event);
}

/// An answer that is not there, or there twice, is missed where another comes instead.
TEST_P(CorruptionTest, AnswersComeInTheirOrderAndNumber) {
  std::array<std::vector<std::size_t>, std::variant_size_v<trace::Event>> places;
  bool in_pass = false;
  for (std::size_t n = 0; n < events_.size(); ++n) {
    in_pass |= std::holds_alternative<trace::BeginPass>(events_[n]);
    if (is_answer(events_[n], in_pass)) places[events_[n].index()].push_back(n);
    if (std::holds_alternative<trace::EndPass>(events_[n])) in_pass = false;
  }
  for (auto& some : places) {
    std::shuffle(some.begin(), some.end(), random_);
    some.resize(std::min(some.size(), lines_per_kind));
    for (const auto n : some) {
      SCOPED_TRACE(std::string(trace::name_of(events_[n])) + " on line " + std::to_string(n + 1));
      auto fewer = events_;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(n));
      const auto without = replay_events(fewer, profile("vllm-0.33.0"));
      EXPECT_EQ(without.status, report::ReplayStatus::diverges);
      EXPECT_GE(without.line, n + 1);
      EXPECT_LE(without.line, n + 3);  // a state, or several that finish, may come between
      auto more = events_;
      more.insert(more.begin() + static_cast<std::ptrdiff_t>(n), events_[n]);
      const auto twice = replay_events(more, profile("vllm-0.33.0"));
      EXPECT_EQ(twice.status, report::ReplayStatus::diverges);
      EXPECT_EQ(twice.line, n + 2) << twice.expected << " / " << twice.observed;
    }
  }
}

/// Each kind has an occasion in some trace.
TEST(CorruptionKindsTest, AllOccur) {
  for (const auto* kinds : {&manager_kinds(), &pass_kinds()}) {
    std::vector<bool> seen(kinds->size());
    for (const auto name : trace::recorded_names)
      for (auto& event : recorded_events(name))
        for (std::size_t k = 0; k < kinds->size(); ++k) {
          auto copy = event;
          if ((*kinds)[k].corrupt(copy)) seen[k] = true;
        }
    for (std::size_t k = 0; k < kinds->size(); ++k) EXPECT_TRUE(seen[k]) << (*kinds)[k].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Vllm033, CorruptionTest, ::testing::ValuesIn(trace::recorded_names),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace holdfast::verify::replay::inline recorded
