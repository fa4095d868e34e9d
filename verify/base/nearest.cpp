#include "verify/base/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace holdfast::verify::inline base {
namespace {

/// Insertions, deletions, substitutions and swaps of neighbours, each once per place.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t substituted = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[to.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::size_t best = std::numeric_limits<std::size_t>::max();
  const std::string* found = nullptr;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best) {
      best = distance;
      found = &name;
    }
  }
  // Past a third of the word it is no longer a slip of the finger.
  if (found == nullptr || best > std::max<std::size_t>(2, word.size() / 3) ||
      best >= std::max(word.size(), found->size())) {
    return {};
  }
  return *found;
}

std::string unknown_name(std::string_view kind, std::string_view word,
                         const std::vector<std::string>& names) {
  constexpr std::size_t few = 6;
  if (const std::string meant = nearest(word, names); !meant.empty()) {
    return fmt::format("unknown {} '{}'; did you mean '{}'?", kind, word, meant);
  }
  if (names.size() <= few) {
    return fmt::format("unknown {} '{}'; there are: {}", kind, word, fmt::join(names, ", "));
  }
  return fmt::format("unknown {} '{}'; there are {} of them, `holdfast list` names them", kind,
                     word, names.size());
}

}  // namespace holdfast::verify::inline base
