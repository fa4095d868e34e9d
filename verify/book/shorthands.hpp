// What the book has names for: functions of the spec that many rules ask.
#pragma once

#include <vector>

#include "spec/profiles/profile.hpp"
#include "verify/readings/text_shorthand.hpp"

namespace holdfast::verify::book {

struct Shorthands {
  std::vector<text::Shorthand> formulas;  ///< a later one may mean an earlier one
  std::vector<text::EffectShorthand> effects;
};

/// The same names for every profile; what they mean may differ.
Shorthands shorthands(const spec::Profile& profile);

}  // namespace holdfast::verify::book
