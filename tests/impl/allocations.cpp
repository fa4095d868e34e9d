#include "tests/impl/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace holdfast::impl {

namespace {

std::atomic<std::size_t> allocated = 0;

}  // namespace

std::size_t allocations() { return allocated.load(); }

/// A test that has no memory left ends.
void* counted(std::size_t size) {
  ++allocated;
  if (void* found = std::malloc(size == 0 ? 1 : size)) return found;
  std::abort();
}

}  // namespace holdfast::impl

void* operator new(std::size_t size) { return holdfast::impl::counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return holdfast::impl::counted(size);
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
