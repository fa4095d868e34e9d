#include "verify/trace/rule_form.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "spec/catalogue.hpp"
#include "verify/base/nearest.hpp"
#include "verify/trace/fields.hpp"
#include "verify/trace/line_error.hpp"

namespace holdfast::verify::trace {
namespace {

using Words = std::vector<std::string>;

/// An Io of fields.hpp: which arguments there are.
struct Present {
  Words names;

  void id(std::string_view, const std::string&) {}
  void id(std::string_view name, const std::optional<std::string>& value) { add(name, value); }
  void count(std::string_view name, const auto& value) { add(name, value); }
  void positive(std::string_view name, const auto& value) { add(name, value); }

 private:
  void add(std::string_view name, const auto& value) {
    if (value) names.emplace_back(name);
  }
};

Words arguments_of(const Taken& taken) {
  Present present;
  fields(present, taken);
  return present.names;
}

/// Those that a rule with these parameters has.
template <spec::Role... R>
Words arguments_of(spec::Roles<R...>) {
  Taken full;
  ((argument<R>(full).emplace()), ...);
  return arguments_of(full);
}

std::string listed(const Words& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "'" : ", '") + word + "'";
  return text.empty() ? "no argument" : text;
}

template <class Rules>
void expect_form(const Taken& taken, const std::string& where) {
  Words expected;
  const bool found = spec::with_rule<Rules>(
      taken.rule, [&]<class Rule>() { expected = arguments_of(typename Rule::Parameters{}); });
  if (!found) {
    Words known;
    Rules::each([&]<class Rule>() { known.emplace_back(Rule::info.name); });
    constexpr std::size_t longest_word = 64;
    const auto near =
        taken.rule.size() <= longest_word ? nearest(taken.rule, known) : std::string();
    throw LineError(where + ": unknown rule " + in_quotes(taken.rule) +
                    (near.empty() ? "; expected one of the manager's (`holdfast list rules`)"
                                  : "; did you mean '" + near + "'?"));
  }
  if (const auto given = arguments_of(taken); given != expected)
    throw LineError(where + ": rule '" + taken.rule + "': expected " + listed(expected) +
                    ", found " + listed(given));
}

}  // namespace

void expect_rule_form(const Taken& taken, Manager manager, const std::string& where) {
  if (manager == Manager::decoder_only)
    expect_form<spec::DecoderOnly::Rules>(taken, where);
  else
    expect_form<spec::EncoderDecoder::Rules>(taken, where);
}

}  // namespace holdfast::verify::trace
