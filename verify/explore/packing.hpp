// A state as the key of a table.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "verify/readings/compact.hpp"

namespace holdfast::verify::explore {

enum class Cells : std::int8_t {
  nibbles,  ///< every value is 0..15: two words become one
  bytes,
};

template <class D, Cells cells>
class Packing {
 public:
  using State = spec::State<D>;
  static constexpr std::size_t state_words = (sizeof(State) + 15) / 16 * 2;
  static constexpr std::size_t words = cells == Cells::nibbles ? state_words / 2 : state_words;
  using Key = std::array<std::uint64_t, words>;

  static Key pack(const State& s) {
    if constexpr (cells == Cells::bytes) {
      Key key = {};
      std::memcpy(key.data(), &s, sizeof s);
      return key;
    } else {
      std::array<std::uint64_t, state_words> from = {};
      std::memcpy(from.data(), &s, sizeof s);
      Key key;
      std::uint64_t all = 0;
      for (std::size_t n = 0; n < words; ++n) {
        all |= from[n] | from[n + words];
        key[n] = from[n] | from[n + words] << 4;
      }
      if ((all & ~low_nibbles) != 0) [[unlikely]]
        overflow(s);
      return key;
    }
  }

  static void unpack(const Key& key, State& s) {
    if constexpr (cells == Cells::bytes) {
      std::memcpy(&s, key.data(), sizeof s);
    } else {
      std::array<std::uint64_t, state_words> to;
      for (std::size_t n = 0; n < words; ++n) {
        to[n] = key[n] & low_nibbles;
        to[n + words] = key[n] >> 4 & low_nibbles;
      }
      std::memcpy(&s, to.data(), sizeof s);
    }
  }

  static bool gives_back(const Key& key, const State& s) {
    State again;
    unpack(key, again);
    return std::memcmp(&again, &s, sizeof s) == 0;
  }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] static void overflow(const State& s) {
    const auto* first = reinterpret_cast<const unsigned char*>(&s);
    const auto* cell =
        std::find_if(first, first + sizeof s, [](unsigned char x) { return x > 15; });
    throw compact::Overflow{cell, compact::variable_at(s, cell)};
  }

  static constexpr std::uint64_t low_nibbles = 0x0F0F0F0F0F0F0F0Fu;
};

}  // namespace holdfast::verify::explore
