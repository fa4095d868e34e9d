// Assertions of the library's own work: never of what a caller can cause, which is an `Error`.
// Cheap ones are on in every build but those with NDEBUG; expensive ones, `check_invariants()`
// after every call, with HOLDFAST_EXPENSIVE_CHECKS.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace holdfast::impl {

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

[[noreturn, gnu::cold, gnu::noinline]] inline void assertion_broken(const char* file, int line,
                                                                    const char* condition,
                                                                    const char* says) noexcept {
  std::fprintf(stderr, "%s:%d: broken: %s [%s]\n", file, line, says, condition);
  std::abort();
}

}  // namespace holdfast::impl

#define HOLDFAST_ASSERT(condition, says)                                          \
  (::holdfast::impl::cheap_checks && !(condition)                                 \
       ? ::holdfast::impl::assertion_broken(__FILE__, __LINE__, #condition, says) \
       : void())
