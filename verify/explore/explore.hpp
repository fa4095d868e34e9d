// Exhaustive exploration at given sizes: every reachable state is visited, and every property
// asked.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/explore/run.hpp"
#include "verify/explore/shapes.hpp"
#include "verify/report/exploration_result.hpp"

namespace holdfast::verify::explore {

struct SearchOptions {
  spec::Profile profile;
  spec::Assumptions assumptions;
  std::vector<Workload> workloads;            ///< each is searched; all of one manager
  std::map<std::string, std::int64_t> sizes;  ///< of the workloads, for the report
  Choices choices;
  std::string property;       ///< check this one alone, or this ranking; empty: all properties
  bool check_lemmas = false;  ///< and what `prove` uses beside them
  bool symmetry = true;

  // Bounds; what is met with one undecided is unknown.
  std::uint64_t max_states = 100'000'000;  ///< of all workloads together
  std::uint64_t max_depth = 0;             ///< actions; 0: no bound
  double max_seconds = 0;                  ///< 0: no bound
  std::uint64_t max_bytes = std::uint64_t{4} << 30;

  std::function<void(std::uint64_t states)> on_states = {};  ///< told now and then, if there is one
};

struct Exploration {
  report::ExplorationResult result;
  std::string note;                   ///< why the result is unknown; empty if it is not
  std::optional<Run> counterexample;  ///< a shortest one; it has been run through check_run
  Coverage coverage;
};

/// Throws InputError for workloads that are not well-formed, break an assumption or are too large.
Exploration explore(const SearchOptions& options);

/// One line an action.
std::vector<std::string> run_lines(const Run& run);

/// What happens when a run is taken through the rules from the initial state.
struct RunCheck {
  std::size_t taken = 0;  ///< how many actions could be taken
  std::string problem;    ///< why the next one could not be; empty if all could
  std::string property;   ///< the first one violated; empty if all held throughout
  std::size_t after = 0;  ///< how many actions it took to violate it
  bool executes() const { return problem.empty(); }
};
/// Stops at the first violation of `property`, which may be a ranking, or of any if that is empty.
RunCheck check_run(const Run& run, const spec::Profile& profile,
                   const spec::Assumptions& assumptions = {}, std::string_view property = {});

/// Throws InputError if the workload cannot be explored under these assumptions.
void check_workload(const Workload& workload, const spec::Assumptions& assumptions);

}  // namespace holdfast::verify::explore
