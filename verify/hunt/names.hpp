// What requests and hashes of a script are called, in stories and in files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace holdfast::verify::hunt {

class Names {
 public:
  explicit Names(std::size_t requests) : copies_(requests) {}

  /// A fresh copy of the request arrives: it has a name of its own.
  void comes(int request) { ++copies_.at(static_cast<std::size_t>(request)); }

  [[nodiscard]] std::string request(int id) const {
    const auto n = static_cast<std::size_t>(id);
    const int copy = n < copies_.size() ? copies_[n] : 0;
    return copy > 1 ? fmt::format("r{}.{}", id, copy) : fmt::format("r{}", id);
  }
  static std::string hash(int id) { return fmt::format("h{}", id); }

 private:
  std::vector<int> copies_;  // by request: how many came
};

}  // namespace holdfast::verify::hunt
