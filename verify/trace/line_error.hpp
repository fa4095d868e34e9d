#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace holdfast::verify::trace {

/// What is wrong with one line. The reader adds file and line and throws it on as an InputError.
class LineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `text` in single quotes, fit for one line of a terminal: bytes that do not print are escaped,
/// and what is very long is cut.
std::string in_quotes(std::string_view text);

/// The same without quotes.
std::string printable(std::string_view text, std::size_t longest = 80);

}  // namespace holdfast::verify::trace
