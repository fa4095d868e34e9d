// Byte strings as dense numbers with generations: what is known no more is refused, not mistaken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string_view>
#include <tsl/robin_set.h>
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
/// bits depend on every bit of both factors. Each factor has a secret in it from the start, drawn
/// anew in each process: who may choose names can't make one of them 0, nor two names collide.
class BytesHash {
 public:
  using Secret = std::array<std::uint64_t, 4>;

  BytesHash() : secret_(of_process()) {}
  explicit BytesHash(const Secret& secret) : secret_(secret) {}

  [[gnu::always_inline]] std::size_t operator()(std::string_view bytes) const noexcept {
    const char* at = bytes.data();
    const std::size_t size = bytes.size();
    if (size < 8) return mix(few(at, size) ^ secret_[0], secret_[1] ^ size);
    if (size <= 16)
      return mix(mix(word_at(at) ^ secret_[0], word_at(at + size - 8) ^ secret_[1]),
                 secret_[2] ^ size);
    const char* const last = at + size - 16;
    std::uint64_t one = secret_[2], two = secret_[3];
    for (; at + 16 < last; at += 32) {
      one = mix(word_at(at) ^ secret_[0], word_at(at + 8) ^ one);
      two = mix(word_at(at + 16) ^ secret_[1], word_at(at + 24) ^ two);
    }
    if (at < last) one = mix(word_at(at) ^ secret_[0], word_at(at + 8) ^ one);
    return mix(one ^ mix(word_at(last) ^ secret_[1], word_at(last + 8) ^ secret_[2]), two ^ size);
  }

 private:
  Secret secret_;

  static Secret of_process() {
    static const Secret secret = [] {
      std::random_device draw;
      Secret drawn;
      for (auto& word : drawn) word = std::uint64_t{draw()} << 32U | draw();
      return drawn;
    }();
    return secret;
  }
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
    const std::size_t size = a.size();
    if (size != b.size()) return false;
    if (size < 16) {
      unsigned differ = 0;
      for (std::size_t at = 0; at < size; ++at) differ |= static_cast<unsigned>(a[at] ^ b[at]);
      return differ == 0;
    }
    Sixteen differ = differ_at(a, b, size - 16);
    for (std::size_t at = 0; at + 16 < size; at += 16) differ |= differ_at(a, b, at);
    return (differ[0] | differ[1]) == 0;
  }

 private:
  using Sixteen [[gnu::vector_size(16)]] = std::uint64_t;

  static Sixteen differ_at(std::string_view a, std::string_view b, std::size_t at) noexcept {
    Sixteen of_a, of_b;
    std::memcpy(&of_a, a.data() + at, 16);
    std::memcpy(&of_b, b.data() + at, 16);
    return of_a ^ of_b;
  }
};

/// The words of `HashHandle` or `RequestHandle`. Average O(length) for a lookup; no allocation once
/// numbers and strings of that length were there before.
template <class Handle>
class Interner {
 public:
  Interner() = default;
  // Copied, the table would read the names of the other.
  Interner(Interner&&) = default;
  Interner& operator=(Interner&&) = default;

  /// The number of `name`, or `none`.
  [[nodiscard]] Index find(std::string_view name) const {
    const Index n = recent_[place_of(name)];
    if (n < bound_ && is_in_use(n) && SameBytes{}(this->name(n), name)) return n;
    return look_up(name);
  }
  /// Requires: `name` is not known.
  Index add(std::string_view name) {
    Index n;
    if (unused_.empty()) {
      n = bound_++;
      names_->emplace_back(name.begin(), name.end());
      generations_.push_back(0);
      // So that forgetting never allocates.
      if (unused_.capacity() < bound_) unused_.reserve(2 * std::size_t{bound_});
    } else {
      n = unused_.back();
      unused_.pop_back();
      (*names_)[n].assign(name.begin(), name.end());
    }
    ++generations_[n];
    const bool is_new = numbers_.insert(n).second;
    HOLDFAST_ASSERT(is_new, "a name is interned once");
    static_cast<void>(is_new);
    return n;
  }
  void forget(Index n) {
    numbers_.erase(n);
    ++generations_[n];
    unused_.push_back(n);
  }
  /// It stays where it is until that number is forgotten.
  [[nodiscard]] std::string_view name(Index n) const { return name_of(*names_, n); }
  [[nodiscard]] Handle handle(Index n) const { return {n, generations_[n]}; }
  [[nodiscard]] bool is_known(Handle h) const {
    return h.index < bound_ && generations_[h.index] == h.generation && h.generation % 2 == 1;
  }
  /// Numbers are below it.
  [[nodiscard]] std::size_t bound() const { return bound_; }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

 private:
  [[nodiscard]] bool is_in_use(Index n) const { return generations_[n] % 2 == 1; }
  /// By its last bytes, which is where names of one sort differ.
  static std::size_t place_of(std::string_view name) noexcept {
    if (name.size() < 8) return name.size();
    return word_at(name.data() + name.size() - 8) * 0x9e3779b97f4a7c15 >> (64 - recent_bits);
  }
  [[gnu::noinline]] Index look_up(std::string_view name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return none;
    return recent_[place_of(name)] = *found;
  }

  using Names = std::vector<std::vector<char>>;  // of which none moves where the table grows

  static std::string_view name_of(const Names& names, Index n) {
    return {names[n].data(), names[n].size()};
  }
  struct NameHash : BytesHash {
    using BytesHash::operator();
    std::size_t operator()(Index n) const noexcept { return (*this)(name_of(*names, n)); }
    const Names* names;
  };
  struct SameName {
    using is_transparent = void;
    bool operator()(Index a, Index b) const noexcept {
      return a == b || (*this)(a, name_of(*names, b));
    }
    bool operator()(Index a, std::string_view b) const noexcept {
      return SameBytes{}(name_of(*names, a), b);
    }
    const Names* names;
  };
  // With the hashes stored, a lookup compares bytes of one name only. Where three places of four
  // are empty, it finds that at the first place that it looks at: to guess wrong costs more than a
  // hash.
  using Numbers = tsl::robin_set<Index, NameHash, SameName, std::allocator<Index>, true>;
  static Numbers numbers_of(const Names& names) {
    Numbers numbers(0, NameHash{{}, &names}, SameName{&names});
    numbers.max_load_factor(0.25F);
    return numbers;
  }

  static constexpr unsigned recent_bits = 12;

  std::vector<std::uint32_t> generations_;  ///< odd while the number is in use
  Index bound_ = 0;
  /// What was found last, where it would be found again without its hash: most calls name one of
  /// the few requests that are running. What is not there, or is somebody else, costs a look.
  mutable std::vector<Index> recent_ = std::vector<Index>(std::size_t{1} << recent_bits, none);
  std::unique_ptr<Names> names_ = std::make_unique<Names>();
  Numbers numbers_ = numbers_of(*names_);
  std::vector<Index> unused_;
};

}  // namespace holdfast::impl
