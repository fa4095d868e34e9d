#include "verify/trace/json_tape.hpp"

#include <array>

#include <nlohmann/json.hpp>

#include "verify/trace/line_error.hpp"

namespace holdfast::verify::trace {
namespace {

constexpr std::size_t max_depth = 8;
constexpr std::size_t max_values = std::size_t{1} << 20U;

// "[json.exception...] parse error at line 1, column 7: syntax error while parsing value - ..."
std::string complaint(std::string_view what) {
  const std::size_t column = what.find("column ");
  if (column == std::string_view::npos) {
    const std::size_t bracket = what.find("] ");
    return printable(bracket == std::string_view::npos ? what : what.substr(bracket + 2), 160);
  }
  return "at " + printable(what.substr(column), 160);
}

}  // namespace

// What nlohmann's SAX parser calls. Not derived from json_sax: virtual calls cost a tenth.
class JsonTape::Builder {
 public:
  Builder(std::vector<JsonNode>& nodes, std::string& strings) : nodes_(nodes), strings_(strings) {}

  std::string error;

  bool null() { return add(JsonKind::null) != nullptr; }

  bool boolean(bool value) {
    JsonNode* node = add(JsonKind::boolean);
    if (node != nullptr) node->flag = value;
    return node != nullptr;
  }

  bool number_integer(std::int64_t value) {
    JsonNode* node = add(JsonKind::whole);
    if (node == nullptr) return false;
    node->flag = value < 0;
    node->magnitude = node->flag ? ~static_cast<std::uint64_t>(value) + 1 : std::uint64_t(value);
    return true;
  }

  bool number_unsigned(std::uint64_t value) {
    JsonNode* node = add(JsonKind::whole);
    if (node != nullptr) node->magnitude = value;
    return node != nullptr;
  }

  bool number_float(double, const std::string& written) {
    JsonNode* node = add(JsonKind::other_number);
    if (node != nullptr) node->text = keep(written);
    return node != nullptr;
  }

  bool string(std::string& value) {
    JsonNode* node = add(JsonKind::string);
    if (node != nullptr) node->text = keep(value);
    return node != nullptr;
  }

  bool binary(nlohmann::json::binary_t&) { return false; }  // never in text

  bool key(std::string& name) {
    key_ = keep(name);
    return true;
  }

  bool start_object(std::size_t) { return open(JsonKind::object); }
  bool start_array(std::size_t) { return open(JsonKind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& exception) {
    error = "malformed JSON " + complaint(exception.what());
    return false;
  }

 private:
  JsonNode* add(JsonKind kind) {
    if (nodes_.size() == max_values) {
      error = "more than " + std::to_string(max_values) + " JSON values in one line";
      return nullptr;
    }
    JsonNode& node = nodes_.emplace_back();
    node.kind = kind;
    node.key = key_;
    key_ = {};
    return &node;
  }

  bool open(JsonKind kind) {
    if (depth_ == max_depth) {
      error = "JSON nested more than " + std::to_string(max_depth) + " deep";
      return false;
    }
    if (add(kind) == nullptr) return false;
    open_[depth_++] = nodes_.size() - 1;
    return true;
  }

  bool close() {
    const std::size_t opened = open_[--depth_];
    nodes_[opened].span = static_cast<std::uint32_t>(nodes_.size() - opened);
    return true;
  }

  // Text never grows by decoding, so `strings_`, as long as the line, never moves.
  std::string_view keep(std::string_view text) {
    const std::size_t at = strings_.size();
    strings_.append(text);
    return std::string_view(strings_).substr(at);
  }

  std::vector<JsonNode>& nodes_;
  std::string& strings_;
  std::string_view key_;
  std::array<std::size_t, max_depth> open_{};
  std::size_t depth_ = 0;
};

const JsonNode& JsonTape::parse(std::string_view line) {
  // nlohmann takes a NUL for the end of the input.
  if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
    throw LineError("NUL byte at column " + std::to_string(nul + 1) + "; expected JSON text");
  }
  nodes_.clear();
  strings_.clear();
  strings_.reserve(line.size());
  Builder builder(nodes_, strings_);
  if (!nlohmann::json::sax_parse(line.data(), line.data() + line.size(), &builder)) {
    throw LineError(builder.error.empty() ? "malformed JSON" : builder.error);
  }
  return nodes_.front();
}

std::string describe(const JsonNode& node) {
  switch (node.kind) {
    case JsonKind::null: return "null";
    case JsonKind::boolean: return node.flag ? "true" : "false";
    case JsonKind::whole: return (node.flag ? "-" : "") + std::to_string(node.magnitude);
    case JsonKind::other_number: return printable(node.text);
    case JsonKind::string: return "the string " + in_quotes(node.text);
    case JsonKind::array: return "an array";
    case JsonKind::object: return "an object";
  }
  return "nothing";
}

}  // namespace holdfast::verify::trace
