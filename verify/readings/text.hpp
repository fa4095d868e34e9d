// The third reading: rules as text.
//
// Terms are trees (text_terms.hpp), printed with as few parentheses as they need
// (text_printer.hpp). An update is a statement, a branch a fork (text_effects.hpp).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "spec/state.hpp"
#include "verify/readings/text_effects.hpp"
#include "verify/readings/text_terms.hpp"

namespace holdfast::verify::inline readings::text {

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
  void reset() { fill(default_value(value)); }
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

}  // namespace holdfast::verify::inline readings::text
