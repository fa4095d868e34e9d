// Every script, the smaller ones first.
#pragma once

#include <cstddef>
#include <vector>

#include "verify/hunt/script.hpp"

namespace holdfast::verify::hunt {

class Enumeration {
 public:
  explicit Enumeration(const Bounds& bounds) : bounds_(bounds) {
    for (std::size_t place = 0; place < genes_.size(); ++place) largest_ += bounds[place];
  }

  /// The next one; null behind the last.
  const Genes* next();
  /// Of the script returned last.
  [[nodiscard]] int size() const { return size_; }

 private:
  bool descend(std::size_t from);
  bool advance();

  const Bounds& bounds_;
  int largest_ = 0;
  int size_ = 0;
  int left_ = 0;  // of the size, for later places
  bool begun_ = false;
  Genes genes_{};
  std::vector<std::size_t> places_;  // of genes above zero, ascending
};

}  // namespace holdfast::verify::hunt
