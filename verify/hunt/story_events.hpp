// A script's part of a scenario file.
#pragma once

#include <cstddef>
#include <string>

#include "verify/hunt/script.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::hunt {

/// A file whose source begins with "holdfast hunt" drives the whole scheduler; what follows says
/// which property of which profile it is about.
trace::Header header_of(const Script& script, std::string source);

trace::AddRequest add_event(const Script& script, std::size_t request, std::string name);

}  // namespace holdfast::verify::hunt
