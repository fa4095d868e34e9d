#include "verify/readings/text_notation.hpp"

#include <array>

#include "verify/readings/text_names.hpp"

namespace holdfast::verify::inline readings::text {

Tightness tightness_of(Op op) {
  switch (op) {
    case Op::every:
    case Op::some:
    case Op::none:
    case Op::choice: return loose;
    case Op::implies:
    case Op::same_truth: return implication;
    case Op::either: return disjunction;
    case Op::both: return conjunction_;
    case Op::negation:
    case Op::equal:
    case Op::differ:
    case Op::less:
    case Op::at_most:
    case Op::more:
    case Op::at_least: return comparison;
    case Op::plus:
    case Op::minus: return sum;
    default: return atom;
  }
}

namespace {

/// A read of that variable, in the state that `mark` says.
bool is_of(const Term& t, std::string_view variable, std::string_view mark) {
  return t->op == Op::read && t->name.starts_with(variable) &&
         std::string_view(t->name).substr(variable.size()) == mark;
}

bool reads(const Term& t, std::string_view variable, std::string_view mark = "") {
  return is_of(t, variable, mark) && !t->earlier;
}

}  // namespace

std::string sign(Op op) {
  switch (op) {
    case Op::equal: return " = ";
    case Op::differ: return " != ";
    case Op::less: return " < ";
    case Op::at_most: return " <= ";
    case Op::more: return " > ";
    case Op::at_least: return " >= ";
    case Op::plus: return " + ";
    case Op::minus: return " - ";
    case Op::implies: return " implies ";
    case Op::same_truth: return " exactly when ";
    case Op::either: return " or ";
    default: return " and ";
  }
}

std::string after_mark(const Term& t) { return t->name.ends_with('\'') ? "'" : ""; }

std::optional<Term> confirmed_of(const Term& t) {
  if (t->op != Op::minus) return std::nullopt;
  const auto mark = after_mark(t->parts[0]);
  if (!reads(t->parts[0], variable_names().computed, mark) ||
      !reads(t->parts[1], variable_names().placeholders, mark))
    return std::nullopt;
  const Term r = t->parts[0]->parts[0];
  return same(r, t->parts[1]->parts[0]) ? std::optional(r) : std::nullopt;
}

std::optional<Term> cached_of(const Term& t, Op op) {
  if (t->op != op || !reads(t->parts[0], variable_names().weight) || !is_literal(t->parts[1], "0"))
    return std::nullopt;
  return t->parts[0]->parts[0];
}

std::optional<std::string> status_of(const Term& variable, const Term& value) {
  constexpr std::array<std::string_view, 4> statuses = {"absent", "waiting", "running", "finished"};
  if (!is_of(variable, variable_names().status, after_mark(variable)) || value->op != Op::literal)
    return std::nullopt;
  return std::string(statuses.at(std::stoul(value->name)));
}

bool chains(const Term& a, const Term& b) {
  const auto ordered = [](const Term& t) { return t->op == Op::less || t->op == Op::at_most; };
  return ordered(a) && ordered(b) && same(a->parts[1], b->parts[0]);
}

std::string_view noun(Kind kind) {
  switch (kind) {
    case Kind::request: return "request";
    case Kind::hash: return "hash";
    case Kind::step: return "step";
    default: return "feature";
  }
}

}  // namespace holdfast::verify::inline readings::text
