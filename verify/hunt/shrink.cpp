#include "verify/hunt/shrink.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace holdfast::verify::hunt {
namespace {

class Shrinking {
 public:
  Shrinking(const Genes& genes, const Bounds& bounds, const Cost& cost)
      : genes_(genes), bounds_(bounds), cost_(cost), least_(cost(genes).value_or(0)) {}

  Genes run() {
    do {
      while (drop_requests() | drop_features() | clear() | lower() | trade()) {
      }
    } while (wander());
    return genes_;
  }

 private:
  /// Takes what costs less; `sideways`: or as much.
  bool take(Genes candidate, bool sideways = false) {
    candidate = bounds_.inside(candidate);
    if (candidate == genes_) return false;
    const auto cost = cost_(candidate);
    if (!cost || *cost > least_ || (*cost == least_ && !sideways)) return false;
    genes_ = candidate;
    least_ = *cost;
    return true;
  }

  bool drop_requests() {
    bool any = false;
    auto& count = genes_[place_of(OfScript::requests)];
    for (std::size_t r = count + 1U; r-- > 0 && count > 0;) {
      Genes fewer = genes_;
      for (std::size_t q = r; q < most_requests; ++q)
        for (std::size_t n = 0; n < genes_of_a_request; ++n)
          fewer[place_of(q, OfRequest{}) + n] =
              q + 1 < most_requests ? genes_[place_of(q + 1, OfRequest{}) + n] : 0;
      --fewer[place_of(OfScript::requests)];
      any |= take(fewer);
    }
    return any;
  }

  bool drop_features() {
    bool any = false;
    for (std::size_t r = 0; r < most_requests; ++r)
      for (std::size_t i = genes_[place_of(r, OfRequest::features)]; i-- > 0;) {
        Genes fewer = genes_;
        for (std::size_t j = i; j < most_features; ++j)
          for (std::size_t n = 0; n < feature_genes.size(); ++n)
            fewer[place_of(r, j, OfFeature{}) + n] =
                j + 1 < most_features ? genes_[place_of(r, j + 1, OfFeature{}) + n] : 0;
        --fewer[place_of(r, OfRequest::features)];
        any |= take(fewer);
      }
    return any;
  }

  bool clear() {
    bool any = false;
    for (std::size_t place = 0; place < genes_.size(); ++place) {
      if (genes_[place] == 0) continue;
      Genes cleared = genes_;
      cleared[place] = 0;
      any |= take(cleared);
    }
    return any;
  }

  bool lower() {
    bool any = false;
    for (std::size_t place = 0; place < genes_.size(); ++place)
      while (genes_[place] > 1) {
        Genes lower = genes_;
        --lower[place];
        if (!take(lower)) break;
        any = true;
      }
    return any;
  }

  /// Two genes down together, or one up where that lets another go.
  bool trade() {
    for (std::size_t a = 0; a < genes_.size(); ++a) {
      if (genes_[a] == 0) continue;
      for (std::size_t b = 0; b < genes_.size(); ++b) {
        if (a == b) continue;
        Genes both = genes_;
        --both[a];
        if (genes_[b] > 0) {
          --both[b];
          if (take(both)) return true;
        }
        if (genes_[a] < 2 || genes_[b] >= bounds_.most(genes_, b)) continue;
        both = genes_;
        both[a] = 0;
        ++both[b];
        if (take(both)) return true;
      }
    }
    return false;
  }

  /// Sideways, at random, in the hope of a way down.
  bool wander() {
    const auto before = least_;
    const auto below = [this](std::size_t n) {
      return static_cast<std::size_t>((random_() >> 11U) % n);
    };
    for (int tries = 0; tries < most_tries; ++tries) {
      Genes other = genes_;
      for (std::size_t changes = 2 + below(3); changes-- > 0;) {
        const std::size_t place = below(other.size());
        if (const int most = bounds_.most(other, place); most > 0)
          other[place] = static_cast<std::uint8_t>(below(static_cast<std::size_t>(most) + 1));
      }
      if (take(other, true) && least_ < before) return true;
    }
    return false;
  }

  static constexpr int most_tries = 20'000;

  Genes genes_;
  const Bounds& bounds_;
  const Cost& cost_;
  std::uint64_t least_;
  std::mt19937_64 random_;
};

}  // namespace

Genes shrink(const Genes& genes, const Bounds& bounds, const Cost& cost) {
  return Shrinking(genes, bounds, cost).run();
}

}  // namespace holdfast::verify::hunt
