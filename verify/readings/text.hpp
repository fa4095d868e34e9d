// The third reading: rules as text.
//
// Terms are small trees, printed with as few parentheses as they need (text_printer.hpp). An update
// is a statement; a branch forks by running the effect again, and the paths are merged back into a
// tree, with what the branches share before and after them said once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "spec/profile.hpp"
#include "spec/state.hpp"

namespace holdfast::verify::text {

enum class Kind { boolean, integer, request, hash, feature, step };

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

template <class Sort>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<Sort, spec::BoolSort>) return Kind::boolean;
  if constexpr (std::is_same_v<Sort, spec::IntSort>) return Kind::integer;
  if constexpr (std::is_same_v<Sort, spec::RequestSort>) return Kind::request;
  if constexpr (std::is_same_v<Sort, spec::HashSort>) return Kind::hash;
  if constexpr (std::is_same_v<Sort, spec::FeatureSort>) return Kind::feature;
  if constexpr (std::is_same_v<Sort, spec::StepSort>) return Kind::step;
}
/// false, 0 or nobody.
Term default_value(Kind kind);

struct Bool {
  Term term;
  Bool(Term t) : term(std::move(t)) {}
  Bool(bool value) : term(literal(value)) {}
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
  friend Bool operator==(const Int& a, const Int& b) { return compare(Op::equal, a.term, b.term); }
  friend Bool operator<(const Int& a, const Int& b) { return compare(Op::less, a.term, b.term); }
  friend Bool operator<=(const Int& a, const Int& b) {
    return compare(Op::at_most, a.term, b.term);
  }
  friend Bool operator>(const Int& a, const Int& b) { return compare(Op::more, a.term, b.term); }
  friend Bool operator>=(const Int& a, const Int& b) {
    return compare(Op::at_least, a.term, b.term);
  }
};

template <class Tag>
struct Name {
  Term term;
  Name(Term t) : term(std::move(t)) {}
  friend Bool operator==(const Name& a, const Name& b) {
    return compare(Op::equal, a.term, b.term);
  }
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
using As = typename TermOf<Sort>::Type;

/// One item of an effect: an update, a branch, an error raised, or a name for some of these. A
/// statement is carried out after those above it and reads what they wrote.
struct Statement {
  enum class What { update, branch, raise, shorthand };
  What what = What::update;
  std::vector<Term> bound;  ///< update: for every value of these
  Term target, value;       ///< update
  std::string label;        ///< branch: the condition in words; raise: the message; the name
  Term condition;           ///< branch
  std::vector<Statement> yes, no;
};
using Effect = std::vector<Statement>;
bool reads_same(const Statement& a, const Statement& b);

/// What the variables of a state tell while an effect runs along one path.
class Recorder {
 public:
  struct Event {
    Statement statement;
    bool yes = false;  ///< which way a branch went
  };

  int version(const std::string& variable) const;
  void update(const std::string& variable, Statement statement);
  bool test(std::string_view label, const Term& condition);
  void raise(std::string_view what);
  /// What the guard says: a branch on it is none.
  void assume(const Term& fact);
  /// Runs `body` once for every path, and merges the paths.
  Effect record(const std::function<void()>& body);

  /// A variable for a quantifier inside `depth` others, so that equal formulas are equal terms.
  Term bind(Kind kind);
  void unbind() { --depth_; }

 private:
  /// t as a statement of now uses it: reads of what was updated since are marked.
  Term seal(const Term& t) const;

  std::map<std::string, int> versions_;
  std::vector<Event> events_;
  std::vector<Term> facts_;
  std::vector<bool> decisions_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

/// What a variable of any sort and arity shares.
class Variable {
 public:
  void bind(std::string_view name, Recorder& recorder) {
    name_ = name;
    recorder_ = &recorder;
  }
  const std::string& name() const { return name_; }

 protected:
  Term read(Op op, Kind kind, std::vector<Term> keys) const;
  void write(Term target, Term value, std::vector<Term> bound = {}) const;
  Recorder& recorder() const { return *recorder_; }

 private:
  std::string name_;
  Recorder* recorder_ = nullptr;
};

template <class Value>
class Var : public Variable {
 public:
  static std::vector<Kind> keys() { return {}; }
  static constexpr Kind value = kind_of<Value>();

  As<Value> operator()() const { return read(Op::read, value, {}); }
  void set(const As<Value>& v) { write((*this)().term, v.term); }
  void reset() { set(default_value(value)); }
};

template <class Value, class... Keys>
class Map : public Variable {
 public:
  static std::vector<Kind> keys() { return {kind_of<Keys>()...}; }
  static constexpr Kind value = kind_of<Value>();

  As<Value> operator()(const As<Keys>&... at) const { return get({at.term...}); }

  template <class... Args>
  void set(const Args&... args) {
    static_assert(sizeof...(Args) == sizeof...(Keys) + 1);
    set_point(std::index_sequence_for<Keys...>{}, std::forward_as_tuple(args...));
  }
  void reset(const As<Keys>&... at) { write(get({at.term...}), default_value(value)); }
  void reset() { clear(); }
  void clear() { fill(default_value(value)); }
  void fill(const As<Value>& v) {
    write_all({}, [&](const std::vector<Term>&) { return v.term; });
  }
  template <class F>
  void assign(F&& f) {
    write_all({}, [&](const std::vector<Term>& at) {
      return call(f, at, std::index_sequence_for<Keys...>{});
    });
  }
  template <class Key, class F>
  void assign_row(const Key& key, F&& f) {
    static_assert(sizeof...(Keys) == 2);
    using First = std::tuple_element_t<0, std::tuple<As<Keys>...>>;
    using Second = std::tuple_element_t<1, std::tuple<As<Keys>...>>;
    write_all({First(key).term},
              [&](const std::vector<Term>& at) { return As<Value>(f(Second(at[1]))).term; });
  }
  template <class Key>
  Bool none(const Key& key) const {
    static_assert(sizeof...(Keys) == 2);
    using First = std::tuple_element_t<0, std::tuple<As<Keys>...>>;
    const Term x = recorder().bind(keys()[1]);
    const Bool none = make(Op::none, Kind::boolean, {x, get({First(key).term, x})});
    recorder().unbind();
    return none;
  }

