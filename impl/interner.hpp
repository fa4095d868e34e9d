// Byte strings as dense numbers with generations: what is known no more is refused, not mistaken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <tsl/robin_map.h>
#include <utility>
#include <vector>

#include "impl/assert.hpp"
#include "impl/index_list.hpp"

namespace holdfast::impl {

inline std::uint64_t word_at(const char* at) noexcept {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  return word;
}

/// Two lanes, so that one multiplication need not wait for another: the halves of a product of 128
/// bits depend on every bit of both factors. Who may choose names can make them collide.
struct BytesHash {
  std::size_t operator()(std::string_view bytes) const noexcept {
    const char* at = bytes.data();
    const std::size_t size = bytes.size();
    if (size < 8) return mix(few(at, size) ^ odd_1, odd_2 ^ size);
    if (size <= 16)
      return mix(mix(word_at(at) ^ odd_1, word_at(at + size - 8) ^ odd_2), odd_3 ^ size);
    const char* const last = at + size - 16;
    std::uint64_t one = odd_3, two = size;
    for (; at + 16 < last; at += 32) {
      one = mix(word_at(at) ^ odd_1, word_at(at + 8) ^ one);
      two = mix(word_at(at + 16) ^ odd_2, word_at(at + 24) ^ two);
    }
    if (at < last) one = mix(word_at(at) ^ odd_1, word_at(at + 8) ^ one);
    return mix(one ^ mix(word_at(last) ^ odd_2, word_at(last + 8) ^ odd_3), two ^ odd_1);
  }

 private:
  static constexpr std::uint64_t odd_1 = 0x9e3779b97f4a7c15, odd_2 = 0xd1b54a32d192ed03,
                                 odd_3 = 0xaef17502108ef2d9;

  static std::uint64_t few(const char* at, std::size_t size) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i) word = word << 8 | static_cast<unsigned char>(at[i]);
    return word;
  }
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
};

/// Names are some dozen bytes, so that a call of `memcmp` is most of its work.
struct SameBytes {
  bool operator()(std::string_view a, std::string_view b) const noexcept {
    if (a.size() != b.size()) return false;
    if (a.size() < 8 || a.size() > 128) return a == b;
    const std::size_t last = a.size() - 8;
    std::uint64_t differ = word_at(a.data() + last) ^ word_at(b.data() + last);
    for (std::size_t at = 0; at < last; at += 8)
      differ |= word_at(a.data() + at) ^ word_at(b.data() + at);
    return differ == 0;
  }
};

/// The words of `HashHandle` or `RequestHandle`. Average O(length) for a lookup; no allocation once
/// numbers and strings of that length were there before.
template <class Handle>
class Interner {
 public:
  Interner() = default;
  // Names that move keep their places; copied, the table would name those of the other.
  Interner(Interner&&) = default;
  Interner& operator=(Interner&&) = default;

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
    static_cast<void>(is_new);
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
  // With the hashes stored, a lookup compares bytes of one name only.
  tsl::robin_map<std::string_view, Index, BytesHash, SameBytes,
                 std::allocator<std::pair<std::string_view, Index>>, true>
      numbers_;
  std::deque<std::string> names_;           ///< which stay where they are
  std::vector<std::uint32_t> generations_;  ///< odd while the number is in use
  std::vector<Index> unused_;
};

}  // namespace holdfast::impl
