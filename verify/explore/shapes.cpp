#include "verify/explore/shapes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "verify/base/errors.hpp"

namespace holdfast::verify::explore {
namespace {

struct Shape {
  int requests, features, hashes, steps;
  Cells cells;
  SearchOutcome (*search)(Arena&, const Workload&, const WorkloadOptions&);
};

template <int R, int F, int H, int K, Cells cells>
constexpr Shape shape() {
  return {R, F, H, K, cells, search_shape<R, F, H, K, cells>};
}

/// The smaller the state, the faster; the last one takes all that can be taken.
constexpr Shape shapes[] = {
    shape<2, 2, 2, 3, Cells::nibbles>(),
    shape<2, 2, 2, 4, Cells::nibbles>(),
    shape<3, 2, 3, 4, Cells::nibbles>(),
    shape<most_requests, most_features, most_hashes, most_depth + 2, Cells::bytes>(),
};

int most_features_of(const Workload& workload) {
  std::size_t most = 0;
  for (const auto& request : workload.requests) most = std::max(most, request.features.size());
  return static_cast<int>(most);
}

/// The largest number that may turn up in a state.
int largest_value(const Workload& workload) {
  int largest = std::max(workload.capacity, workload.encoder_budget);
  for (const auto& request : workload.requests) {
    largest = std::max(largest, request.limit);
    for (const auto& feature : request.features) largest = std::max(largest, feature.embeds);
  }
  return largest;
}

bool fits(const Workload& workload, const Shape& shape) {
  return std::ssize(workload.requests) <= shape.requests &&
         most_features_of(workload) <= shape.features && workload.hashes <= shape.hashes &&
         workload.depth + 2 <= shape.steps &&
         (shape.cells == Cells::bytes || largest_value(workload) <= 15);
}

}  // namespace

SearchOutcome search(Arena& arena, const Workload& workload, const WorkloadOptions& options) {
  for (const auto& shape : shapes) {
    if (!fits(workload, shape)) continue;
    try {
      return shape.search(arena, workload, options);
    } catch (const compact::Overflow&) {
      // A counter left its range in a state that breaks a property nobody asked for.
      if (shape.cells == Cells::bytes) throw;
      return std::end(shapes)[-1].search(arena, workload, options);
    }
  }
  throw InputError(
      fmt::format("exploration handles at most {} requests, {} features of each, {} hashes and {} "
                  "steps in flight",
                  most_requests, most_features, most_hashes, most_depth));
}

}  // namespace holdfast::verify::explore
