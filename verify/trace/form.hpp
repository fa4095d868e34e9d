// The form of one line: JSON -> Event. Knows nothing of the lines before it (see order.hpp).
#pragma once

#include <cstdint>

#include "verify/trace/events.hpp"
#include "verify/trace/json_tape.hpp"

namespace holdfast::verify::trace {

/// Counts, sizes and pass numbers are below this. Far above any real one, far below what overflows
/// when a few of them are added.
inline constexpr std::int64_t count_limit = std::int64_t{1} << 40;

/// The only `format` and `version` there are.
inline constexpr std::string_view format_name = "holdfast-trace";
inline constexpr std::int64_t format_version = 1;

/// Throws LineError: not an object, an unknown event or field, a field missing, twice, of the wrong
/// type or out of its range, an unknown word, a format or version that is not ours.
Event parse_event(const JsonNode& line);

}  // namespace holdfast::verify::trace
