#include "verify/readings/symbolic.hpp"

#include <set>
#include <stdexcept>

#include "spec/properties.hpp"

namespace holdfast::verify::symbolic {

namespace {
thread_local const Universe* current = nullptr;
}

UseUniverse::UseUniverse(const Universe& universe) : previous_(current) { current = &universe; }
UseUniverse::~UseUniverse() { current = previous_; }

const Universe& universe() {
  if (!current) throw std::logic_error("no universe is in use on this thread");
  return *current;
}

Universe::Universe(z3::context& c, std::optional<FiniteSizes> sizes)
    : context(c),
      finite(sizes),
      request(sizes ? c.int_sort() : c.uninterpreted_sort("Request")),
      hash(sizes ? c.int_sort() : c.uninterpreted_sort("Hash")),
      integer(c.int_sort()),
      boolean(c.bool_sort()),
      nobody(sizes ? c.int_val(0) : c.constant("nobody", request)) {}

z3::sort Universe::sort(Kind kind) const {
  switch (kind) {
    case Kind::boolean: return boolean;
    case Kind::request: return request;
    case Kind::hash: return hash;
    default: return integer;
  }
}

std::vector<z3::expr> Universe::values(Kind kind) const {
  int size = 0;
  switch (kind) {
    case Kind::request: size = finite->requests; break;
    case Kind::hash: size = finite->hashes; break;
    case Kind::feature: size = finite->features; break;
    case Kind::step: size = finite->steps + 1; break;
    default: throw std::logic_error("that sort is not finite");
  }
  std::vector<z3::expr> all;
  for (int n = 0; n < size; ++n) all.push_back(context.int_val(n));
  return all;
}

namespace {

/// Bound variables are named by their nesting depth, so that equal formulas are equal terms.
class BoundVariable {
 public:
  explicit BoundVariable(const Universe& u, Universe::Kind kind)
      : term(u.context.constant(("bound" + std::to_string(depth_++)).c_str(), u.sort(kind))) {}
  ~BoundVariable() { --depth_; }
  BoundVariable(const BoundVariable&) = delete;
  BoundVariable& operator=(const BoundVariable&) = delete;
  z3::expr term;

