// Where the embeddings of a feature stand: at every position of its span, or at those of a mask.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

#include "holdfast/types.hpp"

namespace holdfast {

/// Positions of a mask that follow each other, from the start of the feature's span.
struct MaskRun {
  Tokens first = 0;
  Tokens count = 0;
  bool operator==(const MaskRun&) const = default;
};

/// The span [start, end) of a feature in its request's tokens, and which of its positions have an
/// embedding. The encoder output has a row for each of these, in their order. Positions are those
/// of the request, rows are counted from 0 (upstream: `PlaceholderRange`; `is_embed` is the mask,
/// `get_num_embeds` is `embeds()`, `get_embeds_indices_in_range` is `rows_before`).
///
/// Any bounds may be asked for: of a window the part inside the span counts, and one whose end is
/// not behind its beginning is empty. Costs are in runs, never in tokens.
class Mask {
 public:
  /// An empty span, which no feature has.
  Mask() = default;

  /// Every position of [start, end) has an embedding. O(1).
  /// Errors: size_out_of_range if not 0 <= start, end <= largest_size; bad_feature if end <= start.
  [[nodiscard]] static Result<Mask> whole(Tokens start, Tokens end);

  /// The positions of `runs` have one; no runs at all say every position. Runs that meet become
  /// one. O(runs). Errors: as `whole`, and bad_feature if a run is empty or leaves the span, or if
  /// the runs are out of order or overlap.
  [[nodiscard]] static Result<Mask> of_runs(Tokens start, Tokens end,
                                            std::span<const MaskRun> runs);

  [[nodiscard]] Tokens start() const { return start_; }
  [[nodiscard]] Tokens end() const { return end_; }
  /// Rows of the encoder output (`get_num_encoder_embeds`).
  [[nodiscard]] Embeds embeds() const { return embeds_; }
  [[nodiscard]] std::size_t runs() const { return edges_.empty() ? 1 : edges_.size() - 1; }

  /// Embeddings at positions of the span below `position`: the first row at or behind it.
  /// O(log runs).
  [[nodiscard]] Embeds rows_before(Tokens position) const {
    const Tokens p = std::clamp(position, start_, end_);
    if (edges_.empty()) return p - start_;
    const auto next = first_ending_behind(p);
    return next == last_edge() ? embeds_ : next->row + std::max<Tokens>(p - next->position, 0);
  }
  /// Embeddings in the window [from, to). O(log runs).
  [[nodiscard]] Embeds count(Tokens from, Tokens to) const {
    return from < to ? rows_before(to) - rows_before(from) : 0;
  }
  /// Whether the window [from, to) holds an embedding [spec: touches]. O(log runs).
  [[nodiscard]] bool touches(Tokens from, Tokens to) const {
    if (from >= to || from >= end_ || to <= start_) return false;
    return edges_.empty() || count(from, to) > 0;
  }
  /// Calls f(position, first row, rows) for each run, cut to the window [from, to), in order.
  /// O(log runs + those in the window).
  template <class F>
  void each_run(Tokens from, Tokens to, F&& f) const {
    from = std::max(from, start_);
    to = std::min(to, end_);
    if (from >= to) return;
    if (edges_.empty()) return f(from, from - start_, to - from);
    for (auto run = first_ending_behind(from); run != last_edge() && run->position < to; ++run) {
      const Tokens first = std::max(from, run->position), last = std::min(to, end_of(run));
      f(first, run->row + (first - run->position), last - first);
    }
  }

 private:
  /// Where a run begins: its first position, and its first row.
  struct Edge {
    Tokens position = 0;
    Embeds row = 0;
  };
  using Run = std::vector<Edge>::const_iterator;

  [[nodiscard]] Run last_edge() const { return edges_.end() - 1; }
  [[nodiscard]] static Tokens end_of(Run run) {
    return run->position + (std::next(run)->row - run->row);
  }
  /// The first run that has a position at or behind p.
  [[nodiscard]] Run first_ending_behind(Tokens p) const {
    const auto behind = std::upper_bound(
        edges_.begin(), last_edge(), p,
        [](Tokens position, const Edge& edge) { return position < edge.position; });
    if (behind == edges_.begin()) return behind;
    const auto before = std::prev(behind);
    return p < end_of(before) ? before : behind;
  }

  // Representation: where every position has an embedding there are no edges. Otherwise one for
  // each run, by position, each followed by a position without an embedding or by the end of the
  // span; and a last one {end, embeds}, so that the rows of a run are the difference to the next
  // edge.
  Tokens start_ = 0, end_ = 0;
  Embeds embeds_ = 0;
  std::vector<Edge> edges_;
};

}  // namespace holdfast
