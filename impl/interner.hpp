// Byte strings as dense numbers with generations: what is known no more is refused, not mistaken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <tsl/robin_map.h>
#include <utility>
#include <vector>

#include "impl/assert.hpp"
#include "impl/index_list.hpp"

namespace holdfast::impl {

/// Sixteen bytes a step: the halves of a product of 128 bits depend on every bit of both factors.
struct BytesHash {
  std::size_t operator()(std::string_view bytes) const noexcept {
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t sum = odd_1 ^ left;
    for (; left > 16; at += 16, left -= 16) sum = mix(word(at, 8) ^ odd_2, word(at + 8, 8) ^ sum);
    const std::uint64_t low = word(at, left < 8 ? left : 8);
    const std::uint64_t high = left > 8 ? word(at + left - 8, 8) : 0;
    return mix(mix(low ^ odd_2, high ^ sum), odd_1);
  }

 private:
  static constexpr std::uint64_t odd_1 = 0x9e3779b97f4a7c15, odd_2 = 0xd1b54a32d192ed03;

  static std::uint64_t word(const char* at, std::size_t size) noexcept {
    std::uint64_t w = 0;
    if (size == 8) {
      std::memcpy(&w, at, 8);
    } else if (size >= 4) {
      std::uint32_t first, last;
      std::memcpy(&first, at, 4);
      std::memcpy(&last, at + size - 4, 4);
      w = std::uint64_t{first} << 32 | last;
    } else if (size > 0) {
      const auto byte = [at](std::size_t i) {
        return std::uint64_t{static_cast<unsigned char>(at[i])};
      };
      w = byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
    }
    return w;
  }
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
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
  tsl::robin_map<std::string_view, Index, BytesHash, std::equal_to<>,
                 std::allocator<std::pair<std::string_view, Index>>, true>
      numbers_;
  std::deque<std::string> names_;           ///< which stay where they are
  std::vector<std::uint32_t> generations_;  ///< odd while the number is in use
  std::vector<Index> unused_;
};

}  // namespace holdfast::impl
