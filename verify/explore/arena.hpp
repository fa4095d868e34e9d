// Memory for one search after the other.
#pragma once

#include <cstddef>

namespace holdfast::verify::explore {

/// Pages that take room only once they are touched, and then stay: the system needs longer to hand
/// out a fresh page than a search needs to fill it. Large pages where the system has them.
class Pages {
 public:
  Pages() = default;
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  /// Room for so many; whatever was there is overwritten at will. Throws std::bad_alloc.
  template <class T>
  T* at_least(std::size_t count) {
    return static_cast<T*>(reserve(count * sizeof(T)));
  }

 private:
  void* reserve(std::size_t bytes);
  void release();

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// What one search at a time borrows.
struct Arena {
  Pages keys, slots, parents;
};

}  // namespace holdfast::verify::explore
