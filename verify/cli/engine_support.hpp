// What the engines of several commands share.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "verify/cli/engines.hpp"
#include "verify/prove/prove.hpp"

namespace holdfast::verify {

/// Wall-clock time since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The default assumptions, with those named in `switches.made` made and those in
/// `switches.dropped` not.
spec::Assumptions assumptions_of(const AssumptionSwitches& switches);

/// Options of the prover from the words of a command line that were checked already.
prove::ProveOptions proof_options(const std::string& profile, std::uint32_t seed,
                                  std::uint32_t timeout_ms, std::uint32_t jobs);

}  // namespace holdfast::verify
