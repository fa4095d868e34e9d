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
  optimistic,        ///< end <= computed
  at_schedule,       ///< also inside the pass, end <= computed + tokens
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
enum class Refund : std::int8_t { given, kept };
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
/// When the worker of an encoder-decoder model is told to drop an entry.
enum class EncdecNotice : std::int8_t { next_pass, same_pass };
/// How often the slots of an encoder-decoder input are given back.
enum class EncdecCredit : std::int8_t { once, every_delivery };

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
  bool prompt_only_features = false;
};

/// A profile of no release, for a property that no fault of the public history breaks: a property that
/// nothing can break would say nothing.
struct Mutant {
  Profile profile;
  std::string_view property;
};

/// Something the proofs or the search may take for granted, by name.
struct Assumption {
  std::string_view name;
  std::string_view says;
  bool Assumptions::*made;  ///< its switch; on or off by default as Assumptions says
};

inline constexpr auto profiles = [] {
  std::array<Profile, 2> p{};
  p[1] = {.name = "lookahead-margin",
          .says = "releases one look-ahead later, as upstream's look-ahead fix did",
          .release = Release::lookahead_margin};
  return p;
}();

inline constexpr std::array faults = {
    Fault{{.name = "abort-keeps-references",
           .says = "an abort does not release what the request references",
           .abort = Abort::kept},
          "all-returned", "progress", "abort", "vLLM #12545"},
    Fault{{.name = "duplicate-charged-twice",
           .says = "two occurrences of a hash in one pass are both allocated",
           .duplicate = Duplicate::charged_twice},
          "exact-slots", "all-returned", "share", "vLLM #23544"},
    Fault{{.name = "release-at-schedule",
           .says = "an input is released inside the pass that schedules its last token",
           .release = Release::at_schedule},
          "no-interior-miss", "no-freed-while-referenced", "release", "vLLM #38907"},
    Fault{{.name = "release-optimistic",
           .says = "an input is released on computed tokens, confirmed or not",
           .release = Release::optimistic},
          "no-freed-while-referenced", "", "release", "vLLM #45347"},
    Fault{{.name = "lookahead-unplanned",
           .says = "the planning window ends without the look-ahead, and the drafter has no fallback",
           .lookahead = Lookahead::unplanned},
          "no-interior-miss", "", "skip", "vLLM #46315, #29750"},
    Fault{{.name = "no-boundary-fallback",
           .says = "an absent boundary feature raises",
           .lookahead = Lookahead::no_fallback},
          "no-interior-miss", "", "gather_draft", "vLLM #46315"},
    Fault{{.name = "stale-notice",
           .says = "every eviction is told, also of entries cached again in the same pass",
           .notice = Notice::every_eviction},
          "no-stale-notice", "no-ghost-entry", "end_pass", "vLLM #52482"},
    Fault{{.name = "first-occurrence-frees",
           .says = "the reference goes with the first of two occurrences of a hash",
           .occurrence = Occurrence::first},
          "no-freed-while-referenced", "", "release", "vLLM #54284"},
    Fault{{.name = "no-size-check",
           .says = "a hit on an entry of another size is taken",
           .size_check = SizeCheck::ignored},
          "same-size", "", "touch", "vLLM #55546"},
    Fault{{.name = "encdec-notice-early",
           .says = "an encoder-decoder entry is told in the pass that allocates it",
           .encdec_notice = EncdecNotice::same_pass},
          "no-ghost-entry", "no-stale-notice", "encdec_end_pass", "vLLM #32789", true},
    Fault{{.name = "encdec-credit-repeats",
           .says = "every delivery gives the slots of an encoder-decoder input back again",
           .encdec_credit = EncdecCredit::every_delivery},
          "exact-slots", "all-returned", "encdec_release", "vLLM #55733", true},
    Fault{{.name = "retract-keeps-entry",
           .says = "the entry of a retracted encode stays cached (vLLM 0.33.0's manager)",
           .retraction = Retraction::entry_stays},
          "no-ghost-entry", "no-interior-miss", "drop", "reproduced on vLLM 0.33.0"},
};

inline constexpr std::array mutants = {
    Mutant{{.name = "notices-lost", .says = "the worker is never told of an eviction", .notice = Notice::never},
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
    Assumption{"fifo-delivery", "outputs are processed in the order of issue, as the worker executes steps in any case", &Assumptions::fifo_delivery},
    Assumption{"sorted-spans", "the features of a request are sorted by position and do not overlap", &Assumptions::sorted_spans},
    Assumption{"prompt-only-features", "features lie in the prompt, drafts behind it", &Assumptions::prompt_only_features},
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
