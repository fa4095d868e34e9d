// Features of a request whose spans overlap form a group: what the configuration says of each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::verify {

struct Span {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t embeds = 0;
};

struct Group {
  bool grouped = false;      ///< of more than one
  std::int64_t start = 0;    ///< of the group
  std::int64_t end = 0;      ///< of the group
  std::int64_t embeds = 0;   ///< of the feature and those after it in the group
};

/// One a feature, in their order. Spans that are not sorted by position are grouped all the same. An
/// encoder-decoder request needs its inputs `all_at_once`: they are one group.
inline std::vector<Group> groups_of(const std::vector<Span>& spans, bool all_at_once = false) {
  std::vector<Group> groups;
  for (const auto& s : spans) groups.push_back({false, s.start, s.end, s.embeds});
  if (all_at_once && spans.size() > 1)
    for (auto& group : groups) {
      group.grouped = true;
      group.start = std::min_element(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.start < b.start; })->start;
      group.end = std::max_element(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.end < b.end; })->end;
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

}  // namespace holdfast::verify
