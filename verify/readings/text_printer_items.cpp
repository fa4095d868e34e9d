// Effects as items: an update a line, what belongs to a branch below it.
#include <utility>

#include "verify/readings/text_notation.hpp"
#include "verify/readings/text_printer.hpp"

namespace holdfast::verify::inline readings::text {

namespace {

std::string code(const std::string& text) { return "`" + text + "`"; }

}  // namespace

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

}  // namespace holdfast::verify::inline readings::text
