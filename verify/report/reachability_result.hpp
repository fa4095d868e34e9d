#pragma once

#include <string>
#include <string_view>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

enum class ReachabilityStatus { reached, unreached, unknown };

/// One path of one rule: whether the proofs speak of something that happens. It is reached when
/// finite sorts have a model of it with every invariant and some explored run takes it; a path that
/// raises is as it should be when neither is so.
struct ReachabilityResult {
  std::string manager;
  std::string rule;
  std::string path;
  bool forbidden = false;  ///< it raises
  bool modelled = false;   ///< the solver has a model
  bool explored = false;   ///< a run takes it
  ReachabilityStatus status = ReachabilityStatus::unknown;
  double seconds = 0;

  [[nodiscard]] bool as_expected() const {
    return status == (forbidden ? ReachabilityStatus::unreached : ReachabilityStatus::reached);
  }

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "reachability";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<ReachabilityResult>& all);
  static void print_tables(const All<ReachabilityResult>& all, Page& page);
  static void print_details(const All<ReachabilityResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
