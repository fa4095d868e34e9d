// Which variant of each rule a system uses. `holdfast` is all defaults; a fault differs in one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace holdfast::spec {

/// When an occurrence may be released (`_free_encoder_inputs`).
enum class Release : std::int8_t {
  confirmed,         ///< end <= computed - placeholders
  lookahead_margin,  ///< end + L <= computed - placeholders
  before_credit,  ///< end <= computed - placeholders, before the delivery's own tokens are counted
  margin_before_credit,  ///< end + L <= the same
  optimistic,            ///< end <= computed
  at_schedule,           ///< also inside the pass, end <= computed + tokens
};
/// Which occurrence of a hash in a request takes the reference along.
enum class Occurrence : std::int8_t { last, first };
/// What a second occurrence of a hash ordered in the same pass costs.
enum class Duplicate : std::int8_t { shared, charged_twice };
/// What a hit on an entry of another size does.
enum class SizeCheck : std::int8_t { refused, ignored };
/// Which evictions the worker is told of.
enum class Notice : std::int8_t { not_cached, every_eviction, never };
/// What becomes of an encode ordered by a request that is retracted in the same pass.
enum class Retraction : std::int8_t { withdrawn, entry_stays };
/// What a withdrawn encode gives back of the compute budget.
enum class Refund : std::int8_t {
  given,
  lost_to_a_plan,  ///< not if the turn that it makes room for has chosen something
  kept,
};
/// Whether a scheduled request's placeholders are counted.
enum class Placeholders : std::int8_t { counted, forgotten };
/// What an abort does with the request's references.
enum class Abort : std::int8_t { released, kept };
/// How positions past the target's window are treated (EAGLE/MTP).
enum class Lookahead : std::int8_t {
  planned,      ///< planned, and an absent boundary feature falls back to token embeddings
  no_fallback,  ///< planned, but an absent boundary feature raises
  unplanned,    ///< not planned, and an absent boundary feature raises
};
/// Where the planning window begins.
enum class Window : std::int8_t { from_confirmed, from_computed };
/// Which features are looked up: those with an embedding in the window, or all that overlap it.
enum class LookUp : std::int8_t { embeddings, overlap };
/// How features whose spans overlap are planned.
enum class Groups : std::int8_t {
  as_one,      ///< a group gets in as a whole, or not at all
  each_alone,  ///< one after the other
};
/// Where the chunk ends before a feature that can't get in.
enum class ClipTo : std::int8_t { start, before_lookahead };
/// What keeps items from being split, where they must not be.
enum class WholeItems : std::int8_t {
  grown,                 ///< the chunk grows to the item's end, or ends at its start
  rolled_back,           ///< the chunk ends L before the start
  rolled_back_if_ahead,  ///< the same, but only of an item that starts behind the window's first
                         ///< token
  split_at_start,        ///< as `grown`, but only of such an item
  no_fallback,           ///< as `grown`, and an absent boundary feature raises
};
/// When a chunk is kept from ending in the prompt's tail (multi-module MTP).
enum class Tail : std::int8_t { cut_before_planning, cut_after_planning };
/// Whether a turn without tokens undoes what it looked up.
enum class Undone : std::int8_t { always, for_kv_only, never };
/// Who may be admitted in a pass in which a request could not get in.
enum class Overtaking : std::int8_t {
  nobody,          ///< only who is more urgent, or needs nothing
  nobody_waiting,  ///< nobody behind a waiting one
  anybody,
};
/// What happens when a running request has to give up its own KV blocks (policy `priority`).
enum class OwnVictim : std::int8_t {
  next_runs,      ///< the running requests behind it still have their turns
  ends_the_loop,  ///< they have none in this pass
};
/// What the worker does first in a step.
enum class WorkerOrder : std::int8_t { drops_first, encodes_first };
/// What happens to a waiting request whose one token is padded with drafts that do not fit the
/// pass.
enum class Padding : std::int8_t { left_out, ends_admission };
/// Whether a request that could never run is refused when it arrives.
enum class Admission : std::int8_t { checked, unchecked };
/// When the worker of an encoder-decoder model is told to drop an entry.
enum class EncdecNotice : std::int8_t {
  next_pass,      ///< in the next pass, if that does not order it again
  next_pass_all,  ///< in the next pass, in any case
  same_pass,
};
/// How often the slots of an encoder-decoder input are given back.
enum class EncdecCredit : std::int8_t {
  once,
  every_delivery,
  every_call,  ///< at every delivery, and again when the request is preempted, put back or ends
};

