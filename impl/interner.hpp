// Byte strings as dense numbers with generations: what is known no more is refused, not mistaken.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "impl/assert.hpp"
#include "impl/index_list.hpp"

namespace holdfast::impl {

/// The words of `HashHandle` or `RequestHandle`. Average O(length) for a lookup; no allocation once
/// numbers and strings of that length were there before.
template <class Handle>
class Interner {
 public:
  /// The number of `name`, or `none`.
  [[nodiscard]] Index find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? none : found->second;
  }
  /// Requires: `name` is not known.
  Index add(std::string_view name) {
    Index n;
    if (unused_.empty()) {
      n = static_cast<Index>(names_.size());
      names_.emplace_back(name);
      generations_.push_back(0);
      // So that forgetting never allocates.
      if (unused_.capacity() < names_.size()) unused_.reserve(2 * names_.size());
    } else {
      n = unused_.back();
      unused_.pop_back();
      names_[n].assign(name);
    }
    ++generations_[n];
    const bool is_new = numbers_.emplace(std::string_view(names_[n]), n).second;
    HOLDFAST_ASSERT(is_new, "a name is interned once");
    return n;
  }
  void forget(Index n) {
    numbers_.erase(std::string_view(names_[n]));
    ++generations_[n];
    unused_.push_back(n);
  }
  [[nodiscard]] std::string_view name(Index n) const { return names_[n]; }
  [[nodiscard]] Handle handle(Index n) const { return {n, generations_[n]}; }
  [[nodiscard]] bool is_known(Handle h) const {
    return h.index < generations_.size() && generations_[h.index] == h.generation &&
           h.generation % 2 == 1;
  }
  /// Numbers are below it.
  [[nodiscard]] std::size_t bound() const { return names_.size(); }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

 private:
  tsl::robin_map<std::string_view, Index> numbers_;
  std::deque<std::string> names_;  ///< which stay where they are
  std::vector<std::uint32_t> generations_;  ///< odd while the number is in use
  std::vector<Index> unused_;
};

}  // namespace holdfast::impl
