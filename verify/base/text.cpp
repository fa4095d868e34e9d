#include "verify/base/text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace holdfast::verify::inline base {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += starts_character(c) ? 1 : 0;
  return count;
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (columns(text) <= limit) return std::string(text);
  std::size_t seen = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    if (starts_character(text[end]) && seen++ == limit - 1) break;
    ++end;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string duration(double seconds) {
  if (!(seconds >= 0)) return "–";
  if (seconds < 0.0995) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 99.995) return fmt::format("{:.2f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace holdfast::verify::inline base
