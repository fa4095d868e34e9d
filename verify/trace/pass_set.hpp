#pragma once

#include <cstdint>
#include <iterator>
#include <map>

#include "spec/require.hpp"

namespace holdfast::verify::trace {

/// A set of pass numbers kept as intervals: a scenario that only drives the manager executes none
/// of its passes, and must not cost memory for each of them.
class PassSet {
 public:
  [[nodiscard]] bool contains(std::int64_t pass) const {
    const auto after = intervals_.upper_bound(pass);
    return after != intervals_.begin() && std::prev(after)->second >= pass;
  }

  /// Requires: not contained.
  void insert(std::int64_t pass) {
    HOLDFAST_REQUIRE(!contains(pass), "a pass that is not in the set");
    std::int64_t first = pass;
    std::int64_t last = pass;
    const auto after = intervals_.upper_bound(pass);
    if (after != intervals_.end() && after->first == pass + 1) last = after->second;
    if (after != intervals_.begin() && std::prev(after)->second == pass - 1) {
      first = std::prev(after)->first;
    }
    if (last != pass) intervals_.erase(pass + 1);
    intervals_[first] = last;
  }

  /// Requires: contained.
  void erase(std::int64_t pass) {
    HOLDFAST_REQUIRE(contains(pass), "a pass that is in the set");
    const auto interval = std::prev(intervals_.upper_bound(pass));
    const auto [first, last] = *interval;
    intervals_.erase(interval);
    if (first < pass) intervals_[first] = pass - 1;
    if (pass < last) intervals_[pass + 1] = last;
  }

 private:
  std::map<std::int64_t, std::int64_t> intervals_;  // first -> last, disjoint, not adjacent
};

}  // namespace holdfast::verify::trace
