// Random features, and what a mask means, token by token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "impl/include/holdfast/mask.hpp"
#include "impl/include/holdfast/request_features.hpp"

namespace holdfast::impl {

struct Dice {
  std::mt19937_64 engine;

  std::int64_t in(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine);
  }
  bool one_in(std::int64_t n) { return in(1, n) == 1; }
};

/// By offset in the span: whether there is an embedding.
using Bits = std::vector<bool>;

/// Everywhere, nowhere but at the ends, every second, or at random.
inline Bits random_bits(Dice& dice, std::size_t length) {
  Bits bits(length, true);
  const std::int64_t kind = dice.in(0, 3);
  for (std::size_t p = 0; p < length; ++p) {
    if (kind == 1) bits[p] = p == 0 || p + 1 == length;
    if (kind == 2) bits[p] = p % 2 == 0;
    if (kind == 3) bits[p] = dice.one_in(2);
  }
  return bits;
}

/// Cuts runs at random, so that some of them meet.
inline std::vector<MaskRun> runs_of(Dice& dice, const Bits& bits) {
  std::vector<MaskRun> runs;
  for (std::size_t p = 0; p < bits.size(); ++p) {
    if (!bits[p]) continue;
    const auto first = static_cast<Tokens>(p);
    if (!runs.empty() && runs.back().first + runs.back().count == first && !dice.one_in(4))
      ++runs.back().count;
    else
      runs.push_back({first, 1});
  }
  return runs;
}

/// A feature, and its mask bit by bit.
struct PlainFeature {
  HashHandle hash;
  Tokens start = 0;
  Bits bits;

  [[nodiscard]] Tokens end() const { return start + static_cast<Tokens>(bits.size()); }
  [[nodiscard]] bool has(Tokens position) const {
    return position >= start && position < end() &&
           bits[static_cast<std::size_t>(position - start)];
  }
  [[nodiscard]] Embeds rows_before(Tokens position) const {
    Embeds rows = 0;
    for (Tokens p = start; p < position && p < end(); ++p) rows += has(p) ? 1 : 0;
    return rows;
  }
  [[nodiscard]] bool touches(Tokens from, Tokens to) const {
    for (Tokens p = from; p < to; ++p)
      if (has(p)) return true;
    return false;
  }
};

inline Mask mask_of(Dice& dice, const PlainFeature& feature) {
  return Mask::of_runs(feature.start, feature.end(), runs_of(dice, feature.bits)).value;
}

/// Up to six features whose spans may touch, overlap and nest; masks may share positions.
inline std::vector<PlainFeature> random_plain_features(Dice& dice, Tokens origin,
                                                       std::uint32_t hashes) {
  std::vector<PlainFeature> features(static_cast<std::size_t>(dice.in(0, 6)));
  Tokens start = origin;
  for (PlainFeature& f : features) {
    start += dice.in(0, 12);
    f.start = start;
    do f.bits = random_bits(dice, static_cast<std::size_t>(dice.in(1, 15)));
    while (!f.touches(f.start, f.end()));
    const auto hash = static_cast<std::uint32_t>(dice.in(0, hashes - 1));
    f.hash = {hash, 2 * hash + 1};
  }
  return features;
}

}  // namespace holdfast::impl
