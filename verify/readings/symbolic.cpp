#include "verify/readings/symbolic.hpp"

#include "spec/claims/properties.hpp"
#include "verify/readings/symbolic_clauses.hpp"

namespace holdfast::verify::inline readings::symbolic {

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
  if (u.finite && (declaration.value == Kind::request || declaration.value == Kind::hash)) {
    const int size = static_cast<int>(u.values(declaration.value).size());
    for (const auto& point : points(declaration.keys)) {
      const auto value = apply(f, point);
      ranges.push_back(0 <= value && value < size);
    }
  }
  if constexpr (requires { variable.summand(Terms{}); }) {
    Declaration sum{"sum_" + declaration.name, {}, Kind::integer};
    if (Variable::has_rows()) sum.keys.push_back(Kind::step);
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
    for (const auto& r : universe().values(Kind::request))
      ranges.push_back((c.features(Request(r)) <= universe().finite->features).term);
  return ranges;
}

}  // namespace holdfast::verify::inline readings::symbolic
