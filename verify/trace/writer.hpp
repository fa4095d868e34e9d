// Writes events as lines of the trace format, keys in the order of the recorded traces. Answers
// that are absent are left out, so that a scenario is written by the same hand.
#pragma once

#include <string>
#include <vector>

#include "verify/trace/events.hpp"

namespace holdfast::verify::trace {

/// One line, with its line end.
std::string to_line(const Event& event);

/// Appends that line to `out`.
void append_line(std::string& out, const Event& event);

/// All of them, a line each.
std::string to_lines(const std::vector<Event>& events);

}  // namespace holdfast::verify::trace
