// Searching one workload: the sizes that a search was compiled for, and what it is told and tells.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "verify/explore/arena.hpp"
#include "verify/explore/packing.hpp"
#include "verify/explore/run.hpp"
#include "verify/explore/walk.hpp"

namespace holdfast::verify::explore {

/// Rule -> names of the paths taken.
using Coverage = std::map<std::string, std::set<std::string>>;

struct WorkloadOptions {
  spec::Profile profile;
  spec::Assumptions assumptions;
  Choices choices;
  std::string property;  ///< check this one alone; empty: all
  bool check_lemmas = false;
  bool symmetry = true;
  std::uint64_t max_states = 0;
  std::uint64_t max_depth = 0;
  std::uint64_t max_bytes = 0;
  std::chrono::steady_clock::time_point deadline;
  std::function<void(std::uint64_t states)> on_states;  ///< may be empty
};

enum class SearchEnd { exhausted, violated, out_of_depth, out_of_states, out_of_time };

struct SearchOutcome {
  SearchEnd end = SearchEnd::exhausted;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  ///< rule instances taken, those that change nothing included
  std::uint64_t depth = 0;        ///< of the deepest state, or of the violation
  std::string property;           ///< violated
  std::vector<Action> actions;    ///< that lead to the violation
  Coverage coverage;
};

/// Searches with the smallest compiled sizes that the workload fits. Throws InputError if it fits
/// none, compact::Overflow if a value leaves even a byte.
SearchOutcome search(Arena& arena, const Workload& workload, const WorkloadOptions& options);

/// One per shape, each in a file of its own.
template <int R, int F, int H, int K, Cells cells>
SearchOutcome search_shape(Arena& arena, const Workload& workload, const WorkloadOptions& options);

/// The largest, whose cells hold whole bytes: whatever can be searched fits it.
inline constexpr int most_requests = 4, most_features = 4, most_hashes = 4, most_depth = 4;
using LargestReading = compact::Reading<most_requests, most_features, most_hashes, most_depth + 2>;

}  // namespace holdfast::verify::explore
