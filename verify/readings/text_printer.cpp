#include "verify/readings/text_printer.hpp"

#include <algorithm>

#include "verify/readings/text_notation.hpp"

namespace holdfast::verify::inline readings::text {

Printer::Scope::Scope(const Printer& printer, const Term& x) : printer_(printer) {
  printer.bound_.emplace_back(x->version, printer.name_bound(x));
}
Printer::Scope::~Scope() { printer_.bound_.pop_back(); }
const std::string& Printer::Scope::name() const { return printer_.bound_.back().second; }

Printer::Printer(std::set<std::string> taken, std::vector<Let> lets)
    : taken_(std::move(taken)), lets_(std::move(lets)), usable_lets_(lets_.size()) {
  for (const auto& let : lets_) taken_.insert(let.letter);
}

std::string Printer::name_bound(const Term& x) const {
  std::vector<std::string> names = {"i", "j", "m"};
  if (x->kind == Kind::request) names = {"r", "q", "p"};
  if (x->kind == Kind::hash) names = {"h", "g", "f"};
  if (x->kind == Kind::step) names = {"k", "l"};
  const auto free = [&](const std::string& name) {
    return !taken_.contains(name) && std::none_of(bound_.begin(), bound_.end(),
                                                  [&](const auto& b) { return b.second == name; });
  };
  for (const auto& name : names)
    if (free(name)) return name;
  for (int n = 2;; ++n)
    if (const std::string name = names[0] + std::to_string(n); free(name)) return name;
}

std::string Printer::meaning(std::size_t n) const {
  Printer before = *this;
  before.usable_lets_ = n;
  return before.print(lets_[n].term, loose);
}

std::string Printer::print(const Term& t, int tightness) const {
  for (std::size_t n = 0; n < usable_lets_; ++n)
    if (same(t, lets_[n].term)) return lets_[n].letter;
  if (cached_of(t, Op::more)) return untied(t);
  const std::string text = untied(t);
  return tightness_of(t->op) < tightness && !confirmed_of(t) ? "(" + text + ")" : text;
}

std::string Printer::untied(const Term& t) const {
  const auto infix = [&](int left, int right) {
    return print(t->parts[0], left) + sign(t->op) + print(t->parts[1], right);
  };
  const auto call = [&](const std::string& name) {
    std::string keys;
    for (const auto& key : t->parts) keys += (keys.empty() ? "" : ", ") + print(key, loose);
    const std::string text = keys.empty() ? name : name + "(" + keys + ")";
    return t->earlier ? "old(" + text + ")" : text;
  };
  if (const auto h = cached_of(t, Op::more)) return "cached(" + print(*h, loose) + ")";
  if (const auto h = cached_of(t, Op::at_most)) return "not cached(" + print(*h, loose) + ")";
  if (const auto r = confirmed_of(t))
    return "confirmed" + after_mark(t->parts[0]) + "(" + print(*r, loose) + ")";
  switch (t->op) {
    case Op::literal:
    case Op::name: return t->name;
    case Op::bound:
      for (const auto& [depth, name] : bound_)
        if (depth == t->version) return name;
      return "unbound";
    case Op::read: return call(t->name);
    case Op::touches: return call("touches");
    case Op::shorthand: return call(t->name);
    case Op::minimum: return call("min");
    case Op::sum: return t->parts.empty() ? "sum(" + t->name + ")" : "sum(" + call(t->name) + ")";
    case Op::none: {
      const Scope x(*this, t->parts[0]);
      return print(t->parts[1], comparison) + " for no " + std::string(noun(t->parts[0]->kind)) +
             " " + x.name();
    }
    case Op::plus: return infix(sum, sum);
    case Op::minus: return infix(sum, atom);
    case Op::choice:
      return print(t->parts[1], implication) + " if " + print(t->parts[0], implication) + " else " +
             print(t->parts[2], implication);
    case Op::equal:
    case Op::differ:
      if (const auto status = status_of(t->parts[0], t->parts[1]))
        return print(t->parts[0], sum) + sign(t->op) + *status;
      return infix(sum, sum);
    case Op::less:
    case Op::at_most:
    case Op::more:
    case Op::at_least: return infix(sum, sum);
    case Op::negation: return "not " + print(t->parts[0], atom);
    case Op::both: return conjunction(t->parts);
    case Op::either: {
      std::string text;
      for (const auto& part : t->parts)
        text += (text.empty() ? "" : " or ") + print(part, comparison);
      return text;
    }
    case Op::implies: return infix(disjunction, disjunction);
    case Op::same_truth: return infix(disjunction, disjunction);
    case Op::every:
    case Op::some: {
      const std::string head = heading(t, nullptr);
      const Scope x(*this, t->parts[0]);
      return (t->op == Op::every ? "for every " : "for some ") + head + ": " +
             print(t->parts[1], loose);
    }
  }
  return "";
}

std::string Printer::conjunction(const std::vector<Term>& parts) const {
  std::string text;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (n > 0 && chains(parts[n - 1], parts[n]))
      text += sign(parts[n]->op) + print(parts[n]->parts[1], sum);
    else
      text += (n ? " and " : "") + print(parts[n], comparison);
  }
  return text;
}

/// "every request r", "step k with a < k <= b": what follows "for every". With `condition`, the
/// body's premise, given as text inside, is part of it.
std::string Printer::heading(const Term& quantifier, std::string* condition) const {
  const auto& parts = quantifier->parts;
  const Term& x = parts[0];
  std::string text{noun(x->kind)};
  if (x->kind == Kind::feature && parts.size() == 2) text = "index";
  std::string lower;
  std::string upper;
  if (x->kind == Kind::step) {
    const Term& after = parts[2];
    const bool closed = after->op == Op::minus && is_literal(after->parts[1], "1");
    lower = closed ? print(after->parts[0], sum) + " <= " : print(after, sum) + " < ";
    upper = " <= " + print(parts[3], sum);
  }
  const std::string of =
      x->kind == Kind::feature && parts.size() == 3 ? " of " + print(parts[2], loose) : "";
  const Scope name(*this, x);
  text += " " + name.name() + of;
  if (!upper.empty()) text += " with " + lower + name.name() + upper;
  if (condition) text += (upper.empty() ? " with " : " and ") + *condition;
  return text;
}

}  // namespace holdfast::verify::inline readings::text
