#include "verify/replay/driven/scale.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace holdfast::verify::replay::inline driven {
namespace {

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::vector<std::pair<int, int>> runs_of(const WorkloadFeature& f) {
  if (f.mask.empty()) return {{0, f.end - f.start}};
  return f.mask;
}

std::int64_t embedded_positions(const WorkloadFeature& f) {
  std::int64_t count = 0;
  for (const auto& run : runs_of(f)) count += run.second;
  return count;
}

}  // namespace

Scale scale_of(const Workload& workload) {
  Scale scale;
  const auto each = [&](auto&& visit) {
    for (const auto& r : workload.requests)
      for (const auto& f : r.features) visit(f);
  };
  each([&](const WorkloadFeature& f) {
    if (f.embeds < 1 || embedded_positions(f) < 1)
      throw std::invalid_argument("scenario: a feature without slots or positions");
    scale.slots = std::max(scale.slots, ceiling(embedded_positions(f), f.embeds));
  });
  each([&](const WorkloadFeature& f) {
    scale.positions =
        std::max(scale.positions, ceiling(f.embeds * scale.slots, embedded_positions(f)));
  });
  return scale;
}

trace::Feature scaled_feature(const WorkloadFeature& f, const Scale& scale) {
  const std::int64_t k = scale.positions;
  trace::Feature to;
  to.hash = "h" + std::to_string(f.hash);
  to.offset = f.start * k;
  to.length = (f.end - f.start) * k;
  to.embeds = f.embeds * scale.slots;
  if (to.embeds == to.length) return to;
  // The embeddings are spread evenly: position n of the workload's mask gets those from n*E/P on.
  const std::int64_t all = embedded_positions(f);
  std::vector<trace::MaskRun> mask;
  std::int64_t n = 0;
  for (const auto& [first, count] : runs_of(f)) {
    for (std::int64_t p = first; p < first + count; ++p, ++n) {
      const std::int64_t embeds = (n + 1) * to.embeds / all - n * to.embeds / all;
      if (!mask.empty() && mask.back().first + mask.back().count == p * k)
        mask.back().count += embeds;
      else
        mask.push_back({p * k, embeds});
    }
  }
  to.mask = std::move(mask);
  return to;
}

}  // namespace holdfast::verify::replay::inline driven
