// Prints terms and effects of the text reading.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "verify/readings/text_effects.hpp"
#include "verify/readings/text_lets.hpp"
#include "verify/readings/text_terms.hpp"

namespace holdfast::verify::inline readings::text {

/// A line of an effect or formula, and the lines under it. Formulas stand in `backticks`.
struct Item {
  std::string line;
  std::vector<Item> below = {};
};

class Printer {
 public:
  /// Bound variables get no name in `taken`, nor a letter of `lets`.
  explicit Printer(std::set<std::string> taken = {}, std::vector<Let> lets = {});

  /// On one line.
  std::string operator()(const Term& t) const { return print(t, 0); }
  /// On as many lines of at most `width` columns as it takes, conjuncts one below the other.
  std::vector<std::string> lines(const Term& formula, std::size_t width) const;
  std::vector<Item> items(const Effect& effect) const;
  /// What the n-th letter stands for.
  std::string meaning(std::size_t n) const;
  const std::vector<Let>& lets() const { return lets_; }

 private:
  /// Gives a bound variable its name, as long as it is in scope.
  class Scope {
   public:
    Scope(const Printer& printer, const Term& x);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    const std::string& name() const;

   private:
    const Printer& printer_;
  };
  using Lines = std::vector<std::string>;

  std::string print(const Term& t, int tightness) const;
  std::string untied(const Term& t) const;
  std::string conjunction(const std::vector<Term>& parts) const;
  std::string heading(const Term& quantifier, std::string* condition) const;
  std::string name_bound(const Term& x) const;
  Lines case_lines(const Term& t) const;
  Lines conjunct_lines(const Term& t, std::size_t width) const;
  Lines implication_lines(const Term& t, std::size_t width) const;
  Lines quantifier_lines(const Term& t, std::size_t width) const;
  void add_update(const Statement& s, std::vector<Item>& items) const;
  void add_branch(const Statement& s, std::vector<Item>& items) const;

  std::set<std::string> taken_;
  std::vector<Let> lets_;
  std::size_t usable_lets_;
  mutable std::vector<std::pair<int, std::string>> bound_;  ///< by depth
};

}  // namespace holdfast::verify::inline readings::text
