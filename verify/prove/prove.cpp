#include "verify/prove/prove.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "verify/prove/counterexample.hpp"
#include "verify/prove/parallel.hpp"
#include "verify/prove/query.hpp"
#include "verify/prove/system.hpp"

namespace holdfast::verify::prove {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr spec::Manager managers[] = {spec::Manager::decoder_only, spec::Manager::encoder_decoder};

/// One rule of one manager (the initial state where there is none): the unit of work of a thread.
struct Task {
  spec::Manager manager;
  std::optional<std::size_t> rule;
};

std::vector<Task> tasks(const ProveOptions& options) {
  std::vector<Task> all;
  for (const auto manager : managers) {
    const auto& rules = catalogue(manager).outline.rules;
    if (!options.rule || *options.rule == "initial") all.push_back({manager, std::nullopt});
    for (std::size_t n = 0; n < rules.size(); ++n)
      if (!options.rule || *options.rule == rules[n]) all.push_back({manager, n});
  }
  return all;
}

/// Runs `work` on every task from several threads; each thread has a Z3 context per manager.
template <class Work>
void each_task(const ProveOptions& options, const std::vector<Task>& all, Work&& work) {
  using Systems = std::map<spec::Manager, std::pair<std::unique_ptr<z3::context>, std::unique_ptr<System>>>;
  in_parallel(options.jobs, all.size(), [&]() -> Worker {
    return [&, systems = std::make_shared<Systems>()](std::size_t n) {
      auto& [context, system] = (*systems)[all[n].manager];
      if (!context) context = std::make_unique<z3::context>();
      if (!system)
        system = std::make_unique<System>(*context, std::nullopt, catalogue(all[n].manager), options.profile,
                                          options.assumptions);
      // One universe at a time is in use on a thread.
      const symbolic::UseUniverse in_use(system->universe);
      work(n, *system);
    };
  });
}

/// Everything of an obligation but which hypotheses to use.
struct Obligation {
  ObligationName name;
  z3::expr goal;
  symbolic::Terms always;            ///< conditions of the path, sum axioms, the negated goal
  std::vector<NamedTerms> hypotheses;  ///< axioms and invariants of the pre-state
  bool unchanged = false;            ///< the rule does not touch what the goal speaks of
};

std::vector<NamedTerms> hypotheses(const System& system, bool with_invariants) {
  std::vector<NamedTerms> all = {{"configuration", system.axioms}};
  if (with_invariants)
    for (std::size_t q = 0; q < system.hypotheses.size(); ++q)
      all.push_back({system.catalogue.outline.invariants[q].name, system.hypotheses[q]});
  return all;
}

symbolic::Terms sum_axioms(const symbolic::State& post, const z3::expr& goal) {
  const auto all = symbolic::summands(post);
  std::vector<symbolic::Summand> some;
  for (const auto& summand : all)
    if (symbolic::occurs(summand.sum, goal)) some.push_back(summand);
  return symbolic::monotone_sums(some, all);
}

template <class Use>
void each_obligation(const ProveOptions& options, const Task& task, System& system, Use&& use) {
  const auto& outline = system.catalogue.outline;
  std::vector<RulePath> paths;
  if (task.rule)
    paths = system.catalogue.paths(system.reading, system.pre, *task.rule);
  else
    paths.push_back({"initial", {}, {}, system.initial, {}});
  const auto known = hypotheses(system, task.rule.has_value());
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const auto& path = paths[p];
    for (std::size_t q = 0; q < outline.invariants.size(); ++q) {
      const auto& invariant = outline.invariants[q];
      if (options.property && *options.property != invariant.name) continue;
      Obligation o{{outline.manager, path.rule, path.path.name(), invariant.name},
                   invariant.holds(system.reading, path.post), path.conditions, known, false};
      o.unchanged = task.rule && z3::eq(o.goal, system.invariants[q]);
      for (const auto& axiom : sum_axioms(path.post, o.goal)) o.always.push_back(axiom);
      z3::expr_vector broken(o.goal.ctx());
      for (const auto& clause : symbolic::clauses(o.goal)) broken.push_back(!clause);
      o.always.push_back(z3::mk_or(broken));
      use(o, path, p, q);
    }
  }
}

