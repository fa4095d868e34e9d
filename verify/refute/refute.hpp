// A fault, refuted: the shortest run that breaks its property, found by exploration, confirmed by
// Z3, written as a scenario and replayed from that file before anybody sees it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "spec/faults.hpp"
#include "verify/report/refutation_result.hpp"

namespace holdfast::verify::refute {

struct Options {
  bool bmc = false;              ///< full bounded model checking at the same sizes too
  unsigned timeout_ms = 60'000;  ///< per query
  unsigned seed = 0;
  int bmc_steps = 10;  ///< longest run that bounded model checking must settle; of longer ones it
                       ///< says how far it came
  std::filesystem::path
      scenarios;  ///< folder for the scenario file; it is made where it is missing
};

/// Told what is being done, for a status line.
using OnStage = std::function<void(const std::string& stage)>;

/// Never throws for what the search finds; InputError where the scenario cannot be written.
report::RefutationResult refute(const spec::Fault& fault, const Options& options,
                                const OnStage& on_stage = {});

}  // namespace holdfast::verify::refute
