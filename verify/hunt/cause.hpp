// Why a script breaks a property: which of the profile's variants it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "spec/profiles/variants.hpp"
#include "verify/hunt/script.hpp"

namespace holdfast::verify::hunt {

/// Variants of a profile, in the order of the registry.
using Variants = std::vector<const spec::Variant*>;

/// The profile with the way of `holdfast` in place of those.
spec::Profile without(spec::Profile profile, const Variants& variants);

/// The small steps in which the script breaks the property under the profile; none if it does not.
std::optional<std::uint64_t> steps_to(const Script& script, const spec::Profile& profile,
                                      std::string_view property);
bool breaks(const Script& script, const spec::Profile& profile, std::string_view property);

/// Why a script breaks a property.
struct Cause {
  Variants variants;       ///< without them it does not; no fewer would do
  bool is_enough = false;  ///< `holdfast` with nothing but them breaks it too
  std::vector<Variants>
      likewise;  ///< where nothing is enough: as few others without which it does not
};

/// Where there are several, one that is enough, and of those the first in the registry. None if the
/// script breaks the property even without any. Requires that it does with all.
std::optional<Cause> cause_of(const Script& script, const spec::Profile& profile,
                              std::string_view property);

/// `holdfast` with those variants.
spec::Profile with_only(const Variants& variants);

}  // namespace holdfast::verify::hunt
