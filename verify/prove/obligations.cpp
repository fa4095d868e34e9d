#include "verify/prove/obligations.hpp"

#include <algorithm>

#include "verify/prove/query.hpp"
#include "verify/readings/symbolic_clauses.hpp"
#include "verify/readings/symbolic_sums.hpp"

namespace holdfast::verify::prove {

namespace {

/// The configuration and the invariants of the pre-state. What is to be derived in that very state
/// may not use itself or what is derived after it.
Hypotheses hypotheses(const System& system, std::optional<std::size_t> to_derive) {
  std::vector<NamedTerms> all = {{"configuration", system.axioms}};
  for (std::size_t q = 0; q < system.hypotheses.size(); ++q) {
    const auto& invariant = system.catalogue.outline.invariants[q];
    if (to_derive && invariant.derived && q >= *to_derive) continue;
    all.push_back({invariant.name, system.hypotheses[q]});
  }
  return std::make_shared<const std::vector<NamedTerms>>(std::move(all));
}

using Summands = std::vector<symbolic::Summand>;

/// What the axioms know of the sums after a path, of those that the goal speaks of or the path
/// changes.
symbolic::Terms sum_axioms(const Summands& before, const Summands& after, const z3::expr& goal) {
  Summands some;
  for (std::size_t n = 0; n < after.size(); ++n)
    if (symbolic::occurs(after[n].sum, goal) || !z3::eq(after[n].sum, before[n].sum))
      some.push_back(after[n]);
  return symbolic::monotone_sums(some, after);
}

void append(symbolic::Terms& terms, const symbolic::Terms& more) {
  terms.insert(terms.end(), more.begin(), more.end());
}

/// The goal's clauses, negated, beside what holds in any case.
void deny(Obligation& o) {
  z3::expr_vector broken(o.goal.ctx());
  for (const auto& clause : symbolic::clauses(o.goal)) broken.push_back(!clause);
  o.always.push_back(z3::mk_or(broken));
}

}  // namespace

void each_obligation(const Options& options, const Task& task, System& system,
                     const UseObligation& use) {
  const auto is_wanted = [&](const std::string& name) {
    return !options.property || *options.property == name || options.beside.contains(name);
  };
  const auto& outline = system.catalogue.outline;
  std::vector<RulePath> paths;
  if (task.rule)
    paths = system.catalogue.paths(system.reading, system.pre, *task.rule);
  else if (task.any_state)
    paths.push_back({any_state, {}, {}, system.pre, {}});
  else
    paths.push_back({"initial", {}, {}, system.initial, {}});
  Hypotheses known = std::make_shared<const std::vector<NamedTerms>>(
      1, NamedTerms{"configuration", system.axioms});
  if (task.rule) known = hypotheses(system, std::nullopt);
  const auto before = symbolic::summands(system.pre);
  const auto counted = symbolic::scheduler_summands(system.pre);
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const auto& path = paths[p];
    const auto after = symbolic::summands(path.post);
    for (std::size_t q = 0; q < outline.invariants.size(); ++q) {
      const auto& invariant = outline.invariants[q];
      if (!is_wanted(invariant.name)) continue;
      if (invariant.derived != task.any_state) continue;
      if (task.any_state) known = hypotheses(system, q);
      Obligation o{{outline.manager, path.rule, path.path.name(), invariant.name},
                   invariant.holds(system.reading, path.post),
                   path.conditions,
                   known,
                   false};
      o.unchanged = task.rule && z3::eq(o.goal, system.invariants[q]);
      append(o.always, sum_axioms(before, after, o.goal));
      if (invariant.counts) append(o.always, symbolic::monotone_sums(counted, counted));
      deny(o);
      use(o, p, q);
    }
    if (!task.rule) continue;
    for (std::size_t q = 0; q < outline.rankings.size(); ++q) {
      const auto& claim = outline.rankings[q];
      if (!is_wanted(claim.name)) continue;
      Obligation o{{outline.manager, path.rule, path.path.name(), claim.name},
                   claim.holds(system.reading, system.pre, path.post),
                   path.conditions,
                   known,
                   false};
      deny(o);
      use(o, p, outline.invariants.size() + q);
    }
  }
}

UseHypothesis only(const std::vector<std::string>& names) {
  return [&names](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
}

Answer attempt(z3::context& context, const Obligation& o, const UseHypothesis& chosen,
               const QueryLimits& limits) {
  auto solver = proof_solver(context, limits);
  for (const auto& h : *o.hypotheses)
    if (!chosen || chosen(h.name))
      for (const auto& term : h.terms) solver.add(term);
  for (const auto& term : o.always) solver.add(term);
  return ask(solver);
}

}  // namespace holdfast::verify::prove
