#include "verify/readings/text_printer.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace holdfast::verify::text {

namespace {

// How tightly an operator binds; what binds less than its place asks for gets parentheses.
enum Tightness { loose, implication, disjunction, conjunction_, comparison, sum, atom };

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

bool reads(const Term& t, std::string_view variable) {
  return t->op == Op::read && t->name == variable && !t->earlier;
}

/// What marks a variable of the state after a step; empty for one of the state before it.
std::string after_mark(const Term& t) { return t->name.ends_with('\'') ? "'" : ""; }

/// The request of `computed(r) - placeholders(r)`: the spec's confirmed(r).
std::optional<Term> confirmed_of(const Term& t) {
  if (t->op != Op::minus) return std::nullopt;
  const auto mark = after_mark(t->parts[0]);
  if (!reads(t->parts[0], "computed" + mark) || !reads(t->parts[1], "placeholders" + mark))
    return std::nullopt;
  const Term r = t->parts[0]->parts[0];
  return same(r, t->parts[1]->parts[0]) ? std::optional(r) : std::nullopt;
}

/// The hash of `weight(h) > 0`, or of its opposite: the spec's is_cached(h).
std::optional<Term> cached_of(const Term& t, Op op) {
  if (t->op != op || !reads(t->parts[0], "weight") || !is_literal(t->parts[1], "0"))
    return std::nullopt;
  return t->parts[0]->parts[0];
}

/// The name of a number that stands for a status.
std::optional<std::string> status_of(const Term& variable, const Term& value) {
  constexpr std::array<std::string_view, 4> names = {"absent", "waiting", "running", "finished"};
  if (variable->op != Op::read || variable->name != "status" + after_mark(variable) ||
      value->op != Op::literal)
    return std::nullopt;
  return std::string(names.at(std::stoul(value->name)));
}

bool chains(const Term& a, const Term& b) {
  const auto ordered = [](const Term& t) { return t->op == Op::less || t->op == Op::at_most; };
  return ordered(a) && ordered(b) && same(a->parts[1], b->parts[0]);
}

std::string code(const std::string& text) { return "`" + text + "`"; }

constexpr std::string_view noun(Kind kind) {
  switch (kind) {
    case Kind::request: return "request";
    case Kind::hash: return "hash";
    case Kind::step: return "step";
    default: return "feature";
  }
}

}  // namespace

