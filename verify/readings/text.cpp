#include "verify/readings/text.hpp"

#include <memory>

namespace holdfast::verify::inline readings::text {

Term Variable::read(Op op, Kind kind, std::vector<Term> keys) const {
  return std::make_shared<const Node>(
      Node{op, kind, name_, recorder_->version(name_), std::move(keys)});
}

void Variable::write(Term target, Term value, std::vector<Term> bound) const {
  Statement statement;
  statement.target = std::move(target);
  statement.value = std::move(value);
  statement.bound = std::move(bound);
  recorder_->update(name_, std::move(statement));
}

Reading::Reading(const spec::Profile& p, const spec::Assumptions& a) : profile(p), assumptions(a) {
  spec::Config<Reading>::visit(config, [&](std::string_view name, auto& variable,
                                           std::string_view) { variable.bind(name, recorder_); });
}

void bind(State& s, Reading& d, std::string_view after) {
  State::visit(s, [&](std::string_view name, auto& variable, std::string_view) {
    variable.bind(std::string(name) + std::string(after), d.recorder());
  });
}

}  // namespace holdfast::verify::inline readings::text
