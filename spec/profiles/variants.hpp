// Every guard that a profile can vary, by name: what `ablate` drops and what `hunt` names as a
// cause.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "spec/profiles/enumerators.hpp"
#include "spec/profiles/profile.hpp"
#include "spec/state.hpp"

namespace holdfast::spec::inline profiles {

/// What people are told of a way that `holdfast` does not go.
struct WayInfo {
  std::string_view option;  ///< "lookahead-margin"
  std::string_view says;    ///< what is different
  /// The guard is more than `holdfast` asks for: what is dropped is this option, not the guard.
  bool is_extra = false;
  Manager manager = Manager::decoder_only;
  /// No rule reads it: only the whole pass does, which says whose turn it is. No theorem speaks of
  /// that.
  bool of_the_pass = false;
};

/// Of every enumerator but the first of each guard; it does not compile where one is forgotten.
template <auto way>
inline constexpr WayInfo way_info{};

template <>
inline constexpr WayInfo way_info<Release::lookahead_margin>{
    .option = "lookahead-margin",
    .says = "an input is held until the look-ahead has passed it",
    .is_extra = true};
template <>
inline constexpr WayInfo way_info<Release::before_credit>{
    .option = "before-credit",
    .says = "an input is held until the tokens of the delivery that frees it are counted",
    .is_extra = true};
template <>
inline constexpr WayInfo way_info<Release::margin_before_credit>{
    .option = "margin-before-credit",
    .says =
        "an input is held until the look-ahead has passed it, without the tokens of the delivery "
        "that frees it",
    .is_extra = true};
template <>
inline constexpr WayInfo way_info<Release::optimistic>{
    .option = "optimistic", .says = "an input is released on computed tokens, confirmed or not"};
template <>
inline constexpr WayInfo way_info<Release::at_schedule>{
    .option = "at-schedule",
    .says = "an input is released inside the pass that schedules its last token"};

template <>
inline constexpr WayInfo way_info<Occurrence::first>{
    .option = "first", .says = "the reference goes with the first of two occurrences of a hash"};

template <>
inline constexpr WayInfo way_info<Duplicate::charged_twice>{
    .option = "charged-twice", .says = "two occurrences of a hash in one pass are both allocated"};

template <>
inline constexpr WayInfo way_info<SizeCheck::ignored>{
    .option = "ignored", .says = "a hit on an entry of another size is taken"};

template <>
inline constexpr WayInfo way_info<Notice::every_eviction>{
    .option = "every-eviction",
    .says = "every eviction is told, also of entries cached again in the same pass"};
template <>
inline constexpr WayInfo way_info<Notice::never>{.option = "never",
                                                 .says = "the worker is never told of an eviction"};

template <>
inline constexpr WayInfo way_info<Retraction::entry_stays>{
    .option = "entry-stays", .says = "the entry of a retracted encode stays cached"};

template <>
inline constexpr WayInfo way_info<Refund::lost_to_a_plan>{
    .option = "lost-to-a-plan",
    .says =
        "a retracted encode's compute budget is lost where the turn it makes room for has orders"};
template <>
inline constexpr WayInfo way_info<Refund::kept>{
    .option = "kept", .says = "a withdrawn encode does not give its compute budget back"};

template <>
inline constexpr WayInfo way_info<Placeholders::forgotten>{
    .option = "forgotten", .says = "tokens in flight are taken for confirmed"};

template <>
inline constexpr WayInfo way_info<Abort::kept>{
    .option = "kept", .says = "an abort does not release what the request references"};

template <>
inline constexpr WayInfo way_info<Lookahead::no_fallback>{
    .option = "no-fallback", .says = "an absent boundary feature raises"};
template <>
inline constexpr WayInfo way_info<Lookahead::unplanned>{
    .option = "unplanned",
    .says = "the planning window ends without the look-ahead, and the drafter has no fallback"};

template <>
inline constexpr WayInfo way_info<Window::from_computed>{
    .option = "from-computed", .says = "planning looks from the computed tokens, in doubt or not"};

template <>
inline constexpr WayInfo way_info<LookUp::overlap>{
    .option = "overlap",
    .says = "features without an embedding in the window are looked up too",
    .is_extra = true};

template <>
inline constexpr WayInfo way_info<Groups::each_alone>{
    .option = "each-alone", .says = "features whose spans overlap get in one by one"};

template <>
inline constexpr WayInfo way_info<ClipTo::before_lookahead>{
    .option = "before-lookahead",
    .says = "the chunk ends a look-ahead before a feature that can't get in",
    .is_extra = true};

template <>
inline constexpr WayInfo way_info<WholeItems::rolled_back>{
    .option = "rolled-back",
    .says = "a chunk that would cut an item ends a look-ahead before its start"};
template <>
inline constexpr WayInfo way_info<WholeItems::rolled_back_if_ahead>{
    .option = "rolled-back-if-ahead",
    .says =
        "a chunk that would cut an item ends a look-ahead before its start, unless the item begins "
        "it"};
template <>
inline constexpr WayInfo way_info<WholeItems::split_at_start>{
    .option = "split-at-start", .says = "an item that begins the chunk may be cut"};
template <>
inline constexpr WayInfo way_info<WholeItems::no_fallback>{
    .option = "no-fallback",
    .says = "the drafter has no fallback for an item that the chunk ends before"};

template <>
inline constexpr WayInfo way_info<Tail::cut_after_planning>{
    .option = "cut-after-planning",
    .says = "the prompt's tail is reserved after the inputs were planned"};

template <>
inline constexpr WayInfo way_info<Undone::for_kv_only>{
    .option = "for-kv-only",
    .says = "what a waiting request looked up stays referenced when it can't get in"};
template <>
inline constexpr WayInfo way_info<Undone::never>{
    .option = "never",
    .says = "what a waiting request looked up stays referenced, whatever it lacks"};

template <>
inline constexpr WayInfo way_info<Overtaking::nobody_waiting>{
    .option = "nobody-waiting", .says = "a request is admitted while a running one can't get in"};
template <>
inline constexpr WayInfo way_info<Overtaking::anybody>{
    .option = "anybody", .says = "a request is admitted while one before it can't get in"};

template <>
inline constexpr WayInfo way_info<OwnVictim::ends_the_loop>{
    .option = "ends-the-loop",
    .says = "a request that preempts itself ends the turns of the running ones",
    .of_the_pass = true};

template <>
inline constexpr WayInfo way_info<Padding::ends_admission>{
    .option = "ends-admission",
    .says = "a waiting request whose drafts do not fit the pass keeps everybody out",
    .of_the_pass = true};

template <>
inline constexpr WayInfo way_info<Admission::unchecked>{
    .option = "unchecked", .says = "a request that could never run is queued"};

template <>
inline constexpr WayInfo way_info<WorkerOrder::encodes_first>{
    .option = "encodes-first", .says = "the worker encodes before it drops"};

template <>
inline constexpr WayInfo way_info<EncdecNotice::same_pass>{
    .option = "same-pass",
    .says = "an encoder-decoder entry is told in the pass that allocates it",
    .manager = Manager::encoder_decoder};
template <>
inline constexpr WayInfo way_info<EncdecNotice::next_pass_all>{
    .option = "next-pass-all",
    .says = "an encoder-decoder entry ordered again is told all the same",
    .manager = Manager::encoder_decoder};

template <>
inline constexpr WayInfo way_info<EncdecCredit::every_delivery>{
    .option = "every-delivery",
    .says = "every delivery gives the slots of an encoder-decoder input back again",
    .manager = Manager::encoder_decoder};
template <>
inline constexpr WayInfo way_info<EncdecCredit::every_call>{
    .option = "every-call",
    .says = "whatever frees an encoder-decoder input gives its slots back, held or not",
    .manager = Manager::encoder_decoder};

/// One way of a guard other than that of `holdfast`.
struct Variant : WayInfo {
  std::string_view guard;  ///< "release"
  void (*set)(Profile&) = nullptr;
  bool (*is_in)(const Profile&) = nullptr;
  void (*reset)(Profile&) = nullptr;  ///< to what `holdfast` does
};

namespace detail {
template <class Way>
inline constexpr Guard<Way> guard_of = std::get<Guard<Way>>(guards);

template <auto way>
constexpr Variant make_variant() {
  static_assert(
      !way_info<way>.option.empty(),
      "a way of a guard is not described: give it a `way_info` in spec/profiles/variants.hpp");
  using Way = decltype(way);
  return {way_info<way>, guard_of<Way>.name, [](Profile& p) { p.*guard_of<Way>.way = way; },
          [](const Profile& p) { return p.*guard_of<Way>.way == way; },
          [](Profile& p) { p.*guard_of<Way>.way = Way{}; }};
}
}  // namespace detail

template <auto way>
inline constexpr Variant variant = detail::make_variant<way>();

namespace detail {
template <class Way, std::size_t... n>
constexpr std::array<Variant, sizeof...(n)> variants_of(std::index_sequence<n...>) {
  static_assert(Ways{}.*guard_of<Way>.way == Way{},
                "the way of `holdfast` is the first of a guard");
  return {variant<static_cast<Way>(n + 1)>...};
}

template <class... Way>
constexpr auto all_variants(const std::tuple<Guard<Way>...>&) {
  std::array<Variant, (... + (enumerators<Way>() - 1))> all;
  auto end = all.begin();
  const auto add = [&](const auto& some) { end = std::copy(some.begin(), some.end(), end); };
  (add(variants_of<Way>(std::make_index_sequence<enumerators<Way>() - 1>{})), ...);
  return all;
}
}  // namespace detail

/// Every variant: by guard, and those of a guard in the order of its enumerators.
inline constexpr auto variants = detail::all_variants(guards);

/// "GUARD=OPTION" with a name as above.
constexpr const Variant* find_variant(std::string_view text) {
  for (const auto& v : variants)
    if (text.size() == v.guard.size() + 1 + v.option.size() && text.starts_with(v.guard) &&
        text.ends_with(v.option) && text[v.guard.size()] == '=')
      return &v;
  return nullptr;
}

/// Those that a profile has, in the order of `variants`.
inline std::vector<const Variant*> variants_in(const Profile& profile) {
  std::vector<const Variant*> all;
  for (const auto& v : variants)
    if (v.is_in(profile)) all.push_back(&v);
  return all;
}

/// `base`, but with those ways of their guards.
template <auto... ways>
constexpr Profile with(Profile base, std::string_view name, std::string_view says) {
  (variant<ways>.set(base), ...);
  base.name = name;
  base.says = says;
  return base;
}

/// `holdfast`, but for one guard; without words of its own it says what the variant says.
template <auto way>
constexpr Profile holdfast_with(std::string_view name, std::string_view says = variant<way>.says) {
  return with<way>({}, name, says);
}

}  // namespace holdfast::spec::inline profiles
