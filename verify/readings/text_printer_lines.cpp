// Formulas on as many lines as they take.
#include <algorithm>
#include <utility>

#include "verify/readings/text_notation.hpp"
#include "verify/readings/text_printer.hpp"

namespace holdfast::verify::inline readings::text {

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

}  // namespace holdfast::verify::inline readings::text
