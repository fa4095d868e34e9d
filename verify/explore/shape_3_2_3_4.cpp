#include "verify/explore/search_shape.hpp"

namespace holdfast::verify::explore {

template SearchOutcome search_shape<3, 2, 3, 4, Cells::nibbles>(Arena&, const Workload&,
                                                                const WorkloadOptions&);

}  // namespace holdfast::verify::explore
