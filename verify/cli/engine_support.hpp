// What the engines of several commands share.
#pragma once

#include <cstdint>
#include <string>

#include "verify/base/stopwatch.hpp"
#include "verify/cli/commands.hpp"
#include "verify/prove/prove.hpp"

namespace holdfast::verify::cli {

/// The default assumptions, with those named in `switches.made` made and those in
/// `switches.dropped` not.
spec::Assumptions assumptions_of(const AssumptionSwitches& switches);

/// Options of the prover from the words of a command line that were checked already.
prove::Options proof_options(const std::string& profile, std::uint32_t seed,
                             std::uint32_t timeout_ms, std::uint32_t jobs);

}  // namespace holdfast::verify::cli
