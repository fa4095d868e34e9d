#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

enum class AblationVerdict {
  needed,
  redundant,
  harmful,
  unclaimed,  ///< nothing of that kind is proved of the manager in any case
  unknown,
};

/// One guard or assumption dropped, or asked for more than `holdfast` does: what is still proved,
/// and what a run breaks.
struct AblationResult {
  std::string guard;
  std::string option;  ///< what takes its place
  std::string says;
  std::vector<std::string> assumptions;  ///< made all the same
  AblationVerdict safety = AblationVerdict::unknown;
  AblationVerdict progress = AblationVerdict::unknown;
  std::string progress_assumes;  ///< a further assumption under which alone progress is proved; may
                                 ///< be empty
  std::vector<std::string> needed_for;     ///< properties that a run breaks without it
  std::vector<std::string> redundant_for;  ///< properties proved without it
  std::vector<std::string> harmful_to;     ///< properties that a run breaks because of it
  std::vector<std::string>
      open;  ///< neither proved nor broken: their proofs rest on what is broken
  std::uint64_t obligations = 0;  ///< proved without it
  std::string scenario;           ///< the shortest run that breaks one, as a file; may be empty
  std::uint64_t steps = 0;        ///< of that run
  double seconds = 0;

  [[nodiscard]] bool is_decided() const {
    return safety != AblationVerdict::unknown && progress != AblationVerdict::unknown;
  }

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "ablation";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<AblationResult>& all);
  static void print_tables(const All<AblationResult>& all, Page& page);
  static void print_details(const All<AblationResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
