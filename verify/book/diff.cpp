#include "verify/book/diff.hpp"

#include <algorithm>

#include "verify/book/markdown.hpp"

namespace holdfast::verify::book {

namespace {

std::vector<std::string> plain(const RuleText& rule) {
  std::vector<std::string> lines;
  for (const auto& conjunct : guard_lines(rule)) lines.push_back("when " + conjunct);
  add_plain(rule.printer.items(rule.effect), 0, lines);
  return lines;
}

/// Only what is within a line of a change; a gap is a line of its own.
std::vector<std::string> around_changes(const std::vector<std::string>& all) {
  const auto changed = [&](std::size_t n) { return n < all.size() && all[n][0] != ' '; };
  std::vector<std::string> kept;
  bool gap = false;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (changed(n) || changed(n + 1) || (n > 0 && changed(n - 1))) {
      if (gap && !kept.empty()) kept.emplace_back("  ...");
      kept.push_back(all[n]);
      gap = false;
    } else {
      gap = true;
    }
  }
  return kept;
}

}  // namespace

std::vector<std::string> diff(const std::vector<std::string>& before,
                              const std::vector<std::string>& after) {
  // common[m][n]: length of the longest common subsequence of the rests from m and n.
  std::vector<std::vector<std::size_t>> common(before.size() + 1,
                                               std::vector<std::size_t>(after.size() + 1, 0));
  for (std::size_t m = before.size(); m-- > 0;)
    for (std::size_t n = after.size(); n-- > 0;)
      common[m][n] = before[m] == after[n] ? common[m + 1][n + 1] + 1
                                           : std::max(common[m + 1][n], common[m][n + 1]);
  std::vector<std::string> all;
  std::size_t m = 0, n = 0;
  while (m < before.size() || n < after.size()) {
    if (m < before.size() && n < after.size() && before[m] == after[n]) {
      all.push_back("  " + before[m++]);
      ++n;
    } else if (m < before.size() && (n == after.size() || common[m + 1][n] >= common[m][n + 1])) {
      all.push_back("- " + before[m++]);
    } else {
      all.push_back("+ " + after[n++]);
    }
  }
  return around_changes(all);
}

std::vector<Change> changes(const ManagerText& before, const ManagerText& after) {
  std::vector<Change> all;
  for (std::size_t n = 0; n < before.shorthands.size(); ++n)
    if (const auto& old = before.shorthands[n]; old.lines != after.shorthands[n].lines)
      all.push_back({{}, old.name, diff(old.lines, after.shorthands[n].lines)});
  for (std::size_t n = 0; n < before.rules.size(); ++n) {
    const auto old_lines = plain(before.rules[n]), new_lines = plain(after.rules[n]);
    if (old_lines == new_lines) continue;
    Change change{{std::string(before.rules[n].info.name)}, {}, {}};
    if (!text::is_literal(after.rules[n].guard, "false")) change.lines = diff(old_lines, new_lines);
    const auto known = std::find_if(all.begin(), all.end(), [&](const Change& c) {
      return c.shorthand.empty() && c.lines == change.lines;
    });
    if (known == all.end())
      all.push_back(change);
    else
      known->rules.push_back(change.rules[0]);
  }
  return all;
}

}  // namespace holdfast::verify::book
