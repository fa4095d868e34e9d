// One run for every fault of this issue, that ends in the violation of its property.
#pragma once

#include <array>
#include <sstream>
#include <string>
#include <string_view>

#include "verify/explore/run.hpp"

namespace holdfast::verify {

struct Story {
  std::string_view fault;
  Workload workload;
  std::string_view actions;  ///< "rule argument...; "
};

inline Run run_of(const Story& story) {
  Run run{story.workload, {}};
  std::istringstream text{std::string(story.actions)};
  for (std::string one; std::getline(text, one, ';');) {
    std::istringstream words(one);
    Action action;
    if (!(words >> action.rule)) continue;
    for (int x = 0; words >> x;) action.arguments.push_back(x);
    run.actions.push_back(action);
  }
  return run;
}

inline const auto& stories() {
  // One request with one feature of one slot, or two that share it.
  static const WorkloadRequest image{1, 2, {{0, 1, 1, 0}}};
  static const WorkloadRequest another{1, 2, {{0, 1, 1, 1}}};
  static const WorkloadRequest twice{2, 3, {{0, 1, 1, 0}, {1, 2, 1, 0}}};
  static const WorkloadRequest two{2, 3, {{0, 1, 1, 0}, {1, 2, 1, 1}}};
  static const std::array all = {
      Story{"abort-keeps-references",
            {.hashes = 1, .requests = {image}},
            "add 0; begin_pass; plan 0 1; allocate; commit 0 0; end_pass; abort 0"},
      Story{"duplicate-charged-twice",
            {.capacity = 2, .encoder_budget = 2, .requests = {twice}},
            "add 0; begin_pass; plan 0 2; allocate; share"},
      Story{"release-at-schedule",
            {.hashes = 2, .requests = {image, another}},
            "add 0; add 1; begin_pass; plan 0 1; allocate; commit 0 0; release 0 0; end_pass;"
            "drop_notices; encode; gather_target 0 0 0"},
      Story{"release-optimistic",
            {.requests = {image}},
            "add 0; begin_pass; plan 0 1; allocate; commit 0 1; end_pass; release 0 0"},
      Story{
          "lookahead-unplanned",
          {.capacity = 2, .encoder_budget = 2, .lookahead = 1, .hashes = 2, .requests = {two}},
          "add 0; begin_pass; plan 0 1; allocate; skip; commit 0 0; end_pass; drop_notices; encode;"
          "gather_draft 0 1 0"},
      Story{
          "no-boundary-fallback",
          {.lookahead = 1, .hashes = 2, .requests = {two}},
          "add 0; begin_pass; plan 0 1; allocate; clip; commit 0 0; end_pass; drop_notices; encode;"
          "gather_draft 0 1 0"},
      Story{"stale-notice",
            {.capacity = 2,
             .encoder_budget = 2,
             .depth = 2,
             .hashes = 3,
             .requests = {image, another, {1, 2, {{0, 1, 1, 2}}}}},
            "add 0; add 1; add 2; begin_pass; plan 0 1; allocate; commit 0 0; plan 1 1; allocate;"
            "commit 0 0; end_pass; release 0 0; release 1 0; preempt 0; drained;"
            "begin_pass; plan 2 1; evict 0; allocate; commit 0 0; plan 0 1; evict 1; allocate; "
            "commit 0 0;"
            "end_pass"},
      Story{"first-occurrence-frees",
            {.capacity = 2, .encoder_budget = 2, .requests = {twice}},
            "add 0; begin_pass; plan 0 2; allocate; share; commit 0 0; end_pass; release 0 0"},
      Story{"no-size-check",
            {.capacity = 3, .encoder_budget = 3, .requests = {image, {1, 2, {{0, 1, 2, 0}}}}},
            "add 0; add 1; begin_pass; plan 0 1; allocate; commit 0 0; plan 1 1; share"},
      Story{"encdec-notice-early",
            {.manager = spec::Manager::encoder_decoder, .requests = {image}},
            "add 0; begin_pass; plan 0 1; encdec_allocate; commit 0 0; encdec_end_pass; "
            "drop_notices; encode;"
            "encdec_read 0 0; deliver 1 0 0; end_deliver; begin_pass; encdec_end_pass"},
      Story{"encdec-credit-repeats",
            {.manager = spec::Manager::encoder_decoder, .requests = {image}},
            "add 0; begin_pass; plan 0 1; encdec_allocate; commit 0 0; encdec_end_pass;"
            "encdec_release 0 0; encdec_release 0 0"},
      Story{"retract-keeps-entry",
            {.requests = {image, {1, 2, {}}}},
            "add 0; add 1; begin_pass; plan 0 1; allocate; commit 0 0; plan 1 1; retract 0; drop "
            "0; drained;"
            "commit 0 0; end_pass"},
  };
  return all;
}

}  // namespace holdfast::verify
