#include "verify/prove/query.hpp"

#include <algorithm>
#include <set>

namespace holdfast::verify::prove {

void set_limits(z3::solver& solver, const QueryLimits& limits) {
  z3::params p(solver.ctx());
  p.set("timeout", limits.timeout_ms);
  p.set("random_seed", limits.seed);
  p.set("ctrl_c", false);
  solver.set(p);
}

z3::solver proof_solver(z3::context& context, const QueryLimits& limits) {
  z3::solver solver(context, z3::solver::simple());
  z3::params p(context);
  p.set("auto_config", false);
  p.set("mbqi", false);
  p.set("relevancy", 1u);
  solver.set(p);
  set_limits(solver, limits);
  return solver;
}

Answer ask(z3::solver& solver, std::string* why) {
  try {
    switch (solver.check()) {
      case z3::unsat: return Answer::unsatisfiable;
      case z3::sat: return Answer::satisfiable;
      case z3::unknown: break;
    }
    if (why) *why = solver.reason_unknown();
  } catch (const z3::exception& e) {
    if (why) *why = e.msg();
  }
  return Answer::unknown;
}

namespace {

bool contradicts(z3::context& context, const symbolic::Terms& always,
                 const std::vector<NamedTerms>& hypotheses, const std::set<std::string>& chosen,
                 const QueryLimits& limits) {
  auto solver = proof_solver(context, limits);
  for (const auto& term : always) solver.add(term);
  for (const auto& h : hypotheses)
    if (chosen.contains(h.name))
      for (const auto& term : h.terms) solver.add(term);
  return ask(solver) == Answer::unsatisfiable;
}

}  // namespace

std::optional<std::vector<std::string>> minimal_core(z3::context& context,
                                                     const symbolic::Terms& always,
                                                     const std::vector<NamedTerms>& hypotheses,
                                                     const QueryLimits& limits) {
  std::set<std::string> chosen;
  for (const auto& h : hypotheses) chosen.insert(h.name);
  if (!contradicts(context, always, hypotheses, chosen, limits)) return std::nullopt;
  for (const auto& h : hypotheses) {
    auto fewer = chosen;
    fewer.erase(h.name);
    if (contradicts(context, always, hypotheses, fewer, limits)) chosen = fewer;
  }
  return std::vector<std::string>(chosen.begin(), chosen.end());
}

std::string solver_version() {
  unsigned major, minor, build, revision;
  Z3_get_version(&major, &minor, &build, &revision);
  return "z3 " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace holdfast::verify::prove
