// The second reading: rules over Z3 terms.
//
// Maps are functions and an update is a substitution, so there are no frame axioms. A branch of a
// rule forks: the rule is run once for every path, and the conditions taken are the path's
// condition. A universe says what the sorts are: uninterpreted and of any size (proofs), or finite
// (models).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <z3++.h>

#include "spec/profile.hpp"
#include "spec/state.hpp"

namespace holdfast::verify::symbolic {

/// How many there are of what, in a finite universe. Positions, sizes and counts stay integers.
struct FiniteSizes {
  int requests = 2;
  int features = 2;
  int hashes = 2;
  int steps = 3;  ///< passes 0..steps may have been issued
};

/// The sorts, and what a quantifier over them means. One per Z3 context, so one per thread.
class Universe {
 public:
  explicit Universe(z3::context& c) : Universe(c, std::nullopt) {}
  Universe(z3::context& c, std::optional<FiniteSizes> finite);

  z3::context& context;
  std::optional<FiniteSizes> finite;
  z3::sort request, hash, integer, boolean;
  z3::expr nobody;  ///< the value of a request variable that names none

  enum class Kind { boolean, integer, request, hash, feature, step };
  z3::sort sort(Kind kind) const;
  /// Every value of a finite kind, as terms.
  std::vector<z3::expr> values(Kind kind) const;
  /// For all values of that kind.
  z3::expr all(Kind kind, const std::function<z3::expr(const z3::expr&)>& body) const;
  z3::expr any(Kind kind, const std::function<z3::expr(const z3::expr&)>& body) const;
  z3::expr fresh(const char* prefix, const z3::sort& sort) const;
  /// A new constant; in a finite universe `constraints` gets its range.
  z3::expr fresh(const char* prefix, Kind kind, std::vector<z3::expr>& constraints) const;
};

/// The universe that terms made from C++ literals belong to; set for the current thread.
class UseUniverse {
 public:
  explicit UseUniverse(const Universe& universe);
  ~UseUniverse();
  UseUniverse(const UseUniverse&) = delete;
  UseUniverse& operator=(const UseUniverse&) = delete;

 private:
  const Universe* previous_;
};
const Universe& universe();

template <class Sort>
constexpr Universe::Kind kind_of() {
  using Kind = Universe::Kind;
  if constexpr (std::is_same_v<Sort, spec::BoolSort>) return Kind::boolean;
  if constexpr (std::is_same_v<Sort, spec::IntSort>) return Kind::integer;
  if constexpr (std::is_same_v<Sort, spec::RequestSort>) return Kind::request;
  if constexpr (std::is_same_v<Sort, spec::HashSort>) return Kind::hash;
  if constexpr (std::is_same_v<Sort, spec::FeatureSort>) return Kind::feature;
  if constexpr (std::is_same_v<Sort, spec::StepSort>) return Kind::step;
}

struct Bool {
  z3::expr term;
  Bool(const z3::expr& e) : term(e) {}
  Bool(bool value) : term(universe().context.bool_val(value)) {}
  friend Bool operator&&(const Bool& a, const Bool& b) { return a.term && b.term; }
  friend Bool operator||(const Bool& a, const Bool& b) { return a.term || b.term; }
  friend Bool operator!(const Bool& a) { return !a.term; }
  friend Bool operator==(const Bool& a, const Bool& b) { return Bool(z3::expr(a.term == b.term)); }
};

struct Int {
  z3::expr term;
  Int(const z3::expr& e) : term(e) {}
  Int(int value) : term(universe().context.int_val(value)) {}
  friend Int operator+(const Int& a, const Int& b) { return a.term + b.term; }
  friend Int operator-(const Int& a, const Int& b) { return a.term - b.term; }
  friend Bool operator==(const Int& a, const Int& b) { return Bool(z3::expr(a.term == b.term)); }
  friend Bool operator<(const Int& a, const Int& b) { return Bool(z3::expr(a.term < b.term)); }
  friend Bool operator<=(const Int& a, const Int& b) { return Bool(z3::expr(a.term <= b.term)); }
  friend Bool operator>(const Int& a, const Int& b) { return Bool(z3::expr(a.term > b.term)); }
  friend Bool operator>=(const Int& a, const Int& b) { return Bool(z3::expr(a.term >= b.term)); }
};

template <class Tag>
struct Name {
  z3::expr term;
  Name(const z3::expr& e) : term(e) {}
  friend Bool operator==(const Name& a, const Name& b) { return Bool(z3::expr(a.term == b.term)); }
};
using Request = Name<spec::RequestSort>;
using Hash = Name<spec::HashSort>;

template <class Sort>
struct TermOf {
  using Type = Int;
};
template <>
struct TermOf<spec::BoolSort> {
  using Type = Bool;
};
template <>
struct TermOf<spec::RequestSort> {
  using Type = Request;
};
template <>
struct TermOf<spec::HashSort> {
  using Type = Hash;
};
template <class Sort>
using Term = typename TermOf<Sort>::Type;

using Terms = std::vector<z3::expr>;
using Function = std::function<z3::expr(const Terms&)>;

/// What a variable of any sort and arity shares: its declaration, for models and for unrolling.
struct Declaration {
  std::string name;
  std::vector<Universe::Kind> keys;
  Universe::Kind value = Universe::Kind::boolean;
};

/// In a finite universe: every combination of values of the kinds, each after `prefix`.
std::vector<Terms> points(const std::vector<Universe::Kind>& kinds, const Terms& prefix = {});

/// The default value of a kind: false, 0, or nobody.
z3::expr default_value(Universe::Kind value);

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

/// A function from keys, closed under update.
template <class Value, class... Keys>
class Map {
 public:
  static Declaration declaration(std::string_view name) {
    return {std::string(name), {kind_of<Keys>()...}, kind_of<Value>()};
  }
  Term<Value> operator()(const Term<Keys>&... keys) const { return (*f_)({keys.term...}); }

