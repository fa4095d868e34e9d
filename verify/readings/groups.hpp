// Features of a request whose spans overlap form a group: what the configuration says of each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::verify::inline readings {

struct Group {
  bool grouped = false;     ///< of more than one
  std::int64_t start = 0;   ///< of the group
  std::int64_t end = 0;     ///< of the group
  std::int64_t embeds = 0;  ///< of the feature and those after it in the group
};

/// One a feature, in their order; a feature has `start`, `end` and `embeds`. Spans that are not
/// sorted by position are grouped all the same. An encoder-decoder request needs its inputs
/// `all_at_once`: they are one group.
template <class Feature>
std::vector<Group> groups_of(const std::vector<Feature>& features, bool all_at_once = false) {
  std::vector<Group> groups;
  for (const auto& f : features) groups.push_back({false, f.start, f.end, f.embeds});
  // Who needs everything at once has spans that overlap, as it were, from the first to the last.
  if (all_at_once && groups.size() > 1) {
    Group whole = groups.front();
    for (const auto& group : groups) {
      whole.start = std::min(whole.start, group.start);
      whole.end = std::max(whole.end, group.end);
    }
    for (auto& group : groups) group = {true, whole.start, whole.end, group.embeds};
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (std::size_t j = 0; j < groups.size(); ++j) {
        auto& a = groups[i];
        const auto& b = groups[j];
        if (i == j || a.end <= b.start || b.end <= a.start) continue;
        const Group joined{true, std::min(a.start, b.start), std::max(a.end, b.end), a.embeds};
        changed |= joined.start != a.start || joined.end != a.end || !a.grouped;
        a = joined;
      }
  }
  for (std::size_t i = groups.size(); i-- > 0;)
    for (std::size_t j = i + 1; j < groups.size(); ++j)
      if (groups[j].start == groups[i].start) {
        groups[i].embeds += groups[j].embeds;
        break;
      }
  return groups;
}

}  // namespace holdfast::verify::inline readings
