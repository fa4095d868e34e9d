#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::verify::inline base {

/// The name with the smallest edit distance to `word` (a swap of neighbours counts as one edit), or
/// an empty string where none is near enough to be what was meant. Ties go to the earlier name.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// "unknown fault 'stale-notic'; did you mean 'stale-notice'?", with `kind` = "fault". Where no
/// name is near it lists the names when there are a few, and otherwise points to `holdfast list`.
std::string unknown_name(std::string_view kind, std::string_view word,
                         const std::vector<std::string>& names);

}  // namespace holdfast::verify::inline base
