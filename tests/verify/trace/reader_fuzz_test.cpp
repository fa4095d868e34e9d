// Damaged traces: every one is read, or refused with one clear line.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/random_rounds.hpp"
#include "tests/verify/trace/trace_files.hpp"
#include "verify/base/errors.hpp"
#include "verify/trace/form.hpp"
#include "verify/trace/reader.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::trace {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  void some_bytes(std::string& line) {
    for (std::size_t n = 1 + below(3); n > 0; --n) {
      if (line.empty()) return;
      char& byte = line[below(line.size())];
      byte =
          static_cast<char>(below(2) == 0 ? byte ^ (1 << below(8)) : static_cast<int>(below(256)));
    }
  }
  void truncated(std::string& line) { line.resize(below(line.size())); }
  void repeated(std::string& line) {
    const std::size_t at = below(line.size());
    line.insert(below(line.size()), line.substr(at, 1 + below(20)));
  }
  void removed(std::string& line) { line.erase(below(line.size()), 1 + below(20)); }

  /// One value somewhere inside: erased, replaced, renamed or put in twice.
  void value(std::string& line) {
    Json json = Json::parse(line);
    Json* parent = &json;
    while (true) {
      Json& child = *std::next(parent->begin(), static_cast<std::ptrdiff_t>(below(parent->size())));
      if (!child.is_structured() || child.empty() || below(3) == 0) break;
      parent = &child;
    }
    const auto at = std::next(parent->begin(), static_cast<std::ptrdiff_t>(below(parent->size())));
    switch (below(3)) {
      case 0: parent->erase(at); break;
      case 1: *at = replacement(); break;
      default:
        if (parent->is_array()) {
          const Json copy = *at;
          parent->push_back(copy);
        } else {
          (*parent)[at.key() + "x"] = Json(*at);
        }
    }
    line = json.dump();
  }

 private:
  Json replacement() {
    static const std::vector<Json> values = {nullptr,
                                             true,
                                             false,
                                             0,
                                             1,
                                             -1,
                                             1.5,
                                             INT64_MAX,
                                             UINT64_MAX,
                                             1099511627776,
                                             "",
                                             "r0",
                                             "h1",
                                             "nobody",
                                             Json::array(),
                                             Json::object(),
                                             {1, 2},
                                             {{"r0", 1}},
                                             INT64_MIN,
                                             "decoder_only"};
    return values[below(values.size())];
  }

  std::mt19937_64 random_;
};

enum class Outcome { read, refused };

/// Reads the file to its end. `line`: the one that was damaged.
Outcome read_all(const TemporaryFile& file, std::uint64_t line) {
  try {
    TraceReader reader(file.path());
    JsonTape tape;
    while (const auto event = reader.next()) {
      if (reader.line() != line) continue;
      std::string written = to_line(*event);
      written.pop_back();
      EXPECT_EQ(parse_event(tape.parse(written)), *event) << written;
    }
    return Outcome::read;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(error.file(), file.path());
    EXPECT_GE(error.line().value_or(0), line) << what;
    EXPECT_FALSE(error.message().empty());
    EXPECT_TRUE(std::all_of(what.begin(), what.end(), [](char c) { return c >= 0x20 && c < 0x7f; }))
        << what;
    EXPECT_LT(what.size(), 800U) << what;
    return Outcome::refused;
  }
}

TEST(ReaderFuzz, DamagedLinesAreReadOrRefused) {
  const auto [seed, rounds] = tests::RandomRounds(20261, 6000);
  std::vector<Lines> traces;
  for (const std::string_view name : recorded_names) traces.push_back(recorded_lines(name, 60));
  traces.push_back(scenario_lines());
  Damage damage(seed);
  std::uint64_t refused = 0;
  const TemporaryFile file;
  for (std::uint64_t round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    Lines lines = traces[damage.below(traces.size())];
    std::size_t damaged = damage.below(lines.size());
    std::string& line = lines[damaged];
    switch (damage.below(8)) {
      case 0: damage.some_bytes(line); break;
      case 1: damage.truncated(line); break;
      case 2: damage.repeated(line); break;
      case 3: damage.removed(line); break;
      case 4: {
        const std::size_t other = damage.below(lines.size());
        std::swap(line, lines[other]);
        damaged = std::min(damaged, other);
        break;
      }
      default: damage.value(line);
    }
    std::string content;
    for (const std::string& l : lines) content += l + "\n";
    file.write(content);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round) + ": " + line);
    if (read_all(file, damaged + 1) == Outcome::refused) ++refused;
  }
  std::cout << refused << " refused\n";
  EXPECT_GT(refused, rounds / 2) << "damage that nobody notices tests nothing";
  EXPECT_LT(refused, rounds) << "a fuzzer that only breaks the form tests nothing behind it";
}

}  // namespace
}  // namespace holdfast::verify::trace
