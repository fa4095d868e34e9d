#include "verify/hunt/findings.hpp"

#include <algorithm>

#include "spec/catalogue.hpp"
#include "verify/hunt/shrink.hpp"

namespace holdfast::verify::hunt {
namespace {

/// How often a script is shrunk in vain for the same cause.
constexpr int most_tries = 5;

bool is_clean(const Script& script, const spec::Profile& profile) {
  Watch watch;
  return run_script(script, profile, watch).broken.empty();
}

/// What few systems do is told only where it must be.
std::uint64_t unusual(const Script& script) {
  std::uint64_t cost = (script.preempt_all > 0 ? 20U : 0U) + (script.reset > 0 ? 10U : 0U) +
                       (script.executes_late ? 5U : 0U);
  for (const auto& r : script.requests) cost += r.hit > 0 ? 20U : 0U;
  return cost;
}

/// Causes that would do for either, where none is enough.
std::vector<Variants> in_common(const Cause& a, const Cause& b) {
  auto common = a.likewise;
  common.insert(common.begin(), a.variants);
  std::erase_if(common, [&](const Variants& v) {
    return v != b.variants &&
           std::find(b.likewise.begin(), b.likewise.end(), v) == b.likewise.end();
  });
  return common;
}

/// Of several variants each of which breaks the property alone, one is looked at; `rest` is without
/// the others.
void take_one_alone(const Script& script, std::string_view property, Cause& cause,
                    spec::Profile& rest) {
  if (cause.variants.size() < 2) return;
  for (const auto* v : cause.variants) {
    if (!breaks(script, with_only({v}), property)) continue;
    auto others = cause.variants;
    std::erase(others, v);
    rest = without(rest, others);
    cause = {{v}, true, {}};
    return;
  }
}

/// Where the property is in the catalogue.
std::size_t rank(std::string_view property) {
  std::size_t n = 0, found = 0;
  const auto look = [&]<class P>() {
    ++n;
    if (found == 0 && P::info.name == property) found = n;
  };
  spec::DecoderOnly::Properties::each(look);
  spec::EncoderDecoder::Properties::each(look);
  return found;
}

}  // namespace

void Findings::consider(const Genes& genes, const Outcome& outcome) {
  for (const auto& broken : outcome.broken)
    if (options_.property.empty() || options_.property == broken.property)
      consider(genes, broken.property);
}

spec::Profile Findings::relieved() {
  const std::scoped_lock lock(mutex_);
  return relieved_;
}

std::size_t Findings::count() {
  const std::scoped_lock lock(mutex_);
  return found_.size();
}

std::vector<Finding> Findings::take() {
  std::stable_sort(found_.begin(), found_.end(), [](const Finding& a, const Finding& b) {
    return rank(a.property) < rank(b.property);
  });
  return std::move(found_);
}

void Findings::consider(const Genes& genes, std::string_view property) {
  const spec::Profile& whole = options_.profile;
  const Script script = script_of(genes);
  if (!breaks(script, whole, property)) return;
  spec::Profile rest = whole;
  Target target{property, {}, {whole}};
  bool has_part = false;  // something known has a part in it
  for (const auto& known : causes_known_for(property)) {
    const auto less = without(rest, known.variants);
    if (breaks(script, less, property)) {
      rest = less;
      target.profiles.push_back(without(whole, known.variants));
      continue;
    }
    if (known.is_enough && breaks(script, with_only(known.variants), property)) return;
    has_part = true;
  }
  if (spec::variants_in(whole).empty()) return keep({property, {}, shrink_for(genes, target)});
  auto cause = cause_of(script, rest, property);
  if (!cause || (has_part && !cause->is_enough)) return;
  take_one_alone(script, property, *cause, rest);
  target.cause = *cause;
  auto small = genes;
  if (!cost_of(small, target)) {
    // Something known breaks the property too. Where that can't be got rid of, other scripts will
    // do.
    if (!may_try(property, cause->variants)) return;
    small = shrink_for(small, {property, *cause, {rest}});
  }
  if (!cost_of(small, target)) return;
  small = shrink_for(small, target);
  const auto fewer = cause_of(script_of(small), whole, property);
  keep({property, fewer && fewer->variants.size() < cause->variants.size() ? *fewer : *cause,
        small});
}

Genes Findings::shrink_for(const Genes& genes, const Target& target) const {
  return shrink(genes, options_.bounds, [&](const Genes& g) { return cost_of(g, target); });
}

std::optional<std::uint64_t> Findings::cost_of(const Genes& genes, const Target& target) {
  const Script script = script_of(genes);
  const auto does = [&](const spec::Profile& profile) {
    return breaks(script, profile, target.property);
  };
  const auto& cause = target.cause;
  const auto steps = steps_to(script, target.profiles.front(), target.property);
  if (!steps) return std::nullopt;
  if (!cause.variants.empty() && does(without(target.profiles.front(), cause.variants)))
    return std::nullopt;
  if (cause.is_enough && !does(with_only(cause.variants))) return std::nullopt;
  if (!std::all_of(target.profiles.begin() + 1, target.profiles.end(), does)) return std::nullopt;
  if (!cause.variants.empty() && !is_clean(script, spec::Profile{})) return std::nullopt;
  return *steps + static_cast<std::uint64_t>(size_of(genes)) + unusual(script);
}

std::vector<Cause> Findings::causes_known_for(std::string_view property) {
  const std::scoped_lock lock(mutex_);
  std::vector<Cause> known;
  for (const auto& f : found_)
    if (f.property == property) known.push_back(f.cause);
  return known;
}

bool Findings::may_try(std::string_view property, const Variants& cause) {
  const std::scoped_lock lock(mutex_);
  return ++tries_[{property, cause}] <= most_tries;
}

void Findings::keep(const Finding& finding) {
  const std::scoped_lock lock(mutex_);
  const auto is_same = [&](const Finding& f) {
    return f.property == finding.property && f.cause.variants == finding.cause.variants &&
           (f.cause.is_enough || !finding.cause.is_enough);
  };
  if (std::any_of(found_.begin(), found_.end(), is_same) || merge(finding)) return;
  const auto rest = without(options_.profile, finding.cause.variants);
  // What has only a part in something is no cause of its own once there is a cause for it.
  std::erase_if(found_, [&](const Finding& f) {
    return f.property == finding.property && finding.cause.is_enough && !f.cause.is_enough &&
           !breaks(script_of(f.genes), rest, f.property);
  });
  found_.push_back(finding);
  relieve();
}

/// Of two findings, neither with a cause that is enough, that would have one in common, that is the
/// cause.
bool Findings::merge(const Finding& finding) {
  if (finding.cause.is_enough) return false;
  for (auto& known : found_) {
    if (known.property != finding.property || known.cause.is_enough) continue;
    const auto common = in_common(known.cause, finding.cause);
    if (common.empty()) continue;
    if (size_of(finding.genes) < size_of(known.genes)) known.genes = finding.genes;
    known.cause = {common.front(), false, {common.begin() + 1, common.end()}};
    relieve();
    return true;
  }
  return false;
}

void Findings::relieve() {
  relieved_ = options_.profile;
  for (const auto& f : found_) relieved_ = without(relieved_, f.cause.variants);
}

}  // namespace holdfast::verify::hunt