class Printer::Scope {
 public:
  Scope(const Printer& printer, const Term& x) : printer_(printer) {
    printer.bound_.emplace_back(x->version, printer.name_bound(x));
  }
  ~Scope() { printer_.bound_.pop_back(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  const std::string& name() const { return printer_.bound_.back().second; }

 private:
  const Printer& printer_;
};

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

/// a <= b and b < c is said as a <= b < c.
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

namespace {

void indent(std::vector<std::string>& to, const std::vector<std::string>& lines) {
  for (const auto& line : lines) to.push_back("    " + line);
}

bool has_cases(const Term& t) {
  return t->op == Op::equal && t->parts[1]->op == Op::choice &&
         t->parts[1]->parts[2]->op == Op::choice;
}

}  // namespace

std::vector<std::string> Printer::lines(const Term& t, std::size_t width) const {
  if (t->op == Op::both) return conjunct_lines(t, width);
  if (t->op == Op::every) return quantifier_lines(t, width);
  if (has_cases(t)) return case_lines(t);
  if (t->op == Op::implies && print(t, loose).size() > width) return implication_lines(t, width);
  return {print(t, loose)};
}

Printer::Lines Printer::case_lines(const Term& t) const {
  std::vector<std::pair<std::string, std::string>> cases;
  Term rest = t->parts[1];
  for (; rest->op == Op::choice; rest = rest->parts[2])
    cases.emplace_back(print(rest->parts[1], sum), "if " + print(rest->parts[0], loose));
  cases.emplace_back(print(rest, sum), "otherwise");
  std::size_t column = 0;
  for (const auto& [value, when] : cases) column = std::max(column, value.size() + 2);
  Lines all = {print(t->parts[0], sum) + " ="};
  for (auto& [value, when] : cases)
    all.push_back("    " + value + std::string(column - value.size(), ' ') + when);
  return all;
}

Printer::Lines Printer::conjunct_lines(const Term& t, std::size_t width) const {
  Lines all;
  for (std::size_t n = 0; n < t->parts.size(); ++n) {
    if (n > 0 && chains(t->parts[n - 1], t->parts[n])) {
      all.back() += sign(t->parts[n]->op) + print(t->parts[n]->parts[1], sum);
      continue;
    }
    const Lines part = lines(t->parts[n], width);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

Printer::Lines Printer::implication_lines(const Term& t, std::size_t width) const {
  Lines all;
  std::string line = "if ";
  bool first = true;
  const auto premises = conjuncts(t->parts[0]);
  for (std::size_t n = 0; n < premises.size();) {
    std::vector<Term> chain = {premises[n++]};
    while (n < premises.size() && chains(chain.back(), premises[n])) chain.push_back(premises[n++]);
    const std::string next = chain.size() > 1 ? conjunction(chain) : print(chain[0], comparison);
    if (!first && line.size() + next.size() + 6 > width) {
      all.push_back(line);
      line = "   and ";
    } else if (!first) {
      line += " and ";
    }
    line += next;
    first = false;
  }
  all.push_back(line + ":");
  indent(all, lines(t->parts[1], width - 4));
  return all;
}

Printer::Lines Printer::quantifier_lines(const Term& t, std::size_t width) const {
  if (const std::string line = print(t, loose);
      line.size() <= width && t->parts[1]->op != Op::both && t->parts[1]->op != Op::every)
    return {line};
  const Term& body = t->parts[1];
  // A premise of several conclusions, or of a quantifier, belongs into the heading.
  const bool with = body->op == Op::implies &&
                    (body->parts[1]->op == Op::every || body->parts[1]->op == Op::both);
  std::string head;
  if (with) {
    std::string premise;
    {
      const Scope x(*this, t->parts[0]);
      premise = print(body->parts[0], conjunction_);
    }
    head = heading(t, &premise);
  } else {
    head = heading(t, nullptr);
  }
  const Scope x(*this, t->parts[0]);
  const Term inner = with ? body->parts[1] : body;
  if (inner->op == Op::every) {
    Lines merged = quantifier_lines(inner, width);
    merged[0] = "for every " + head + ", " + merged[0].substr(merged[0].find("every "));
    if (merged[0].size() <= width) return merged;
  }
  Lines all = {"for every " + head + ":"};
  indent(all, lines(inner, width - 4));
  return all;
}

std::vector<Item> Printer::items(const Effect& effect) const {
  std::vector<Item> all;
  for (const auto& statement : effect) {
    if (statement.what == Statement::What::update) add_update(statement, all);
    if (statement.what == Statement::What::branch) add_branch(statement, all);
    if (statement.what == Statement::What::raise)
      all.push_back({"Raises an error: " + statement.label + "."});
    if (statement.what == Statement::What::shorthand) all.push_back({code(statement.label)});
  }
  return all;
}

void Printer::add_update(const Statement& s, std::vector<Item>& items) const {
  std::vector<Scope*> scopes;
  Term value = s.value;
  Term only;
  if (!s.bound.empty() && value->op == Op::choice && reads_same(value->parts[2], s.target)) {
    only = value->parts[0];
    value = value->parts[1];
  } else if (!s.bound.empty() && value->op == Op::plus && reads_same(value->parts[0], s.target) &&
             value->parts[1]->op == Op::choice && is_literal(value->parts[1]->parts[2], "0")) {
    only = value->parts[1]->parts[0];
    value = plus(value->parts[0], value->parts[1]->parts[1]);
  }
  std::string head = "For every ";
  for (const auto& x : s.bound) {
    if (bound_.size() > 0 && &x != &s.bound.front()) head += " and ";
    bound_.emplace_back(x->version, name_bound(x));
    head += std::string(noun(x->kind)) + " " + code(bound_.back().second);
  }
  if (only) head += " with " + code(print(only, loose));
  head += ":";
  const auto status = status_of(s.target, value);
  const bool equation = value->op == Op::equal || value->op == Op::differ;
  const std::string text = status ? *status : print(value, loose);
  const Item update{code(untied(s.target) + " := " + (equation ? "(" + text + ")" : text))};
  bound_.resize(bound_.size() - s.bound.size());

  if (s.bound.empty()) {
    items.push_back(update);
  } else if (!items.empty() && items.back().line == head) {
    items.back().below.push_back(update);
  } else {
    items.push_back({head, {update}});
  }
}

void Printer::add_branch(const Statement& s, std::vector<Item>& items) const {
  const std::string condition = s.label + " (" + code(print(s.condition, loose)) + "):";
  if (s.yes.empty()) {
    items.push_back({"Unless " + condition, this->items(s.no)});
    return;
  }
  items.push_back({"If " + condition, this->items(s.yes)});
  if (s.no.empty()) return;
  auto otherwise = this->items(s.no);
  if (s.no.size() == 1 && s.no[0].what == Statement::What::branch && !s.no[0].yes.empty()) {
    otherwise[0].line = "Otherwise, if" + otherwise[0].line.substr(2);
    items.insert(items.end(), otherwise.begin(), otherwise.end());
  } else {
    items.push_back({"Otherwise:", otherwise});
  }
}

namespace {

bool is_closed(const Term& t) {
  return t->op != Op::bound && std::all_of(t->parts.begin(), t->parts.end(), is_closed);
}

/// Read when the rule begins: nothing in it was updated before.
bool is_initial(const Term& t) {
  return t->version == 0 && is_closed(t) &&
         std::all_of(t->parts.begin(), t->parts.end(), is_initial);
}

/// t where nothing was updated yet.
Term at_beginning(const Term& t) {
  Node node = *t;
  node.earlier = false;
  for (auto& part : node.parts) part = at_beginning(part);
  return std::make_shared<const Node>(std::move(node));
}

void walk(const Term& t, const std::function<void(const Term&)>& f) {
  f(t);
  for (const auto& part : t->parts) walk(part, f);
}

void walk(const Effect& effect, const std::function<void(const Term&)>& f) {
  for (const auto& s : effect) {
    if (s.target)
      for (const auto& key : s.target->parts) walk(key, f);
    if (s.value) walk(s.value, f);
    if (s.condition) walk(s.condition, f);
    walk(s.yes, f);
    walk(s.no, f);
  }
}

struct Pattern {
  std::string letter;
  std::function<bool(const Term&)> matches;
};

const std::vector<Pattern>& patterns() {
  const auto variable = [](const char* name) {
    return [name](const Term& t) { return t->op == Op::read && t->name == name; };
  };
  const auto next = [](const char* name) {
    return [name](const Term& t) {
      return t->op == Op::plus && t->parts[0]->op == Op::read && t->parts[0]->name == name &&
             is_literal(t->parts[1], "1");
    };
  };
  static const std::vector<Pattern> all = {
      {"r", variable("plan_request")}, {"r", variable("drain_request")},
      {"i", variable("cursor")},       {"h", variable("hash")},
      {"k", next("issued")},           {"k", next("executed")},
      {"k", next("delivered")},        {"k", variable("executed")}};
  return all;
}

}  // namespace

std::vector<Let> find_lets(const Term& guard, const Effect& effect, std::set<std::string> taken) {
  std::vector<Let> lets;
  for (const auto& [letter, matches] : patterns()) {
    if (taken.contains(letter)) continue;
    std::vector<std::pair<Term, int>> found;
    const auto count = [&, &matches = matches](const Term& t) {
      if (!matches(t) || !is_initial(t)) return;
      auto at =
          std::find_if(found.begin(), found.end(), [&](const auto& f) { return same(f.first, t); });
      if (at == found.end()) at = found.insert(found.end(), {t, 0});
      at->second += t->earlier ? 2 : 1;
    };
    walk(guard, count);
    walk(effect, count);
    const auto often =
        std::find_if(found.begin(), found.end(), [](const auto& f) { return f.second > 1; });
    if (often == found.end()) {
      // The next one, where it occurs at all, is easier to follow than the last one.
      if (!found.empty() && found[0].first->op == Op::plus) taken.insert(letter);
      continue;
    }
    lets.push_back({letter, at_beginning(often->first)});
    taken.insert(letter);
  }
  return lets;
}

std::vector<Let> find_lets(const Term& formula) {
  constexpr int often = 3;
  std::vector<Let> lets;
  int count = 0;
  Term planned;
  walk(formula, [&](const Term& t) {
    if (t->op != Op::read || t->name != "plan_request") return;
    planned = t;
    ++count;
  });
  if (count >= often) lets.push_back({"p", planned});
  return lets;
}

}  // namespace holdfast::verify::text
