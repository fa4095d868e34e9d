#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "verify/report/diff_status.hpp"
#include "verify/report/result.hpp"

namespace holdfast::verify::report {

/// Every state at some sizes and every driving event in it, model and implementation side by side.
struct ExhaustionResult {
  std::string sizes;  ///< what they are called
  std::uint64_t workloads = 0;
  std::uint64_t states = 0;
  std::uint64_t events = 0;   ///< driving events, both states compared after each
  std::uint64_t steps = 0;    ///< small steps of the model, every property checked after each
  std::uint64_t deepest = 0;  ///< events to the state that is furthest away
  DiffStatus status = DiffStatus::agrees;  ///< unknown: it was ended before its end
  std::string what;                        ///< both states side by side: what differs
  std::vector<std::string> way;            ///< the events that lead there
  double seconds = 0;

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "exhaustion";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<ExhaustionResult>& all);
  static void print_tables(const All<ExhaustionResult>& all, Page& page);
  static void print_details(const All<ExhaustionResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