 protected:
  Term get(std::vector<Term> at) const { return read(Op::read, value, std::move(at)); }

  /// Every point that begins with `first`.
  void write_all(const std::vector<Term>& first,
                 const std::function<Term(const std::vector<Term>&)>& body) {
    std::vector<Term> at = first, bound;
    const auto kinds = keys();
    for (std::size_t n = first.size(); n < kinds.size(); ++n) {
      bound.push_back(recorder().bind(kinds[n]));
      at.push_back(bound.back());
    }
    const Term v = body(at);
    for (std::size_t n = 0; n < bound.size(); ++n) recorder().unbind();
    write(get(at), v, bound);
  }

 private:
  template <std::size_t... N, class Tuple>
  void set_point(std::index_sequence<N...>, const Tuple& args) {
    write(get({As<Keys>(std::get<N>(args)).term...}), As<Value>(std::get<sizeof...(N)>(args)).term);
  }
  template <class F, std::size_t... N>
  static Term call(F&& f, const std::vector<Term>& at, std::index_sequence<N...>) {
    return As<Value>(f(As<Keys>(at[N])...)).term;
  }
};

template <class... Keys>
class SlotMap : public Map<spec::IntSort, Keys...> {
 public:
  static constexpr bool is_slots = true;

  Int sum() const { return this->read(Op::sum, Kind::integer, {}); }
  Int sum(const Int& row) const { return this->read(Op::sum, Kind::integer, {row.term}); }
  template <class Other>
  void copy_row(const Int& key, const Other& other) {
    this->assign_row(key, [&](const auto& x) { return other(x); });
  }
};

/// The domain object.
class Reading {
 public:
  using Bool = text::Bool;
  using Int = text::Int;
  using Request = text::Request;
  using Hash = text::Hash;
  template <class Value>
  using Var = text::Var<Value>;
  template <class Value, class... Keys>
  using Map = text::Map<Value, Keys...>;
  template <class... Keys>
  using SlotMap = text::SlotMap<Keys...>;

  Reading(const spec::Profile& profile, const spec::Assumptions& assumptions);
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  spec::Profile profile;
  spec::Assumptions assumptions;
  spec::Config<Reading> config;

  bool test(std::string_view label, const Bool& condition) {
    return recorder_.test(label, condition.term);
  }
  void raises(std::string_view what) { recorder_.raise(what); }
  Bool implies(const Bool& a, const Bool& b) const { return text::implies(a.term, b.term); }
  Int ite(const Bool& c, const Int& a, const Int& b) const {
    return make(Op::choice, Kind::integer, {c.term, a.term, b.term});
  }
  Int min(const Int& a, const Int& b) const {
    return make(Op::minimum, Kind::integer, {a.term, b.term});
  }
  Bool touches(const Request& r, const Int& i, const Int& lo, const Int& hi) const {
    return make(Op::touches, Kind::boolean, {r.term, i.term, lo.term, hi.term});
  }

  template <class F>
  Bool all_requests(F&& f) const {
    return quantify<Request>(Op::every, Kind::request, {}, f);
  }
  template <class F>
  Bool all_hashes(F&& f) const {
    return quantify<Hash>(Op::every, Kind::hash, {}, f);
  }
  template <class F>
  Bool all_features(const Request& r, F&& f) const {
    return quantify<Int>(Op::every, Kind::feature, {r.term}, f);
  }
  template <class F>
  Bool any_feature(const Request& r, F&& f) const {
    return quantify<Int>(Op::some, Kind::feature, {r.term}, f);
  }
  /// Every index, whether the request has that feature or not.
  template <class F>
  Bool all_indices(F&& f) const {
    return quantify<Int>(Op::every, Kind::feature, {}, f);
  }
  template <class F>
  Bool all_steps(const Int& after, const Int& upto, F&& f) const {
    return quantify<Int>(Op::every, Kind::step, {after.term, upto.term}, f);
  }

  void assume(const Bool& guard) {
    for (const auto& fact : conjuncts(guard.term)) recorder_.assume(fact);
  }
  Effect record(const std::function<void()>& body) { return recorder_.record(body); }
  Recorder& recorder() { return recorder_; }

 private:
  template <class X, class F>
  Bool quantify(Op op, Kind kind, std::vector<Term> range, F&& f) const {
    const Term x = recorder_.bind(kind);
    const Bool body = f(X(x));
    recorder_.unbind();
    range.insert(range.begin(), {x, body.term});
    return make(op, Kind::boolean, std::move(range));
  }

  mutable Recorder recorder_;
};

static_assert(spec::Domain<Reading>);

using State = spec::State<Reading>;

/// Gives every variable its name; in the state after a step, with `after` behind it.
void bind(State& s, Reading& d, std::string_view after = "");

}  // namespace holdfast::verify::text
