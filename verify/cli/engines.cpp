// The catalogue and the book, as the command line knows them.
#include <algorithm>

#include "spec/catalogue.hpp"
#include "spec/faults.hpp"
#include "spec/profiles/assumptions.hpp"
#include "spec/profiles/releases.hpp"
#include "spec/profiles/variants.hpp"
#include "verify/book/book.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/prove/query.hpp"

namespace holdfast::verify::cli {

namespace {

void add_once(std::vector<Name>& names, std::string_view name, std::string_view summary) {
  for (const auto& known : names)
    if (known.name == name) return;
  names.push_back({std::string(name), std::string(summary)});
}

template <class System>
void add_rules(std::vector<Name>& names) {
  System::Rules::each([&]<class Rule>() { add_once(names, Rule::info.name, Rule::info.says); });
}

template <class List>
void add_properties(std::vector<Name>& names) {
  List::each([&]<class Property>() {
    std::string says(Property::info.says);
    if (Property::info.proof == spec::Proof::explored) says += " (explored)";
    add_once(names, Property::info.name, says);
  });
}

/// A guard once, with every other way that it has.
void add_option(std::vector<Name>& names, const spec::Variant& v) {
  const std::string option = std::string(v.option) + ": " + std::string(v.says);
  if (!names.empty() && names.back().name == v.guard)
    names.back().summary += "; " + option;
  else
    names.push_back({std::string(v.guard), option});
}

}  // namespace

std::vector<Name> catalogue(NameKind kind) {
  std::vector<Name> names;
  switch (kind) {
    case NameKind::property:
      add_properties<spec::DecoderOnly::Properties>(names);
      add_properties<spec::EncoderDecoder::Properties>(names);
      break;
    case NameKind::lemma:
      add_properties<spec::DecoderOnly::Lemmas>(names);
      add_properties<spec::EncoderDecoder::Lemmas>(names);
      add_properties<spec::DecoderOnly::Rankings>(names);
      break;
    case NameKind::rule:
      add_rules<spec::DecoderOnly>(names);
      add_rules<spec::EncoderDecoder>(names);
      break;
    case NameKind::fault:
      for (const auto& f : spec::faults) {
        std::string says = std::string(f.profile.says) + "; breaks " + std::string(f.property);
        if (!f.reference.empty()) says += " (" + std::string(f.reference) + ")";
        names.push_back({std::string(f.profile.name), says});
      }
      break;
    case NameKind::profile:
      for (const auto& p : spec::known_profiles)
        names.push_back({std::string(p.name), std::string(p.says)});
      break;
    case NameKind::assumption:
      for (const auto& a : spec::assumptions)
        names.push_back(
            {std::string(a.name),
             std::string(a.says) + (spec::Assumptions{}.*a.made ? " (made)" : " (not made)")});
      break;
    case NameKind::guard:
      for (const auto& v : spec::variants) add_option(names, v);
      for (const auto& a : spec::assumptions)
        if (spec::Assumptions{}.*a.made)
          names.push_back({std::string(a.name), "assumption: " + std::string(a.says)});
      break;
  }
  return names;
}

std::vector<std::string> guard_options() {
  std::vector<std::string> all;
  for (const auto& v : spec::variants)
    all.push_back(std::string(v.guard) + "=" + std::string(v.option));
  return all;
}

spec::Assumptions assumptions_of(const AssumptionSwitches& switches) {
  spec::Assumptions all;
  for (const auto& a : spec::assumptions) {
    const auto named = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), a.name) != names.end();
    };
    if (named(switches.made)) all.*a.made = true;
    if (named(switches.dropped)) all.*a.made = false;
  }
  return all;
}

std::string solver_version() { return prove::solver_version(); }

std::string run_spec() { return book::spec_book(*spec::find_profile("holdfast")); }

}  // namespace holdfast::verify::cli
