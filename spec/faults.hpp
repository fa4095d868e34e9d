// Systems that break a property, each by a variant or two: the faults of the public history, and
// mutants for what none of them breaks.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "spec/catalogue.hpp"
#include "spec/profiles/releases.hpp"
#include "spec/profiles/variants.hpp"

namespace holdfast::spec {

/// A profile that differs from `holdfast` in one variant and breaks a property.
struct Fault {
  Profile profile;
  std::string_view property;                    ///< the one that `refute` breaks
  std::span<const std::string_view> also = {};  ///< others it breaks
  std::string_view rule;                        ///< the rule it lives in
  std::string_view reference;                   ///< public report

  /// Whose rules it changes.
  [[nodiscard]] constexpr Manager manager() const {
    return std::ranges::find_if(variants, [&](const Variant& v) { return v.is_in(profile); })
        ->manager;
  }
};

/// A profile of no release, for a property that no fault of the public history breaks: a property
/// that nothing can break would say nothing.
struct Mutant {
  Profile profile;
  std::string_view property;
};

inline constexpr std::array faults = {
    Fault{.profile = holdfast_with<Abort::kept>("abort-keeps-references"),
          .property = AllReturned::info.name,
          .also = names<Progress>,
          .rule = AbortRequest::info.name,
          .reference = "vLLM #12545"},
    Fault{.profile = holdfast_with<Duplicate::charged_twice>("duplicate-charged-twice"),
          .property = ExactSlots::info.name,
          .also = names<AllReturned>,
          .rule = Allocate::info.name,
          .reference = "vLLM #23544"},
    Fault{
        .profile = holdfast_with<Undone::never>(
            "waiting-keeps-references",
            "what a waiting request looked up stays referenced when there are no KV blocks for it"),
        .property = NoHoldAndWait::info.name,
        .also = names<Progress>,
        .rule = PutBack::info.name,
        .reference = "vLLM #31857"},
    Fault{.profile = holdfast_with<Release::at_schedule>("release-at-schedule"),
          .property = NoInteriorMiss::info.name,
          .also = names<NoFreedWhileReferenced>,
          .rule = ReleaseInput::info.name,
          .reference = "vLLM #38907"},
    Fault{.profile = holdfast_with<Release::optimistic>("release-optimistic"),
          .property = NoFreedWhileReferenced::info.name,
          .rule = ReleaseInput::info.name,
          .reference = "vLLM #45347"},
    Fault{.profile = holdfast_with<Lookahead::unplanned>("lookahead-unplanned"),
          .property = NoInteriorMiss::info.name,
          .rule = Skip::info.name,
          .reference = "vLLM #46315, #29750"},
    Fault{.profile = holdfast_with<Lookahead::no_fallback>("no-boundary-fallback"),
          .property = NoInteriorMiss::info.name,
          .rule = GatherDraft::info.name,
          .reference = "vLLM #46315"},
    Fault{.profile = holdfast_with<WholeItems::no_fallback>(
              "rollback-without-lookahead",
              "the chunk ends where an item starts that must not be split, and the drafter has no "
              "fallback"),
          .property = NoInteriorMiss::info.name,
          .rule = GatherDraft::info.name,
          .reference = "vLLM #34220"},
    Fault{.profile = with<Release::lookahead_margin, ClipTo::before_lookahead>(
              {}, "hold-past-end",
              "an input is held until the look-ahead has passed it, and the chunk ends as far "
              "before one that can't get in"),
          .property = Progress::info.name,
          .rule = ReleaseInput::info.name,
          .reference = "vllm-ascend #17195, vLLM #40707"},
    Fault{.profile = holdfast_with<Notice::every_eviction>("stale-notice"),
          .property = NoStaleNotice::info.name,
          .rule = EndPass::info.name,
          .reference = "vLLM #52482"},
    Fault{.profile = holdfast_with<Occurrence::first>("first-occurrence-frees"),
          .property = NoFreedWhileReferenced::info.name,
          .rule = ReleaseInput::info.name,
          .reference = "vLLM #54284"},
    Fault{.profile = holdfast_with<WholeItems::split_at_start>(
              "split-item", "an item that begins the chunk may be split where items must not be"),
          .property = WholeItemsKept::info.name,
          .rule = Grow::info.name,
          .reference = "vLLM #52306"},
    Fault{.profile = holdfast_with<SizeCheck::ignored>("no-size-check"),
          .property = SameSize::info.name,
          .rule = Touch::info.name,
          .reference = "vLLM #55546"},
    Fault{.profile = holdfast_with<Admission::unchecked>("oversized-queued"),
          .property = RefusesImpossible::info.name,
          .also = names<Progress>,
          .rule = Add::info.name,
          .reference = "vLLM #25890"},
    Fault{.profile = holdfast_with<EncdecNotice::same_pass>("encdec-notice-early"),
          .property = NoGhostEntry::info.name,
          .also = names<NoStaleNotice>,
          .rule = EncdecEndPass::info.name,
          .reference = "vLLM #32789"},
    Fault{.profile = holdfast_with<EncdecCredit::every_delivery>("encdec-credit-repeats"),
          .property = EncdecExactSlots::info.name,
          .also = names<EncdecAllReturned>,
          .rule = EncdecRelease::info.name,
          .reference = "vLLM #55733"},
    Fault{.profile = holdfast_with<Retraction::entry_stays>(
              "retract-keeps-entry",
              "the entry of a retracted encode stays cached (vLLM 0.33.0's manager)"),
          .property = NoGhostEntry::info.name,
          .also = names<NoInteriorMiss>,
          .rule = Drop::info.name,
          .reference = "reproduced on vLLM 0.33.0"},
};

inline constexpr std::array mutants = {
    Mutant{.profile = holdfast_with<Notice::never>("notices-lost"),
           .property = BoundedWorkerMemory::info.name},
    Mutant{.profile = holdfast_with<Refund::kept>("budget-kept"),
           .property = ExactBudget::info.name},
    Mutant{.profile = holdfast_with<Placeholders::forgotten>("placeholders-forgotten"),
           .property = ExactPlaceholders::info.name},
};

/// The profile of that name, a fault's and a mutant's included.
constexpr std::optional<Profile> find_profile(std::string_view name) {
  for (const auto& p : known_profiles)
    if (p.name == name) return p;
  for (const auto& f : faults)
    if (f.profile.name == name) return f.profile;
  for (const auto& m : mutants)
    if (m.profile.name == name) return m.profile;
  return std::nullopt;
}

constexpr const Fault* find_fault(std::string_view name) {
  for (const auto& f : faults)
    if (f.profile.name == name) return &f;
  return nullptr;
}

/// A profile, a fault or a mutant by its name, or `holdfast` with other ways of some guards:
/// "release=optimistic,window=from-computed". Its name is `text`, which must outlive it.
constexpr std::optional<Profile> profile_named(std::string_view text) {
  if (auto known = find_profile(text)) return known;
  Profile p;
  p.name = text;
  p.says = "our own, but for what its name says";
  for (std::string_view rest = text; !rest.empty();) {
    const auto comma = rest.find(',');
    const Variant* v = find_variant(rest.substr(0, comma));
    if (v == nullptr) return std::nullopt;
    v->set(p);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return text.empty() ? std::nullopt : std::optional(p);
}

}  // namespace holdfast::spec
