// One result of each kind and status, for the tests of the printers.
#pragma once

#include "verify/report/exploration_result.hpp"
#include "verify/report/hunt_result.hpp"
#include "verify/report/proof_result.hpp"
#include "verify/report/reachability_result.hpp"
#include "verify/report/refutation_result.hpp"
#include "verify/report/replay_result.hpp"
#include "verify/report/report.hpp"

namespace holdfast::verify::report {

inline ProofResult a_proof(ProofStatus status) {
  return {.manager = "decoder_only",
          .property = "exact-slots",
          .rule = "allocate",
          .path = "fits",
          .status = status,
          .seconds = 0.0125,
          .counterexample = status == ProofStatus::failed ? "free = 1\nweight[h0] = 2" : ""};
}

inline ReachabilityResult a_path(ReachabilityStatus status) {
  const bool reached = status == ReachabilityStatus::reached;
  return {.manager = "decoder_only",
          .rule = "clip",
          .path = "always",
          .modelled = reached,
          .explored = reached,
          .status = status};
}

inline RefutationResult a_refutation(RefutationStatus status) {
  return {.fault = "stale-notice",
          .property = "no-stale-notice",
          .status = status,
          .steps = 7,
          .states = 12345,
          .bmc = "confirmed",
          .scenario = "scenarios/stale-notice.jsonl",
          .seconds = 0.5,
          .trace = {"begin_pass", "allocate r0 i0"}};
}

inline ExplorationResult an_exploration(ExplorationStatus status) {
  return {.sizes = {{"requests", 2}, {"features", 2}, {"hashes", 2}},
          .states = 1234567,
          .transitions = 7654321,
          .depth = 31,
          .seconds = 1.0,
          .status = status,
          .property = status == ExplorationStatus::violated ? "exact-slots" : "",
          .trace = {}};
}

inline ReplayResult a_replay(ReplayStatus status) {
  ReplayResult replay;
  replay.file = "fcfs.jsonl";
  replay.profile = "holdfast";
  replay.events = 2000;
  replay.status = status;
  replay.seconds = 0.25;
  if (status == ReplayStatus::diverges) {
    replay.line = 17;
    replay.rule = "retract";
    replay.property = "no-ghost-entry";
    replay.expected = "free 8";
    replay.observed = "free 4";
  }
  return replay;
}

inline FindingResult a_finding() {
  return {.profile = "vllm-0.33.0",
          .property = "progress",
          .cause = {"tail=cut-after-planning"},
          .steps = 19,
          .configuration = {{"capacity", 1}, {"lookahead", 2}},
          .scenario = "scenarios/hunt-vllm-0.33.0-1.jsonl",
          .observed = "r0 is stuck",
          .requests = {"r0: 2 tokens"},
          .trace = {"pass 1: r0 arrives"}};
}

inline HuntResult a_hunt() {
  return {.profile = "vllm-0.33.0",
          .scripts = 1000,
          .passes = 20000,
          .steps = 300000,
          .exhausted = 5,
          .seed = 7,
          .seconds = 1.5};
}

inline Report all_as_expected() {
  return {.command = "check",
          .profile = "holdfast",
          .solver = "z3 5.4.1",
          .results = {a_proof(ProofStatus::proved), a_refutation(RefutationStatus::refuted),
                      an_exploration(ExplorationStatus::holds), a_replay(ReplayStatus::conforms)},
          .seconds = 2.5};
}

inline Report with_result(Result result) {
  Report report = all_as_expected();
  report.results.push_back(std::move(result));
  return report;
}

}  // namespace holdfast::verify::report
