// The gather plan of a step: which rows of which encoder outputs go to which of its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "holdfast/request_features.hpp"
#include "holdfast/step.hpp"
#include "holdfast/types.hpp"

namespace holdfast {

/// What a request reads in a step: the target model its tokens [start, start + tokens), the drafter
/// as many from start + L on.
struct GatherWindow {
  RequestHandle request;
  const RequestFeatures* features = nullptr;  ///< none where the request has text alone
  Tokens start = 0;
  Tokens tokens = 0;
};

/// An encoder output in the worker's store; `embeds` = 0: absent [spec: worker].
struct StoredEntry {
  std::uint32_t generation = 0;
  Embeds embeds = 0;
};

/// What a plan is asked for.
struct GatherCall {
  StepNumber step = 0;                    ///< for messages
  Tokens lookahead = 0;                   ///< L for the drafter, 0 for the target
  std::span<const GatherWindow> windows;  ///< requests, one behind the other in the destination
  std::span<const StoredEntry> stored;    ///< by `HashHandle::index`; behind its end all are absent
};

/// Rows of one encoder output that follow each other, and go to tokens that follow each other.
struct GatherRun {
  HashHandle source;
  Embeds first_row = 0;
  Tokens destination = 0;  ///< row of the step's input embeddings: its first token's is 0
  Embeds rows = 0;
  bool operator==(const GatherRun&) const = default;
};

/// The drafter reads a boundary feature whose entry is absent, or has another size, so that it is
/// another feature's: its tokens keep their token embeddings.
struct BoundaryMiss {
  RequestHandle request;
  InputId input = 0;
  HashHandle hash;
  bool operator==(const BoundaryMiss&) const = default;
};

/// Runs are sorted by destination and share no row of it; rows that no run writes keep their token
/// embeddings. Every run lies inside the output of its source, and inside the destination.
struct GatherPlan {
  std::vector<GatherRun> runs;
  std::vector<std::size_t> ends;  ///< by window: behind its last run
  std::vector<BoundaryMiss> boundary_misses;
  Tokens tokens = 0;  ///< rows of the destination
  Embeds rows = 0;    ///< of them those that runs write

  /// The runs of window n.
  [[nodiscard]] std::span<const GatherRun> runs_of(std::size_t n) const {
    const std::size_t first = n == 0 ? 0 : ends[n - 1];
    return std::span(runs).subspan(first, ends[n] - first);
  }
  /// Keeps its memory.
  void clear();
};

/// Why there is no plan. Of an interior miss (not_cached), and of an entry of another size
/// (wrong_size), all of it is said; otherwise request and step alone.
struct GatherError {
  Error error = Error::none;
  StepNumber step = 0;
  RequestHandle request;
  InputId input = 0;
  HashHandle hash;
  bool is_draft = false;  ///< the drafter's plan
  [[nodiscard]] bool ok() const { return error == Error::none; }
  bool operator==(const GatherError&) const = default;
};

/// "step 7, request 3 (generation 1), input 2, hash 5 (generation 1), target: not_cached: ..."
[[nodiscard]] std::string to_string(const GatherError& error);

/// Writes the plan of a step over `plan` (`EncoderRunner.gather_mm_embeddings`)
/// [spec: GatherTarget, GatherDraft]. A window needs the entry of each feature that has an
/// embedding in it. It may be absent, or another's, only for the drafter, and only of a boundary
/// feature: one that starts at or behind start + tokens, where the target's window ends.
///
/// O(runs of the plan), and for each window O(log runs of its request) and O(log runs) for each of
/// its features. No allocation once `plan` was as large.
/// Errors, which leave `plan` empty: size_out_of_range if a start, a number of tokens, their sum
/// over the windows, or the look-ahead is negative or above `largest_size`; not_cached for an
/// interior miss; wrong_size if the entry has not as many rows as the feature has embeddings.
[[nodiscard]] GatherError plan_gather(const GatherCall& call, GatherPlan& plan);

}  // namespace holdfast
