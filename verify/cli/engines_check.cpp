// `holdfast check`: everything, as one report.
#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "spec/faults.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/explore/workloads.hpp"
#include "verify/prove/query.hpp"
#include "verify/report/reachability_result.hpp"

namespace holdfast::verify::cli {

namespace {

void append(report::Report& report, report::Report part) {
  std::move(part.results.begin(), part.results.end(), std::back_inserter(report.results));
}

std::string manager_name(spec::Manager manager) {
  return manager == spec::Manager::decoder_only ? "decoder_only" : "encoder_decoder";
}

/// Every rule path: a model of the solver, and a run of the exploration.
std::vector<report::ReachabilityResult> reachability(
    const std::vector<prove::PathWitness>& witnesses,
    const std::map<std::string, explore::Coverage>& taken) {
  using Status = prove::PathWitness::Status;
  std::vector<report::ReachabilityResult> results;
  for (const auto& witness : witnesses) {
    report::ReachabilityResult path{witness.manager, witness.rule, witness.path, witness.forbidden};
    path.modelled = witness.status == Status::possible;
    path.seconds = witness.seconds;
    const auto manager = taken.find(witness.manager);
    if (manager != taken.end()) {
      const auto rule = manager->second.find(witness.rule);
      path.explored = rule != manager->second.end() && rule->second.contains(witness.path);
    }
    if (witness.status != Status::unknown)
      path.status = path.modelled && path.explored ? report::ReachabilityStatus::reached
                                                   : report::ReachabilityStatus::unreached;
    if (witness.forbidden && (path.modelled || path.explored))
      path.status = report::ReachabilityStatus::reached;
    results.push_back(path);
  }
  return results;
}

}  // namespace

report::Report run_check(const CheckOptions& asked, report::StatusLine& status) {
  const Stopwatch watch;
  report::Report report;
  report.command = "check";
  report.profile = asked.profile;
  report.solver = prove::solver_version();

  ProveOptions proofs;
  proofs.profile = asked.profile;
  proofs.seed = asked.seed;
  proofs.timeout_ms = asked.timeout_ms;
  proofs.jobs = asked.jobs;
  append(report, run_prove(proofs, status));

  std::map<std::string, explore::Coverage> taken;
  std::vector<report::Result> explorations;
  status.start("exploring", explore::standard_sizes().size());
  for (const auto& sizes : explore::standard_sizes()) {
    auto exploration =
        explore::explore(explore::options_for(sizes, *spec::profile_named(asked.profile)));
    for (auto& [rule, paths] : exploration.coverage)
      taken[manager_name(sizes.manager)][rule].merge(paths);
    if (!exploration.note.empty()) exploration.result.trace.push_back(exploration.note);
    explorations.emplace_back(std::move(exploration.result));
    status.advance(1);
  }
  status.start("looking for a model of every rule path", 0);
  for (auto& path : reachability(prove::path_witnesses(proof_options(asked.profile, asked.seed,
                                                                     asked.timeout_ms, asked.jobs)),
                                 taken))
    report.results.emplace_back(std::move(path));

  RefuteOptions faults;
  faults.bmc = true;
  faults.seed = asked.seed;
  faults.jobs = asked.jobs;
  faults.timeout_ms = std::max(faults.timeout_ms, asked.timeout_ms);
  faults.scenarios = asked.scenarios;
  append(report, run_refute(faults, status));
  std::move(explorations.begin(), explorations.end(), std::back_inserter(report.results));

  ReplayOptions replays;
  replays.profile = "vllm-0.33.0";  // what was recorded
  for (const auto& entry : asked.traces) {
    if (!std::filesystem::is_directory(entry)) {
      replays.files.push_back(entry);
      continue;
    }
    for (const auto& file : std::filesystem::directory_iterator(entry))
      if (file.path().string().ends_with(".jsonl") || file.path().string().ends_with(".jsonl.gz"))
        replays.files.push_back(file.path());
  }
  std::sort(replays.files.begin(), replays.files.end());
  append(report, run_replay(replays, status));
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
