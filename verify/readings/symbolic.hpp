// The second reading: rules over Z3 terms.
//
// An update is a substitution (symbolic_maps.hpp). A branch of a rule forks: the rule is run once
// for every path, and the conditions taken are the path's condition.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <z3++.h>

#include "spec/profiles/profile.hpp"
#include "spec/state.hpp"
#include "verify/readings/symbolic_maps.hpp"
#include "verify/readings/symbolic_universe.hpp"

namespace holdfast::verify::inline readings::symbolic {

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
    return universe().all(Kind::request,
                          [&](const z3::expr& x) { return Bool(f(Request(x))).term; });
  }
  template <class F>
  Bool all_hashes(F&& f) const {
    return universe().all(Kind::hash, [&](const z3::expr& x) { return Bool(f(Hash(x))).term; });
  }
  template <class F>
  Bool all_features(const Request& r, F&& f) const {
    return universe().all(Kind::feature, [&](const z3::expr& x) {
      return z3::implies(spec::is_feature(*this, r, Int(x)).term, Bool(f(Int(x))).term);
    });
  }
  /// Every index, whether the request has that feature or not.
  template <class F>
  Bool all_indices(F&& f) const {
    return universe().all(Kind::feature, [&](const z3::expr& x) { return Bool(f(Int(x))).term; });
  }
  template <class F>
  Bool any_feature(const Request& r, F&& f) const {
    return universe().any(Kind::feature, [&](const z3::expr& x) {
      return spec::is_feature(*this, r, Int(x)).term && Bool(f(Int(x))).term;
    });
  }
  template <class F>
  Bool all_steps(const Int& after, const Int& upto, F&& f) const {
    return universe().all(Kind::step, [&](const z3::expr& k) {
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

}  // namespace holdfast::verify::inline readings::symbolic
