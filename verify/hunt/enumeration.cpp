#include "verify/hunt/enumeration.hpp"

namespace holdfast::verify::hunt {

const Genes* Enumeration::next() {
  for (; size_ <= largest_; left_ = ++size_, begun_ = false) {
    if (begun_ ? advance() : descend(0)) {
      begun_ = true;
      return &genes_;
    }
    // A first descent that failed goes on like any other.
    if (!begun_ && advance()) {
      begun_ = true;
      return &genes_;
    }
  }
  return nullptr;
}

/// Spends what is left of the size on genes from that place on, as early as possible.
bool Enumeration::descend(std::size_t from) {
  for (std::size_t place = from; left_ > 0 && place < genes_.size(); ++place) {
    if (bounds_.most(genes_, place) == 0) continue;
    genes_[place] = 1;
    places_.push_back(place);
    --left_;
  }
  return left_ == 0;
}

/// The next way to spend it.
bool Enumeration::advance() {
  while (!places_.empty()) {
    const std::size_t place = places_.back();
    if (left_ > 0 && genes_[place] < bounds_.most(genes_, place)) {
      ++genes_[place];
      --left_;
      if (descend(place + 1)) return true;
      continue;
    }
    left_ += genes_[place];
    genes_[place] = 0;
    places_.pop_back();
    if (descend(place + 1)) return true;
  }
  return false;
}

}  // namespace holdfast::verify::hunt
