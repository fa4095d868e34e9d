// How two profiles, or two sets of assumptions, differ: rule by rule, in the rules' own text.
#pragma once

#include <string>
#include <vector>

#include "verify/book/rule_text.hpp"

namespace holdfast::verify::book {

/// Lines of `before` and `after` as "- ", "+ " or "  ": what changed, and a line around it.
std::vector<std::string> diff(const std::vector<std::string>& before,
                              const std::vector<std::string>& after);

/// One change, and the rules that it is made in, or the shorthand.
struct Change {
  std::vector<std::string> rules;
  std::string shorthand;
  std::vector<std::string> lines;  ///< empty: the rule is never taken any more
};

std::vector<Change> changes(const ManagerText& before, const ManagerText& after);

}  // namespace holdfast::verify::book
