#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

enum class ExplorationStatus { holds, violated, unknown };

/// One exhaustive search at given sizes.
struct ExplorationResult {
  std::map<std::string, std::int64_t> sizes;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  double seconds = 0;
  ExplorationStatus status = ExplorationStatus::unknown;
  std::string property;            ///< the one violated
  std::vector<std::string> trace;  ///< one line a step

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "exploration";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<ExplorationResult>& all);
  static void print_tables(const All<ExplorationResult>& all, Page& page);
  static void print_details(const All<ExplorationResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
