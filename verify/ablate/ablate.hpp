// Each guard of the model dropped in turn, and each assumption: either the proof closes without it,
// or a run shows what it is needed for.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "verify/report/ablation_result.hpp"

namespace holdfast::verify::ablate {

struct Options {
  std::string guard;                ///< only this: GUARD, GUARD=OPTION or an assumption; empty: all
  std::filesystem::path scenarios;  ///< folder for the runs; empty: none is written
  unsigned timeout_ms = 2'000;      ///< a query of the solver
  unsigned seed = 0;
  unsigned jobs = 0;  ///< threads; 0: one per core
};

/// Told of each result as it comes; called from the working threads, one at a time.
using OnResult = std::function<void(const report::AblationResult&)>;

/// One for each other way of each guard and for each assumption, in the order of spec::variants;
/// more than one where further assumptions make the guard redundant.
std::vector<report::AblationResult> ablate(const Options& options, const OnResult& on_result = {});

}  // namespace holdfast::verify::ablate
