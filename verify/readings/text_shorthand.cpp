#include "verify/readings/text_shorthand.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace holdfast::verify::inline readings::text {

namespace {

/// What stands for the parameters, and the depth of each quantifier of the meaning in the term.
struct Match {
  std::map<std::string, Term> arguments;
  std::map<int, int> depths;
};

bool binds(const Match& match, int depth) {
  return std::any_of(match.depths.begin(), match.depths.end(),
                     [&](const auto& d) { return d.second == depth; });
}

/// Says something of a variable that a quantifier of the meaning binds: no argument can.
bool is_captured(const Term& t, const Match& match) {
  return (t->op == Op::bound && binds(match, t->version)) ||
         std::any_of(t->parts.begin(), t->parts.end(),
                     [&](const Term& part) { return is_captured(part, match); });
}

bool is_quantifier(Op op) { return op == Op::every || op == Op::some || op == Op::none; }

bool is_parameter(const Shorthand& shorthand, const Term& t) {
  return t->op == Op::name && std::any_of(shorthand.parameters.begin(), shorthand.parameters.end(),
                                          [&](const Term& p) { return p->name == t->name; });
}

bool matches(const Shorthand& shorthand, const Term& pattern, const Term& t, Match& match) {
  if (is_parameter(shorthand, pattern)) {
    const auto [known, is_new] = match.arguments.try_emplace(pattern->name, t);
    return is_new ? !is_captured(t, match) : same(known->second, t);
  }
  if (pattern->op != t->op || pattern->name != t->name || t->earlier ||
      pattern->parts.size() != t->parts.size())
    return false;
  if (pattern->op == Op::bound) {
    const auto depth = match.depths.find(pattern->version);
    return depth != match.depths.end() && depth->second == t->version;
  }
  if (pattern->version != t->version) return false;
  if (is_quantifier(pattern->op)) match.depths[pattern->parts[0]->version] = t->parts[0]->version;
  for (std::size_t n = 0; n < pattern->parts.size(); ++n)
    if (!matches(shorthand, pattern->parts[n], t->parts[n], match)) return false;
  return true;
}

bool is_complete(const Shorthand& shorthand, const Match& match) {
  return match.arguments.size() == shorthand.parameters.size();
}

Term use(const Shorthand& shorthand, const Match& match) {
  Node node{Op::shorthand, shorthand.meaning->kind, shorthand.name};
  for (const auto& p : shorthand.parameters) node.parts.push_back(match.arguments.at(p->name));
  return std::make_shared<const Node>(std::move(node));
}

/// Finds the conjuncts of the meaning among those of t, each once, in any order.
bool matches_some(const Shorthand& shorthand, const std::vector<Term>& meaning, std::size_t next,
                  const std::vector<Term>& all, std::vector<std::size_t>& taken, Match& match) {
  if (next == meaning.size()) return true;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (std::find(taken.begin(), taken.end(), n) != taken.end()) continue;
    Match tried = match;
    if (!matches(shorthand, meaning[next], all[n], tried)) continue;
    taken.push_back(n);
    if (matches_some(shorthand, meaning, next + 1, all, taken, tried)) {
      match = std::move(tried);
      return true;
    }
    taken.pop_back();
  }
  return false;
}

Term fold_conjuncts(const Shorthand& shorthand, Term t) {
  const auto meaning = conjuncts(shorthand.meaning);
  for (;;) {
    const auto all = conjuncts(t);
    std::vector<std::size_t> taken;
    Match match;
    if (!matches_some(shorthand, meaning, 0, all, taken, match) || !is_complete(shorthand, match))
      return t;
    const auto first = *std::min_element(taken.begin(), taken.end());
    std::vector<Term> left;
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (n == first) left.push_back(use(shorthand, match));
      if (std::find(taken.begin(), taken.end(), n) == taken.end()) left.push_back(all[n]);
    }
    t = left.size() == 1 ? left[0] : make(Op::both, Kind::boolean, left);
  }
}

Term fold(const Term& t, const Shorthand& shorthand) {
  auto parts = t->parts;
  for (auto& part : parts) part = fold(part, shorthand);
  Term folded = t;
  if (parts != t->parts) {
    Node node = *t;
    node.parts = std::move(parts);
    folded = std::make_shared<const Node>(std::move(node));
  }
  if (shorthand.meaning->op == Op::both)
    return folded->op == Op::both ? fold_conjuncts(shorthand, folded) : folded;
  const auto stands_for = [&](const Term& pattern, Match& match) {
    return matches(shorthand, pattern, folded, match) && is_complete(shorthand, match);
  };
  if (Match match; stands_for(shorthand.meaning, match)) return use(shorthand, match);
  if (shorthand.meaning->kind != Kind::boolean) return folded;
  Match match;
  return stands_for(negation(shorthand.meaning), match) ? negation(use(shorthand, match)) : folded;
}

bool begins(const Effect& effect, std::size_t at, const Effect& meaning) {
  return effect.size() - at >= meaning.size() &&
         std::equal(meaning.begin(), meaning.end(),
                    effect.begin() + static_cast<std::ptrdiff_t>(at),
                    [](const Statement& a, const Statement& b) { return reads_same(a, b); });
}

Effect fold(const Effect& effect, const EffectShorthand& shorthand) {
  Effect folded;
  for (std::size_t n = 0; n < effect.size();) {
    if (!shorthand.meaning.empty() && begins(effect, n, shorthand.meaning)) {
      Statement named;
      named.what = Statement::What::shorthand;
      named.label = shorthand.name;
      folded.push_back(named);
      n += shorthand.meaning.size();
      continue;
    }
    folded.push_back(effect[n++]);
    folded.back().yes = fold(folded.back().yes, shorthand);
    folded.back().no = fold(folded.back().no, shorthand);
  }
  return folded;
}

}  // namespace

Term replace(const Term& t, const Term& from, const Term& to) {
  if (same(t, from)) return to;
  Node node = *t;
  for (auto& part : node.parts) part = replace(part, from, to);
  return std::make_shared<const Node>(std::move(node));
}

Term fold(Term t, const std::vector<Shorthand>& all) {
  for (const auto& shorthand : all) t = fold(t, shorthand);
  return t;
}

Effect fold(Effect effect, const std::vector<Shorthand>& all,
            const std::vector<EffectShorthand>& effects) {
  for (const auto& shorthand : effects) effect = fold(effect, shorthand);
  for (auto& statement : effect) {
    if (statement.value) statement.value = fold(statement.value, all);
    if (statement.condition) statement.condition = fold(statement.condition, all);
    statement.yes = fold(std::move(statement.yes), all, {});
    statement.no = fold(std::move(statement.no), all, {});
  }
  return effect;
}

}  // namespace holdfast::verify::inline readings::text
