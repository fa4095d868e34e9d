// How a workload's slots and positions become those of a file.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explore/run.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline driven {

/// In a file a feature has one slot for each position that its mask names, and no mask names them
/// all. A workload may give a feature any number of slots. Multiplying every slot by one number and
/// every position by another changes no comparison that a rule makes, and leaves room for such a
/// mask.
struct Scale {
  std::int64_t slots = 1;
  std::int64_t positions = 1;
};

Scale scale_of(const Workload& workload);

/// `feature` in the file, named hK. Every position of the workload keeps at least one embedding.
trace::Feature scaled_feature(const WorkloadFeature& feature, const Scale& scale);

}  // namespace holdfast::verify::replay::inline driven
