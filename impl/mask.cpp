#include "holdfast/mask.hpp"

namespace holdfast {

Result<Mask> Mask::whole(Tokens start, Tokens end) {
  if (start < 0 || start > largest_size || end < 0 || end > largest_size)
    return Error::size_out_of_range;
  if (end <= start) return Error::bad_feature;
  Mask mask;
  mask.start_ = start;
  mask.end_ = end;
  mask.embeds_ = end - start;
  return mask;
}

Result<Mask> Mask::of_runs(Tokens start, Tokens end, std::span<const MaskRun> runs) {
  Result<Mask> mask = whole(start, end);
  if (!mask || runs.empty()) return mask;
  const Tokens length = end - start;
  Mask& m = mask.value;
  m.embeds_ = 0;
  m.edges_.reserve(runs.size() + 1);
  Tokens free_from = 0;  // where the runs so far have ended
  for (const auto& [first, count] : runs) {
    if (first < free_from || count <= 0 || first >= length || count > length - first)
      return Error::bad_feature;
    if (m.edges_.empty() || first > free_from) m.edges_.push_back({start + first, m.embeds_});
    m.embeds_ += count;
    free_from = first + count;
  }
  m.edges_.push_back({end, m.embeds_});
  if (m.embeds_ == length) m.edges_.clear();
  return mask;
}

}  // namespace holdfast
