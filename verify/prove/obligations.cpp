#include "verify/prove/obligations.hpp"

#include <algorithm>

#include "verify/prove/query.hpp"
#include "verify/readings/symbolic_clauses.hpp"
#include "verify/readings/symbolic_sums.hpp"

namespace holdfast::verify::prove {

std::vector<Task> tasks_of(spec::Manager manager) {
  std::vector<Task> all = {{manager, Task::About::initial_state},
                           {manager, Task::About::any_state}};
  for (std::size_t n = 0; n < catalogue(manager).outline.rules.size(); ++n)
    all.push_back({manager, Task::About::rule, n});
  return all;
}

std::string rule_name(const Task& task) {
  switch (task.about) {
    case Task::About::initial_state: return initially;
    case Task::About::any_state: return anywhere;
    case Task::About::rule: break;
  }
  return catalogue(task.manager).outline.rules[task.rule];
}

std::vector<RulePath> paths_of(const Task& task, System& system) {
  switch (task.about) {
    case Task::About::initial_state: return {{initially, {}, {}, system.initial, {}}};
    case Task::About::any_state: return {{anywhere, {}, {}, system.pre, {}}};
    case Task::About::rule: break;
  }
  return system.catalogue.paths(system.reading, system.pre, task.rule);
}

bool may_use(const Task& task, const Outline& outline, std::size_t claim, std::size_t n) {
  switch (task.about) {
    case Task::About::initial_state: return false;
    case Task::About::any_state: return !outline.invariants[n].derived || n < claim;
    case Task::About::rule: break;
  }
  return true;
}

namespace {

/// The configuration, and of the pre-state the invariants that a proof of `claim` may use.
Hypotheses hypotheses(const Task& task, const System& system, std::size_t claim) {
  const auto& outline = system.catalogue.outline;
  std::vector<NamedTerms> all = {{"configuration", system.axioms}};
  for (std::size_t n = 0; n < system.hypotheses.size(); ++n)
    if (may_use(task, outline, claim, n))
      all.push_back({outline.invariants[n].name, system.hypotheses[n]});
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

/// Makes the obligations of a task, path by path.
class Maker {
 public:
  Maker(const Task& task, System& system)
      : task_(task),
        system_(system),
        paths_(paths_of(task, system)),
        known_(hypotheses(task, system, 0)),
        before_(symbolic::summands(system.pre)),
        counted_(symbolic::scheduler_summands(system.pre)) {}

  [[nodiscard]] std::size_t paths() const { return paths_.size(); }

  void begin_path(std::size_t number) {
    number_ = number;
    after_ = symbolic::summands(path().post);
  }

  Obligation of_invariant(std::size_t n) {
    const auto& invariant = outline().invariants[n];
    auto o = obligation(invariant.name, {Claim::Kind::invariant, n},
                        invariant.holds(system_.reading, path().post));
    if (task_.about == Task::About::any_state) o.hypotheses = hypotheses(task_, system_, n);
    o.unchanged = task_.about == Task::About::rule && z3::eq(o.goal, system_.invariants[n]);
    append(o.always, sum_axioms(before_, after_, o.goal));
    if (invariant.counts) append(o.always, symbolic::monotone_sums(counted_, counted_));
    deny(o);
    return o;
  }

  Obligation of_ranking(std::size_t n) {
    const auto& ranking = outline().rankings[n];
    auto o = obligation(ranking.name, {Claim::Kind::ranking, n},
                        ranking.holds(system_.reading, system_.pre, path().post));
    deny(o);
    return o;
  }

 private:
  [[nodiscard]] const Outline& outline() const { return system_.catalogue.outline; }
  [[nodiscard]] const RulePath& path() const { return paths_[number_]; }
  [[nodiscard]] Obligation obligation(const std::string& about, const Claim& claim,
                                      const z3::expr& goal) const {
    return {.name = {outline().manager, path().rule, path().path.name(), about},
            .path = number_,
            .claim = claim,
            .goal = goal,
            .always = path().conditions,
            .hypotheses = known_};
  }

  const Task& task_;
  System& system_;
  std::vector<RulePath> paths_;
  Hypotheses known_;
  Summands before_, counted_, after_;
  std::size_t number_ = 0;
};

}  // namespace

void each_obligation(const Options& options, const Task& task, System& system,
                     const UseObligation& use) {
  const auto is_wanted = [&](const std::string& name) {
    return !options.property || *options.property == name || options.beside.contains(name);
  };
  const auto& outline = system.catalogue.outline;
  const bool derives = task.about == Task::About::any_state;
  Maker maker(task, system);
  for (std::size_t p = 0; p < maker.paths(); ++p) {
    maker.begin_path(p);
    for (std::size_t n = 0; n < outline.invariants.size(); ++n)
      if (is_wanted(outline.invariants[n].name) && outline.invariants[n].derived == derives)
        use(maker.of_invariant(n));
    if (task.about != Task::About::rule) continue;
    for (std::size_t n = 0; n < outline.rankings.size(); ++n)
      if (is_wanted(outline.rankings[n].name)) use(maker.of_ranking(n));
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
