// The first reading, without size limits: rules over machine values, for replay and for tests.
//
// Requests and hashes are made and forgotten while the machine runs; quantifiers walk over those
// that exist, and what was forgotten had only default values, so that no rule can tell.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "spec/state.hpp"
#include "verify/readings/dynamic_maps.hpp"

namespace holdfast::verify::inline readings::dynamic {

/// `count` embedding positions from `first`, counted from the start of the feature.
struct MaskRun {
  Int first = 0;
  Int count = 0;
};

/// For whom a quantifier failed, outermost first: what a violation is about.
struct Witness {
  enum class Kind { request, hash, feature, step };
  Kind kind;
  Int value;
};

class Reading {
 public:
  using Bool = dynamic::Bool;
  using Int = dynamic::Int;
  using Request = dynamic::Request;
  using Hash = dynamic::Hash;
  template <class V>
  using Var = dynamic::Var<V>;
  template <class V, class... Keys>
  using Map = dynamic::Map<V, Keys...>;
  template <class... Keys>
  using SlotMap = dynamic::SlotMap<Keys...>;

  spec::Profile profile;
  spec::Assumptions assumptions;
  spec::Config<Reading> config;
  Universe universe;

  bool test(std::string_view, bool condition) { return condition; }
  void raises(std::string_view) {}
  bool implies(bool a, bool b) const { return !a || b; }
  Int ite(bool c, Int a, Int b) const { return c ? a : b; }
  Int min(Int a, Int b) const { return std::min(a, b); }

  bool touches(Request r, Int i, Int lo, Int hi) const { return embeddings_in(r, i, lo, hi) > 0; }
  /// How many embeddings of feature i of r lie in [lo, hi).
  Int embeddings_in(Request r, Int i, Int lo, Int hi) const;
  /// Calls f(first, count) for each run of embeddings, from the feature's start.
  template <class F>
  void each_run(Request r, Int i, F&& f) const;
  void set_mask(Request r, Int i, std::vector<MaskRun> runs);
  void forget_masks(Request r);

  template <class F>
  bool all_requests(F&& f) const {
    return all_of(universe.all<spec::RequestSort>(), Witness::Kind::request, f);
  }
  template <class F>
  bool all_hashes(F&& f) const {
    return all_of(universe.all<spec::HashSort>(), Witness::Kind::hash, f);
  }
  template <class F>
  bool all_features(Request r, F&& f) const {
    return all_between(0, config.features(r), Witness::Kind::feature, f);
  }
  template <class F>
  bool any_feature(Request r, F&& f) const {
    for (Int i = 0; i < config.features(r); ++i)
      if (f(i)) return true;
    return false;
  }
  /// Beyond the last feature of every request all values are defaults.
  template <class F>
  bool all_indices(F&& f) const {
    Int most = 0;
    for (const auto r : universe.all<spec::RequestSort>())
      most = std::max(most, config.features(r));
    return all_between(0, most, Witness::Kind::feature, f);
  }
  template <class F>
  bool all_steps(Int after, Int upto, F&& f) const {
    return all_between(after + 1, upto + 1, Witness::Kind::step, f);
  }

  /// Of the formula evaluated last, if a quantifier made it false.
  [[nodiscard]] std::vector<Witness> witness() const { return {trail_.rbegin(), trail_.rend()}; }
  void clear_witness() const { trail_.clear(); }

 private:
  template <class Names, class F>
  bool all_of(const Names& names, Witness::Kind kind, F& f) const {
    for (const auto name : names) {
      trail_.clear();
      if (!f(name)) return fails(kind, name.id);
    }
    trail_.clear();
    return true;
  }
  template <class F>
  bool all_between(Int first, Int end, Witness::Kind kind, F& f) const {
    for (Int x = first; x < end; ++x) {
      trail_.clear();
      if (!f(x)) return fails(kind, x);
    }
    trail_.clear();
    return true;
  }
  bool fails(Witness::Kind kind, Int value) const {
    trail_.push_back({kind, value});
    return false;
  }

  std::vector<std::vector<std::vector<MaskRun>>> masks_;  // by request and feature; empty: all
  mutable std::vector<Witness> trail_;
};

static_assert(spec::Domain<Reading>);

using Config = spec::Config<Reading>;
using State = spec::State<Reading>;

inline Int Reading::embeddings_in(Request r, Int i, Int lo, Int hi) const {
  const Int start = config.start(r, i);
  lo = std::max(lo, start) - start;
  hi = std::min(hi, config.end(r, i)) - start;
  if (lo >= hi) return 0;
  const auto n = static_cast<std::size_t>(r.id);
  if (n >= masks_.size() || static_cast<std::size_t>(i) >= masks_[n].size()) return hi - lo;
  const auto& runs = masks_[n][static_cast<std::size_t>(i)];
  if (runs.empty()) return hi - lo;
  auto run = std::partition_point(runs.begin(), runs.end(),
                                  [lo](const MaskRun& m) { return m.first + m.count <= lo; });
  Int found = 0;
  for (; run != runs.end() && run->first < hi; ++run)
    found += std::min(hi, run->first + run->count) - std::max(lo, run->first);
  return found;
}

template <class F>
void Reading::each_run(Request r, Int i, F&& f) const {
  const auto n = static_cast<std::size_t>(r.id), m = static_cast<std::size_t>(i);
  if (n >= masks_.size() || m >= masks_[n].size() || masks_[n][m].empty())
    return f(Int{0}, config.end(r, i) - config.start(r, i));
  for (const auto& run : masks_[n][m]) f(run.first, run.count);
}

inline void Reading::set_mask(Request r, Int i, std::vector<MaskRun> runs) {
  const auto n = static_cast<std::size_t>(r.id);
  if (masks_.size() <= n) masks_.resize(n + 1);
  if (masks_[n].size() <= static_cast<std::size_t>(i))
    masks_[n].resize(static_cast<std::size_t>(i) + 1);
  masks_[n][static_cast<std::size_t>(i)] = std::move(runs);
}

inline void Reading::forget_masks(Request r) {
  const auto n = static_cast<std::size_t>(r.id);
  if (n < masks_.size()) masks_[n] = {};
}

}  // namespace holdfast::verify::inline readings::dynamic
