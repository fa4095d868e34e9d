// Small help for text that is read in columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::verify::inline base {

/// "1,234,567".
std::string grouped(std::uint64_t number);

/// The columns that a UTF-8 text takes, each character counted as one.
std::size_t columns(std::string_view text);

/// At most `limit` columns, the last one an ellipsis where something was cut. `limit` is at
/// least 1.
std::string shortened(std::string_view text, std::size_t limit);

/// "12 ms", "1.92 s", "2 min 5 s".
std::string duration(double seconds);

}  // namespace holdfast::verify::inline base
