// One line of JSON as a flat array of nodes: no tree, no allocation per value, keys in file order
// and duplicates still there to be found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::verify::trace {

enum class JsonKind : std::uint8_t { null, boolean, whole, other_number, string, array, object };

struct JsonNode {
  std::string_view key;         ///< inside an object; else empty
  std::string_view text;        ///< of a string, and of a number that is not `whole`, as written
  std::uint64_t magnitude = 0;  ///< of a `whole` number
  std::uint32_t span = 1;       ///< nodes of this value, itself included
  JsonKind kind = JsonKind::null;
  bool flag = false;  ///< a boolean's value; of a `whole` number: it is negative

  /// Children are first() .. last(), each at its predecessor's last().
  [[nodiscard]] const JsonNode* first() const { return this + 1; }
  [[nodiscard]] const JsonNode* last() const { return this + span; }
};

class JsonTape {
 public:
  /// The value on `line`; valid until the next call. Throws LineError where the line is not
  /// exactly one JSON value, holds a NUL byte or invalid UTF-8, nests deeper than 8, or holds more
  /// than 2^20 values.
  const JsonNode& parse(std::string_view line);

 private:
  class Builder;
  std::vector<JsonNode> nodes_;
  std::string strings_;
};

/// The value in words, for a message: "null", "an array", "the number 3.5", "the string 'x'".
std::string describe(const JsonNode& node);

}  // namespace holdfast::verify::trace
