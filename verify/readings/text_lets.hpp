// Letters for what a rule says often.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verify/readings/text_effects.hpp"

namespace holdfast::verify::inline readings::text {

/// A letter for a term that occurs often, with the value that the term has when the rule begins.
struct Let {
  std::string letter;
  Term term;
};

/// The letters that make a rule with this guard and effect shorter, those of `taken` left out.
std::vector<Let> find_lets(const Term& guard, const Effect& effect, std::set<std::string> taken);
/// The same for a formula.
std::vector<Let> find_lets(const Term& formula);

}  // namespace holdfast::verify::inline readings::text