struct Profile {
  std::string_view name = "holdfast";
  std::string_view says = "our own: no known fault";
  Release release = Release::confirmed;
  Occurrence occurrence = Occurrence::last;
  Duplicate duplicate = Duplicate::shared;
  SizeCheck size_check = SizeCheck::refused;
  Notice notice = Notice::not_cached;
  Retraction retraction = Retraction::withdrawn;
  Refund refund = Refund::given;
  Placeholders placeholders = Placeholders::counted;
  Abort abort = Abort::released;
  Lookahead lookahead = Lookahead::planned;
  Window window = Window::from_confirmed;
  LookUp look_up = LookUp::embeddings;
  Groups groups = Groups::as_one;
  ClipTo clip = ClipTo::start;
  WholeItems whole_items = WholeItems::grown;
  Tail tail = Tail::cut_before_planning;
  Undone undone = Undone::always;
  Overtaking overtaking = Overtaking::nobody;
  OwnVictim own_victim = OwnVictim::next_runs;
  Padding padding = Padding::left_out;
  Admission admission = Admission::checked;
  WorkerOrder worker_order = WorkerOrder::drops_first;
  EncdecNotice encdec_notice = EncdecNotice::next_pass;
  EncdecCredit encdec_credit = EncdecCredit::once;
};

/// A profile that differs from `holdfast` in one variant and breaks a property.
struct Fault {
  Profile profile;
  std::string_view property;   ///< the one that `refute` breaks
  std::string_view also;       ///< others it breaks, comma-separated; may be empty
  std::string_view rule;       ///< the rule it lives in
  std::string_view reference;  ///< public report
  bool encoder_decoder = false;
};

/// Which assumptions are made.
struct Assumptions {
  bool fifo_delivery = true;
  bool sorted_spans = true;
  bool disjoint_spans = false;
  bool prompt_only_features = false;
};

/// A profile of no release, for a property that no fault of the public history breaks: a property
/// that nothing can break would say nothing.
struct Mutant {
  Profile profile;
  std::string_view property;
};

/// Something the proofs or the search may take for granted, by name.
struct Assumption {
  std::string_view name;
  std::string_view says;
  bool Assumptions::* made;  ///< its switch; on or off by default as Assumptions says
};

/// vLLM 0.33.0, as far as it differs from `holdfast`; what each line of it is about is in
/// docs/upstream-findings.md.
inline constexpr Profile vllm_0_33_0 = {
    .name = "vllm-0.33.0",
    .says = "what vLLM 0.33.0 does",
    .release = Release::before_credit,
    .retraction = Retraction::entry_stays,
    .refund = Refund::lost_to_a_plan,
    .window = Window::from_computed,
    .look_up = LookUp::overlap,
    .groups = Groups::each_alone,
    .whole_items = WholeItems::rolled_back,
    .tail = Tail::cut_after_planning,
    .undone = Undone::for_kv_only,
    .overtaking = Overtaking::anybody,
    .padding = Padding::ends_admission,
    .encdec_notice = EncdecNotice::next_pass_all,
    .encdec_credit = EncdecCredit::every_call,
};

/// vLLM 0.32.0: releases one look-ahead later, and clips one before.
inline constexpr Profile vllm_0_32_0 = [] {
  Profile p = vllm_0_33_0;
  p.name = "vllm-0.32.0";
  p.says = "what vLLM 0.32.0 does";
  p.release = Release::margin_before_credit;
  p.clip = ClipTo::before_lookahead;
  p.whole_items = WholeItems::rolled_back_if_ahead;
  p.overtaking = Overtaking::nobody_waiting;
  p.own_victim = OwnVictim::ends_the_loop;
  return p;
}();

inline constexpr std::array profiles = {Profile{}, vllm_0_32_0, vllm_0_33_0};