  template <class... Args>
  void set(const Args&... args) {
    const auto [keys, value] = split(args...);
    set_points_.push_back(keys);
    update([keys = keys, value = value, old = f_](const Terms& at) {
      z3::expr here = at[0] == keys[0];
      for (std::size_t n = 1; n < keys.size(); ++n) here = here && at[n] == keys[n];
      return z3::ite(here, value, (*old)(at));
    });
  }
  void reset(const Term<Keys>&... keys) {
    set(keys..., Term<Value>(default_value(kind_of<Value>())));
  }
  void reset() { clear(); }
  void clear() { fill(Term<Value>(default_value(kind_of<Value>()))); }
  void fill(const Term<Value>& value) {
    update([value = value.term](const Terms&) { return value; });
  }
  template <class F>
  void assign(F&& f) {
    // Evaluated in the old state: f captures the maps by reference, so its values are taken now.
    update(snapshot(
        {}, [&](const Terms& at) { return call(f, at, std::index_sequence_for<Keys...>{}); }));
  }
  template <class Key, class F>
  void assign_row(const Key& key, F&& f) {
    assign_row_terms(key.term, [&](const Terms& rest) { return call_rest(f, rest); });
  }
  template <class Key>
  Bool none(const Key& key) const {
    static_assert(sizeof...(Keys) == 2);
    const auto kinds = std::vector<Universe::Kind>{kind_of<Keys>()...};
    z3::expr none =
        universe().all(kinds[1], [&](const z3::expr& x) { return !(*f_)({key.term, x}); });
    // Instances at the points that were set, which no pattern would find.
    for (const auto& point : set_points_) none = none && !(*f_)({key.term, point[1]});
    return none;
  }

  z3::expr at(const Terms& keys) const { return (*f_)(keys); }
  void bind(Function f) { f_ = std::make_shared<const Function>(std::move(f)); }

 protected:
  void update(Function f) { f_ = std::make_shared<const Function>(std::move(f)); }

  /// Turns a body that reads the state as it is now into a function of its own: the body is built
  /// over placeholder constants once, and later calls substitute.
  static Function snapshot(const Terms& prefix, const std::function<z3::expr(const Terms&)>& body) {
    const auto kinds = std::vector<Universe::Kind>{kind_of<Keys>()...};
    z3::expr_vector from(universe().context);
    Terms at = prefix;
    for (std::size_t n = prefix.size(); n < kinds.size(); ++n) {
      const auto x = universe().fresh("at", universe().sort(kinds[n]));
      from.push_back(x);
      at.push_back(x);
    }
    auto value = std::make_shared<z3::expr>(body(at));
    auto holes = std::make_shared<z3::expr_vector>(from);
    return [value, holes, skip = prefix.size()](const Terms& keys) {
      z3::expr_vector to(value->ctx());
      for (std::size_t n = skip; n < keys.size(); ++n) to.push_back(keys[n]);
      return value->substitute(*holes, to);
    };
  }
  void assign_row_terms(const z3::expr& key, const std::function<z3::expr(const Terms&)>& body) {
    auto row = snapshot({key}, [&](const Terms& at) { return body({at.begin() + 1, at.end()}); });
    update([key, row, old = f_](const Terms& at) {
      return z3::ite(at[0] == key, row(at), (*old)(at));
    });
  }

