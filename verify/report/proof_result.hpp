#pragma once

#include <string>
#include <string_view>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

enum class ProofStatus { proved, failed, unknown };

/// One obligation: this path of this rule keeps this property (rule "initial": the base case).
struct ProofResult {
  std::string manager;  ///< decoder_only or encoder_decoder
  std::string property;
  std::string rule;
  std::string path;
  ProofStatus status = ProofStatus::unknown;
  double seconds = 0;
  std::string
      counterexample;  ///< on failure: a smallest pre-state, as text; empty when none was found

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "proof";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<ProofResult>& all);
  static void print_tables(const All<ProofResult>& all, Page& page);
  static void print_details(const All<ProofResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
