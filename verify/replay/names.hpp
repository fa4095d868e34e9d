// Ids of a file <-> requests and hashes of a machine.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spec/require.hpp"
#include "verify/readings/dynamic_machine.hpp"

namespace holdfast::verify::replay {

template <class Name>
class NameTable {
 public:
  /// Requires: neither is known.
  void add(const std::string& text, Name name) {
    HOLDFAST_REQUIRE(name.id >= 0 && !ids_.contains(text), "a new name, of somebody");
    const auto n = static_cast<std::size_t>(name.id);
    if (texts_.size() <= n) texts_.resize(n + 1);
    HOLDFAST_REQUIRE(texts_[n].empty(), "somebody who has no name yet");
    texts_[n] = text;
    ids_[text] = name;
  }
  [[nodiscard]] std::optional<Name> find(const std::string& text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] const std::string& text(Name name) const {
    static const std::string nobody = "nobody";
    const auto n = static_cast<std::size_t>(name.id);
    return name.id >= 0 && n < texts_.size() ? texts_[n] : nobody;
  }
  /// Requires: it is known.
  void remove(Name name) {
    HOLDFAST_REQUIRE(name.id >= 0 && static_cast<std::size_t>(name.id) < texts_.size() &&
                         ids_.contains(texts_[static_cast<std::size_t>(name.id)]),
                     "somebody who is in the table");
    auto& text = texts_[static_cast<std::size_t>(name.id)];
    ids_.erase(text);
    text = {};
  }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }

 private:
  std::unordered_map<std::string, Name> ids_;
  std::vector<std::string> texts_;
};

}  // namespace holdfast::verify::replay
