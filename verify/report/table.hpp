// What kinds of results print for people with: marks, colours, tables of aligned columns.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

enum class Mood : std::int8_t { good, bad, unsure };
enum class Align : std::int8_t { left, right };

Mood mood_of(Outcome outcome);
Mood worse(Mood a, Mood b);

/// "1 finding", "1,234 findings"; empty for none.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

/// How many of them count so.
template <class T>
std::uint64_t count(const All<T>& all, Outcome outcome) {
  std::uint64_t number = 0;
  for (const T* result : all) number += result->outcome() == outcome ? 1 : 0;
  return number;
}

class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}

  [[nodiscard]] std::string bold(std::string_view text) const { return with("1", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return with("2", text); }
  [[nodiscard]] std::string in(Mood mood, std::string_view text) const;
  [[nodiscard]] std::string mark(Mood mood) const;

 private:
  [[nodiscard]] std::string with(std::string_view code, std::string_view text) const;

  bool color_;
};

struct Column {
  std::string title;
  Align align = Align::left;
};

/// A titled block of aligned rows, each with its mark.
class Grid {
 public:
  Grid(std::string title, std::vector<Column> header);

  void add(Mood mood, std::vector<std::string> cells);
  /// Nothing where there is no row.
  void print(std::ostream& out, const Paint& paint) const;

 private:
  [[nodiscard]] std::string aligned(const std::vector<std::string>& cells,
                                    const std::vector<std::size_t>& widths) const;

  std::string title_;
  std::vector<Column> header_;
  std::vector<std::pair<Mood, std::vector<std::string>>> rows_;
};

/// What is printed on.
class Page {
 public:
  Page(std::ostream& out, bool color) : out_(out), paint_(color) {}

  [[nodiscard]] std::ostream& out() { return out_; }
  [[nodiscard]] const Paint& paint() const { return paint_; }

  void print(const Grid& grid) { grid.print(out_, paint_); }
  /// Begins what is told in full.
  void title(Mood mood, std::string_view text);
  void indented(std::string_view text);
  /// One numbered line a step.
  void trace(const std::vector<std::string>& steps);
  /// "name value" for each value that is not empty.
  void fields(const std::vector<std::pair<std::string_view, std::string>>& fields,
              std::size_t width);

 private:
  std::ostream& out_;
  Paint paint_;
};

}  // namespace holdfast::verify::report
