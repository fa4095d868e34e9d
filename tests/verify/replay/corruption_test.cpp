// Every kind of answer in a recorded trace, corrupted on one line: found on exactly that line.
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/verify/replay/replay_fixture.hpp"

namespace holdfast::verify {
namespace {

/// Changes the answer; false where the event has none to change.
using Corrupt = std::function<bool(trace::Event&)>;

struct Kind {
  std::string_view name;
  std::string_view property;
  Corrupt corrupt;
};

template <class E, class F>
Corrupt in(F change) {
  return [change](trace::Event& event) {
    auto* e = std::get_if<E>(&event);
    return e != nullptr && change(*e);
  };
}

/// Another number of slots, in either field.
template <class E>
Corrupt free_of() {
  return in<E>([](E& e) { return e.free ? (++*e.free, true) : false; });
}
template <class E>
Corrupt reclaimable_of() {
  return in<E>([](E& e) { return e.reclaimable ? (--*e.reclaimable, true) : false; });
}

template <class List>
bool drop_last(List& list) {
  if (!list || list->empty()) return false;
  list->pop_back();
  return true;
}

const std::vector<Kind>& kinds() {
  using namespace trace;
  static const std::vector<Kind> all = {
      {"check.hit", "no-ghost-entry", in<Check>([](Check& e) { return e.hit = !*e.hit, true; })},
      {"check.free", "exact-slots", free_of<Check>()},
      {"check.reclaimable", "exact-slots", reclaimable_of<Check>()},
      {"can_allocate.ok", "exact-slots",
       in<CanAllocate>([](CanAllocate& e) { return e.ok = !*e.ok, true; })},
      {"can_allocate.evicted less", "exact-slots",
       in<CanAllocate>([](CanAllocate& e) { return drop_last(e.evicted); })},
      {"can_allocate.evicted reversed", "exact-slots", in<CanAllocate>([](CanAllocate& e) {
         if (e.evicted->size() < 2) return false;
         std::reverse(e.evicted->begin(), e.evicted->end());
         return true;
       })},
      {"can_allocate.compute_budget", "exact-budget",
       in<CanAllocate>([](CanAllocate& e) { return ++e.compute_budget, true; })},
      {"can_allocate.free", "exact-slots", free_of<CanAllocate>()},
      {"can_allocate.reclaimable", "exact-slots", reclaimable_of<CanAllocate>()},
      {"allocate.free", "exact-slots", free_of<Allocate>()},
      {"allocate.reclaimable", "exact-slots", reclaimable_of<Allocate>()},
      {"free_input.free", "exact-slots", free_of<FreeInput>()},
      {"free_input.reclaimable", "exact-slots", reclaimable_of<FreeInput>()},
      {"free_request.held less", "no-freed-while-referenced",
       in<FreeRequest>([](FreeRequest& e) { return drop_last(e.held); })},
      {"free_request.held twice", "no-freed-while-referenced", in<FreeRequest>([](FreeRequest& e) {
         if (e.held->empty()) return false;
         e.held->push_back(e.held->front());
         return true;
       })},
      {"free_request.free", "exact-slots", free_of<FreeRequest>()},
      {"free_request.reclaimable", "exact-slots", reclaimable_of<FreeRequest>()},
      {"take_freed.hashes less", "no-stale-notice",
       in<TakeFreed>([](TakeFreed& e) { return drop_last(e.hashes); })},
      {"take_freed.hashes twice", "no-stale-notice", in<TakeFreed>([](TakeFreed& e) {
         if (e.hashes->empty()) return false;
         e.hashes->push_back(e.hashes->front());
         return true;
       })},
      {"take_freed.free", "exact-slots", free_of<TakeFreed>()},
      {"take_freed.reclaimable", "exact-slots", reclaimable_of<TakeFreed>()},
      {"reset.free", "exact-slots", free_of<Reset>()},
      {"reset.reclaimable", "exact-slots", reclaimable_of<Reset>()},
      {"end_pass.encode", "exact-budget", in<EndPass>([](EndPass& e) {
         if (!e.encode || e.encode->empty()) return false;
         e.encode->pop_back();
         return true;
       })},
      {"state.cached less", "no-ghost-entry",
       in<State>([](State& e) { return drop_last(e.cached); })},
      {"state.cached reference", "no-freed-while-referenced", in<State>([](State& e) {
         for (auto& [hash, requests] : *e.cached)
           if (!requests.empty()) return requests.pop_back(), true;
         return false;
       })},
      {"state.lru less", "exact-slots", in<State>([](State& e) { return drop_last(e.lru); })},
      {"state.lru reversed", "exact-slots", in<State>([](State& e) {
         if (e.lru->size() < 2) return false;
         std::reverse(e.lru->begin(), e.lru->end());
         return true;
       })},
      {"state.free", "exact-slots", free_of<State>()},
      {"state.reclaimable", "exact-slots", reclaimable_of<State>()},
  };
  return all;
}

class CorruptionTest : public ::testing::TestWithParam<std::string_view> {};

TEST_P(CorruptionTest, IsFoundOnItsLine) {
  constexpr unsigned seed = 20250403;
  constexpr std::size_t lines_per_kind = 3;
  std::mt19937 random(seed);
  auto events = recorded_events(GetParam());
  std::printf("seed %u\n", seed);
  for (const auto& kind : kinds()) {
    std::vector<std::size_t> places;
    for (std::size_t n = 0; n < events.size(); ++n) {
      auto copy = events[n];
      if (kind.corrupt(copy)) places.push_back(n);
    }
    std::shuffle(places.begin(), places.end(), random);
    places.resize(std::min(places.size(), lines_per_kind));
    for (const auto n : places) {
      SCOPED_TRACE(std::string(kind.name) + " on line " + std::to_string(n + 1) + ", seed " +
                   std::to_string(seed));
      const auto sound = events[n];
      kind.corrupt(events[n]);
      expect_diverges(replay_events(events, profile("retract-keeps-entry")), n + 1, kind.property);
      events[n] = sound;
    }
  }
}

/// Each kind has an occasion in some trace.
TEST(CorruptionKindsTest, AllOccur) {
  std::vector<bool> seen(kinds().size());
  for (const auto name : trace::recorded_names)
    for (auto& event : recorded_events(name))
      for (std::size_t k = 0; k < kinds().size(); ++k) {
        auto copy = event;
        if (kinds()[k].corrupt(copy)) seen[k] = true;
      }
  for (std::size_t k = 0; k < kinds().size(); ++k) EXPECT_TRUE(seen[k]) << kinds()[k].name;
}

INSTANTIATE_TEST_SUITE_P(Vllm033, CorruptionTest, ::testing::ValuesIn(trace::recorded_names),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace holdfast::verify
