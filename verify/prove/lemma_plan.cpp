#include "verify/prove/lemma_plan.hpp"

#include <sstream>
#include <stdexcept>

namespace holdfast::verify::prove {

namespace {

constexpr const char* learned =
#include "verify/prove/learned_plan.inc"
    ;

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t to; (to = text.find(separator, from)) != std::string::npos;
       from = to + separator.size())
    parts.push_back(text.substr(from, to - from));
  parts.push_back(text.substr(from));
  return parts;
}

}  // namespace

const LemmaPlan& learned_plan() {
  static const LemmaPlan plan = parse_plan(learned);
  return plan;
}

std::string to_text(const LemmaPlan& plan) {
  std::ostringstream out;
  for (const auto& [name, lemmas] : plan) {
    out << name.manager << " | " << name.rule << " | " << name.path << " | " << name.property
        << " | ";
    for (std::size_t n = 0; n < lemmas.size(); ++n) out << (n ? ", " : "") << lemmas[n];
    out << '\n';
  }
  return out.str();
}

LemmaPlan parse_plan(const std::string& text) {
  LemmaPlan plan;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    const auto parts = split(line, " | ");
    if (parts.size() != 5) throw std::logic_error("a line of the lemma plan is malformed: " + line);
    auto& lemmas = plan[{parts[0], parts[1], parts[2], parts[3]}];
    if (!parts[4].empty()) lemmas = split(parts[4], ", ");
  }
  return plan;
}

}  // namespace holdfast::verify::prove
