// One run for every fault of this issue, that ends in the violation of its property.
#pragma once

#include <array>
#include <sstream>
#include <string>
#include <string_view>

#include "verify/explore/run.hpp"

namespace holdfast::verify::replay::inline driven {

struct Story {
  std::string_view fault;
  Workload workload;
  std::string_view actions;  ///< "rule argument...; "
};

inline explore::Run run_of(const Story& story) {
  explore::Run run{story.workload, {}};
  std::istringstream text{std::string(story.actions)};
  for (std::string one; std::getline(text, one, ';');) {
    std::istringstream words(one);
    explore::Action action;
    if (!(words >> action.rule)) continue;
    for (int x = 0; words >> x;) action.arguments.push_back(x);
    run.actions.push_back(action);
  }
  return run;
}

inline const auto& stories() {
  // One request with one feature of one slot, or of two; or two features of one slot each.
  static const WorkloadRequest image{1, 2, {{0, 1, 1, 0}}};
  static const WorkloadRequest twice{2, 3, {{0, 1, 1, 0}, {1, 2, 1, 0}}};
  static const WorkloadRequest two{2, 3, {{0, 1, 1, 0}, {1, 2, 1, 1}}};
  static const std::array all = {
      Story{"abort-keeps-references",
            {.requests = {image}},
            "add 0; begin_pass; plan 0 1 0; order; allocate 0; commit 0 0; end_pass; abort 0"},
      Story{"duplicate-charged-twice",
            {.capacity = 2, .encoder_budget = 2, .requests = {twice}},
            "add 0; begin_pass; plan 0 2 0; order; share; allocate 0; allocate 1"},
      Story{"waiting-keeps-references",
            {.requests = {image, image}},
            "add 0; add 1; begin_pass; plan 0 1 0; order; allocate 0; commit 0 0; plan 1 1 0; "
            "touch; put_back"},
      Story{"release-at-schedule",
            {.requests = {image}},
            "add 0; begin_pass; plan 0 1 0; order; allocate 0; commit 0 0; release 0 0; end_pass;"
            "drop_notices; encode; gather_target 0 0 0"},
      Story{"release-optimistic",
            {.requests = {image}},
            "add 0; begin_pass; plan 0 1 0; order; allocate 0; commit 0 1; end_pass; release 0 0"},
      Story{"lookahead-unplanned",
            {.lookahead = 1, .requests = {{2, 3, {{1, 2, 1, 0}}}}},
            "add 0; begin_pass; plan 0 1 0; skip; commit 0 0; end_pass; drop_notices; encode;"
            "gather_draft 0 0 0"},
      Story{"no-boundary-fallback",
            {.lookahead = 1, .hashes = 2, .requests = {two}},
            "add 0; begin_pass; plan 0 1 0; order; clip; allocate 0; commit 0 0; end_pass; "
            "drop_notices; encode;"
            "gather_draft 0 1 0"},
      Story{"rollback-without-lookahead",
            {.capacity = 2,
             .encoder_budget = 2,
             .lookahead = 1,
             .requests = {{3, 4, {{1, 3, 1, 0}}}},
             .token_budget = 2,
             .whole_items = true},
            "add 0; begin_pass; plan 0 2 0; roll_back; commit 0 0; end_pass; drop_notices; encode;"
            "gather_draft 0 0 0"},
      Story{"hold-past-end",
            {.encoder_budget = 2,
             .lookahead = 1,
             .hashes = 2,
             .requests = {{3, 4, {{0, 2, 1, 0}, {2, 3, 1, 1}}}}},
            "add 0; begin_pass; plan 0 1 0; order; skip; allocate 0; commit 0 0; end_pass; "
            "drop_notices; encode;"
            "deliver 1 0 0; end_deliver; begin_pass; plan 0 1 0; touch; abandon"},
      Story{"stale-notice",
            {.capacity = 2,
             .encoder_budget = 2,
             .hashes = 3,
             .requests = {two, {2, 2, {{0, 1, 1, 2}, {1, 2, 1, 0}}}}},
            "add 0; add 1; begin_pass; plan 0 2 0; order; order; allocate 0; allocate 1; commit 0 "
            "0; end_pass;"
            "drop_notices; encode; deliver 1 0 0; end_deliver; release 0 0; release 0 1;"
            "begin_pass; plan 1 2 0; evict 0; order; evict 1; order; allocate 0; allocate 1; "
            "commit 0 0; end_pass"},
      Story{"first-occurrence-frees",
            {.capacity = 2, .encoder_budget = 2, .requests = {twice}},
            "add 0; begin_pass; plan 0 2 0; order; share; allocate 0; allocate 1; commit 0 0; "
            "end_pass;"
            "release 0 0"},
      Story{"split-item",
            {.requests = {{2, 3, {{0, 2, 1, 0}}}}, .token_budget = 2, .whole_items = true},
            "add 0; begin_pass; plan 0 1 0; order; allocate 0; commit 0 0"},
      Story{
          "no-size-check",
          {.capacity = 2, .encoder_budget = 2, .requests = {image, {1, 2, {{0, 1, 2, 0}}}}},
          "add 0; add 1; begin_pass; plan 0 1 0; order; allocate 0; commit 0 0; plan 1 1 0; touch"},
      Story{"oversized-queued", {.requests = {{1, 2, {{0, 1, 2, 0}}}}}, "add 0"},
      Story{"encdec-notice-early",
            {.manager = spec::Manager::encoder_decoder, .depth = 2, .requests = {image}},
            "add 0; begin_pass; plan 0 1 0; encdec_allocate; commit 0 0; encdec_end_pass;"
            "begin_pass; encdec_end_pass"},
      Story{"encdec-credit-repeats",
            {.manager = spec::Manager::encoder_decoder, .requests = {image}},
            "add 0; begin_pass; plan 0 1 0; encdec_allocate; commit 0 0; encdec_end_pass;"
            "encdec_release 0 0; encdec_release 0 0"},
      Story{"retract-keeps-entry",
            {.requests = {image, {1, 2, {}}}},
            "add 0; add 1; begin_pass; plan 0 1 0; order; allocate 0; commit 0 0; plan 1 1 0; "
            "retract 0;"
            "drop 0; drained; commit 0 0; end_pass"},
  };
  return all;
}

}  // namespace holdfast::verify::replay::inline driven
