// Structs of variables that declare each of them once: its type, its name, and what it is.
//
//   template <class D>
//   struct State {
//     BEGIN_VARIABLES();
//     SECTION(pass);
//     Var<D, BoolSort> VARIABLE(in_pass, "a pass is being made (`schedule()` runs)");
//     ...
//     END_VARIABLES();
//   };
//
// What would otherwise be lists written by hand is made of it:
//   State::visit(s, f)        calls f(name, variable, what it is) for every variable, in order
//   State::reset(s)           gives every variable its default
//   State::reset_pass(s)      those of the section, which ends where the next one begins
//   VariablesOf<State>        as types, for what is decided while it compiles
// A member that is not declared by VARIABLE makes the struct larger than its list: `is_complete`.
//
// C++20 cannot ask a struct for its members. Each VARIABLE leaves a type behind that is found by
// the number of its line.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace holdfast::spec {

/// What is found on a line that declares nothing.
struct NothingDeclared {
  static constexpr bool is_variable = false, is_section = false;
};

/// Some of the variables of a struct.
template <class... Variable>
struct VariableList {
  static constexpr std::size_t size = sizeof...(Variable);

  /// Calls f.template operator()<V>() for each: V::name, V::says, V::Type, and V::of(s) in s.
  template <class F>
  static constexpr void each(F&& f) {
    (f.template operator()<Variable>(), ...);
  }
  template <class Struct, class F>
  static constexpr void visit(Struct& s, F&& f) {
    (f(Variable::name, Variable::of(s), Variable::says), ...);
  }
  template <class Struct>
  static constexpr void reset(Struct& s) {
    (Variable::of(s).reset(), ...);
  }
  /// How many bytes they take side by side.
  static constexpr std::size_t bytes() { return (sizeof(typename Variable::Type) + ... + 0); }
};

namespace detail {

/// The last line of the section that begins on `first`, or of the struct.
template <class Struct, int first, int last>
consteval int end_of_section() {
  int end = last;
  const auto look = [&](int line, bool is_section) {
    if (is_section && line < end) end = line;
  };
  [&]<int... n>(std::integer_sequence<int, n...>) {
    (look(first + 1 + n, Struct::template Declared<first + 1 + n>::is_section), ...);
  }(std::make_integer_sequence<int, last - first - 1>{});
  return end;
}

template <class Struct, int first, int last>
consteval auto find_variables() {
  const auto each_line = [](auto&& f) {
    [&]<int... n>(std::integer_sequence<int, n...>) {
      (f(first + n, Struct::template Declared<first + n>::is_variable), ...);
    }(std::make_integer_sequence<int, last - first>{});
  };
  constexpr std::size_t count = [&] {
    std::size_t found = 0;
    each_line([&](int, bool is_variable) { found += is_variable; });
    return found;
  }();
  std::array<int, count> lines{};
  std::size_t next = 0;
  each_line([&](int line, bool is_variable) {
    if (is_variable) lines[next++] = line;
  });
  return lines;
}
/// The lines from first to last that declare one.
template <class Struct, int first, int last>
inline constexpr auto lines_of = find_variables<Struct, first, last>();

template <class Struct, int first, int last, std::size_t... n>
auto variables_between(std::index_sequence<n...>)
    -> VariableList<typename Struct::template Declared<lines_of<Struct, first, last>[n]>...>;

}  // namespace detail

/// The variables declared on lines first..last of a struct.
template <class Struct, int first, int last>
using VariablesBetween = decltype(detail::variables_between<Struct, first, last>(
    std::make_index_sequence<detail::lines_of<Struct, first, last>.size()>{}));

template <class Struct>
using VariablesOf = VariablesBetween<Struct, Struct::first_line, Struct::last_line>;

/// Those of the section that begins on a line.
template <class Struct, int line>
using VariablesOfSection =
    VariablesBetween<Struct, line, detail::end_of_section<Struct, line, Struct::last_line>()>;

/// Whether every member is a declared variable. For a reading whose variables have no padding.
template <class Struct>
inline constexpr bool is_complete = sizeof(Struct) == VariablesOf<Struct>::bytes();

}  // namespace holdfast::spec

// The file that uses them takes them back at its end.

#define BEGIN_VARIABLES()                                 \
  template <int line, class Unused = void>                \
  struct Declared : ::holdfast::spec::NothingDeclared {}; \
  static constexpr int first_line = __LINE__

#define VARIABLE(variable, what)                                     \
  variable;                                                          \
  template <class Unused>                                            \
  struct Declared<__LINE__, Unused> {                                \
    static constexpr bool is_variable = true, is_section = false;    \
    static constexpr std::string_view name = #variable, says = what; \
    using Type = decltype(variable);                                 \
    template <class Struct>                                          \
    static constexpr auto& of(Struct& s) {                           \
      return s.variable;                                             \
    }                                                                \
  }

#define SECTION(section)                                                  \
  template <class Struct>                                                 \
  static constexpr void reset_##section(Struct& s) {                      \
    ::holdfast::spec::VariablesOfSection<Struct, __LINE__>::reset(s);     \
  }                                                                       \
  template <class Unused>                                                 \
  struct Declared<__LINE__, Unused> : ::holdfast::spec::NothingDeclared { \
    static constexpr bool is_section = true;                              \
  }

#define END_VARIABLES()                                                      \
  template <class Struct, class F>                                           \
  static constexpr void visit(Struct& s, F&& f) {                            \
    ::holdfast::spec::VariablesOf<std::remove_const_t<Struct>>::visit(s, f); \
  }                                                                          \
  template <class Struct>                                                    \
  static constexpr void reset(Struct& s) {                                   \
    ::holdfast::spec::VariablesOf<Struct>::reset(s);                         \
  }                                                                          \
  static constexpr int last_line = __LINE__
