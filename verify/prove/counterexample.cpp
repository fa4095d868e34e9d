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

template <class Visited>
std::string describe_all(const z3::model& model, const Visited& visited) {
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

const symbolic::FiniteSizes sizes_in_order[] = {
    {1, 1, 1, 1}, {1, 1, 1, 2}, {1, 2, 1, 2}, {1, 1, 2, 2}, {2, 1, 1, 2},
    {2, 1, 2, 2}, {1, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 3}, {2, 2, 3, 3}};

}  // namespace

std::string describe(const z3::model& model, const symbolic::State& state) {
  return describe_all(model, state);
}
std::string describe(const z3::model& model, const spec::Config<symbolic::Reading>& config) {
  return describe_all(model, config);
}

std::optional<std::string> smallest_counterexample(const Options& options, spec::Manager manager,
                                                   std::optional<std::size_t> rule, bool any_state,
                                                   std::size_t path, std::size_t invariant) {
  for (const auto& sizes : sizes_in_order) {
    z3::context context;
    System system(context, sizes, catalogue(manager), options.profile, options.assumptions);
    auto state = system.initial;
    std::ostringstream head;
    z3::solver solver(context);
    set_limits(solver, {options.timeout_ms, options.seed});
    for (const auto& term : system.axioms) solver.add(term);
    std::vector<Parameter> parameters;
    if (rule) {
      const auto paths = system.catalogue.paths(system.reading, system.pre, *rule);
      for (const auto& term : system.invariants) solver.add(term);
      for (const auto& term : paths[path].conditions) solver.add(term);
      state = paths[path].post;
      parameters = paths[path].parameters;
    }
    const auto& invariants = system.catalogue.outline.invariants;
    if (invariant >= invariants.size()) {
      const auto& claim = system.catalogue.outline.rankings[invariant - invariants.size()];
      solver.add(!claim.holds(system.reading, system.pre, state));
    } else {
      if (any_state) {
        state = system.pre;
        for (std::size_t q = 0; q < invariants.size(); ++q)
          if (!invariants[q].derived || q < invariant) solver.add(system.invariants[q]);
      }
      solver.add(!invariants[invariant].holds(system.reading, state));
    }
    if (ask(solver) != Answer::satisfiable) continue;
    const auto model = solver.get_model();
    head << "with " << sizes.requests << " request(s), " << sizes.features << " feature(s), "
         << sizes.hashes << " hash(es):\n";
    for (const auto& [role, term] : parameters)
      head << "  parameter " << sorts::letter(role) << " = " << model.eval(term, true) << '\n';
    return head.str() + describe(model, system.reading.config) +
           describe(model, rule || any_state ? system.pre : system.initial);
  }
  return std::nullopt;
}

}  // namespace holdfast::verify::prove
