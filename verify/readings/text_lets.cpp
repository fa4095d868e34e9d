#include "verify/readings/text_lets.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "verify/readings/text_names.hpp"

namespace holdfast::verify::inline readings::text {

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
  const auto variable = [](std::string_view name) {
    return [name](const Term& t) { return t->op == Op::read && t->name == name; };
  };
  const auto next = [](std::string_view name) {
    return [name](const Term& t) {
      return t->op == Op::plus && t->parts[0]->op == Op::read && t->parts[0]->name == name &&
             is_literal(t->parts[1], "1");
    };
  };
  const auto& n = variable_names();
  static const std::vector<Pattern> all = {
      {"r", variable(n.plan_request)}, {"r", variable(n.drain_request)},
      {"i", variable(n.cursor)},       {"h", variable(n.hash)},
      {"k", next(n.issued)},           {"k", next(n.executed)},
      {"k", next(n.delivered)},        {"k", variable(n.executed)}};
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
    if (t->op != Op::read || t->name != variable_names().plan_request) return;
    planned = t;
    ++count;
  });
  if (count >= often) lets.push_back({"p", planned});
  return lets;
}

}  // namespace holdfast::verify::inline readings::text
