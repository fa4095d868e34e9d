// Which renamings of requests and hashes change nothing but names.
#pragma once

#include <vector>

#include "verify/explore/run.hpp"

namespace holdfast::verify::explore {

/// Request r is called requests[r], hash h hashes[h].
struct Renaming {
  std::vector<int> requests;
  std::vector<int> hashes;
  bool operator==(const Renaming&) const = default;
};

/// Every renaming that maps the workload to itself, one for each way to permute the requests; the
/// identity is the first. Hashes that no feature has keep their names: nothing ever happens to
/// them.
std::vector<Renaming> symmetries(const Workload& workload);

}  // namespace holdfast::verify::explore
