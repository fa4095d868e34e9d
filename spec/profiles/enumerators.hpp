// How many enumerators an enum has, so that what is due for each of them can be asked for.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast::spec::inline profiles {

namespace detail {
/// A value without an enumerator is spelled as a cast, such as "(holdfast::spec::Release)6".
template <auto value>
constexpr bool has_enumerator() {
  constexpr std::string_view before = "value = ";
  const std::string_view text = __PRETTY_FUNCTION__;
  return text[text.find(before) + before.size()] != '(';
}
}  // namespace detail

/// Requires: the enumerators are 0, 1, 2 and so on, of a fixed underlying type.
template <class Enum, std::size_t n = 0>
constexpr std::size_t enumerators() {
  if constexpr (detail::has_enumerator<static_cast<Enum>(n)>())
    return enumerators<Enum, n + 1>();
  else
    return n;
}

}  // namespace holdfast::spec::inline profiles
