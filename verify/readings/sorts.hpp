// The sorts of the spec as values, and what a reading makes of each: said once for all readings.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "spec/domain.hpp"

namespace holdfast::verify::inline readings::sorts {

enum class Kind : std::int8_t { boolean, integer, request, hash, feature, step };

template <class Sort>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<Sort, spec::BoolSort>) return Kind::boolean;
  if constexpr (std::is_same_v<Sort, spec::IntSort>) return Kind::integer;
  if constexpr (std::is_same_v<Sort, spec::RequestSort>) return Kind::request;
  if constexpr (std::is_same_v<Sort, spec::HashSort>) return Kind::hash;
  if constexpr (std::is_same_v<Sort, spec::FeatureSort>) return Kind::feature;
  if constexpr (std::is_same_v<Sort, spec::StepSort>) return Kind::step;
}

/// Of what a rule's parameter stands for.
constexpr Kind kind_of(spec::Role role) {
  switch (role) {
    case spec::Role::request: return Kind::request;
    case spec::Role::hash: return Kind::hash;
    case spec::Role::feature: return Kind::feature;
    case spec::Role::step: return Kind::step;
    default: return Kind::integer;
  }
}

/// What such a parameter is called.
constexpr const char* letter(spec::Role role) {
  switch (role) {
    case spec::Role::request: return "r";
    case spec::Role::feature: return "i";
    case spec::Role::hash: return "h";
    case spec::Role::step: return "k";
    case spec::Role::tokens: return "n";
    case spec::Role::hit: return "c";
    case spec::Role::drafts: return "d";
    case spec::Role::owed: return "p";
    case spec::Role::rejected: return "x";
    case spec::Role::position: return "a";
  }
  return "";
}

template <class Sort, class Bool, class Int, class Request, class Hash>
struct Choice {
  using Type = Int;  // features and steps are numbers too
};
template <class Bool, class Int, class Request, class Hash>
struct Choice<spec::BoolSort, Bool, Int, Request, Hash> {
  using Type = Bool;
};
template <class Bool, class Int, class Request, class Hash>
struct Choice<spec::RequestSort, Bool, Int, Request, Hash> {
  using Type = Request;
};
template <class Bool, class Int, class Request, class Hash>
struct Choice<spec::HashSort, Bool, Int, Request, Hash> {
  using Type = Hash;
};

/// Which of a reading's four types the values of a sort have.
template <class Sort, class Bool, class Int, class Request, class Hash>
using Of = typename Choice<Sort, Bool, Int, Request, Hash>::Type;

/// A request or a hash as a term. Two of them are equal or not: `Bool::equal` says it.
template <class Sort, class Bool>
struct Name {
  using Term = decltype(Bool::term);
  Term term;
  Name(Term t) : term(std::move(t)) {}
  friend Bool operator==(const Name& a, const Name& b) { return Bool::equal(a.term, b.term); }
};

}  // namespace holdfast::verify::inline readings::sorts
