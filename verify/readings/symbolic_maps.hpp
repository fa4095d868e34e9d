// Terms and variables of the symbolic reading.
//
// A map is a function from keys to a term, and an update makes another function of it: a read after
// it is a substitution, so there are no frame axioms. What does not depend on the sorts is in the
// .cpp file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <z3++.h>

#include "verify/readings/symbolic_universe.hpp"

namespace holdfast::verify::inline readings::symbolic {

struct Bool {
  z3::expr term;
  Bool(const z3::expr& e) : term(e) {}
  Bool(bool value) : term(universe().context.bool_val(value)) {}
  static Bool equal(const z3::expr& a, const z3::expr& b) { return Bool(z3::expr(a == b)); }
  friend Bool operator&&(const Bool& a, const Bool& b) { return a.term && b.term; }
  friend Bool operator||(const Bool& a, const Bool& b) { return a.term || b.term; }
  friend Bool operator!(const Bool& a) { return !a.term; }
  friend Bool operator==(const Bool& a, const Bool& b) { return equal(a.term, b.term); }
};

struct Int {
  z3::expr term;
  Int(const z3::expr& e) : term(e) {}
  Int(int value) : term(universe().context.int_val(value)) {}
  friend Int operator+(const Int& a, const Int& b) { return a.term + b.term; }
  friend Int operator-(const Int& a, const Int& b) { return a.term - b.term; }
  friend Bool operator==(const Int& a, const Int& b) { return Bool::equal(a.term, b.term); }
  friend Bool operator<(const Int& a, const Int& b) { return Bool(z3::expr(a.term < b.term)); }
  friend Bool operator<=(const Int& a, const Int& b) { return Bool(z3::expr(a.term <= b.term)); }
  friend Bool operator>(const Int& a, const Int& b) { return Bool(z3::expr(a.term > b.term)); }
  friend Bool operator>=(const Int& a, const Int& b) { return Bool(z3::expr(a.term >= b.term)); }
};

using Request = sorts::Name<spec::RequestSort, Bool>;
using Hash = sorts::Name<spec::HashSort, Bool>;

template <class Sort>
using Term = sorts::Of<Sort, Bool, Int, Request, Hash>;

using Terms = std::vector<z3::expr>;
using Function = std::function<z3::expr(const Terms&)>;

/// What a variable of any sort and arity shares: its declaration, for models and for unrolling.
struct Declaration {
  std::string name;
  std::vector<Kind> keys;
  Kind value = Kind::boolean;
};

/// In a finite universe: every combination of values of the kinds, each after `prefix`.
std::vector<Terms> points(const std::vector<Kind>& kinds, const Terms& prefix = {});

/// The default value of a kind: false, 0, or nobody.
z3::expr default_value(Kind value);

/// A scalar.
template <class Value>
class Var {
 public:
  static Declaration declaration(std::string_view name) {
    return {std::string(name), {}, kind_of<Value>()};
  }
  Term<Value> operator()() const { return *term_; }
  void set(const Term<Value>& value) { term_ = value.term; }
  void reset() { term_ = default_value(kind_of<Value>()); }

  z3::expr at(const Terms&) const { return *term_; }
  void bind(Function f) { term_ = f({}); }

 private:
  std::optional<z3::expr> term_;
};

/// What maps of any sorts share: a function, closed under update.
class Table {
 public:
  z3::expr at(const Terms& keys) const { return (*f_)(keys); }
  void bind(Function f) { f_ = std::make_shared<const Function>(std::move(f)); }

 protected:
  void set_point(Terms keys, const z3::expr& value);
  void set_all(const z3::expr& value);
  /// The body may read the state as it is now: its values are taken now.
  void set_each(const std::vector<Kind>& kinds, const Function& body);
  /// Under the first key; the body gets the others.
  void set_row(const std::vector<Kind>& kinds, const z3::expr& key, const Function& body);
  z3::expr none_in_row(const z3::expr& key, Kind second) const;

  /// The function of the keys behind those of `row`, and the sum of its values where their kinds
  /// are finite.
  Function behind(const Terms& row) const;
  z3::expr sum_behind(const Terms& row, const std::vector<Kind>& kinds) const;

 private:
  std::shared_ptr<const Function> f_;
  std::vector<Terms> set_points_;  // since it was bound
};

/// A function from keys, closed under update.
template <class Value, class... Keys>
class Map : public Table {
 public:
  static Declaration declaration(std::string_view name) {
    return {std::string(name), kinds(), kind_of<Value>()};
  }
  Term<Value> operator()(const Term<Keys>&... keys) const { return at({keys.term...}); }

