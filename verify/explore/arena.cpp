#include "verify/explore/arena.hpp"

#include <new>

#include <sys/mman.h>

namespace holdfast::verify::explore {

Pages::~Pages() { release(); }

void Pages::release() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
  data_ = nullptr;
  bytes_ = 0;
}

void* Pages::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return data_;
  release();
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  ::madvise(at, bytes, MADV_HUGEPAGE);
  data_ = at;
  bytes_ = bytes;
  return data_;
}

}  // namespace holdfast::verify::explore
