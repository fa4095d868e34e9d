// The rules and properties of the catalogue as text, ready to be set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/claims/properties.hpp"
#include "spec/profiles/profile.hpp"
#include "verify/readings/text_printer.hpp"

namespace holdfast::verify::book {

struct RuleText {
  spec::RuleInfo info;
  std::vector<spec::Role> roles;
  text::Term guard;
  text::Effect effect;
  text::Printer printer;
};

struct PropertyText {
  spec::PropertyInfo info;
  text::Term formula;
  bool decoder_only = false, encoder_decoder = false;  ///< whose manager's it is
};

/// A variable of the state or the configuration.
struct VariableText {
  std::string name;
  std::vector<text::Kind> keys;
  text::Kind value;
  bool is_slots = false;
  std::string says;
};

/// A name for what many rules say.
struct ShorthandText {
  std::string name, signature;
  std::vector<std::string> lines;
};

struct ManagerText {
  std::string name;
  std::vector<ShorthandText> shorthands;
  std::vector<RuleText> rules;
};

ManagerText rules_of(spec::Manager manager, const spec::Profile& profile,
                     const spec::Assumptions& assumptions);
/// Each once, the decoder-only manager's first.
std::vector<PropertyText> properties(const spec::Profile& profile);
std::vector<PropertyText> lemmas(const spec::Profile& profile);
/// Claims about a step; a variable of the state after it is marked.
std::vector<PropertyText> rankings(const spec::Profile& profile);
/// What is_well_formed and the assumptions say of the configuration, by the assumption's switch
/// (none for the former).
std::vector<std::pair<bool spec::Assumptions::*, text::Term>> configuration_facts(
    const spec::Profile& profile);
std::vector<VariableText> configuration_variables();
std::vector<VariableText> state_variables();

/// The guard, a line for each conjunct.
std::vector<std::string> guard_lines(const RuleText& rule);

}  // namespace holdfast::verify::book
