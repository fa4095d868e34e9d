#include "verify/refute/refute.hpp"

#include <algorithm>
#include <set>

#include "verify/base/errors.hpp"
#include "verify/base/stopwatch.hpp"
#include "verify/explore/explore.hpp"
#include "verify/refute/presets.hpp"
#include "verify/refute/unrolling.hpp"
#include "verify/replay/driven/scenario.hpp"
#include "verify/replay/replay.hpp"
#include "verify/trace/events_file.hpp"

namespace holdfast::verify::refute {

namespace {

int steps_of_the_worker(const explore::Run& run) {
  constexpr auto issuing =
      spec::names<spec::EndPass, spec::EncdecEndPass, spec::Reset, spec::EncdecReset>;
  return static_cast<int>(
      std::count_if(run.actions.begin(), run.actions.end(), [&](const explore::Action& action) {
        return std::find(issuing.begin(), issuing.end(), action.rule) != issuing.end();
      }));
}

/// Whether the run's rules, in their order, with any parameters, can end in the violation in the
/// symbolic reading.
prove::Answer confirm(const explore::Run& run, const spec::Fault& fault,
                      const spec::Assumptions& assumptions, const Options& options) {
  Unrolling unrolling(run.workload, steps_of_the_worker(run), fault.profile, assumptions);
  for (const auto& action : run.actions) unrolling.follow(action.rule);
  return unrolling.violates(std::string(fault.property), {options.timeout_ms, options.seed});
}

/// All rules at every step: the violation exists at the run's length and at no shorter one.
std::string model_check(const explore::Run& run, const spec::Fault& fault,
                        const explore::SearchOptions& search, const Options& options,
                        const OnStage& on_stage) {
  const int length = static_cast<int>(run.actions.size());
  const int goal = std::min(length, options.bmc_steps);
  const auto violated_within = [&](int steps) {
    if (on_stage) on_stage("bounded model checking at " + std::to_string(steps) + " steps");
    Unrolling unrolling(run.workload, steps_of_the_worker(run) + 1, fault.profile,
                        search.assumptions, search.choices);
    for (int n = 0; n < steps; ++n) unrolling.follow_any();
    return unrolling.violates(std::string(fault.property), {options.timeout_ms, options.seed},
                              true);
  };
  const int shorter = goal < length ? goal : length - 1;
  switch (violated_within(shorter)) {
    case prove::Answer::satisfiable: return "refused: shorter than " + std::to_string(length);
    case prove::Answer::unknown: return "unknown at " + std::to_string(shorter) + " steps";
    case prove::Answer::unsatisfiable: break;
  }
  if (goal < length) return "confirmed; none within " + std::to_string(shorter) + " steps";
  switch (violated_within(length)) {
    case prove::Answer::satisfiable: return "confirmed, minimal";
    case prove::Answer::unsatisfiable:
      return "refused: not at " + std::to_string(length) + " steps";
    case prove::Answer::unknown: break;
  }
  return "unknown at " + std::to_string(length) + " steps";
}

std::filesystem::path write_scenario(const explore::Run& run, const spec::Fault& fault,
                                     const Options& options) {
  const auto path = options.scenarios / (std::string(fault.profile.name) + ".jsonl");
  trace::write_events(replay::scenario_of(run, fault.profile), path);
  return path;
}

/// What is wrong with the scenario's replay; empty if nothing is.
std::string replay_fault(const std::filesystem::path& scenario, const spec::Fault& fault) {
  const auto broken = replay::replay(scenario.string(), fault.profile);
  if (broken.status != report::ReplayStatus::diverges || broken.property != fault.property)
    return "its scenario does not break " + std::string(fault.property) + " when replayed";
  const auto repaired = replay::replay(scenario.string(), *spec::find_profile("holdfast"));
  if (repaired.status != report::ReplayStatus::conforms)
    return "its scenario breaks " + repaired.property + " under holdfast too";
  return {};
}

}  // namespace

report::RefutationResult refute(const spec::Fault& fault, const Options& options,
                                const OnStage& on_stage) {
  const Stopwatch watch;
  const auto stage = [&](const std::string& what) {
    if (on_stage) on_stage(what);
  };
  report::RefutationResult result;
  result.fault = fault.profile.name;
  result.property = fault.property;
  const auto finished = [&](report::RefutationStatus status) {
    result.status = status;
    result.seconds = watch.seconds();
    return result;
  };

  stage("exploring");
  explore::SearchOptions search = preset(fault.profile.name);
  search.profile = fault.profile;
  search.property = fault.property;
  const auto exploration = explore::explore(search);
  result.states = exploration.result.states;
  if (!exploration.counterexample)
    return finished(exploration.result.status == report::ExplorationStatus::holds
                        ? report::RefutationStatus::missed
                        : report::RefutationStatus::unknown);
  const explore::Run& run = *exploration.counterexample;
  result.steps = run.actions.size();
  result.trace = explore::run_lines(run);

  stage("asking Z3");
  switch (confirm(run, fault, search.assumptions, options)) {
    case prove::Answer::satisfiable: result.bmc = "confirmed"; break;
    case prove::Answer::unsatisfiable:
      result.bmc = "refused: the symbolic reading has no such run";
      return finished(report::RefutationStatus::unknown);
    case prove::Answer::unknown:
      result.bmc = "unknown";
      return finished(report::RefutationStatus::unknown);
  }
  if (options.bmc) {
    result.bmc = model_check(run, fault, search, options, on_stage);
    if (!result.bmc.starts_with("confirmed")) return finished(report::RefutationStatus::unknown);
  }

  stage("replaying");
  const auto scenario = write_scenario(run, fault, options);
  result.scenario = scenario.string();
  if (const auto wrong = replay_fault(scenario, fault); !wrong.empty()) {
    result.bmc += "; " + wrong;
    return finished(report::RefutationStatus::unknown);
  }
  return finished(report::RefutationStatus::refuted);
}

}  // namespace holdfast::verify::refute
