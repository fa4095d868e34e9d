#include "verify/explore/search_shape.hpp"

namespace holdfast::verify::explore {

template SearchOutcome search_shape<4, 4, 4, 6, Cells::bytes>(Arena&, const Workload&,
                                                              const WorkloadOptions&);

}  // namespace holdfast::verify::explore