  std::shared_ptr<const Function> f_;

 private:
  std::vector<Terms> set_points_;  // since it was bound

  template <class... Args>
  static std::pair<Terms, z3::expr> split(const Args&... args) {
    return split_terms(std::index_sequence_for<Keys...>{}, std::forward_as_tuple(args...));
  }
  template <std::size_t... N, class Tuple>
  static std::pair<Terms, z3::expr> split_terms(std::index_sequence<N...>, const Tuple& args) {
    return {{Term<Keys>(std::get<N>(args)).term...},
            Term<Value>(std::get<sizeof...(N)>(args)).term};
  }
  template <class F, std::size_t... N>
  static z3::expr call(F&& f, const Terms& at, std::index_sequence<N...>) {
    return Term<Value>(f(Term<Keys>(at[N])...)).term;
  }
  template <class F>
  static z3::expr call_rest(F&& f, const Terms& rest) {
    static_assert(sizeof...(Keys) == 2);
    return call_second(f, rest, static_cast<std::tuple<Term<Keys>...>*>(nullptr));
  }
  template <class F, class A, class B>
  static z3::expr call_second(F&& f, const Terms& rest, std::tuple<A, B>*) {
    return Term<Value>(f(B(rest[0]))).term;
  }
};

/// One map whose sum the sum axioms may have to compare with others.
struct Summand {
  Function slots;  ///< of the keys that are summed over
  std::vector<Universe::Kind> keys;
  z3::expr sum;
};

/// A map to slots. Unbounded, its sum is a term of its own that follows every update: the empty map
/// has sum 0, a point update changes it by the difference, a bulk update makes a new one. In a
/// finite universe the sum is spelled out.
template <class... Keys>
class SlotMap : public Map<spec::IntSort, Keys...> {
  using Base = Map<spec::IntSort, Keys...>;
  static std::vector<Universe::Kind> kinds() { return {kind_of<Keys>()...}; }

 public:
  /// Rows: the first key is a step, and each step has a sum.
  static bool has_rows() { return kinds()[0] == Universe::Kind::step; }

  template <class... Args>
  void set(const Args&... args) {
    const Terms terms = {as_int(args)...};
    const Terms keys(terms.begin(), terms.end() - 1);
    const z3::expr difference = terms.back() - this->at(keys);
    if (has_rows()) {
      sum_ = [key = keys[0], difference, old = sum_](const Terms& at) {
        return z3::ite(at[0] == key, old(at) + difference, old(at));
      };
    } else {
      sum_ = [total = sum_({}) + difference](const Terms&) { return total; };
    }
    Base::set(args...);
  }
  void reset() { fill(0); }
  void fill(const Int& value) {
    if (!z3::eq(value.term, universe().context.int_val(0)))
      throw std::logic_error(
          "only 0 can be filled in: nothing else has a sum over an unbounded sort");
    sum_ = [zero = value.term](const Terms&) { return zero; };
    Base::fill(value);
  }
  template <class F>
  void assign(F&& f) {
    sum_ = [total = universe().fresh("sum", universe().integer)](const Terms&) { return total; };
    Base::assign(f);
  }
  template <class F>
  void assign_row(const Int& key, F&& f) {
    set_row_sum(key.term, universe().fresh("sum", universe().integer));
    Base::assign_row(key, f);
  }
  template <class Other>
  void copy_row(const Int& key, const Other& other) {
    set_row_sum(key.term, other.sum().term);
    Base::assign_row_terms(key.term, [&](const Terms& rest) { return other.at(rest); });
  }
  Int sum() const { return total({}); }
  Int sum(const Int& key) const { return total({key.term}); }

  /// The sum function at a row (or of the whole), unless the universe is finite.
  void bind_sum(Function f) { sum_ = std::move(f); }
  Summand summand(const Terms& row) const {
    auto keys = kinds();
    keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(row.size()));
    return {[f = this->f_, row](const Terms& rest) {
              Terms at = row;
              at.insert(at.end(), rest.begin(), rest.end());
              return (*f)(at);
            },
            keys, total(row)};
  }

 private:
  template <class T>
  static z3::expr as_int(const T& x) {
    if constexpr (std::is_arithmetic_v<T>)
      return universe().context.int_val(x);
    else
      return x.term;
  }
  z3::expr total(const Terms& row) const {
    if (!universe().finite) return sum_(row);
    z3::expr total = universe().context.int_val(0);
    auto keys = kinds();
    keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(row.size()));
    for (const auto& point : points(keys, row)) total = total + this->at(point);
    return total;
  }
  void set_row_sum(const z3::expr& key, const z3::expr& sum) {
    sum_ = [key, sum, old = sum_](const Terms& at) { return z3::ite(at[0] == key, sum, old(at)); };
  }
  Function sum_;
};

