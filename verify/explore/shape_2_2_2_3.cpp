#include "verify/explore/search_shape.hpp"

namespace holdfast::verify::explore {

template SearchOutcome search_shape<2, 2, 2, 3, Cells::nibbles>(Arena&, const Workload&,
                                                                const WorkloadOptions&);

}  // namespace holdfast::verify::explore
