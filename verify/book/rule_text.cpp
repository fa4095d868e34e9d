#include "verify/book/rule_text.hpp"

#include <algorithm>

#include "spec/catalogue.hpp"
#include "verify/book/markdown.hpp"
#include "verify/book/shorthands.hpp"
#include "verify/readings/text.hpp"

namespace holdfast::verify::book {

namespace {

using text::Reading;
using text::State;

template <spec::Role R>
auto argument() {
  return spec::as_argument<Reading, R>(text::named(sorts::letter(R), sorts::kind_of(R)));
}

template <class Rule, spec::Role... R>
RuleText read_rule(const spec::Profile& profile, const spec::Assumptions& assumptions,
                   const Shorthands& shorthands, spec::Roles<R...>) {
  Reading d(profile, assumptions);
  State before;
  text::bind(before, d);
  const text::Bool allowed = Rule::template guard<Reading>(d, before, argument<R>()...);
  d.assume(allowed);
  const auto recorded = d.record([&] {
    State s = before;
    Rule::template effect<Reading>(d, s, argument<R>()...);
  });
  const auto& [formulas, effects] = shorthands;
  const auto guard = text::fold(allowed.term, formulas);
  const auto effect = text::fold(recorded, formulas, effects);
  const std::set<std::string> taken = {sorts::letter(R)...};
  return {Rule::info,
          {R...},
          guard,
          effect,
          text::Printer(taken, text::find_lets(guard, effect, taken))};
}

constexpr std::size_t width = 88;

std::vector<ShorthandText> texts_of(const Shorthands& shorthands) {
  std::vector<ShorthandText> all;
  for (const auto& [name, parameters, meaning] : shorthands.formulas) {
    std::set<std::string> taken;
    std::string keys;
    for (const auto& p : parameters) {
      taken.insert(p->name);
      keys += (keys.empty() ? "" : ", ") + p->name;
    }
    all.push_back({name, keys.empty() ? name : name + "(" + keys + ")",
                   text::Printer(taken).lines(meaning, width)});
  }
  for (const auto& [name, meaning] : shorthands.effects) {
    all.push_back({name, name, {}});
    add_plain(text::Printer().items(meaning), 0, all.back().lines);
  }
  return all;
}

template <class System>
ManagerText read_rules(const spec::Profile& profile, const spec::Assumptions& assumptions) {
  const auto all = shorthands(profile);
  ManagerText manager{std::string(System::name), texts_of(all), {}};
  System::Rules::each([&]<class Rule>() {
    manager.rules.push_back(
        read_rule<Rule>(profile, assumptions, all, typename Rule::Parameters{}));
  });
  return manager;
}

template <class Properties>
void add(std::vector<PropertyText>& all, const spec::Profile& profile, bool encoder_decoder) {
  const auto formulas = shorthands(profile).formulas;
  Properties::each([&]<class Property>() {
    const auto known = std::find_if(all.begin(), all.end(), [](const PropertyText& p) {
      return p.info.name == Property::info.name && p.info.says == Property::info.says;
    });
    if (known != all.end()) {
      known->encoder_decoder = encoder_decoder;
      return;
    }
    Reading d(profile, {});
    State s;
    text::bind(s, d);
    const text::Bool holds = Property::template holds<Reading>(d, s);
    all.push_back(
        {Property::info, text::fold(holds.term, formulas), !encoder_decoder, encoder_decoder});
  });
}

template <class Value, class... Keys>
VariableText describe(const text::Map<Value, Keys...>& m, std::string_view says) {
  return {m.name(), m.keys(), m.value, false, std::string(says)};
}
template <class... Keys>
VariableText describe(const text::SlotMap<Keys...>& m, std::string_view says) {
  return {m.name(), m.keys(), m.value, true, std::string(says)};
}
template <class Value>
VariableText describe(const text::Var<Value>& v, std::string_view says) {
  return {v.name(), {}, v.value, false, std::string(says)};
}

}  // namespace

ManagerText rules_of(spec::Manager manager, const spec::Profile& profile,
                     const spec::Assumptions& assumptions) {
  return manager == spec::Manager::decoder_only
             ? read_rules<spec::DecoderOnly>(profile, assumptions)
             : read_rules<spec::EncoderDecoder>(profile, assumptions);
}

std::vector<PropertyText> properties(const spec::Profile& profile) {
  std::vector<PropertyText> all;
  add<spec::DecoderOnly::Properties>(all, profile, false);
  add<spec::EncoderDecoder::Properties>(all, profile, true);
  return all;
}

std::vector<PropertyText> lemmas(const spec::Profile& profile) {
  std::vector<PropertyText> all;
  add<spec::DecoderOnly::Lemmas>(all, profile, false);
  add<spec::EncoderDecoder::Lemmas>(all, profile, true);
  return all;
}

std::vector<PropertyText> rankings(const spec::Profile& profile) {
  const auto formulas = shorthands(profile).formulas;
  std::vector<PropertyText> all;
  spec::DecoderOnly::Rankings::each([&]<class Claim>() {
    Reading d(profile, {});
    State before, after;
    text::bind(before, d);
    text::bind(after, d, "'");
    const text::Bool holds = Claim::template holds<Reading>(d, before, after);
    all.push_back({Claim::info, text::fold(holds.term, formulas), true, false});
  });
  return all;
}

std::vector<std::pair<bool spec::Assumptions::*, text::Term>> configuration_facts(
    const spec::Profile& profile) {
  using spec::Assumptions;
  Reading d(profile, {});
  return {{nullptr, spec::is_well_formed(d).term},
          {&Assumptions::sorted_spans, spec::has_sorted_spans(d).term},
          {&Assumptions::disjoint_spans, spec::has_disjoint_spans(d).term},
          {&Assumptions::prompt_only_features, spec::has_prompt_only_features(d).term}};
}

std::vector<VariableText> configuration_variables() {
  Reading d({}, {});
  std::vector<VariableText> all;
  spec::Config<Reading>::visit(d.config,
                               [&](std::string_view, const auto& variable, std::string_view says) {
                                 all.push_back(describe(variable, says));
                               });
  return all;
}

std::vector<VariableText> state_variables() {
  Reading d({}, {});
  State s;
  text::bind(s, d);
  std::vector<VariableText> all;
  State::visit(s, [&](std::string_view, const auto& variable, std::string_view says) {
    all.push_back(describe(variable, says));
  });
  return all;
}

std::vector<std::string> guard_lines(const RuleText& rule) {
  return rule.printer.lines(rule.guard, 1000);
}

}  // namespace holdfast::verify::book
