#include "verify/readings/text_names.hpp"

#include <stdexcept>

#include "verify/readings/text.hpp"

namespace holdfast::verify::inline readings::text {

namespace {

template <class Variables, class Variable>
std::string_view name_in(const Variables& all, const Variable& wanted) {
  std::string_view found;
  const void* place = &wanted;
  Variables::visit(all, [&](std::string_view name, const auto& variable, std::string_view) {
    if (&variable == place) found = name;
  });
  if (found.empty()) throw std::logic_error("a variable that is not visited has no name");
  return found;
}

VariableNames find_names() {
  const State s;
  const spec::Config<Reading> c;
  return {.plan_request = name_in(s, s.plan_request),
          .drain_request = name_in(s, s.drain_request),
          .cursor = name_in(s, s.cursor),
          .issued = name_in(s, s.issued),
          .executed = name_in(s, s.executed),
          .delivered = name_in(s, s.delivered),
          .weight = name_in(s, s.weight),
          .status = name_in(s, s.status),
          .computed = name_in(s, s.computed),
          .placeholders = name_in(s, s.placeholders),
          .hash = name_in(c, c.hash)};
}

}  // namespace

const VariableNames& variable_names() {
  static const VariableNames all = find_names();
  return all;
}

}  // namespace holdfast::verify::inline readings::text
