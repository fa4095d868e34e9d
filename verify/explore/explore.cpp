#include "verify/explore/explore.hpp"

#include <chrono>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "verify/base/stopwatch.hpp"

namespace holdfast::verify::explore {
namespace {

using Clock = std::chrono::steady_clock;

std::string reason(SearchEnd end, const SearchOptions& options) {
  switch (end) {
    case SearchEnd::out_of_depth:
      return fmt::format("bounded: nothing found within {} actions", options.max_depth);
    case SearchEnd::out_of_states:
      return fmt::format("more than {} states, or than {} MiB hold", options.max_states,
                         options.max_bytes >> 20);
    case SearchEnd::out_of_time: return fmt::format("longer than {} s", options.max_seconds);
    case SearchEnd::exhausted:
    case SearchEnd::violated: break;
  }
  return {};
}

class Explorer {
 public:
  explicit Explorer(const SearchOptions& options) : options_(options) {
    of_workload_.profile = options.profile;
    of_workload_.assumptions = options.assumptions;
    of_workload_.choices = options.choices;
    of_workload_.property = options.property;
    of_workload_.check_lemmas = options.check_lemmas;
    of_workload_.symmetry = options.symmetry;
    of_workload_.max_bytes = options.max_bytes;
    of_workload_.max_depth =
        options.max_depth > 0 ? options.max_depth : std::numeric_limits<std::uint64_t>::max();
    of_workload_.deadline = Clock::time_point::max();
    if (options.max_seconds > 0)
      of_workload_.deadline =
          Clock::now() + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(options.max_seconds));
    if (options.on_states)
      of_workload_.on_states = [this](std::uint64_t states) {
        options_.on_states(found_.result.states + states);
      };
  }

  Exploration run() {
    auto& result = found_.result;
    for (const auto& workload : options_.workloads) check_workload(workload, options_.assumptions);
    for (const auto& workload : options_.workloads) {
      if (!go_on_with(workload)) break;
    }
    result.sizes = options_.sizes;
    result.seconds = watch_.seconds();
    if (found_.counterexample) {
      result.status = report::ExplorationStatus::violated;
      result.trace = run_lines(*found_.counterexample);
      found_.note.clear();
    } else {
      result.status = found_.note.empty() ? report::ExplorationStatus::holds
                                          : report::ExplorationStatus::unknown;
    }
    return std::move(found_);
  }

 private:
  /// Whether the other workloads are worth a look.
  bool go_on_with(const Workload& workload) {
    auto& result = found_.result;
    if (result.states >= options_.max_states) {
      found_.note = reason(SearchEnd::out_of_states, options_);
      return false;
    }
    of_workload_.max_states = options_.max_states - result.states;
    try {
      add(workload, search(arena_, workload, of_workload_));
    } catch (const compact::Overflow& overflow) {
      found_.note = fmt::format("a counter grows without end: {}", overflow.variable);
      return false;
    }
    return of_workload_.max_depth > 0;
  }

  void add(const Workload& workload, SearchOutcome outcome) {
    auto& result = found_.result;
    result.states += outcome.states;
    result.transitions += outcome.transitions;
    if (!found_.counterexample) result.depth = std::max(result.depth, outcome.depth);
    for (auto& [rule, paths] : outcome.coverage) found_.coverage[rule].merge(paths);
    if (outcome.end == SearchEnd::violated)
      keep({workload, std::move(outcome.actions)}, outcome.property);
    else if (found_.note.empty() && !found_.counterexample)
      found_.note = reason(outcome.end, options_);
  }

  /// Only a shorter one is sought from now on.
  void keep(Run run, const std::string& property) {
    const auto check = check_run(run, options_.profile, options_.assumptions, options_.property);
    const bool is_lemma = options_.check_lemmas && check.property.empty();
    if (!check.executes() || check.taken != run.actions.size() ||
        (!is_lemma && check.property != property))
      throw std::logic_error("a counterexample does not run: " + check.problem);
    found_.result.property = property;
    found_.result.depth = run.actions.size();
    of_workload_.max_depth = run.actions.empty() ? 0 : run.actions.size() - 1;
    found_.counterexample = std::move(run);
  }

  const SearchOptions& options_;
  const Stopwatch watch_;
  WorkloadOptions of_workload_;
  Arena arena_;
  Exploration found_;
};

}  // namespace

Exploration explore(const SearchOptions& options) { return Explorer(options).run(); }

std::vector<std::string> run_lines(const Run& run) {
  std::vector<std::string> lines;
  for (const auto& action : run.actions) lines.push_back(to_string(action));
  return lines;
}

}  // namespace holdfast::verify::explore
