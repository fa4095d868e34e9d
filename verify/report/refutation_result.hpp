#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

enum class RefutationStatus { refuted, missed, unknown };

/// One fault: the shortest run that breaks its property.
struct RefutationResult {
  std::string fault;
  std::string property;
  RefutationStatus status = RefutationStatus::unknown;
  std::uint64_t steps = 0;
  std::uint64_t states = 0;
  std::string bmc;       ///< what Z3 said: "confirmed", "confirmed, minimal", or why not
  std::string scenario;  ///< path of the scenario file; empty where none was asked for
  double seconds = 0;
  std::vector<std::string> trace;  ///< one line a step, for people

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "refutation";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<RefutationResult>& all);
  static void print_tables(const All<RefutationResult>& all, Page& page);
  static void print_details(const All<RefutationResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
