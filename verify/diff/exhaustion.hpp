// Every state that driving events can reach at given sizes, and every driving event in it: the
// library beside the model, where `diff` takes samples.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "spec/schedule/queues.hpp"
#include "verify/explore/workloads.hpp"

namespace holdfast::verify::diff {

struct ExhaustionOptions {
  spec::Profile profile;  ///< of the model
  /// Requests, features, spans and budgets; how many tokens a pass gives is the pass's own choice.
  explore::ExploreSizes sizes;
  spec::Policy policy = spec::Policy::fcfs;
  int max_tokens = 1;  ///< outputs of each request
  int kv_blocks = 50;  ///< of one token
  int threshold = 0;   ///< most tokens of a turn beside others; 0: no limit
  std::uint64_t max_states = 10'000'000;
  unsigned jobs = 1;            ///< threads; workloads are shared out
  std::function<bool()> stops;  ///< asked now and then, from any thread; may be empty
};

/// What was gone through. A state is the model's between two driving events, with nothing left in
/// it that is never read again.
struct Exhausted {
  std::uint64_t workloads = 0;
  std::uint64_t states = 0;
  std::uint64_t events = 0;      ///< from all of them, both states compared after each
  std::uint64_t steps = 0;       ///< small steps of the model, every property asked after each
  std::uint64_t deepest = 0;     ///< events to the state that is furthest away
  bool is_complete = true;       ///< no limit was met
  std::string broken;            ///< a property that the model breaks
  std::string difference;        ///< where they part; empty: nowhere
  std::vector<std::string> way;  ///< the events that lead there, none of them to spare
};

Exhausted exhaust(const ExhaustionOptions& options);

}  // namespace holdfast::verify::diff
