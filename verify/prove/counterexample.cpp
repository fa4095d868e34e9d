#include "verify/prove/counterexample.hpp"

#include <sstream>

#include "verify/prove/query.hpp"
#include "verify/prove/system.hpp"

namespace holdfast::verify::prove {

namespace {

using symbolic::Kind;

std::string value_text(Kind kind, const z3::expr& value) {
  const auto text = value.to_string();
  if (kind == Kind::request) return "r" + text;
  if (kind == Kind::hash) return "h" + text;
  return text;
}

bool is_default(const z3::expr& value) {
  int number = 1;
  return value.is_false() || (value.is_numeral() && value.is_numeral_i(number) && number == 0);
}

/// The values of a finite state (or configuration) in a model, defaults left out: "weight(h0) = 2".
template <class Visited>
std::string describe(const z3::model& model, const Visited& visited) {
  std::ostringstream out;
  Visited::visit(visited, [&](std::string_view name, const auto& variable, std::string_view) {
    const auto declaration = std::remove_cvref_t<decltype(variable)>::declaration(name);
    for (const auto& terms : symbolic::points(declaration.keys)) {
      std::string text;
      for (std::size_t n = 0; n < terms.size(); ++n)
        text += (n ? ", " : "") + value_text(declaration.keys[n], terms[n]);
      const auto value = model.eval(variable.at(terms), true);
      if (!declaration.keys.empty() && is_default(value)) continue;
      out << "  " << name << (text.empty() ? "" : "(" + text + ")") << " = "
          << value_text(declaration.value, value) << '\n';
    }
  });
  return out.str();
}

constexpr symbolic::FiniteSizes sizes_in_order[] = {
    {.requests = 1, .features = 1, .hashes = 1, .steps = 1},
    {.requests = 1, .features = 1, .hashes = 1, .steps = 2},
    {.requests = 1, .features = 2, .hashes = 1, .steps = 2},
    {.requests = 1, .features = 1, .hashes = 2, .steps = 2},
    {.requests = 2, .features = 1, .hashes = 1, .steps = 2},
    {.requests = 2, .features = 1, .hashes = 2, .steps = 2},
    {.requests = 1, .features = 2, .hashes = 2, .steps = 2},
    {.requests = 2, .features = 2, .hashes = 2, .steps = 2},
    {.requests = 2, .features = 2, .hashes = 2, .steps = 3},
    {.requests = 2, .features = 2, .hashes = 3, .steps = 3}};

/// The claim after the path.
z3::expr holds(const Claim& claim, const System& system, const RulePath& path) {
  const auto& outline = system.catalogue.outline;
  if (claim.kind == Claim::Kind::ranking)
    return outline.rankings[claim.number].holds(system.reading, system.pre, path.post);
  return outline.invariants[claim.number].holds(system.reading, path.post);
}

/// The obligation as it is, with quantifiers and sums spelled out at these sizes.
std::optional<std::string> counterexample_at(const symbolic::FiniteSizes& sizes,
                                             const Options& options, const Task& task,
                                             const Obligation& obligation) {
  z3::context context;
  System system(context, sizes, catalogue(task.manager), options.profile, options.assumptions);
  z3::solver solver(context);
  set_limits(solver, {options.timeout_ms, options.seed});
  for (const auto& term : system.axioms) solver.add(term);
  const auto path = paths_of(task, system)[obligation.path];
  for (std::size_t n = 0; n < system.invariants.size(); ++n)
    if (may_use(task, system.catalogue.outline, obligation.claim.number, n))
      solver.add(system.invariants[n]);
  for (const auto& term : path.conditions) solver.add(term);
  solver.add(!holds(obligation.claim, system, path));
  if (ask(solver) != Answer::satisfiable) return std::nullopt;

  const auto model = solver.get_model();
  std::ostringstream out;
  out << "with " << sizes.requests << " request(s), " << sizes.features << " feature(s), "
      << sizes.hashes << " hash(es):\n";
  for (const auto& [role, term] : path.parameters)
    out << "  parameter " << sorts::letter(role) << " = " << model.eval(term, true) << '\n';
  const bool begins = task.about == Task::About::initial_state;
  out << describe(model, system.reading.config)
      << describe(model, begins ? system.initial : system.pre);
  return out.str();
}

}  // namespace

std::optional<std::string> smallest_counterexample(const Options& options, const Task& task,
                                                   const Obligation& obligation) {
  for (const auto& sizes : sizes_in_order)
    if (auto found = counterexample_at(sizes, options, task, obligation)) return found;
  return std::nullopt;
}

}  // namespace holdfast::verify::prove
