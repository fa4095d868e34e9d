#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "verify/report/diff_status.hpp"
#include "verify/report/result.hpp"

namespace holdfast::verify::report {

/// What came of running the model and an implementation side by side.
struct DiffResult {
  std::string against;  ///< "impl" or "exec:COMMAND"
  std::uint64_t seed = 0;
  std::uint64_t scripts = 0;
  std::uint64_t passes = 0;
  std::uint64_t steps = 0;  ///< small steps of the model, every property checked after each
  std::uint64_t encoder_decoder_steps = 0;  ///< of these, with that manager
  std::uint64_t events = 0;  ///< driving events, both states compared after each; or answers
  DiffStatus status = DiffStatus::agrees;
  std::uint64_t step = 0;          ///< where they part: small steps of the model up to there
  std::string scenario;            ///< path of the file; empty where they agree
  std::string asked;               ///< path of the lines for the other process; may be empty
  bool repeats = true;             ///< the script parts them again, with nothing before it
  std::string what;                ///< both states side by side: what differs
  std::vector<std::string> trace;  ///< one line a pass
  double seconds = 0;

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "diff";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<DiffResult>& all);
  static void print_tables(const All<DiffResult>& all, Page& page);
  static void print_details(const All<DiffResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
