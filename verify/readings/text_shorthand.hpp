// Formulas with a name. What the spec's rules ask again and again is a function there; a reader is
// told once what it means, and finds its name wherever the formula would stand.
#pragma once

#include <string>
#include <vector>

#include "verify/readings/text_effects.hpp"
#include "verify/readings/text_terms.hpp"

namespace holdfast::verify::inline readings::text {

/// `name(parameters)` is written for `meaning`, whatever terms stand for its parameters. Nothing is
/// written for a meaning in which one does not occur.
struct Shorthand {
  std::string name;
  std::vector<Term> parameters;  ///< made by named()
  Term meaning;
};

/// `name` is written where these statements stand one after the other.
struct EffectShorthand {
  std::string name;
  Effect meaning;
};

/// t with every `from` replaced.
Term replace(const Term& t, const Term& from, const Term& to);

/// t with names for what has one, those of `all` in their order: a later one may mean an earlier
/// one.
Term fold(Term t, const std::vector<Shorthand>& all);
Effect fold(Effect effect, const std::vector<Shorthand>& all,
            const std::vector<EffectShorthand>& effects);

}  // namespace holdfast::verify::inline readings::text
