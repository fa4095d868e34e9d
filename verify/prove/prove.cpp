#include "verify/prove/prove.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "verify/base/parallel.hpp"
#include "verify/base/stopwatch.hpp"
#include "verify/prove/counterexample.hpp"
#include "verify/prove/obligations.hpp"

namespace holdfast::verify::prove {

namespace {

constexpr spec::Manager managers[] = {spec::Manager::decoder_only, spec::Manager::encoder_decoder};

std::vector<Task> tasks(const Options& options) {
  std::vector<Task> all;
  for (const auto manager : managers)
    for (const auto& task : tasks_of(manager))
      if (!options.rule || *options.rule == rule_name(task)) all.push_back(task);
  return all;
}

/// Runs `work` on every task from several threads; each thread has a Z3 context per manager.
template <class Work>
void each_task(const Options& options, const std::vector<Task>& all, Work&& work) {
  using Systems =
      std::map<spec::Manager, std::pair<std::unique_ptr<z3::context>, std::unique_ptr<System>>>;
  in_parallel(options.jobs, all.size(), [&]() -> Worker {
    return [&, systems = std::make_shared<Systems>()](std::size_t n) {
      auto& [context, system] = (*systems)[all[n].manager];
      if (!context) context = std::make_unique<z3::context>();
      if (!system)
        system = std::make_unique<System>(*context, std::nullopt, catalogue(all[n].manager),
                                          options.profile, options.assumptions);
      // One universe at a time is in use on a thread.
      const symbolic::UseUniverse in_use(system->universe);
      work(n, *system);
    };
  });
}

enum class Settled : std::int8_t { by_plan, by_all, not_at_all };

Settled settle(z3::context& context, const Obligation& o, const Options& options) {
  if (o.unchanged) return Settled::by_plan;
  const QueryLimits limits{options.timeout_ms, options.seed};
  if (!options.all_lemmas) {
    const auto plan = learned_plan().find(o.name);
    if (plan != learned_plan().end() &&
        attempt(context, o, only(plan->second), limits) == Answer::unsatisfiable)
      return Settled::by_plan;
  }
  return attempt(context, o, {}, limits) == Answer::unsatisfiable ? Settled::by_all
                                                                  : Settled::not_at_all;
}

/// What the plan uses for the property, for what it uses, and so on.
std::set<std::string> used_for(const std::string& property) {
  std::set<std::string> used;
  for (std::vector<std::string> open = {property}; !open.empty();) {
    const auto name = open.back();
    open.pop_back();
    for (const auto& [obligation, core] : learned_plan()) {
      if (obligation.property != name) continue;
      for (const auto& lemma : core)
        if (used.insert(lemma).second) open.push_back(lemma);
    }
  }
  return used;
}

/// With a state from which it fails, if it was not settled and there is one.
report::ProofResult result_of(const Obligation& o, const Task& task, Settled settled,
                              const Options& options) {
  report::ProofResult result;
  result.manager = o.name.manager;
  result.property = o.name.property;
  result.rule = o.name.rule;
  result.path = o.name.path;
  if (settled != Settled::not_at_all) {
    result.status = report::ProofStatus::proved;
  } else if (auto found = smallest_counterexample(options, task, o)) {
    result.status = report::ProofStatus::failed;
    result.counterexample = std::move(*found);
  }
  return result;
}

/// `beyond_plan`: some proof may use any lemma.
std::vector<report::ProofResult> prove_those(const Options& options, const OnProof& on_proof,
                                             bool& beyond_plan) {
  const auto all = tasks(options);
  std::vector<std::vector<report::ProofResult>> results(all.size());
  std::mutex telling;
  std::atomic<bool> any_by_all = false;
  each_task(options, all, [&](std::size_t n, System& system) {
    each_obligation(options, all[n], system, [&](const Obligation& o) {
      const Stopwatch watch;
      const auto settled = settle(system.universe.context, o, options);
      if (settled == Settled::by_all) any_by_all = true;
      auto result = result_of(o, all[n], settled, options);
      result.seconds = watch.seconds();
      if (on_proof) {
        const std::lock_guard lock(telling);
        on_proof(result);
      }
      results[n].push_back(std::move(result));
    });
  });
  beyond_plan = any_by_all;
  std::vector<report::ProofResult> flat;
  for (auto& some : results) std::move(some.begin(), some.end(), std::back_inserter(flat));
  return flat;
}

}  // namespace

std::vector<report::ProofResult> prove(const Options& options, const OnProof& on_proof) {
  bool beyond_plan = false;
  if (!options.property || options.rule) return prove_those(options, on_proof, beyond_plan);
  auto those = options;
  those.beside = used_for(*options.property);
  auto results = prove_those(those, on_proof, beyond_plan);
  if (!beyond_plan) return results;
  those.property.reset();
  return prove_those(those, on_proof, beyond_plan);
}

namespace {

/// What the plan that is there names, if it still settles the obligation, made smaller; else of
/// all.
std::optional<std::vector<std::string>> learn(const Obligation& o, System& system,
                                              const QueryLimits& limits) {
  auto& context = system.universe.context;
  const auto& invariants = system.catalogue.outline.invariants;
  const auto is_derived = [&](const std::string& lemma) {
    return std::any_of(invariants.begin(), invariants.end(),
                       [&](const Invariant& i) { return i.derived && i.name == lemma; });
  };
  const auto known = learned_plan().find(o.name);
  if (known != learned_plan().end() &&
      std::none_of(known->second.begin(), known->second.end(), is_derived)) {
    auto few = *o.hypotheses;
    std::erase_if(
        few, [is_known = only(known->second)](const NamedTerms& h) { return !is_known(h.name); });
    if (auto core = minimal_core(context, o.always, few, limits)) return core;
  }
  return minimal_core(context, o.always, *o.hypotheses, limits);
}

}  // namespace

LemmaPlan learn_plan(const Options& options) {
  const auto all = tasks(options);
  LemmaPlan plan;
  std::mutex adding;
  each_task(options, all, [&](std::size_t n, System& system) {
    each_obligation(options, all[n], system, [&](const Obligation& o) {
      if (o.unchanged) return;
      const auto core = learn(o, system, {options.timeout_ms, options.seed});
      const std::lock_guard lock(adding);
      if (core) plan[o.name] = *core;
    });
  });
  return plan;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names = {initially, anywhere};
  for (const auto manager : managers)
    for (const auto& rule : catalogue(manager).outline.rules)
      if (std::find(names.begin(), names.end(), rule) == names.end()) names.push_back(rule);
  return names;
}

std::vector<std::string> invariant_names() {
  std::vector<std::string> names;
  for (const auto manager : managers) {
    const auto& outline = catalogue(manager).outline;
    const auto add = [&](const auto& all) {
      for (const auto& one : all)
        if (std::find(names.begin(), names.end(), one.name) == names.end())
          names.push_back(one.name);
    };
    add(outline.invariants);
    add(outline.rankings);
  }
  return names;
}

std::vector<PathWitness> path_witnesses(const Options& options) {
  std::vector<PathWitness> all;
  for (const auto manager : managers) {
    z3::context context;
    System system(context, symbolic::FiniteSizes{}, catalogue(manager), options.profile,
                  options.assumptions);
    z3::solver solver(context);
    set_limits(solver, {options.timeout_ms, options.seed});
    for (const auto& term : system.axioms) solver.add(term);
    for (const auto& term : system.invariants) solver.add(term);
    for (std::size_t n = 0; n < system.catalogue.outline.rules.size(); ++n)
      for (const auto& path : system.catalogue.paths(system.reading, system.pre, n)) {
        const Stopwatch watch;
        PathWitness witness{system.catalogue.outline.manager, path.rule, path.path.name(),
                            path.path.forbidden};
        solver.push();
        for (const auto& term : path.conditions) solver.add(term);
        switch (ask(solver)) {
          case Answer::satisfiable: witness.status = PathWitness::Status::possible; break;
          case Answer::unsatisfiable: witness.status = PathWitness::Status::impossible; break;
          case Answer::unknown: break;
        }
        solver.pop();
        witness.seconds = watch.seconds();
        all.push_back(witness);
      }
  }
  return all;
}

}  // namespace holdfast::verify::prove
