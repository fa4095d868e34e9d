// A doubly linked list through the records of a table: no allocation, O(1) at any place, four bytes
// a link.
#pragma once

#include <cstddef>
#include <cstdint>

#include "impl/assert.hpp"

namespace holdfast::impl {

using Index = std::uint32_t;
inline constexpr Index none = ~Index{0};

struct Links {
  Index before = none, after = none;
};

/// `links` says where a record keeps its links.
template <class Record, Links Record::* links>
class IndexList {
 public:
  [[nodiscard]] Index front() const { return front_; }
  [[nodiscard]] Index back() const { return back_; }
  [[nodiscard]] bool empty() const { return front_ == none; }
  [[nodiscard]] std::size_t size() const { return size_; }

  template <class Table>
  [[nodiscard]] static Index after(const Table& table, Index n) {
    return (table[n].*links).after;
  }

  template <class Table>
  void push_back(Table& table, Index n) {
    table[n].*links = {back_, none};
    (back_ == none ? front_ : (table[back_].*links).after) = n;
    back_ = n;
    ++size_;
  }
  template <class Table>
  void remove(Table& table, Index n) {
    HOLDFAST_ASSERT(size_ > 0, "only what is in a list is taken out of it");
    const Links l = table[n].*links;
    (l.before == none ? front_ : (table[l.before].*links).after) = l.after;
    (l.after == none ? back_ : (table[l.after].*links).before) = l.before;
    table[n].*links = {};
    --size_;
  }
  void clear() { *this = {}; }

 private:
  Index front_ = none, back_ = none;
  std::size_t size_ = 0;
};

}  // namespace holdfast::impl
