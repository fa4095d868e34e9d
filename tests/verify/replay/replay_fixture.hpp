// Replays of texts and events, for tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "spec/profiles/profile.hpp"
#include "tests/verify/trace/trace_files.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::replay {

inline spec::Profile profile(std::string_view name) { return spec::find_profile(name).value(); }

inline report::ReplayResult replay_text(std::string_view text,
                                        std::string_view under = "holdfast") {
  const trace::TemporaryFile file(text);
  return replay(file.path(), profile(under));
}

inline std::vector<trace::Event> recorded_events(std::string_view name) {
  trace::TraceReader reader(trace::recorded_path(name));
  std::vector<trace::Event> events;
  while (auto event = reader.next()) events.push_back(std::move(*event));
  return events;
}

inline void expect_conforms(const report::ReplayResult& result) {
  EXPECT_EQ(result.status, report::ReplayStatus::conforms)
      << "line " << result.line << ", " << result.rule << ", " << result.property << ": expected "
      << result.expected << ", observed " << result.observed;
}

inline void expect_diverges(const report::ReplayResult& result, std::uint64_t line,
                            std::string_view property) {
  EXPECT_EQ(result.status, report::ReplayStatus::diverges);
  EXPECT_EQ(result.line, line) << result.expected << " / " << result.observed;
  EXPECT_EQ(result.property, property);
  EXPECT_FALSE(result.rule.empty());
  EXPECT_FALSE(result.expected.empty());
  EXPECT_FALSE(result.observed.empty());
}

}  // namespace holdfast::verify::replay
