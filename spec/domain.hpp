// What a reading must offer.
//
// A rule is written once, as a function over a domain D. Three readings give D a meaning: with
// machine values a rule runs; with Z3 terms it is a transition relation, its branches split into
// paths; with text it is a paragraph of the spec book. Nothing here knows which one it is in.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace holdfast::spec {

// Sorts of terms, and the further roles that keys and parameters play.
struct BoolSort {};
struct IntSort {};  ///< tokens, slots, positions, pass numbers
struct RequestSort {};
struct HashSort {};
struct FeatureSort {};  ///< index of a feature in its request, 0-based; an Int
struct StepSort {};     ///< number of a pass and of the worker's step for it; an Int

template <class D>
using Bool = typename D::Bool;
template <class D>
using Int = typename D::Int;
template <class D>
using Request = typename D::Request;
template <class D>
using Hash = typename D::Hash;
template <class D>
using Feature = typename D::Int;
template <class D>
using Step = typename D::Int;

/// A scalar: `x()` reads, `x.set(v)` writes, `x.reset()` gives it the default: false, 0, nobody.
template <class D, class Value>
using Var = typename D::template Var<Value>;

/// A total function from keys: `m(k...)` reads, `m.set(k..., v)` writes one point, `m.fill(v)` all,
/// `m.reset()` gives all the default, `m.assign(f)` sets every point to `f(k...)` at once,
/// `m.assign_row(k, f)` those under a first key; for Bool values `m.none(k)` says that no point
/// under the first key k is true.
template <class D, class Value, class... Keys>
using Map = typename D::template Map<Value, Keys...>;

/// A Map to slots (never negative) that also has `m.sum()`; with a StepSort first key, `m.sum(k)`
/// and `m.copy_row(k, other)`. Whatever writes it keeps its sum.
template <class D, class... Keys>
using SlotMap = typename D::template SlotMap<Keys...>;

/// What a rule's parameter stands for; a search draws its values by role.
enum class Role : std::int8_t {
  request,
  feature,
  hash,
  step,
  tokens,    ///< how many tokens a pass gives a request
  hit,       ///< how many tokens the prefix cache gives it
  drafts,    ///< how many of them are drafts
  owed,      ///< how many placeholders they add
  rejected,  ///< how many drafts were rejected
  position,  ///< where the worker truly starts a step
};

/// The parameters of a rule, in order.
template <Role... R>
struct Roles {
  static constexpr std::size_t size = sizeof...(R);
};

/// The term that a parameter of that role has for a plain value of the reading.
template <class D, Role R, class Plain>
auto as_argument(const Plain& value) {
  if constexpr (R == Role::request)
    return typename D::Request{value};
  else if constexpr (R == Role::hash)
    return typename D::Hash{value};
  else
    return static_cast<typename D::Int>(value);
}

/// Calls f with the terms that a rule's parameters have for these plain values, one for each role.
template <class D, Role... R, class Values, class F>
auto with_arguments(Roles<R...>, const Values& values, F&& f) {
  return [&]<std::size_t... N>(std::index_sequence<N...>) {
    return f(as_argument<D, R>(values[N])...);
  }(std::make_index_sequence<sizeof...(R)>{});
}

/// What people are told of a rule.
struct RuleInfo {
  std::string_view name;
  std::string_view says;       ///< one line
  std::string_view upstream;   ///< the function of vLLM V1 it stands for
  std::string_view reference;  ///< pull requests and issues that shaped it; may be empty
};

enum class Status : std::int8_t { absent, waiting, running, finished };

/// The domain object itself: `profile` (which variants), `config` (what never changes), branches
/// and quantifiers. `test` asks a branch condition by name; `raises` marks a path that must never
/// be taken; everything else builds or evaluates a term.
template <class D>
concept Domain = requires(D d, Bool<D> b, Int<D> n, Request<D> r) {
  { d.test(std::string_view{}, b) } -> std::same_as<bool>;
  { d.implies(b, b) } -> std::convertible_to<Bool<D>>;
  { d.ite(b, n, n) } -> std::convertible_to<Int<D>>;
  { d.min(n, n) } -> std::convertible_to<Int<D>>;
  { d.touches(r, n, n, n) } -> std::convertible_to<Bool<D>>;
  {
    d.all_requests([](Request<D>) -> Bool<D> { return true; })
  } -> std::convertible_to<Bool<D>>;
  {
    d.all_hashes([](Hash<D>) -> Bool<D> { return true; })
  } -> std::convertible_to<Bool<D>>;
  {
    d.all_features(r, [](Feature<D>) -> Bool<D> { return true; })
  } -> std::convertible_to<Bool<D>>;
  {
    d.any_feature(r, [](Feature<D>) -> Bool<D> { return true; })
  } -> std::convertible_to<Bool<D>>;
  {
    d.all_indices([](Feature<D>) -> Bool<D> { return true; })
  } -> std::convertible_to<Bool<D>>;
  {
    d.all_steps(n, n, [](Step<D>) -> Bool<D> { return true; })
  } -> std::convertible_to<Bool<D>>;
};

}  // namespace holdfast::spec
