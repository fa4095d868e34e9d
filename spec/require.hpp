// What a caller owes, asked where it is owed: a broken precondition or invariant ends the program
// where it is broken, with the place, the condition and the sentence that it breaks.
//
// HOLDFAST_REQUIRE is for what costs next to nothing. It is on in every build but `bench`, which
// says so wherever it says its version. HOLDFAST_EXPENSIVELY_REQUIRE is for what takes longer than
// what it checks: on where HOLDFAST_EXPENSIVE_CHECKS is (dev, asan).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace holdfast::spec {

#ifdef NDEBUG
inline constexpr bool cheap_checks = false;
#else
inline constexpr bool cheap_checks = true;
#endif
#ifdef HOLDFAST_EXPENSIVE_CHECKS
inline constexpr bool expensive_checks = true;
#else
inline constexpr bool expensive_checks = false;
#endif

/// Says what was required, and by whom, and aborts.
[[noreturn, gnu::cold, gnu::noinline]] inline void requirement_broken(
    const char* file, int line, const char* condition, std::string_view says) noexcept {
  std::fprintf(stderr, "%s:%d: required: %.*s [%s]\n", file, line, static_cast<int>(says.size()),
               says.data(), condition);
  std::abort();
}

}  // namespace holdfast::spec

/// `says` is a std::string_view, or a literal.
#define HOLDFAST_REQUIRE_IF(checked, condition, says)                               \
  ((checked) && !(condition)                                                        \
       ? ::holdfast::spec::requirement_broken(__FILE__, __LINE__, #condition, says) \
       : void())
#define HOLDFAST_REQUIRE(condition, says) \
  HOLDFAST_REQUIRE_IF(::holdfast::spec::cheap_checks, condition, says)
#define HOLDFAST_EXPENSIVELY_REQUIRE(condition, says) \
  HOLDFAST_REQUIRE_IF(::holdfast::spec::expensive_checks, condition, says)
