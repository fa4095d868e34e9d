#include "verify/readings/text_terms.hpp"

#include <algorithm>

#include "verify/readings/text_names.hpp"

namespace holdfast::verify::inline readings::text {

Term make(Op op, Kind kind, std::vector<Term> parts) {
  return std::make_shared<const Node>(Node{op, kind, "", 0, std::move(parts)});
}

Term literal(int value) {
  return std::make_shared<const Node>(Node{Op::literal, Kind::integer, std::to_string(value)});
}

Term literal(bool value) {
  return std::make_shared<const Node>(Node{Op::literal, Kind::boolean, value ? "true" : "false"});
}

Term nobody() { return std::make_shared<const Node>(Node{Op::literal, Kind::request, "nobody"}); }

Term named(std::string name, Kind kind) {
  return std::make_shared<const Node>(Node{Op::name, kind, std::move(name)});
}

Term default_value(Kind kind) {
  switch (kind) {
    case Kind::boolean: return literal(false);
    case Kind::request: return nobody();
    default: return literal(0);
  }
}

bool is_literal(const Term& t, std::string_view name) {
  return t->op == Op::literal && t->name == name;
}

bool same(const Term& a, const Term& b) {
  return a == b ||
         (a->op == b->op && a->kind == b->kind && a->name == b->name && a->version == b->version &&
          std::equal(a->parts.begin(), a->parts.end(), b->parts.begin(), b->parts.end(),
                     [](const Term& x, const Term& y) { return same(x, y); }));
}

bool may_get_letter(std::string_view variable) {
  const auto& n = variable_names();
  return variable == n.plan_request || variable == n.drain_request || variable == n.cursor ||
         variable == n.issued || variable == n.executed || variable == n.delivered;
}

bool reads_same(const Term& a, const Term& b) {
  // Of a variable that is read as it is now, the version says nothing to a reader.
  bool versions = a->version == b->version;
  if (a->op != Op::bound && !a->earlier)
    versions = !may_get_letter(a->name) || (a->version == 0) == (b->version == 0);
  return a->op == b->op && a->kind == b->kind && a->name == b->name && a->earlier == b->earlier &&
         versions &&
         std::equal(a->parts.begin(), a->parts.end(), b->parts.begin(), b->parts.end(),
                    [](const Term& x, const Term& y) { return reads_same(x, y); });
}

bool contains(const std::vector<Term>& all, const Term& t) {
  return std::any_of(all.begin(), all.end(), [&](const Term& x) { return same(x, t); });
}

std::vector<Term> conjuncts(const Term& a) {
  return a->op == Op::both ? a->parts : std::vector<Term>{a};
}

namespace {

Term conjunction(const std::vector<Term>& all) {
  if (all.empty()) return literal(true);
  return all.size() == 1 ? all[0] : make(Op::both, Kind::boolean, all);
}

/// What is left to say of t where `known` holds: not (known and rest) is not rest.
Term given(const std::vector<Term>& known, const Term& t) {
  if (t->op != Op::negation || t->parts[0]->op != Op::both) return t;
  std::vector<Term> rest;
  for (const auto& part : t->parts[0]->parts)
    if (!contains(known, part)) rest.push_back(part);
  return rest.empty() ? literal(false) : negation(conjunction(rest));
}

}  // namespace

Term both(const Term& a, const Term& b) {
  if (is_literal(a, "false") || is_literal(b, "false")) return literal(false);
  std::vector<Term> all;
  for (const auto& side : {a, b})
    for (const auto& part : conjuncts(side)) {
      const Term left = given(all, part);
      if (!is_literal(left, "true") && !contains(all, left)) all.push_back(left);
    }
  return conjunction(all);
}

namespace {

std::vector<Term> disjuncts(const Term& a) {
  return a->op == Op::either ? a->parts : std::vector<Term>{a};
}

/// What every one of `all` says, taken out of them.
std::vector<Term> take_common(std::vector<Term>& all) {
  std::vector<Term> common;
  for (const auto& part : conjuncts(all[0]))
    if (std::all_of(all.begin(), all.end(),
                    [&](const Term& x) { return contains(conjuncts(x), part); }))
      common.push_back(part);
  for (auto& x : all) {
    auto rest = conjuncts(x);
    std::erase_if(rest, [&](const Term& part) { return contains(common, part); });
    x = conjunction(rest);
  }
  return common;
}

}  // namespace

Term either(const Term& a, const Term& b) {
  if (is_literal(a, "true") || is_literal(b, "true")) return literal(true);
  std::vector<Term> all;
  for (const auto& side : {a, b})
    for (const auto& part : disjuncts(side))
      if (!is_literal(part, "false") && !contains(all, part)) all.push_back(part);
  if (all.empty()) return literal(false);
  if (all.size() == 1) return all[0];
  // (a and b) or (a and c) is a and (b or c).
  auto common = take_common(all);
  if (common.empty()) return make(Op::either, Kind::boolean, all);
  Term rest = literal(false);
  for (const auto& part : all) rest = either(rest, part);
  for (const auto& part : conjuncts(rest))
    if (!is_literal(part, "true")) common.push_back(part);
  return conjunction(common);
}

Term negation(const Term& a) {
  const auto flipped = [&](Op op) { return make(op, Kind::boolean, a->parts); };
  switch (a->op) {
    case Op::literal: return literal(a->name == "false");
    case Op::negation: return a->parts[0];
    case Op::equal: return flipped(Op::differ);
    case Op::differ: return flipped(Op::equal);
    case Op::less: return flipped(Op::at_least);
    case Op::at_most: return flipped(Op::more);
    case Op::more: return flipped(Op::at_most);
    case Op::at_least: return flipped(Op::less);
    case Op::every:
    case Op::some: {
      auto parts = a->parts;
      parts[1] = negation(parts[1]);
      return make(a->op == Op::every ? Op::some : Op::every, Kind::boolean, std::move(parts));
    }
    default: return make(Op::negation, Kind::boolean, {a});
  }
}

Term implies(const Term& a, const Term& b) {
  if (is_literal(a, "true") || is_literal(b, "true")) return b;
  if (b->op == Op::implies) return implies(both(a, b->parts[0]), b->parts[1]);
  return make(Op::implies, Kind::boolean, {a, b});
}

Term compare(Op op, const Term& a, const Term& b) {
  if (op == Op::equal && same(a, b)) return literal(true);
  return make(op, Kind::boolean, {a, b});
}

Term plus(const Term& a, const Term& b) {
  if (is_literal(a, "0")) return b;
  if (is_literal(b, "0")) return a;
  return make(Op::plus, Kind::integer, {a, b});
}

}  // namespace holdfast::verify::inline readings::text