/// One path through the effect of a rule.
struct Path {
  std::vector<std::pair<std::string, bool>> taken;
  Terms conditions;
  bool forbidden = false;  ///< it raises: the invariants must exclude it
  std::string name() const;
};

/// The domain object.
class Reading {
 public:
  using Bool = symbolic::Bool;
  using Int = symbolic::Int;
  using Request = symbolic::Request;
  using Hash = symbolic::Hash;
  template <class Value>
  using Var = symbolic::Var<Value>;
  template <class Value, class... Keys>
  using Map = symbolic::Map<Value, Keys...>;
  template <class... Keys>
  using SlotMap = symbolic::SlotMap<Keys...>;

  Reading(const spec::Profile& profile, const spec::Assumptions& assumptions);

  spec::Profile profile;
  spec::Assumptions assumptions;
  spec::Config<Reading> config;

  bool test(std::string_view label, const Bool& condition);
  void raises(std::string_view) { path_.forbidden = true; }
  Bool implies(const Bool& a, const Bool& b) const { return Bool(z3::implies(a.term, b.term)); }
  Int ite(const Bool& c, const Int& a, const Int& b) const {
    return Int(z3::ite(c.term, a.term, b.term));
  }
  Int min(const Int& a, const Int& b) const { return ite(a <= b, a, b); }
  Bool touches(const Request& r, const Int& i, const Int& lo, const Int& hi) const;
  /// In a finite universe: what `touches` means where features have masks; without it, overlap.
  std::function<z3::expr(const Request& r, const Int& i, const Int& lo, const Int& hi)>
      masked_touches;

  template <class F>
  Bool all_requests(F&& f) const {
    return universe().all(Universe::Kind::request,
                          [&](const z3::expr& x) { return Bool(f(Request(x))).term; });
  }
  template <class F>
  Bool all_hashes(F&& f) const {
    return universe().all(Universe::Kind::hash,
                          [&](const z3::expr& x) { return Bool(f(Hash(x))).term; });
  }
  template <class F>
  Bool all_features(const Request& r, F&& f) const {
    return universe().all(Universe::Kind::feature, [&](const z3::expr& x) {
      return z3::implies(spec::is_feature(*this, r, Int(x)).term, Bool(f(Int(x))).term);
    });
  }
  /// Every index, whether the request has that feature or not.
  template <class F>
  Bool all_indices(F&& f) const {
    return universe().all(Universe::Kind::feature,
                          [&](const z3::expr& x) { return Bool(f(Int(x))).term; });
  }
  template <class F>
  Bool any_feature(const Request& r, F&& f) const {
    return universe().any(Universe::Kind::feature, [&](const z3::expr& x) {
      return spec::is_feature(*this, r, Int(x)).term && Bool(f(Int(x))).term;
    });
  }
  template <class F>
  Bool all_steps(const Int& after, const Int& upto, F&& f) const {
    return universe().all(Universe::Kind::step, [&](const z3::expr& k) {
      return z3::implies(after.term < k && k <= upto.term, Bool(f(Int(k))).term);
    });
  }

  /// Runs `body` once for every path; `done` sees each finished path.
  void each_path(const std::function<void()>& body, const std::function<void(const Path&)>& done);

  /// What the axioms say: the configuration, the assumptions, and what `touches` means.
  Terms axioms() const;

 private:
  Path path_;
  std::vector<bool> decisions_;
  std::size_t next_ = 0;
};

using State = spec::State<Reading>;

/// Makes every variable of `s` an uninterpreted function named NAME + suffix. In a finite universe
/// the ranges of names are returned as constraints.
Terms bind(State& s, const std::string& suffix);
Terms bind(spec::Config<Reading>& c);

/// The conjuncts of a formula, each with its universal quantifiers in front: what e-matching can
/// use.
Terms clauses(const z3::expr& formula);

/// Whether the constant or term x occurs in e.
bool occurs(const z3::expr& x, const z3::expr& e);

/// Sum axiom 3, for the unbounded universe: of two maps, the one that is nowhere larger has no
/// larger sum.
Terms monotone_sums(const std::vector<Summand>& some, const std::vector<Summand>& others);
/// Every map of `s` that has a sum, rows at `executed` and `issued`; and the empty map.
std::vector<Summand> summands(const State& s);
/// Those of the scheduler alone, without the worker's store and without rows.
std::vector<Summand> scheduler_summands(const State& s);

}  // namespace holdfast::verify::symbolic
