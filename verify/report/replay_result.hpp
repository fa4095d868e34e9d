#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

enum class ReplayStatus { conforms, diverges };

/// One trace or scenario file, run through the model or the library.
struct ReplayResult {
  std::string file;
  std::string profile;
  std::string against = "model";  ///< or "impl", the library
  std::uint64_t events = 0;
  ReplayStatus status = ReplayStatus::conforms;
  std::uint64_t line = 0;  ///< of the divergence; 0 when it conforms
  std::string rule;
  std::string property;
  std::string expected;
  std::string observed;
  std::uint64_t declined = 0;  ///< driving events that the model had no use for under this profile
  double seconds = 0;

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "replay";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<ReplayResult>& all);
  static void print_tables(const All<ReplayResult>& all, Page& page);
  static void print_details(const All<ReplayResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
