// What each shape's own file instantiates.
#pragma once

#include "verify/explore/search.hpp"

namespace holdfast::verify::explore {

template <int R, int F, int H, int K, Cells cells>
SearchOutcome search_shape(Arena& arena, const Workload& workload, const WorkloadOptions& options) {
  using D = compact::Reading<R, F, H, K>;
  if (workload.manager == spec::Manager::encoder_decoder)
    return Search<D, spec::EncoderDecoder, cells>(arena, workload, options).run();
  return Search<D, spec::DecoderOnly, cells>(arena, workload, options).run();
}

}  // namespace holdfast::verify::explore
