// A recorded state of the manager, held against the library's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/replay/divergence.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline library {

struct Slots {
  std::int64_t free = 0;
  std::int64_t reclaimable = 0;
};

/// Of the library. Of an encoder-decoder model slots alone: it keeps nothing to look up.
struct CacheState {
  Slots slots;
  /// By hash, the requests that hold it.
  std::optional<std::map<std::string, std::vector<std::string>>> cached = {};
  std::optional<std::vector<std::string>> lru = {};  ///< the next to be evicted first
};

/// What the file does not say is not compared. Throws Divergence.
void expect_same_slots(const Place& place, const Slots& library,
                       const std::optional<std::int64_t>& free,
                       const std::optional<std::int64_t>& reclaimable);

/// What the file does not say is not compared. Throws Divergence with what differs first.
void expect_same(const Place& place, const CacheState& library, const trace::State& file);

}  // namespace holdfast::verify::replay::inline library