Answer attempt(z3::context& context, const Obligation& o, const std::vector<std::string>* chosen,
               const QueryLimits& limits) {
  auto solver = proof_solver(context, limits);
  for (const auto& h : o.hypotheses)
    if (!chosen || std::find(chosen->begin(), chosen->end(), h.name) != chosen->end())
      for (const auto& term : h.terms) solver.add(term);
  for (const auto& term : o.always) solver.add(term);
  return ask(solver);
}

bool settle(z3::context& context, const Obligation& o, const ProveOptions& options) {
  if (o.unchanged) return true;
  const QueryLimits limits{options.timeout_ms, options.seed};
  if (!options.all_lemmas) {
    const auto plan = learned_plan().find(o.name);
    if (plan != learned_plan().end() &&
        attempt(context, o, &plan->second, limits) == Answer::unsatisfiable)
      return true;
  }
  return attempt(context, o, nullptr, limits) == Answer::unsatisfiable;
}

}  // namespace

std::vector<ProofResult> prove(const ProveOptions& options, const OnProof& on_proof) {
  const auto all = tasks(options);
  std::vector<std::vector<ProofResult>> results(all.size());
  std::mutex telling;
  each_task(options, all, [&](std::size_t n, System& system) {
    each_obligation(options, all[n], system, [&](const Obligation& o, const RulePath&, std::size_t p, std::size_t q) {
      const auto start = Clock::now();
      ProofResult result;
      result.manager = o.name.manager;
      result.property = o.name.property;
      result.rule = o.name.rule;
      result.path = o.name.path;
      if (settle(system.universe.context, o, options)) {
        result.status = ProofStatus::proved;
      } else if (const auto found = smallest_counterexample(options, all[n].manager, all[n].rule, p, q)) {
        result.status = ProofStatus::failed;
        result.counterexample = *found;
      }
      result.seconds = seconds_since(start);
      if (on_proof) {
        const std::lock_guard lock(telling);
        on_proof(result);
      }
      results[n].push_back(std::move(result));
    });
  });
  std::vector<ProofResult> flat;
  for (auto& some : results) std::move(some.begin(), some.end(), std::back_inserter(flat));
  return flat;
}

LemmaPlan learn_plan(const ProveOptions& options) {
  const auto all = tasks(options);
  LemmaPlan plan;
  std::mutex adding;
  each_task(options, all, [&](std::size_t n, System& system) {
    each_obligation(options, all[n], system, [&](const Obligation& o, const RulePath&, std::size_t, std::size_t) {
      if (o.unchanged) return;
      const auto core =
          minimal_core(system.universe.context, o.always, o.hypotheses, {options.timeout_ms, options.seed});
      const std::lock_guard lock(adding);
      if (core) plan[o.name] = *core;
    });
  });
  return plan;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names = {"initial"};
  for (const auto manager : managers)
    for (const auto& rule : catalogue(manager).outline.rules)
      if (std::find(names.begin(), names.end(), rule) == names.end()) names.push_back(rule);
  return names;
}

std::vector<std::string> invariant_names() {
  std::vector<std::string> names;
  for (const auto manager : managers)
    for (const auto& invariant : catalogue(manager).outline.invariants)
      if (std::find(names.begin(), names.end(), invariant.name) == names.end()) names.push_back(invariant.name);
  return names;
}

std::vector<PathWitness> path_witnesses(const ProveOptions& options) {
  std::vector<PathWitness> all;
  for (const auto manager : managers) {
    z3::context context;
    System system(context, symbolic::FiniteSizes{}, catalogue(manager), options.profile, options.assumptions);
    z3::solver solver(context);
    set_limits(solver, {options.timeout_ms, options.seed});
    for (const auto& term : system.axioms) solver.add(term);
    for (const auto& term : system.invariants) solver.add(term);
    for (std::size_t n = 0; n < system.catalogue.outline.rules.size(); ++n)
      for (const auto& path : system.catalogue.paths(system.reading, system.pre, n)) {
        const auto start = Clock::now();
        PathWitness witness{system.catalogue.outline.manager, path.rule, path.path.name(), path.path.forbidden};
        solver.push();
        for (const auto& term : path.conditions) solver.add(term);
        switch (ask(solver)) {
          case Answer::satisfiable:
            witness.status = PathWitness::Status::possible;
            break;
          case Answer::unsatisfiable:
            witness.status = PathWitness::Status::impossible;
            break;
          case Answer::unknown:
            break;
        }
        solver.pop();
        witness.seconds = seconds_since(start);
        all.push_back(witness);
      }
  }
  return all;
}

}  // namespace holdfast::verify::prove
