// What the sorts are for Z3: uninterpreted and of any size (proofs), or finite (models).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <z3++.h>

#include "verify/readings/sorts.hpp"

namespace holdfast::verify::inline readings::symbolic {

using sorts::Kind;
using sorts::kind_of;

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

}  // namespace holdfast::verify::inline readings::symbolic
