// The states found so far: numbered in the order of their discovery, and found again by value.
//
// A flat table of our own: a general hash map keeps each key beside its slot, grows by copying
// them, and cannot be asked to fetch a slot ahead of time, which is what a search that misses the
// processor's cache at every step lives on. Here keys lie in one array that never moves, in the
// order of the search's queue; a slot is eight bytes: half a hash, and a key's number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "spec/require.hpp"
#include "verify/explore/arena.hpp"

namespace holdfast::verify::explore {

template <std::size_t Words>
class StateTable {
 public:
  using Key = std::array<std::uint64_t, Words>;
  using Number = std::uint32_t;

  /// For at most `most` keys, fewer than 2^32 - 1. The arena lends the memory.
  StateTable(Arena& arena, std::size_t most)
      : most_(most),
        keys_(arena.keys.at_least<Key>(most)),
        slots_(arena.slots.at_least<std::uint64_t>(slots_for(most))) {
    HOLDFAST_REQUIRE(most < 0xFFFFFFFF, "a number of 32 bits for every key");
    clear_slots();
  }

  static std::uint64_t hash(const Key& key) {
    std::uint64_t h = 0x9E3779B97F4A7C15u;
    for (std::size_t n = 0; n < Words; n += 2) {
      const std::uint64_t a = key[n], b = n + 1 < Words ? key[n + 1] : 0;
      h = std::rotl(h, 23) + fold(a ^ 0xA0761D6478BD642Fu, b ^ 0xE7037ED1A0B428DBu);
    }
    return fold(h, 0x8EBC6AF09C88C6E3u);
  }

  /// Starts to fetch the slot of a key, and then the key that lies there.
  void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask_]); }
  void prefetch_key(std::uint64_t hash) const {
    const std::uint64_t slot = slots_[hash & mask_];
    if (slot != 0 && same_tag(slot, hash)) __builtin_prefetch(&keys_[number(slot)]);
  }

  struct Found {
    Number number = 0;
    bool fresh = false;  ///< it was not there before
  };
  /// Requires: it is there, or !full().
  Found insert(const Key& key, std::uint64_t hash) {
    for (std::uint64_t at = hash & mask_;; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) {
        HOLDFAST_REQUIRE(!full(), "room for another key");
        const auto n = static_cast<Number>(size_++);
        keys_[n] = key;
        slots_[at] = make_slot(hash, n);
        if (2 * size_ > mask_) grow();
        HOLDFAST_EXPENSIVELY_REQUIRE(find(key, hash) == n, "a key that was put in is found");
        return {n, true};
      }
      if (same_tag(slot, hash) && same_key(keys_[number(slot)], key)) return {number(slot), false};
    }
  }

  const Key& operator[](Number n) const {
    HOLDFAST_REQUIRE(n < size_, "the number of a key that is there");
    return keys_[n];
  }
  std::size_t size() const { return size_; }
  bool full() const { return size_ >= most_; }

  /// What a state takes at most.
  static constexpr std::size_t bytes_per_state = sizeof(Key) + 4 * sizeof(std::uint64_t);

 private:
  /// The number of a key that is there.
  Number find(const Key& key, std::uint64_t hash) const {
    std::uint64_t at = hash & mask_;
    while (slots_[at] != 0 && !same_key(keys_[number(slots_[at])], key)) at = (at + 1) & mask_;
    return number(slots_[at]);
  }

  static constexpr std::size_t first_slots = 1u << 12, many_slots = 1u << 22;

  static std::size_t slots_for(std::size_t most) {
    return std::max(2 * std::bit_ceil(most + 1), 4 * many_slots);
  }
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  static bool same_key(const Key& a, const Key& b) {
    std::uint64_t different = 0;
    for (std::size_t n = 0; n < Words; ++n) different |= a[n] ^ b[n];
    return different == 0;
  }
  // The low half of a slot is the number plus one, so that zero is an empty slot.
  static std::uint64_t make_slot(std::uint64_t hash, Number n) {
    return (hash & ~std::uint64_t{0xFFFFFFFF}) | (n + 1u);
  }
  static Number number(std::uint64_t slot) { return static_cast<Number>(slot) - 1; }
  static bool same_tag(std::uint64_t slot, std::uint64_t hash) { return (slot ^ hash) >> 32 == 0; }

  void clear_slots() { std::memset(slots_, 0, (mask_ + 1) * sizeof(std::uint64_t)); }

  /// Where it is: the keys say all that there is to say.
  void grow() {
    mask_ = (mask_ + 1) * (mask_ < many_slots ? 4 : 2) - 1;
    clear_slots();
    for (std::size_t n = 0; n < size_; ++n) {
      const std::uint64_t h = hash(keys_[n]);
      std::uint64_t at = h & mask_;
      while (slots_[at] != 0) at = (at + 1) & mask_;
      slots_[at] = make_slot(h, static_cast<Number>(n));
    }
  }

  std::size_t most_;
  std::size_t size_ = 0;
  std::uint64_t mask_ = first_slots - 1;
  Key* keys_;
  std::uint64_t* slots_;
};

}  // namespace holdfast::verify::explore
