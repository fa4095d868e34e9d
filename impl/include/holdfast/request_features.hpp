// The features of a request as the worker sees them: which hash has which positions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "holdfast/mask.hpp"
#include "holdfast/types.hpp"

namespace holdfast {

/// A feature of a request (`MultiModalFeatureSpec`).
struct MaskedFeature {
  HashHandle hash;
  Mask mask;
};

/// Positions of a request that follow each other and whose embeddings are rows of one feature's
/// encoder output that follow each other.
struct Piece {
  Tokens position = 0;
  Embeds row = 0;   ///< the first row of the encoder output
  Embeds rows = 0;  ///< and positions
  InputId input = 0;
  bool operator==(const Piece&) const = default;
};

/// The features of a request, in the order of their positions, and the rows at each of its
/// positions.
///
/// Spans of features may overlap (a group: the audio in a video). The masks of a group should be
/// disjoint; at a position where several features have a row, that of the last of them is taken, so
/// that a position never has two.
class RequestFeatures {
 public:
  /// A request without features.
  RequestFeatures() = default;

  /// The number of a feature is its place in `features` (`input_id`).
  /// O(runs), or O(runs log runs) where spans overlap.
  /// Errors: bad_feature if a feature starts before the one in front of it, or has an empty span.
  [[nodiscard]] static Result<RequestFeatures> of(std::vector<MaskedFeature> features);

  [[nodiscard]] std::size_t size() const { return features_.size(); }
  [[nodiscard]] const MaskedFeature& operator[](InputId i) const { return features_[i]; }
  /// Where the last span ends: no later position has an embedding.
  [[nodiscard]] Tokens end() const { return reach_.empty() ? 0 : reach_.back(); }
  /// The rows of the request, by position; they share none.
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }

  /// Those that end behind `position`. O(log pieces).
  [[nodiscard]] std::span<const Piece> pieces_from(Tokens position) const;

  /// Calls f(input id) for each feature that has an embedding in [from, to) [spec: touches], in
  /// order, until f returns false; whether it never did. O(log features + features of the window,
  /// each log runs).
  template <class F>
  bool each_touching(Tokens from, Tokens to, F&& f) const {
    if (from >= to || from >= end()) return true;
    for (std::size_t i = first_reaching_behind(from); i < size(); ++i) {
      const Mask& mask = features_[i].mask;
      if (mask.start() >= to) break;
      if (mask.touches(from, to) && !f(static_cast<InputId>(i))) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] std::size_t first_reaching_behind(Tokens position) const;

  // Representation: `reach_[i]` is the largest end of features 0 to i, so that it never falls,
  // though the ends of nested spans do. `pieces_` are sorted and disjoint, and no two of them can
  // be one.
  std::vector<MaskedFeature> features_;
  std::vector<Tokens> reach_;
  std::vector<Piece> pieces_;
};

}  // namespace holdfast