inline constexpr std::array faults = {
    Fault{{.name = "abort-keeps-references",
           .says = "an abort does not release what the request references",
           .abort = Abort::kept},
          "all-returned",
          "progress",
          "abort",
          "vLLM #12545"},
    Fault{{.name = "duplicate-charged-twice",
           .says = "two occurrences of a hash in one pass are both allocated",
           .duplicate = Duplicate::charged_twice},
          "exact-slots",
          "all-returned",
          "allocate",
          "vLLM #23544"},
    Fault{
        {.name = "waiting-keeps-references",
         .says =
             "what a waiting request looked up stays referenced when there are no KV blocks for it",
         .undone = Undone::never},
        "no-hold-and-wait",
        "progress",
        "put_back",
        "vLLM #31857"},
    Fault{{.name = "release-at-schedule",
           .says = "an input is released inside the pass that schedules its last token",
           .release = Release::at_schedule},
          "no-interior-miss",
          "no-freed-while-referenced",
          "release",
          "vLLM #38907"},
    Fault{{.name = "release-optimistic",
           .says = "an input is released on computed tokens, confirmed or not",
           .release = Release::optimistic},
          "no-freed-while-referenced",
          "",
          "release",
          "vLLM #45347"},
    Fault{
        {.name = "lookahead-unplanned",
         .says = "the planning window ends without the look-ahead, and the drafter has no fallback",
         .lookahead = Lookahead::unplanned},
        "no-interior-miss",
        "",
        "skip",
        "vLLM #46315, #29750"},
    Fault{{.name = "no-boundary-fallback",
           .says = "an absent boundary feature raises",
           .lookahead = Lookahead::no_fallback},
          "no-interior-miss",
          "",
          "gather_draft",
          "vLLM #46315"},
    Fault{{.name = "rollback-without-lookahead",
           .says = "the chunk ends where an item starts that must not be split, and the drafter "
                   "has no fallback",
           .whole_items = WholeItems::no_fallback},
          "no-interior-miss",
          "",
          "gather_draft",
          "vLLM #34220"},
    Fault{{.name = "hold-past-end",
           .says = "an input is held until the look-ahead has passed it, and the chunk ends as far "
                   "before one that can't get in",
           .release = Release::lookahead_margin,
           .clip = ClipTo::before_lookahead},
          "progress",
          "",
          "release",
          "vllm-ascend #17195, vLLM #40707"},
    Fault{{.name = "stale-notice",
           .says = "every eviction is told, also of entries cached again in the same pass",
           .notice = Notice::every_eviction},
          "no-stale-notice",
          "",
          "end_pass",
          "vLLM #52482"},
    Fault{{.name = "first-occurrence-frees",
           .says = "the reference goes with the first of two occurrences of a hash",
           .occurrence = Occurrence::first},
          "no-freed-while-referenced",
          "",
          "release",
          "vLLM #54284"},
    Fault{{.name = "split-item",
           .says = "an item that begins the chunk may be split where items must not be",
           .whole_items = WholeItems::split_at_start},
          "whole-items",
          "",
          "grow",
          "vLLM #52306"},
    Fault{{.name = "no-size-check",
           .says = "a hit on an entry of another size is taken",
           .size_check = SizeCheck::ignored},
          "same-size",
          "",
          "touch",
          "vLLM #55546"},
    Fault{{.name = "oversized-queued",
           .says = "a request that could never run is queued",
           .admission = Admission::unchecked},
          "refuses-impossible",
          "progress",
          "add",
          "vLLM #25890"},
    Fault{{.name = "encdec-notice-early",
           .says = "an encoder-decoder entry is told in the pass that allocates it",
           .encdec_notice = EncdecNotice::same_pass},
          "no-ghost-entry",
          "no-stale-notice",
          "encdec_end_pass",
          "vLLM #32789",
          true},
    Fault{{.name = "encdec-credit-repeats",
           .says = "every delivery gives the slots of an encoder-decoder input back again",
           .encdec_credit = EncdecCredit::every_delivery},
          "exact-slots",
          "all-returned",
          "encdec_release",
          "vLLM #55733",
          true},
    Fault{{.name = "retract-keeps-entry",
           .says = "the entry of a retracted encode stays cached (vLLM 0.33.0's manager)",
           .retraction = Retraction::entry_stays},
          "no-ghost-entry",
          "no-interior-miss",
          "drop",
          "reproduced on vLLM 0.33.0"},
};

inline constexpr std::array mutants = {
    Mutant{{.name = "notices-lost",
            .says = "the worker is never told of an eviction",
            .notice = Notice::never},
           "bounded-worker-memory"},
    Mutant{{.name = "budget-kept",
            .says = "a withdrawn encode does not give its compute budget back",
            .refund = Refund::kept},
           "exact-budget"},
    Mutant{{.name = "placeholders-forgotten",
            .says = "tokens in flight are taken for confirmed",
            .placeholders = Placeholders::forgotten},
           "exact-placeholders"},
};

inline constexpr std::array assumptions = {
    Assumption{
        "fifo-delivery",
        "outputs are processed in the order of issue, as the worker executes steps in any case",
        &Assumptions::fifo_delivery},
    Assumption{
        "sorted-spans",
        "the features of a request are sorted by position; those that overlap are known as a group",
        &Assumptions::sorted_spans},
    Assumption{"disjoint-spans", "no two features of a request overlap",
               &Assumptions::disjoint_spans},
    Assumption{"prompt-only-features", "features lie in the prompt, drafts behind it",
               &Assumptions::prompt_only_features},
};

/// The profile of that name, a fault's and a mutant's included.
constexpr std::optional<Profile> find_profile(std::string_view name) {
  for (const auto& p : profiles)
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

}  // namespace holdfast::spec
