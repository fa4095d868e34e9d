#include "verify/readings/symbolic_sums.hpp"

#include <string_view>
#include <type_traits>

namespace holdfast::verify::inline readings::symbolic {

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
  const void* store = &s.worker;
  State::visit(s, [&](std::string_view, const auto& variable, std::string_view) {
    if constexpr (requires { variable.summand(Terms{}); })
      if (!std::remove_cvref_t<decltype(variable)>::has_rows() && &variable != store)
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

}  // namespace holdfast::verify::inline readings::symbolic
