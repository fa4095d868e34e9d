// A request as the scheduler has it, and a pass in flight.
#pragma once

#include <cstdint>
#include <vector>

#include "holdfast/mask.hpp"
#include "holdfast/scheduler.hpp"
#include "impl/index_list.hpp"

namespace holdfast::impl {

enum class Status : std::uint8_t { absent, waiting, running };

/// Where a feature lies. Features whose spans overlap form a group, which gets in as a whole; one
/// on its own is a group of one.
struct Place {
  Mask positions;
  Tokens group_start = 0, group_end = 0;
  Embeds group_embeds = 0;  ///< of it and of those after it in its group
  bool is_grouped = false;
};

/// Who waits is tried in this order. No two requests have the same.
struct Rank {
  std::int64_t first = 0;   ///< priority, or, first come first served, where it stands in the queue
  std::int64_t second = 0;  ///< arrival
  Index request = none;
  auto operator<=>(const Rank&) const = default;
};

/// [spec: Sequence, and the state's variables of a request]
struct Sequence {
  Tokens prompt = 0, max_tokens = 1, cached = 0;
  Tokens limit = 0;  ///< most tokens it may ever compute
  std::int64_t priority = 0;
  std::int64_t arrival = 0;  ///< the smaller, the earlier
  Rank rank;                 ///< in the queue where it waits

  Tokens known = 0;                ///< prompt and outputs (`num_tokens`)
  Tokens computed = 0;             ///< scheduled so far, in flight included
  Tokens placeholders = 0;         ///< in flight, acceptance unknown
  Tokens output_placeholders = 0;  ///< `num_output_placeholders`; async only
  Tokens drafts = 0;               ///< proposed for its next step (`spec_token_ids`)
  std::int64_t blocks = 0;         ///< KV blocks, where they are counted here
  std::uint32_t epoch = 0;         ///< outputs of an older one are stale
  Index in_flight = 0, stale = 0;  ///< steps that still owe it an output, of this epoch or older
  Index allotment = none;          ///< which of this pass's
  Status status = Status::absent;
  bool is_chunk = false;     ///< its last step ended before its last known token
  bool drops_stale = false;  ///< stale outputs bring no tokens
  bool forgotten = false;    ///< a reset took what it held since it was last scheduled
  Links running;

  std::vector<Place> places;  ///< of its features
  Index first_live = 0;       ///< groups before it end before what is confirmed
  Index first_held = 0;       ///< no feature before it is held

  /// What no rejection can take back.
  [[nodiscard]] Tokens confirmed() const { return computed - placeholders; }
};

/// What a step in flight remembers of a request.
struct InFlight {
  RequestHandle request;
  std::uint32_t epoch = 0;
  Tokens tokens = 0, drafts = 0, owed = 0;
};

/// A pass between its issue and the delivery of its outputs.
struct Flight {
  StepNumber number = 0;
  std::vector<InFlight> requests;
  std::vector<Index> pinned;  ///< entries that its notices and orders name
};

}  // namespace holdfast::impl
