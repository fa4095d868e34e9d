// Recorded files held against the library, sound and corrupted.
#pragma once

#include <algorithm>
#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/verify/replay/recorded/corruptions.hpp"
#include "tests/verify/replay/replay_fixture.hpp"

namespace holdfast::verify::replay::inline library {

inline Options against_library(bool manager_only = false) {
  Options options;
  options.against_library = true;
  options.manager_only = manager_only;
  return options;
}

/// Each kind, but for those, on a few lines of the file: found on that line. Returns how many
/// corruptions that were.
inline std::size_t expect_corruptions_are_found(std::string_view name,
                                                const std::vector<recorded::Kind>& kinds,
                                                const std::set<std::string_view>& unseen,
                                                std::string_view under, const Options& options) {
  constexpr unsigned seed = 20261201;
  constexpr std::size_t lines_per_kind = 3;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  auto events = recorded_events(name);
  std::size_t tried = 0;
  for (const auto& kind : kinds) {
    if (unseen.contains(kind.name)) continue;
    std::vector<std::size_t> places;
    for (std::size_t n = 0; n < events.size(); ++n)
      if (auto copy = events[n]; kind.corrupt(copy)) places.push_back(n);
    std::shuffle(places.begin(), places.end(), random);
    places.resize(std::min(places.size(), lines_per_kind));
    for (const auto n : places) {
      SCOPED_TRACE(std::string(kind.name) + " on line " + std::to_string(n + 1));
      const auto sound = events[n];
      kind.corrupt(events[n]);
      const auto result = replay_events(events, profile(under), options);
      expect_diverges(result, n + 1, kind.property.empty() ? result.property : kind.property);
      events[n] = sound;
      ++tried;
    }
  }
  return tried;
}

inline std::string name_of_trace(const ::testing::TestParamInfo<std::string_view>& test) {
  std::string name(test.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace holdfast::verify::replay::inline library
