// A recorded state of the manager, held against the library's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verify/replay/divergence.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline library {

/// Of the library.
struct CacheState {
  std::map<std::string, std::vector<std::string>> cached;  ///< by hash, the requests that hold it
  std::vector<std::string> lru;                            ///< the next to be evicted first
  std::int64_t free = 0;
  std::int64_t reclaimable = 0;
};

/// What the file does not say is not compared. Throws Divergence with what differs first.
void expect_same(const Place& place, const CacheState& library, const trace::State& file);

}  // namespace holdfast::verify::replay::inline library
