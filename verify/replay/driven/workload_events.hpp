// A workload's part of a file: what its budgets and its requests are called there.
#pragma once

#include <string>

#include "verify/readings/workload.hpp"
#include "verify/replay/driven/scale.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline driven {

/// What the workload says of a header; the sizes of a whole scheduler are the caller's to add.
trace::Header header_of(const Workload& workload, std::string source, const Scale& scale = {});

/// A request of it, with what both kinds of a file say: the caller adds how many tokens it has.
trace::AddRequest add_event(const WorkloadRequest& request, std::string name,
                            const Scale& scale = {});

}  // namespace holdfast::verify::replay::inline driven
