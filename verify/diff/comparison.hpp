// What differs, side by side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace holdfast::verify::diff {

class Comparison {
 public:
  /// `name` says what is compared, as the model calls it. Values are numbers or vectors of them.
  template <class T>
  void same(std::string_view name, const T& model, const T& other) {
    if (model != other) add(name, fmt::format("{}", model), fmt::format("{}", other));
  }
  template <class T, class Index>
  void same(std::string_view name, Index of, const T& model, const T& other) {
    if (model != other)
      add(fmt::format("{}({})", name, of), fmt::format("{}", model), fmt::format("{}", other));
  }
  /// One line for each; empty: nothing differs.
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  void add(std::string_view name, const std::string& model, const std::string& other) {
    lines_.push_back(fmt::format("{}: model {}, implementation {}", name, model, other));
  }
  std::vector<std::string> lines_;
};

}  // namespace holdfast::verify::diff
