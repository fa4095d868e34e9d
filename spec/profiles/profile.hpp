// Which way each guard of the rules goes in a system. `holdfast` goes the first way of every guard;
// a fault goes another way in one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace holdfast::spec::inline profiles {

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
  next_pass,  ///< in the next pass, if that does not order it again
  same_pass,
  next_pass_all,  ///< in the next pass, in any case
};
/// How often the slots of an encoder-decoder input are given back.
enum class EncdecCredit : std::int8_t {
  once,
  every_delivery,
  every_call,  ///< at every delivery, and again when the request is preempted, put back or ends
};

/// Which way each guard goes.
struct Ways {
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

  bool operator==(const Ways&) const = default;
};

struct Profile : Ways {
  std::string_view name = "holdfast";
  std::string_view says = "our own: no known fault";
};

/// A guard that can go several ways: those of the enum.
template <class Way>
struct Guard {
  std::string_view name;
  Way Ways::* way;
};
template <class Way>
Guard(const char*, Way Ways::*) -> Guard<Way>;

/// Every guard, in the order in which they are listed and judged.
inline constexpr std::tuple guards = {
    Guard{"release", &Ways::release},
    Guard{"occurrence", &Ways::occurrence},
    Guard{"duplicate", &Ways::duplicate},
    Guard{"size-check", &Ways::size_check},
    Guard{"notice", &Ways::notice},
    Guard{"retraction", &Ways::retraction},
    Guard{"refund", &Ways::refund},
    Guard{"placeholders", &Ways::placeholders},
    Guard{"abort", &Ways::abort},
    Guard{"lookahead", &Ways::lookahead},
    Guard{"window", &Ways::window},
    Guard{"look-up", &Ways::look_up},
    Guard{"groups", &Ways::groups},
    Guard{"clip", &Ways::clip},
    Guard{"whole-items", &Ways::whole_items},
    Guard{"tail", &Ways::tail},
    Guard{"undone", &Ways::undone},
    Guard{"overtaking", &Ways::overtaking},
    Guard{"own-victim", &Ways::own_victim},
    Guard{"padding", &Ways::padding},
    Guard{"admission", &Ways::admission},
    Guard{"worker-order", &Ways::worker_order},
    Guard{"encdec-notice", &Ways::encdec_notice},
    Guard{"encdec-credit", &Ways::encdec_credit},
};
static_assert(sizeof(Ways) == std::tuple_size_v<decltype(guards)>,
              "a guard is missing: give each member of Ways a line, with its name, in `guards`");

/// Which assumptions are made.
struct Assumptions {
  bool fifo_delivery = true;
  bool sorted_spans = true;
  bool disjoint_spans = false;
  bool prompt_only_features = false;
};

}  // namespace holdfast::spec::inline profiles
