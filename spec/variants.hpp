// Every guard that a profile can vary, by name: what `ablate` drops and what `hunt` names as a
// cause.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "spec/profile.hpp"

namespace holdfast::spec {

/// One way of a guard other than that of `holdfast`.
struct Variant {
  std::string_view guard;   ///< "release"
  std::string_view option;  ///< "lookahead-margin"
  std::string_view says;    ///< what is different
  void (*set)(Profile&);
  bool (*is_in)(const Profile&);
  void (*reset)(Profile&);  ///< to what `holdfast` does
  /// The guard is more than `holdfast` asks for: what is dropped is this option, not the guard.
  bool is_extra = false;
  bool encoder_decoder = false;
  /// No rule reads it: only the whole pass does, which says whose turn it is. No theorem speaks of
  /// that.
  bool of_the_pass = false;
};

namespace detail {
template <auto member, auto value>
constexpr Variant variant(std::string_view guard, std::string_view option, std::string_view says,
                          bool is_extra = false, bool encoder_decoder = false,
                          bool of_the_pass = false) {
  return {guard,
          option,
          says,
          [](Profile& p) { p.*member = value; },
          [](const Profile& p) { return p.*member == value; },
          [](Profile& p) { p.*member = Profile{}.*member; },
          is_extra,
          encoder_decoder,
          of_the_pass};
}
}  // namespace detail

inline constexpr std::array variants = {
    detail::variant<&Profile::release, Release::lookahead_margin>(
        "release", "lookahead-margin", "an input is held until the look-ahead has passed it", true),
    detail::variant<&Profile::release, Release::before_credit>(
        "release", "before-credit",
        "an input is held until the tokens of the delivery that frees it are counted", true),
    detail::variant<&Profile::release, Release::margin_before_credit>(
        "release", "margin-before-credit",
        "an input is held until the look-ahead has passed it, without the tokens of the delivery "
        "that frees it",
        true),
    detail::variant<&Profile::release, Release::optimistic>(
        "release", "optimistic", "an input is released on computed tokens, confirmed or not"),
    detail::variant<&Profile::release, Release::at_schedule>(
        "release", "at-schedule",
        "an input is released inside the pass that schedules its last token"),
    detail::variant<&Profile::occurrence, Occurrence::first>(
        "occurrence", "first", "the reference goes with the first of two occurrences of a hash"),
    detail::variant<&Profile::duplicate, Duplicate::charged_twice>(
        "duplicate", "charged-twice", "two occurrences of a hash in one pass are both allocated"),
    detail::variant<&Profile::size_check, SizeCheck::ignored>(
        "size-check", "ignored", "a hit on an entry of another size is taken"),
    detail::variant<&Profile::notice, Notice::every_eviction>(
        "notice", "every-eviction",
        "every eviction is told, also of entries cached again in the same pass"),
    detail::variant<&Profile::notice, Notice::never>("notice", "never",
                                                     "the worker is never told of an eviction"),
    detail::variant<&Profile::retraction, Retraction::entry_stays>(
        "retraction", "entry-stays", "the entry of a retracted encode stays cached"),
    detail::variant<&Profile::refund, Refund::lost_to_a_plan>(
        "refund", "lost-to-a-plan",
        "a retracted encode's compute budget is lost where the turn it makes room for has orders"),
    detail::variant<&Profile::refund, Refund::kept>(
        "refund", "kept", "a withdrawn encode does not give its compute budget back"),
    detail::variant<&Profile::placeholders, Placeholders::forgotten>(
        "placeholders", "forgotten", "tokens in flight are taken for confirmed"),
    detail::variant<&Profile::abort, Abort::kept>(
        "abort", "kept", "an abort does not release what the request references"),
    detail::variant<&Profile::lookahead, Lookahead::no_fallback>(
        "lookahead", "no-fallback", "an absent boundary feature raises"),
    detail::variant<&Profile::lookahead, Lookahead::unplanned>(
        "lookahead", "unplanned",
        "the planning window ends without the look-ahead, and the drafter has no fallback"),
    detail::variant<&Profile::window, Window::from_computed>(
        "window", "from-computed", "planning looks from the computed tokens, in doubt or not"),
    detail::variant<&Profile::look_up, LookUp::overlap>(
        "look-up", "overlap", "features without an embedding in the window are looked up too",
        true),
    detail::variant<&Profile::groups, Groups::each_alone>(
        "groups", "each-alone", "features whose spans overlap get in one by one"),
    detail::variant<&Profile::clip, ClipTo::before_lookahead>(
        "clip", "before-lookahead",
        "the chunk ends a look-ahead before a feature that can't get in", true),
    detail::variant<&Profile::whole_items, WholeItems::rolled_back>(
        "whole-items", "rolled-back",
        "a chunk that would cut an item ends a look-ahead before its start"),
    detail::variant<&Profile::whole_items, WholeItems::rolled_back_if_ahead>(
        "whole-items", "rolled-back-if-ahead",
        "a chunk that would cut an item ends a look-ahead before its start, unless the item begins "
        "it"),
    detail::variant<&Profile::whole_items, WholeItems::split_at_start>(
        "whole-items", "split-at-start", "an item that begins the chunk may be cut"),
    detail::variant<&Profile::whole_items, WholeItems::no_fallback>(
        "whole-items", "no-fallback",
        "the drafter has no fallback for an item that the chunk ends before"),
    detail::variant<&Profile::tail, Tail::cut_after_planning>(
        "tail", "cut-after-planning",
        "the prompt's tail is reserved after the inputs were planned"),
    detail::variant<&Profile::undone, Undone::for_kv_only>(
        "undone", "for-kv-only",
        "what a waiting request looked up stays referenced when it can't get in"),
    detail::variant<&Profile::undone, Undone::never>(
        "undone", "never", "what a waiting request looked up stays referenced, whatever it lacks"),
    detail::variant<&Profile::overtaking, Overtaking::nobody_waiting>(
        "overtaking", "nobody-waiting", "a request is admitted while a running one can't get in"),
    detail::variant<&Profile::overtaking, Overtaking::anybody>(
        "overtaking", "anybody", "a request is admitted while one before it can't get in"),
    detail::variant<&Profile::own_victim, OwnVictim::ends_the_loop>(
        "own-victim", "ends-the-loop",
        "a request that preempts itself ends the turns of the running ones", false, false, true),
    detail::variant<&Profile::padding, Padding::ends_admission>(
        "padding", "ends-admission",
        "a waiting request whose drafts do not fit the pass keeps everybody out", false, false,
        true),
    detail::variant<&Profile::admission, Admission::unchecked>(
        "admission", "unchecked", "a request that could never run is queued"),
    detail::variant<&Profile::worker_order, WorkerOrder::encodes_first>(
        "worker-order", "encodes-first", "the worker encodes before it drops"),
    detail::variant<&Profile::encdec_notice, EncdecNotice::same_pass>(
        "encdec-notice", "same-pass",
        "an encoder-decoder entry is told in the pass that allocates it", false, true),
    detail::variant<&Profile::encdec_notice, EncdecNotice::next_pass_all>(
        "encdec-notice", "next-pass-all",
        "an encoder-decoder entry ordered again is told all the same", false, true),
    detail::variant<&Profile::encdec_credit, EncdecCredit::every_delivery>(
        "encdec-credit", "every-delivery",
        "every delivery gives the slots of an encoder-decoder input back again", false, true),
    detail::variant<&Profile::encdec_credit, EncdecCredit::every_call>(
        "encdec-credit", "every-call",
        "whatever frees an encoder-decoder input gives its slots back, held or not", false, true),
};

/// "GUARD=OPTION" with a name as above.
constexpr const Variant* find_variant(std::string_view text) {
  for (const auto& v : variants)
    if (text.size() == v.guard.size() + 1 + v.option.size() && text.starts_with(v.guard) &&
        text.ends_with(v.option) && text[v.guard.size()] == '=')
      return &v;
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
