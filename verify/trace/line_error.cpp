#include "verify/trace/line_error.hpp"

namespace holdfast::verify::trace {

std::string printable(std::string_view text, std::size_t longest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    if (out.size() >= longest) return out + "...";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) { return "'" + printable(text) + "'"; }

}  // namespace holdfast::verify::trace
