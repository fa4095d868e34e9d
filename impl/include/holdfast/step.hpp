// What the scheduler hands to the worker for a step: plain data, passed on by value.
#pragma once

#include <cstdint>
#include <vector>

#include "holdfast/types.hpp"

namespace holdfast {

/// The number of a pass and of the worker's step for it. The first is 1; a reset takes one too.
using StepNumber = std::int64_t;

/// An encode that a pass orders (`scheduled_encoder_inputs`).
struct EncodeOrder {
  HashHandle hash;
  Embeds embeds = 0;      ///< rows that its output will have
  RequestHandle request;  ///< whose input data is encoded
  InputId input = 0;
  bool operator==(const EncodeOrder&) const = default;
};

/// What a pass gives a request (`num_scheduled_tokens`).
struct ScheduledRequest {
  RequestHandle request;
  /// Its computed tokens when the step was issued (`num_computed_tokens`): the latest position at
  /// which the step can start. Drafts that are rejected since then make it start earlier.
  Tokens first = 0;
  Tokens tokens = 0;
  bool operator==(const ScheduledRequest&) const = default;
};

/// A step of the worker (`SchedulerOutput`). Steps are issued, and applied, in the order of their
/// numbers.
struct Step {
  StepNumber number = 0;
  bool is_reset = false;            ///< the whole store goes (`reset_encoder_cache`)
  std::vector<HashHandle> notices;  ///< entries that go (`free_encoder_mm_hashes`)
  std::vector<EncodeOrder> orders;  ///< each hash once; of encoder-decoder models, each input once
  std::vector<ScheduledRequest> scheduled;  ///< in the order of their tokens in the step
};

}  // namespace holdfast
