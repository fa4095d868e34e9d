#include "holdfast/request_features.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace holdfast {

namespace {

Tokens end_of(const Piece& piece) { return piece.position + piece.rows; }

/// The runs of all features, feature by feature.
std::vector<Piece> runs_of(const std::vector<MaskedFeature>& features) {
  std::vector<Piece> runs;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Mask& mask = features[i].mask;
    mask.each_run(mask.start(), mask.end(), [&](Tokens position, Embeds row, Embeds rows) {
      runs.push_back({position, row, rows, static_cast<InputId>(i)});
    });
  }
  return runs;
}

/// Adds the part [from, to) of a run.
void add_part(std::vector<Piece>& pieces, const Piece& run, Tokens from, Tokens to) {
  const Piece part{from, run.row + (from - run.position), to - from, run.input};
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.input == part.input && end_of(last) == from && last.row + last.rows == part.row) {
      last.rows += part.rows;
      return;
    }
  }
  pieces.push_back(part);
}

/// At each position the run of the last feature that has one there. `open` is a heap of the runs
/// that have begun, the last feature's first.
std::vector<Piece> topmost(std::vector<Piece> runs) {
  std::ranges::sort(runs, {}, &Piece::position);
  std::vector<Piece> pieces, open;
  std::size_t next = 0;
  Tokens at = 0;
  while (next < runs.size() || !open.empty()) {
    if (open.empty()) at = runs[next].position;
    for (; next < runs.size() && runs[next].position == at; ++next) {
      open.push_back(runs[next]);
      std::ranges::push_heap(open, {}, &Piece::input);
    }
    const Tokens change =
        next < runs.size() ? runs[next].position : std::numeric_limits<Tokens>::max();
    if (const Tokens end = std::min(change, end_of(open.front())); end > at) {
      add_part(pieces, open.front(), at, end);
      at = end;
    }
    while (!open.empty() && end_of(open.front()) <= at) {
      std::ranges::pop_heap(open, {}, &Piece::input);
      open.pop_back();
    }
  }
  return pieces;
}

}  // namespace

Result<RequestFeatures> RequestFeatures::of(std::vector<MaskedFeature> features) {
  RequestFeatures made;
  made.reach_.reserve(features.size());
  bool overlap = false;
  Tokens start = 0;
  for (const auto& [hash, mask] : features) {
    if (mask.start() < start || mask.end() <= mask.start()) return Error::bad_feature;
    start = mask.start();
    overlap = overlap || start < made.end();
    made.reach_.push_back(std::max(made.end(), mask.end()));
  }
  made.pieces_ = runs_of(features);
  if (overlap) made.pieces_ = topmost(std::move(made.pieces_));
  made.features_ = std::move(features);
  return made;
}

std::size_t RequestFeatures::first_reaching_behind(Tokens position) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(reach_, position) - reach_.begin());
}

std::span<const Piece> RequestFeatures::pieces_from(Tokens position) const {
  const auto first = std::ranges::partition_point(
      pieces_, [position](const Piece& piece) { return end_of(piece) <= position; });
  return {first, pieces_.end()};
}

}  // namespace holdfast
