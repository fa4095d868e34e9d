#include "verify/diff/exec/questions.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/trace/line_error.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::diff::exec {
namespace {

using trace::JsonKind;
using trace::JsonNode;
using Words = std::vector<std::string>;
using Holders = trace::ById<Words>;

/// A value in words; of the wrong kind: none.
std::optional<bool> read_as(const JsonNode& node, const bool&) {
  return node.kind == JsonKind::boolean ? std::optional(node.flag) : std::nullopt;
}
std::optional<std::int64_t> read_as(const JsonNode& node, const std::int64_t&) {
  if (node.kind != JsonKind::whole || node.magnitude > INT64_MAX) return std::nullopt;
  const auto n = static_cast<std::int64_t>(node.magnitude);
  return node.flag ? -n : n;
}
std::optional<Words> read_as(const JsonNode& node, const Words&) {
  if (node.kind != JsonKind::array) return std::nullopt;
  Words words;
  for (const auto* item = node.first(); item != node.last(); item = item->last()) {
    if (item->kind != JsonKind::string) return std::nullopt;
    words.emplace_back(item->text);
  }
  return words;
}
std::optional<Holders> read_as(const JsonNode& node, const Holders&) {
  if (node.kind != JsonKind::object) return std::nullopt;
  Holders holders;
  for (const auto* item = node.first(); item != node.last(); item = item->last()) {
    auto words = read_as(*item, Words{});
    if (!words) return std::nullopt;
    holders.emplace_back(std::string(item->key), std::move(*words));
  }
  return holders;
}

constexpr std::string_view kind_of(const bool&) { return "true or false"; }
constexpr std::string_view kind_of(const std::int64_t&) { return "a whole number"; }
constexpr std::string_view kind_of(const Words&) { return "a list of strings"; }
constexpr std::string_view kind_of(const Holders&) { return "an object of lists of strings"; }

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(const Words& words) {
  Words quoted;
  for (const auto& word : words) quoted.push_back('"' + trace::printable(word) + '"');
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}
std::string text_of(const Holders& holders) {
  Words texts;
  for (const auto& [hash, requests] : holders)
    texts.push_back(fmt::format("\"{}\": {}", trace::printable(hash), text_of(requests)));
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

Words ascending(Words words) {
  std::sort(words.begin(), words.end());
  return words;
}
Holders ascending(Holders holders) {
  for (auto& [hash, requests] : holders) requests = ascending(std::move(requests));
  std::sort(holders.begin(), holders.end());
  return holders;
}

enum class Order : std::int8_t { counts, does_not_count };

/// One answer beside the model's. Each key is looked at once; what is left over is unknown.
class Answer {
 public:
  explicit Answer(const JsonNode& node) : node_(node), is_read_(node.span, false) {}

  template <class T>
  void same(std::string_view key, const std::optional<T>& model, Order order = Order::counts) {
    if (!model) return;
    const JsonNode* found = find(key);
    if (found == nullptr) return fault("{}: missing; the model says {}", key, text_of(*model));
    const auto value = read_as(*found, *model);
    if (!value)
      return fault("{}: expected {}, not {}", key, kind_of(*model), trace::describe(*found));
    bool is_same = *value == *model;
    if constexpr (std::is_same_v<T, Words> || std::is_same_v<T, Holders>)
      if (order == Order::does_not_count) is_same = ascending(*value) == ascending(*model);
    if (!is_same) fault("{}: model {}, implementation {}", key, text_of(*model), text_of(*value));
  }

  [[nodiscard]] bool is_empty() const { return node_.first() == node_.last(); }

  Words take_faults() {
    for (const auto* item = node_.first(); item != node_.last(); item = item->last())
      if (!is_read_[place(item)]) fault("{}: not expected here", trace::in_quotes(item->key));
    return std::move(faults_);
  }

 private:
  [[nodiscard]] std::size_t place(const JsonNode* item) const {
    return static_cast<std::size_t>(item - &node_);
  }
  const JsonNode* find(std::string_view key) {
    for (const auto* item = node_.first(); item != node_.last(); item = item->last())
      if (item->key == key && !is_read_[place(item)]) {
        is_read_[place(item)] = true;
        return item;
      }
    return nullptr;
  }
  template <class... Values>
  void fault(fmt::format_string<Values...> text, Values&&... values) {
    faults_.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  const JsonNode& node_;
  std::vector<bool> is_read_;
  Words faults_;
};

/// What is asked: `e` without the answers, those that `held` and what a pass came to tell apart.
template <class E>
E without_answers(E e) {
  if constexpr (requires { e.free; }) e.free.reset(), e.reclaimable.reset();
  if constexpr (requires { e.hit; }) e.hit.reset();
  if constexpr (requires { e.ok; }) e.ok.reset(), e.evicted.reset();
  if constexpr (requires { e.hashes; }) e.hashes.reset();
  if constexpr (requires { e.encode; }) e.encode.reset(), e.notices.reset();
  if constexpr (requires { e.cached; }) e.cached.reset(), e.lru.reset();
  return e;
}

template <class E>
void compare(const E& e, Answer& answer) {
  if constexpr (requires { e.hit; }) answer.same("hit", e.hit);
  if constexpr (requires { e.ok; }) {
    answer.same("ok", e.ok);
    answer.same("evicted", e.evicted);
  }
  if constexpr (requires { e.hashes; }) answer.same("hashes", e.hashes, Order::does_not_count);
  if constexpr (requires { e.cached; }) {
    // Who does not show what it holds may say so.
    if (answer.is_empty()) return;
    answer.same("cached", e.cached, Order::does_not_count);
    answer.same("lru", e.lru);
  }
  if constexpr (requires { e.free; }) {
    answer.same("free", e.free);
    answer.same("reclaimable", e.reclaimable);
  }
}

}  // namespace

std::string question(const trace::Event& event) {
  return std::visit([](const auto& e) { return trace::to_line(without_answers(e)); }, event);
}

Words AnswerReader::faults(const trace::Event& event, std::string_view answer) {
  try {
    const JsonNode& node = tape_.parse(answer);
    if (node.kind != JsonKind::object)
      return {fmt::format("expected a JSON object, not {}", trace::describe(node))};
    Answer read(node);
    std::visit([&](const auto& e) { compare(e, read); }, event);
    return read.take_faults();
  } catch (const trace::LineError& error) {
    return {
        fmt::format("expected a JSON object, not {}: {}", trace::in_quotes(answer), error.what())};
  }
}

}  // namespace holdfast::verify::diff::exec