 private:
  static thread_local int depth_;
};
thread_local int BoundVariable::depth_ = 0;

}  // namespace

z3::expr Universe::all(Kind kind, const std::function<z3::expr(const z3::expr&)>& body) const {
  if (!finite) {
    const BoundVariable x(*this, kind);
    return z3::forall(x.term, body(x.term));
  }
  z3::expr_vector each(context);
  for (const auto& value : values(kind)) each.push_back(body(value));
  return z3::mk_and(each);
}

z3::expr Universe::any(Kind kind, const std::function<z3::expr(const z3::expr&)>& body) const {
  if (!finite) {
    const BoundVariable x(*this, kind);
    return z3::exists(x.term, body(x.term));
  }
  z3::expr_vector each(context);
  for (const auto& value : values(kind)) each.push_back(body(value));
  return z3::mk_or(each);
}

z3::expr Universe::fresh(const char* prefix, const z3::sort& sort) const {
  return z3::expr(context, Z3_mk_fresh_const(context, prefix, sort));
}

z3::expr Universe::fresh(const char* prefix, Kind kind, std::vector<z3::expr>& constraints) const {
  auto x = fresh(prefix, sort(kind));
  if (finite && kind != Kind::integer && kind != Kind::boolean)
    constraints.push_back(0 <= x && x < context.int_val(static_cast<int>(values(kind).size())));
  return x;
}

z3::expr default_value(Universe::Kind value) {
  auto& u = universe();
  switch (value) {
    case Universe::Kind::boolean: return u.context.bool_val(false);
    case Universe::Kind::request: return u.nobody;
    default: return u.context.int_val(0);
  }
}

std::vector<Terms> points(const std::vector<Universe::Kind>& kinds, const Terms& prefix) {
  std::vector<Terms> all = {prefix};
  for (const auto kind : kinds) {
    std::vector<Terms> next;
    for (const auto& point : all)
      for (const auto& value : universe().values(kind)) {
        next.push_back(point);
        next.back().push_back(value);
      }
    all = std::move(next);
  }
  return all;
}

std::string Path::name() const {
  std::string text;
  for (const auto& [label, yes] : taken) {
    if (!text.empty()) text += "; ";
    text += yes ? label : "not: " + label;
  }
  return text.empty() ? "always" : text;
}

Reading::Reading(const spec::Profile& p, const spec::Assumptions& a) : profile(p), assumptions(a) {
  bind(config);
}

bool Reading::test(std::string_view label, const Bool& condition) {
  const auto c = condition.term.simplify();
  if (c.is_true() || c.is_false()) return c.is_true();
  if (next_ == decisions_.size()) decisions_.push_back(true);
  const bool yes = decisions_[next_++];
  path_.taken.emplace_back(label, yes);
  path_.conditions.push_back(yes ? condition.term : !condition.term);
  return yes;
}

void Reading::each_path(const std::function<void()>& body,
                        const std::function<void(const Path&)>& done) {
  decisions_.clear();
  while (true) {
    path_ = {};
    next_ = 0;
    body();
    done(path_);
    while (!decisions_.empty() && !decisions_.back()) decisions_.pop_back();
    if (decisions_.empty()) return;
    decisions_.back() = false;
  }
}

namespace {

z3::func_decl touches_declaration(const Universe& u) {
  z3::sort_vector domain(u.context);
  for (const auto& s : {u.request, u.integer, u.integer, u.integer}) domain.push_back(s);
  return u.context.function("touches", domain, u.boolean);
}

z3::expr overlaps(const Reading& d, const Request& r, const Int& i, const Int& lo, const Int& hi) {
  return (lo < hi && d.config.start(r, i) < hi && lo < d.config.end(r, i)).term;
}

}  // namespace

Bool Reading::touches(const Request& r, const Int& i, const Int& lo, const Int& hi) const {
  auto& u = universe();
  // Without masks every position of a feature is an embedding; that satisfies the axioms below.
  if (u.finite)
    return masked_touches ? masked_touches(r, i, lo, hi) : overlaps(*this, r, i, lo, hi);
  return Bool(touches_declaration(u)(r.term, i.term, lo.term, hi.term));
}

namespace {

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

z3::expr_vector terms(std::initializer_list<z3::expr> each) {
  z3::expr_vector v(each.begin()->ctx());
  for (const auto& e : each) v.push_back(e);
  return v;
}

/// `touches` is uninterpreted: it implies overlap, it is monotone in the window, it splits at any
/// cut.
Terms touches_axioms(const Reading& d) {
  auto& u = universe();
  auto& c = u.context;
  const auto touches = touches_declaration(u);
  const auto r = c.constant("r", u.request);
  const auto i = c.int_const("i"), lo = c.int_const("lo"), hi = c.int_const("hi");
  const auto lower = c.int_const("lower"), higher = c.int_const("higher");
  const auto inner = touches(r, i, lo, hi), outer = touches(r, i, lower, higher);
  return {
      for_all(terms({r, i, lo, hi}), z3::implies(inner, overlaps(d, r, Int(i), Int(lo), Int(hi))),
              {terms({inner})}),
      for_all(terms({r, i, lo, hi, lower, higher}),
              z3::implies(inner && lower <= lo && hi <= higher, outer), {terms({inner, outer})}),
      for_all(terms({r, i, lo, hi, higher}),
              z3::implies(touches(r, i, lo, higher) && lo <= hi && hi <= higher,
                          inner || touches(r, i, hi, higher)),
              {terms({touches(r, i, lo, higher), touches(r, i, lo, hi)})}),
  };
}

}  // namespace

Terms Reading::axioms() const {
  Terms all = {spec::is_well_formed(*this).term};
  if (assumptions.sorted_spans) all.push_back(spec::has_sorted_spans(*this).term);
  if (assumptions.disjoint_spans) all.push_back(spec::has_disjoint_spans(*this).term);
  if (assumptions.prompt_only_features) all.push_back(spec::has_prompt_only_features(*this).term);
  if (!universe().finite) {
    const auto meaning = touches_axioms(*this);
    all.insert(all.end(), meaning.begin(), meaning.end());
  }
  return all;
}

namespace {

z3::func_decl declare(const Declaration& d, const std::string& suffix) {
  auto& u = universe();
  z3::sort_vector domain(u.context);
  for (const auto kind : d.keys) domain.push_back(u.sort(kind));
  return u.context.function((d.name + suffix).c_str(), domain, u.sort(d.value));
}

z3::expr apply(const z3::func_decl& f, const Terms& keys) {
  z3::expr_vector v(f.ctx());
  for (const auto& k : keys) v.push_back(k);
  return f(v);
}

template <class Variable>
void bind_variable(Variable& variable, std::string_view name, const std::string& suffix,
                   Terms& ranges) {
  auto& u = universe();
  const auto declaration = Variable::declaration(name);
  const auto f = declare(declaration, suffix);
  variable.bind([f](const Terms& keys) { return apply(f, keys); });
  if (u.finite &&
      (declaration.value == Universe::Kind::request || declaration.value == Universe::Kind::hash)) {
    const int size = static_cast<int>(u.values(declaration.value).size());
    for (const auto& point : points(declaration.keys)) {
      const auto value = apply(f, point);
      ranges.push_back(0 <= value && value < size);
    }
  }
  if constexpr (requires { variable.summand(Terms{}); }) {
    Declaration sum{"sum_" + declaration.name, {}, Universe::Kind::integer};
    if (Variable::has_rows()) sum.keys.push_back(Universe::Kind::step);
    const auto g = declare(sum, suffix);
    variable.bind_sum([g](const Terms& keys) { return apply(g, keys); });
  }
}

}  // namespace

Terms bind(State& s, const std::string& suffix) {
  Terms ranges;
  State::visit(s, [&](std::string_view name, auto& variable, std::string_view) {
    bind_variable(variable, name, suffix, ranges);
  });
  if (universe().finite)
    ranges.push_back((0 <= s.delivered() && s.issued() <= universe().finite->steps).term);
  return ranges;
}

Terms bind(spec::Config<Reading>& c) {
  Terms ranges;
  spec::Config<Reading>::visit(c, [&](std::string_view name, auto& variable, std::string_view) {
    bind_variable(variable, name, "", ranges);
  });
  if (universe().finite)
    for (const auto& r : universe().values(Universe::Kind::request))
      ranges.push_back((c.features(Request(r)) <= universe().finite->features).term);
  return ranges;
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

std::vector<Summand> summands(const State& s) {
  std::vector<Summand> all;
  State::visit(s, [&](std::string_view, const auto& variable, std::string_view) {
    if constexpr (requires { variable.summand(Terms{}); }) {
      if (std::remove_cvref_t<decltype(variable)>::has_rows()) {
        all.push_back(variable.summand({s.executed().term}));
        all.push_back(variable.summand({s.issued().term}));
      } else {
        all.push_back(variable.summand({}));
      }
    }
  });
  return all;
}

std::vector<Summand> scheduler_summands(const State& s) {
  std::vector<Summand> all;
  State::visit(s, [&](std::string_view name, const auto& variable, std::string_view) {
    if constexpr (requires { variable.summand(Terms{}); })
      if (!std::remove_cvref_t<decltype(variable)>::has_rows() && name != "worker")
        all.push_back(variable.summand({}));
  });
  return all;
}

Terms monotone_sums(const std::vector<Summand>& some, const std::vector<Summand>& others) {
  auto& u = universe();
  Terms axioms;
  const auto add = [&](const Summand& small, const Summand& large) {
    if (small.keys != large.keys || z3::eq(small.sum, large.sum)) return;
    Terms witness;
    for (const auto kind : small.keys) witness.push_back(u.fresh("larger", u.sort(kind)));
    axioms.push_back(small.slots(witness) > large.slots(witness) || small.sum <= large.sum);
  };
  for (const auto& one : some) {
    const Summand empty{[&u](const Terms&) { return u.context.int_val(0); }, one.keys,
                        u.context.int_val(0)};
    add(empty, one);
    add(one, empty);
    for (const auto& other : others) {
      add(one, other);
      add(other, one);
    }
  }
  return axioms;
}

}  // namespace holdfast::verify::symbolic
