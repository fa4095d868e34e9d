// Terms of the text reading: small trees, made as simple as they are to be printed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/readings/sorts.hpp"

namespace holdfast::verify::inline readings::text {

using sorts::Kind;
using sorts::kind_of;

enum class Op {
  literal,  ///< `name`: 0, true, nobody
  name,     ///< a parameter
  bound,    ///< a quantifier's variable; `version` is its nesting depth
  read,     ///< variable `name` at the keys `parts`
  sum,      ///< of variable `name`, or of its row `parts[0]`
  none,     ///< parts: bound variable, a read of a map of truth values: true for none
  plus,
  minus,
  minimum,
  choice,  ///< parts: condition, then, else
  equal,
  differ,
  less,
  at_most,
  more,
  at_least,
  negation,
  both,    ///< of any number of parts
  either,  ///< of any number of parts
  implies,
  same_truth,
  touches,
  shorthand,  ///< of the formula called `name`, for the terms `parts`
  every,  ///< parts: bound variable, body; of features also the request, of steps also after, up to
  some,
};

struct Node;
using Term = std::shared_ptr<const Node>;

struct Node {
  Op op = Op::literal;
  Kind kind = Kind::boolean;
  std::string name = {};
  int version = 0;  ///< of a read: how often the rule had updated the variable before it
  std::vector<Term> parts = {};
  bool earlier = false;  ///< a read that a statement uses after the variable was updated again
};

Term make(Op op, Kind kind, std::vector<Term> parts);
Term literal(int value);
Term literal(bool value);
Term nobody();
/// A parameter of a rule.
Term named(std::string name, Kind kind);
bool is_literal(const Term& t, std::string_view name);
/// Equal as trees: equal terms have equal values.
bool same(const Term& a, const Term& b);
/// Whether one of `all` is the same.
bool contains(const std::vector<Term>& all, const Term& t);
/// Whether a reader may give a letter to the value that the variable has when a rule begins.
bool may_get_letter(std::string_view variable);
/// Equal to a reader of two statements at the same place.
bool reads_same(const Term& a, const Term& b);

Term both(const Term& a, const Term& b);
Term either(const Term& a, const Term& b);
Term negation(const Term& a);
Term implies(const Term& a, const Term& b);
Term compare(Op op, const Term& a, const Term& b);
Term plus(const Term& a, const Term& b);
/// The conjuncts of a, one if it is no conjunction.
std::vector<Term> conjuncts(const Term& a);

/// false, 0 or nobody.
Term default_value(Kind kind);

struct Bool {
  Term term;
  Bool(Term t) : term(std::move(t)) {}
  Bool(bool value) : term(literal(value)) {}
  static Bool equal(const Term& a, const Term& b) { return compare(Op::equal, a, b); }
  friend Bool operator&&(const Bool& a, const Bool& b) { return both(a.term, b.term); }
  friend Bool operator||(const Bool& a, const Bool& b) { return either(a.term, b.term); }
  friend Bool operator!(const Bool& a) { return negation(a.term); }
  friend Bool operator==(const Bool& a, const Bool& b) {
    return make(Op::same_truth, Kind::boolean, {a.term, b.term});
  }
};

struct Int {
  Term term;
  Int(Term t) : term(std::move(t)) {}
  Int(int value) : term(literal(value)) {}
  friend Int operator+(const Int& a, const Int& b) { return plus(a.term, b.term); }
  friend Int operator-(const Int& a, const Int& b) {
    return make(Op::minus, Kind::integer, {a.term, b.term});
  }
  friend Bool operator==(const Int& a, const Int& b) { return Bool::equal(a.term, b.term); }
  friend Bool operator<(const Int& a, const Int& b) { return compare(Op::less, a.term, b.term); }
  friend Bool operator<=(const Int& a, const Int& b) {
    return compare(Op::at_most, a.term, b.term);
  }
  friend Bool operator>(const Int& a, const Int& b) { return compare(Op::more, a.term, b.term); }
  friend Bool operator>=(const Int& a, const Int& b) {
    return compare(Op::at_least, a.term, b.term);
  }
};

using Request = sorts::Name<spec::RequestSort, Bool>;
using Hash = sorts::Name<spec::HashSort, Bool>;

template <class Sort>
using As = sorts::Of<Sort, Bool, Int, Request, Hash>;

}  // namespace holdfast::verify::inline readings::text
