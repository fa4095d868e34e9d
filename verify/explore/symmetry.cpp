#include "verify/explore/symmetry.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace holdfast::verify::explore {
namespace {

bool same_but_for_hash(const WorkloadFeature& a, const WorkloadFeature& b) {
  return a.start == b.start && a.end == b.end && a.embeds == b.embeds && a.mask == b.mask;
}

constexpr int unnamed = -1;

/// The hashes that follow when the requests are renamed like this; none if the workload changes.
std::optional<std::vector<int>> follow(const Workload& workload, const std::vector<int>& requests) {
  std::vector<int> to(workload.hashes, unnamed), from(workload.hashes, unnamed);
  for (std::size_t r = 0; r < requests.size(); ++r) {
    const auto& a = workload.requests[r];
    const auto& b = workload.requests[requests[r]];
    if (a.prompt != b.prompt || a.limit != b.limit || a.priority != b.priority ||
        a.features.size() != b.features.size())
      return std::nullopt;
    for (std::size_t i = 0; i < a.features.size(); ++i) {
      if (!same_but_for_hash(a.features[i], b.features[i])) return std::nullopt;
      const int x = a.features[i].hash, y = b.features[i].hash;
      if (to[x] == unnamed && from[y] == unnamed) to[x] = y, from[y] = x;
      if (to[x] != y) return std::nullopt;
    }
  }
  // The used hashes are permuted among themselves, so the others may keep their names.
  for (int h = 0; h < workload.hashes; ++h)
    if (to[h] == unnamed) to[h] = h;
  return to;
}

}  // namespace

std::vector<Renaming> symmetries(const Workload& workload) {
  std::vector<Renaming> all;
  std::vector<int> requests(workload.requests.size());
  std::iota(requests.begin(), requests.end(), 0);
  do {
    if (auto hashes = follow(workload, requests)) all.push_back({requests, *std::move(hashes)});
  } while (std::ranges::next_permutation(requests).found);
  return all;
}

}  // namespace holdfast::verify::explore