  template <class... Args>
  void set(const Args&... args) {
    static_assert(sizeof...(Args) == sizeof...(Keys) + 1);
    set_terms(std::index_sequence_for<Keys...>{}, std::forward_as_tuple(args...));
  }
  void reset(const Term<Keys>&... keys) {
    set_point({keys.term...}, default_value(kind_of<Value>()));
  }
  void reset() { set_all(default_value(kind_of<Value>())); }
  void fill(const Term<Value>& value) { set_all(value.term); }
  template <class F>
  void assign(F&& f) {
    set_each(kinds(),
             [&](const Terms& at) { return call(f, at, std::index_sequence_for<Keys...>{}); });
  }
  template <class Key, class F>
  void assign_row(const Key& key, F&& f) {
    static_assert(sizeof...(Keys) == 2);
    using Second = std::tuple_element_t<1, std::tuple<Term<Keys>...>>;
    set_row(kinds(), key.term,
            [&](const Terms& rest) { return Term<Value>(f(Second(rest[0]))).term; });
  }
  template <class Key>
  Bool none(const Key& key) const {
    static_assert(sizeof...(Keys) == 2);
    return none_in_row(key.term, kinds()[1]);
  }

 protected:
  static std::vector<Kind> kinds() { return {kind_of<Keys>()...}; }

 private:
  template <std::size_t... N, class Tuple>
  void set_terms(std::index_sequence<N...>, const Tuple& args) {
    // Made in this order: Z3 numbers terms as they come, and proofs depend on it.
    Terms keys = {Term<Keys>(std::get<N>(args)).term...};
    const Term<Value> value(std::get<sizeof...(N)>(args));
    set_point(std::move(keys), value.term);
  }
  template <class F, std::size_t... N>
  static z3::expr call(F&& f, const Terms& at, std::index_sequence<N...>) {
    return Term<Value>(f(Term<Keys>(at[N])...)).term;
  }
};

/// One map whose sum the sum axioms may have to compare with others.
struct Summand {
  Function slots;  ///< of the keys that are summed over
  std::vector<Kind> keys;
  z3::expr sum;
};

/// The sum of a map to slots, or of each of its rows: a term of its own that follows every update.
class Sum {
 public:
  z3::expr at(const Terms& row) const { return f_(row); }
  void bind(Function f) { f_ = std::move(f); }
  /// Throws std::logic_error: nothing but 0, filled in, has a sum over an unbounded sort.
  static void expect_zero(const z3::expr& value);
  void set(const z3::expr& sum);
  void set_row(const z3::expr& key, const z3::expr& sum);
  void add(const z3::expr& difference);
  void add_to_row(const z3::expr& key, const z3::expr& difference);

 private:
  Function f_;
};

/// A map to slots. The empty map has sum 0, a point update changes the sum by the difference, a
/// bulk update makes a new one. In a finite universe the sum is spelled out. Not a Map to others:
/// what writes only that would miss the sum.
template <class... Keys>
class SlotMap : private Map<spec::IntSort, Keys...> {
  using Base = Map<spec::IntSort, Keys...>;

 public:
  using Base::operator();
  using Base::at;
  using Base::bind;
  using Base::declaration;

  /// Rows: the first key is a step, and each step has a sum.
  static bool has_rows() { return Base::kinds()[0] == Kind::step; }

  template <class... Args>
  void set(const Args&... args) {
    Terms keys = {as_term(args)...};
    const z3::expr value = keys.back();
    keys.pop_back();
    const z3::expr difference = value - this->at(keys);
    if (has_rows())
      sum_.add_to_row(keys[0], difference);
    else
      sum_.add(difference);
    this->set_point(std::move(keys), value);
  }
  void reset() { fill(0); }
  void fill(const Int& value) {
    Sum::expect_zero(value.term);
    sum_.set(value.term);
    Base::fill(value);
  }
  template <class F>
  void assign(F&& f) {
    sum_.set(universe().fresh("sum", universe().integer));
    Base::assign(f);
  }
  template <class F>
  void assign_row(const Int& key, F&& f) {
    sum_.set_row(key.term, universe().fresh("sum", universe().integer));
    Base::assign_row(key, f);
  }
  template <class Other>
  void copy_row(const Int& key, const Other& other) {
    sum_.set_row(key.term, other.sum().term);
    this->set_row(Base::kinds(), key.term, [&](const Terms& rest) { return other.at(rest); });
  }
  Int sum() const { return total({}); }
  Int sum(const Int& key) const { return total({key.term}); }

  /// The sum function at a row (or of the whole), unless the universe is finite.
  void bind_sum(Function f) { sum_.bind(std::move(f)); }
  Summand summand(const Terms& row) const {
    return {this->behind(row), kinds_behind(row), total(row)};
  }

 private:
  template <class T>
  static z3::expr as_term(const T& x) {
    if constexpr (std::is_arithmetic_v<T>)
      return universe().context.int_val(x);
    else
      return x.term;
  }
  static std::vector<Kind> kinds_behind(const Terms& row) {
    auto kinds = Base::kinds();
    kinds.erase(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(row.size()));
    return kinds;
  }
  z3::expr total(const Terms& row) const {
    return universe().finite ? this->sum_behind(row, kinds_behind(row)) : sum_.at(row);
  }

  Sum sum_;
};

}  // namespace holdfast::verify::inline readings::symbolic
