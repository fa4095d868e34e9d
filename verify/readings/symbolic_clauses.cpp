#include "verify/readings/symbolic_clauses.hpp"

#include <set>
#include <string>
#include <string_view>

#include "verify/readings/symbolic.hpp"

namespace holdfast::verify::inline readings::symbolic {

z3::expr for_all(const z3::expr_vector& x, const z3::expr& body,
                 const std::vector<z3::expr_vector>& patterns) {
  auto& c = body.ctx();
  std::vector<Z3_app> bound;
  for (unsigned n = 0; n < x.size(); ++n) bound.push_back(Z3_to_app(c, x[static_cast<int>(n)]));
  std::vector<Z3_pattern> triggers;
  for (const auto& p : patterns) {
    std::vector<Z3_ast> terms;
    for (unsigned n = 0; n < p.size(); ++n) terms.push_back(p[static_cast<int>(n)]);
    triggers.push_back(Z3_mk_pattern(c, static_cast<unsigned>(terms.size()), terms.data()));
  }
  return z3::expr(
      c, Z3_mk_forall_const(c, 0, static_cast<unsigned>(bound.size()), bound.data(),
                            static_cast<unsigned>(triggers.size()), triggers.data(), body));
}

namespace {

struct Clause {
  Terms bound;
  z3::expr matrix;
};

/// The body of a quantifier over constants of the bound variables' names, which depth keeps apart.
Clause open_quantifier(const z3::expr& formula) {
  auto& c = formula.ctx();
  const unsigned size = Z3_get_quantifier_num_bound(c, formula);
  Clause opened{{}, formula.body()};
  for (unsigned n = 0; n < size; ++n) {
    const z3::symbol name(c, Z3_get_quantifier_bound_name(c, formula, n));
    const z3::sort sort(c, Z3_get_quantifier_bound_sort(c, formula, n));
    opened.bound.push_back(c.constant(name, sort));
  }
  z3::expr_vector to(c);
  for (unsigned n = size; n-- > 0;)
    to.push_back(opened.bound[n]);  // de Bruijn: the last is variable 0
  opened.matrix = opened.matrix.substitute(to);
  return opened;
}

std::vector<Clause> split(const z3::expr& formula) {
  if (formula.is_quantifier() && formula.is_forall()) {
    // What has patterns of its own is left as it is.
    if (Z3_get_quantifier_num_patterns(formula.ctx(), formula) > 0) return {{{}, formula}};
    const auto opened = open_quantifier(formula);
    auto inner = split(opened.matrix);
    for (auto& clause : inner)
      clause.bound.insert(clause.bound.begin(), opened.bound.begin(), opened.bound.end());
    return inner;
  }
  if (formula.is_and()) {
    std::vector<Clause> all;
    for (unsigned n = 0; n < formula.num_args(); ++n)
      for (auto& clause : split(formula.arg(n))) all.push_back(std::move(clause));
    return all;
  }
  if (formula.is_implies()) {
    auto inner = split(formula.arg(1));
    for (auto& clause : inner) clause.matrix = z3::implies(formula.arg(0), clause.matrix);
    return inner;
  }
  return {{{}, formula}};
}

}  // namespace

bool occurs(const z3::expr& x, const z3::expr& e) {
  z3::expr_vector from(e.ctx()), to(e.ctx());
  from.push_back(x);
  to.push_back(e.ctx().constant("elsewhere", x.get_sort()));
  return !z3::eq(z3::expr(e).substitute(from, to), e);
}

namespace {

/// The applications in e whose arguments are bound variables and nothing else.
void collect_applications(const z3::expr& e, const z3::expr_vector& bound, std::set<unsigned>& seen,
                          Terms& found) {
  if (!e.is_app() || !seen.insert(e.id()).second) return;
  bool plain = e.num_args() > 0 && e.decl().decl_kind() == Z3_OP_UNINTERPRETED;
  for (unsigned n = 0; n < e.num_args(); ++n) {
    collect_applications(e.arg(n), bound, seen, found);
    bool is_bound = false;
    for (const auto& x : bound) is_bound |= z3::eq(x, e.arg(n));
    plain &= is_bound;
  }
  if (plain) found.push_back(e);
}

bool is_of_configuration(const z3::func_decl& f) {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    spec::Config<Reading> none;
    spec::Config<Reading>::visit(
        none, [&](std::string_view name, auto&, std::string_view) { all.emplace(name); });
    return all;
  }();
  return names.contains(f.name().str());
}

/// A pattern for a clause about pairs, in which no application speaks of all variables:
/// applications that do together, of the configuration first, as no rule changes it, so that they
/// occur in whatever is to be proved. Empty where Z3 finds a pattern of its own.
z3::expr_vector pattern_of_pairs(const z3::expr_vector& bound, const z3::expr& matrix) {
  std::set<unsigned> seen;
  Terms found;
  collect_applications(matrix, bound, seen, found);
  z3::expr_vector pattern(matrix.ctx());
  std::set<unsigned> covered;
  for (const bool of_configuration : {true, false})
    for (const auto& app : found) {
      if (is_of_configuration(app.decl()) != of_configuration) continue;
      std::set<unsigned> speaks_of;
      for (unsigned n = 0; n < app.num_args(); ++n) speaks_of.insert(app.arg(n).id());
      if (speaks_of.size() == bound.size()) return z3::expr_vector(matrix.ctx());
      const auto before = covered.size();
      if (speaks_of.size() > 1) covered.insert(speaks_of.begin(), speaks_of.end());
      if (covered.size() > before) pattern.push_back(app);
    }
  return covered.size() == bound.size() ? pattern : z3::expr_vector(matrix.ctx());
}

}  // namespace

Terms clauses(const z3::expr& formula) {
  Terms all;
  for (const auto& [bound, matrix] : split(formula)) {
    z3::expr_vector x(formula.ctx());
    for (const auto& b : bound)
      if (occurs(b, matrix)) x.push_back(b);
    if (x.empty()) {
      all.push_back(matrix);
      continue;
    }
    const auto pattern = pattern_of_pairs(x, matrix);
    all.push_back(pattern.empty() ? z3::forall(x, matrix) : for_all(x, matrix, {pattern}));
  }
  return all;
}

}  // namespace holdfast::verify::inline readings::symbolic
