#include "verify/hunt/cause.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "verify/hunt/outcome.hpp"

namespace holdfast::verify::hunt {

spec::Profile without(spec::Profile profile, const Variants& variants) {
  for (const auto* v : variants) v->reset(profile);
  return profile;
}

std::optional<std::uint64_t> steps_to(const Script& script, const spec::Profile& profile,
                                      std::string_view property) {
  Watch watch;
  watch.until = property;
  const auto outcome = run_script(script, profile, watch);
  const auto* broken = outcome.find(property);
  return broken != nullptr ? std::optional(broken->steps) : std::nullopt;
}

bool breaks(const Script& script, const spec::Profile& profile, std::string_view property) {
  return steps_to(script, profile, property).has_value();
}

std::optional<Cause> cause_of(const Script& script, const spec::Profile& profile,
                              std::string_view property) {
  const auto all = spec::variants_in(profile);
  if (breaks(script, without(profile, all), property)) return std::nullopt;
  for (std::size_t size = 1; size <= all.size(); ++size) {
    std::optional<Cause> found;
    for (std::uint32_t chosen = 0; chosen < 1U << all.size(); ++chosen) {
      if (static_cast<std::size_t>(std::popcount(chosen)) != size) continue;
      Cause cause;
      for (std::size_t n = 0; n < all.size(); ++n)
        if ((chosen >> n & 1U) != 0) cause.variants.push_back(all[n]);
      if (breaks(script, without(profile, cause.variants), property)) continue;
      cause.is_enough = breaks(script, with_only(cause.variants), property);
      if (cause.is_enough) return cause;
      if (found)
        found->likewise.push_back(std::move(cause.variants));
      else
        found = std::move(cause);
    }
    if (found) return found;
  }
  return std::nullopt;
}

spec::Profile with_only(const Variants& variants) {
  spec::Profile profile;
  for (const auto* v : variants) v->set(profile);
  return profile;
}

}  // namespace holdfast::verify::hunt
