#include "verify/book/book.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <stdexcept>

#include "spec/faults.hpp"
#include "spec/profiles/assumptions.hpp"
#include "spec/profiles/releases.hpp"
#include "spec/profiles/variants.hpp"
#include "verify/book/diff.hpp"
#include "verify/book/markdown.hpp"
#include "verify/book/prose.hpp"
#include "verify/book/rule_text.hpp"
#include "verify/trace/field_map.hpp"

namespace holdfast::verify::book {

namespace {

constexpr std::size_t width = 88;  // of a line in a code block

std::string heading(int level, std::string_view title) {
  return std::string(static_cast<std::size_t>(level), '#') + " " + std::string(title) + "\n\n";
}

std::string chapter(std::string_view name, std::string_view text) {
  return heading(2, name) + std::string(text) + "\n";
}

std::string signature(const RuleText& rule) {
  std::string keys;
  for (const auto role : rule.roles)
    keys += (keys.empty() ? "" : ", ") + std::string(sorts::letter(role));
  return std::string(rule.info.name) + (keys.empty() ? "" : "(" + keys + ")");
}

std::string_view meaning(spec::Role role) {
  switch (role) {
    case spec::Role::request: return "request `r`";
    case spec::Role::feature: return "feature `i`";
    case spec::Role::hash: return "hash `h`";
    case spec::Role::step: return "step `k`";
    case spec::Role::tokens: return "`n` tokens";
    case spec::Role::hit: return "prefix hit of `c` tokens";
    case spec::Role::drafts: return "`d` drafts";
    case spec::Role::owed: return "`p` placeholders";
    case spec::Role::rejected: return "`x` rejected drafts";
    case spec::Role::position: return "start `a`";
  }
  return "";
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : std::string(between)) + part;
  return text;
}

// -- names --

struct Book {
  spec::Profile profile;
  std::vector<ManagerText> managers;
  std::vector<PropertyText> properties, rankings, lemmas;

  const RuleText& rule(std::string_view name) const {
    for (const auto& manager : managers)
      for (const auto& rule : manager.rules)
        if (rule.info.name == name) return rule;
    throw std::logic_error("a chapter names an unknown rule: " + std::string(name));
  }
};

/// Both managers have a property of this name, each its own.
bool is_ambiguous(const Book& book, std::string_view name) {
  return std::count_if(book.properties.begin(), book.properties.end(),
                       [&](const PropertyText& p) { return p.info.name == name; }) > 1;
}

std::string property_anchor(const Book& book, const PropertyText& p) {
  return std::string(p.info.name) +
         (is_ambiguous(book, p.info.name) && p.encoder_decoder ? "-encoder-decoder" : "");
}

bool is_of(const PropertyText& p, spec::Manager manager) {
  return manager == spec::Manager::encoder_decoder ? p.encoder_decoder : p.decoder_only;
}

/// The link to a property of a fault's manager; plain where this model does not state it.
std::string property_link(const Book& book, std::string_view name, spec::Manager manager) {
  for (const auto& p : book.properties)
    if (p.info.name == name && is_of(p, manager))
      return "[" + code(name) + "](#property-" + property_anchor(book, p) + ")";
  return code(name);
}

std::string broken_by(const Book& book, const spec::Fault& fault) {
  std::vector<std::string> links = {property_link(book, fault.property, fault.manager())};
  for (const auto name : fault.also) links.push_back(property_link(book, name, fault.manager()));
  return joined(links, ", ");
}

// -- chapters --

/// The anchor that Markdown gives a heading by itself.
std::string slug(std::string_view title) {
  std::string text;
  for (const char c : title)
    text += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string contents() {
  std::string text = heading(2, "Contents");
  const auto entry = [&](std::string_view title) {
    text += "- [" + std::string(title) + "](#" + slug(title) + ")\n";
  };
  for (const auto title : {"How to read it", "Words", "What never changes", "State", "Shorthands",
                           "The life of an entry"})
    entry(title);
  for (const auto& chapter : prose::chapters) {
    entry(chapter.title);
    std::vector<std::string> links;
    for (const auto& rule : chapter.rules) links.push_back(link("rule", rule));
    text.insert(text.size() - 1, ": " + joined(links, ", "));
  }
  for (const auto title : {"Properties", "Rankings", "Lemmas", "Profiles", "Faults", "Assumptions"})
    entry(title);
  return text + "\n";
}

std::string words() {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [word, meaning, vllm] : prose::words)
    rows.push_back({std::string(word), std::string(meaning), std::string(vllm)});
  return heading(2, "Words") + table({"word", "meaning", "in vLLM"}, rows);
}

std::string type_of(const VariableText& v) {
  if (v.is_slots && v.name != "tokens") return "slots";  // it has a sum as those have
  if (v.name == "status") return "status";
  switch (v.value) {
    case text::Kind::boolean: return "yes or no";
    case text::Kind::request: return "request";
    case text::Kind::hash: return "hash";
    default: return "number";
  }
}

std::vector<std::string> row_of(const VariableText& v, std::span<const trace::Field> fields) {
  std::string keys;
  for (const auto kind : v.keys) {
    std::string_view key = "k";
    if (kind == text::Kind::request) key = "r";
    if (kind == text::Kind::feature) key = "i";
    if (kind == text::Kind::hash) key = "h";
    keys += (keys.empty() ? "" : ", ") + std::string(key);
  }
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&](const trace::Field& f) { return f.variable == v.name; });
  if (field == fields.end())
    throw std::logic_error("verify/trace/field_map.cpp has no row for the variable " + v.name);
  return {code(v.name + (keys.empty() ? "" : "(" + keys + ")")), type_of(v), v.says,
          trace::as_code(field->vllm)};
}

std::string configuration(const Book& book) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& v : configuration_variables())
    rows.push_back(row_of(v, trace::configuration_fields()));
  std::string text = heading(2, "What never changes");
  text +=
      "The budgets, and the requests that may come. Sizes are in slots, positions in tokens.\n\n";
  text += table({"variable", "is a", "meaning", "in vLLM"}, rows);
  text += "Any configuration will do in which\n\n";
  for (const auto& [assumption, formula] : configuration_facts(book.profile))
    if (assumption == nullptr) text += code_block("text", text::Printer().lines(formula, width));
  return text + std::string(prose::windows) + "\n";
}

std::string state() {
  std::string text = heading(2, "State");
  text += "Every slot is free and nothing is in flight when the machine starts.\n\n";
  std::vector<std::vector<std::string>> rows;
  const auto finish = [&] {
    if (!rows.empty()) text += table({"variable", "is a", "meaning", "in vLLM"}, rows);
    rows.clear();
  };
  for (const auto& v : state_variables()) {
    for (const auto& group : prose::groups)
      if (group.first == v.name) {
        finish();
        text += heading(3, group.title);
      }
    rows.push_back(row_of(v, trace::state_fields()));
  }
  finish();
  return text;
}

std::string shorthand_sections(const Book& book) {
  std::string text = chapter("Shorthands", prose::shorthands);
  const auto& all = book.managers[0].shorthands;
  for (const auto& shorthand : all) {
    const auto words = std::find_if(prose::shorthand_words.begin(), prose::shorthand_words.end(),
                                    [&](const auto& w) { return w.name == shorthand.name; });
    if (words == prose::shorthand_words.end())
      throw std::logic_error("the book does not say what a shorthand is: " + shorthand.name);
    text += anchor("shorthand", shorthand.name) + "\n" + code(shorthand.signature) + ": " +
            std::string(words->says) + ".\n\n" + code_block("text", shorthand.lines);
  }
  return text;
}

std::string faults_of_rule(const Book& book, std::string_view rule) {
  std::string text;
  for (const auto& fault : spec::faults) {
    if (fault.rule != rule) continue;
    text += "> Fault " + link("fault", fault.profile.name) + ": " +
            std::string(fault.profile.says) + ". Breaks " + broken_by(book, fault) + ".\n>\n";
  }
  if (text.empty()) return text;
  text.resize(text.size() - 2);
  return text + "\n";
}

std::string rule_section(const Book& book, const RuleText& rule) {
  std::string text = anchor("rule", rule.info.name) + "\n" + heading(3, code(signature(rule)));
  text += sentence(rule.info.says) + "\n\n";
  text += "*vLLM:* " + functions(rule.info.upstream);
  if (!rule.info.reference.empty()) text += " · *history:* " + references(rule.info.reference);
  text += "\n\n";
  if (!rule.roles.empty()) {
    std::vector<std::string> parts;
    for (const auto role : rule.roles) parts.emplace_back(meaning(role));
    text += "*For any* " + joined(parts, ", ") + "\n\n";
  }
  const auto& lets = rule.printer.lets();
  if (!lets.empty()) {
    std::vector<std::string> parts;
    for (std::size_t n = 0; n < lets.size(); ++n)
      parts.push_back(code(lets[n].letter) + " = " + code(rule.printer.meaning(n)));
    text += "*Let* " + joined(parts, ", ") + "\n\n";
  }
  if (text::is_literal(rule.guard, "false"))
    return text + "Never taken in this profile.\n\n" + faults_of_rule(book, rule.info.name);
  text += "**When**\n\n";
  for (const auto& line : guard_lines(rule)) text += "- " + code(line) + "\n";
  text += "\n**Then**\n\n" + bullets(rule.printer.items(rule.effect)) + "\n";
  return text + faults_of_rule(book, rule.info.name);
}

std::string rules(const Book& book) {
  std::string text;
  for (const auto& chapter : prose::chapters) {
    text += book::chapter(chapter.title, chapter.introduction);
    for (const auto& name : chapter.rules) text += rule_section(book, book.rule(name));
  }
  return text;
}

std::string formula(const PropertyText& p) {
  const text::Printer printer({}, text::find_lets(p.formula));
  auto lines = printer.lines(p.formula, width);
  for (std::size_t n = 0; n < printer.lets().size(); ++n)
    lines.insert(lines.begin(), "let " + printer.lets()[n].letter + " = " + printer.meaning(n));
  return code_block("text", lines);
}

std::string broken_by_faults(const PropertyText& p) {
  std::vector<std::string> links;
  const auto add = [&](auto&& breaks) {
    for (const auto& fault : spec::faults)
      if (breaks(fault) && is_of(p, fault.manager()))
        links.push_back(link("fault", fault.profile.name));
  };
  add([&](const spec::Fault& fault) { return fault.property == p.info.name; });
  add([&](const spec::Fault& fault) {
    return std::find(fault.also.begin(), fault.also.end(), p.info.name) != fault.also.end();
  });
  return links.empty() ? "" : "Broken by " + joined(links, ", ") + ".\n\n";
}

std::string property_sections(const Book& book, const std::vector<PropertyText>& all,
                              std::string_view kind) {
  constexpr std::string_view prefix = "encoder-decoder: ";
  std::string text;
  for (const auto& p : all) {
    std::vector<std::string> notes;
    if (p.decoder_only && p.encoder_decoder) notes.emplace_back("both managers");
    if (!p.decoder_only) notes.emplace_back("encoder-decoder models");
    if (p.info.proof == spec::Proof::explored) notes.emplace_back("explored");
    if (p.info.proof == spec::Proof::derived) notes.emplace_back("derived");
    auto says = p.info.says;
    if (says.starts_with(prefix)) says.remove_prefix(prefix.size());
    text += anchor(kind, property_anchor(book, p)) + "\n" + heading(3, code(p.info.name));
    if (!notes.empty()) text += "*" + joined(notes, ", ") + "* · ";
    text += sentence(says) + "\n\n" + formula(p);
    if (kind == "property") text += broken_by_faults(p);
  }
  return text;
}

/// How a profile differs from holdfast.
std::vector<Change> changes_by(const spec::Profile& profile, spec::Manager manager) {
  static const std::array sound = {rules_of(spec::Manager::decoder_only, {}, {}),
                                   rules_of(spec::Manager::encoder_decoder, {}, {})};
  return changes(sound.at(static_cast<std::size_t>(manager)), rules_of(manager, profile, {}));
}

/// The changes of rules, most telling first: those of the rule `where`.
std::string change_blocks(std::vector<Change> all, std::string_view where) {
  std::stable_partition(all.begin(), all.end(), [&](const Change& c) {
    return std::find(c.rules.begin(), c.rules.end(), where) != c.rules.end();
  });
  std::string text;
  for (const auto& change : all) {
    std::vector<std::string> links;
    for (const auto& rule : change.rules) links.push_back(link("rule", rule));
    if (!change.shorthand.empty())
      links.push_back("Shorthand " + link("shorthand", change.shorthand));
    if (change.lines.empty())
      text += joined(links, ", ") + ": never taken.\n\n";
    else
      text += joined(links, ", ") + ":\n\n" + code_block("diff", change.lines);
  }
  return text;
}

bool has_fault(const spec::Profile& profile, const spec::Fault& fault) {
  const auto variants = spec::variants_in(fault.profile);
  return std::all_of(variants.begin(), variants.end(),
                     [&](const auto* v) { return v->is_in(profile); });
}

std::string variant_name(const spec::Variant& v) {
  return std::string(v.guard) + "-" + std::string(v.option);
}

/// The releases, and what they have that holdfast has not.
std::string profiles_table(const std::vector<const spec::Variant*>& variants) {
  std::vector<std::string> head = {"variant", "says"};
  for (const auto& p : spec::known_profiles)
    if (!spec::variants_in(p).empty()) head.push_back(code(p.name));
  std::vector<std::vector<std::string>> rows;
  for (const auto* v : variants) {
    rows.push_back({"[" + code(v->guard) + ": " + std::string(v->option) + "](#variant-" +
                        variant_name(*v) + ")",
                    std::string(v->says)});
    for (const auto& p : spec::known_profiles)
      if (!spec::variants_in(p).empty()) rows.back().emplace_back(v->is_in(p) ? "yes" : "");
  }
  return table(head, rows);
}

std::string faults_of_profile(const spec::Profile& profile) {
  std::vector<std::string> links;
  for (const auto& f : spec::faults)
    if (has_fault(profile, f)) links.push_back(link("fault", f.profile.name));
  return links.empty() ? ""
                       : code(profile.name) + " has the faults " + joined(links, ", ") + ".\n\n";
}

std::string profiles() {
  std::string text = chapter("Profiles", prose::profiles);
  std::vector<const spec::Variant*> used;
  for (const auto& v : spec::variants)
    if (std::any_of(spec::known_profiles.begin(), spec::known_profiles.end(),
                    [&](const auto& p) { return v.is_in(p); }))
      used.push_back(&v);
  text += profiles_table(used);
  for (const auto& p : spec::known_profiles) text += faults_of_profile(p);
  text += std::string(prose::variants) + "\n";
  for (const auto* v : used) {
    spec::Profile profile;
    v->set(profile);
    text += anchor("variant", variant_name(*v)) + "\n" +
            heading(3, code(v->guard) + ": " + std::string(v->option)) + sentence(v->says) +
            "\n\n" + change_blocks(changes_by(profile, v->manager), "");
  }
  return text;
}

std::string faults(const Book& book) {
  std::string text = chapter("Faults", prose::faults);
  std::vector<std::vector<std::string>> rows;
  for (const auto& f : spec::faults)
    rows.push_back({link("fault", f.profile.name), broken_by(book, f), link("rule", f.rule),
                    references(f.reference)});
  text += table({"fault", "breaks", "lives in", "public reference"}, rows);
  for (const auto& f : spec::faults) {
    text += anchor("fault", f.profile.name) + "\n" + heading(3, code(f.profile.name));
    text += sentence(f.profile.says) + " Breaks " + broken_by(book, f) + ".\n\n";
    text += change_blocks(changes_by(f.profile, f.manager()), f.rule);
  }
  return text;
}

std::string assumptions(const Book& book) {
  std::string text = chapter("Assumptions", prose::assumptions);
  std::vector<std::vector<std::string>> rows;
  for (const auto& a : spec::assumptions)
    rows.push_back({code(a.name), spec::Assumptions{}.*a.made ? "on" : "off", std::string(a.says)});
  text += table({"assumption", "by default", "says"}, rows);
  for (const auto& a : spec::assumptions) {
    text +=
        anchor("assumption", a.name) + "\n" + heading(3, code(a.name)) + sentence(a.says) + "\n\n";
    for (const auto& [assumption, formula] : configuration_facts(book.profile))
      if (assumption == a.made) text += code_block("text", text::Printer().lines(formula, width));
    spec::Assumptions toggled;
    toggled.*a.made = !(toggled.*a.made);
    const auto changed = change_blocks(
        changes(book.managers[0], rules_of(spec::Manager::decoder_only, book.profile, toggled)),
        "");
    if (!changed.empty()) text += (toggled.*a.made ? "With it, " : "Without it, ") + changed;
  }
  return text;
}

void require_chapters(const Book& book) {
  for (const auto& manager : book.managers)
    for (const auto& rule : manager.rules)
      if (std::none_of(
              prose::chapters.begin(), prose::chapters.end(), [&](const prose::Chapter& chapter) {
                return std::find(chapter.rules.begin(), chapter.rules.end(), rule.info.name) !=
                       chapter.rules.end();
              }))
        throw std::logic_error("no chapter of the book has the rule " +
                               std::string(rule.info.name));
}

std::string title(const spec::Profile& profile) {
  std::string text = "<!-- Generated by `holdfast spec`. Do not edit. -->\n\n";
  text += heading(1, "The multimodal encoder cache, as a state machine");
  if (profile.name != spec::Profile{}.name)
    text += "*Profile:* " + code(profile.name) + ", " + std::string(profile.says) + ".\n\n";
  return text + std::string(prose::introduction) + "\n";
}

}  // namespace

std::string spec_book(const spec::Profile& profile) {
  const Book book{profile,
                  {rules_of(spec::Manager::decoder_only, profile, {}),
                   rules_of(spec::Manager::encoder_decoder, profile, {})},
                  properties(profile),
                  rankings(profile),
                  lemmas(profile)};
  require_chapters(book);
  std::string text = title(profile) + contents();
  text += chapter("How to read it", prose::notation);
  text += words() + configuration(book) + state() + shorthand_sections(book);
  text += chapter("The life of an entry", prose::life_of_an_entry);
  text += rules(book);
  text += chapter("Properties", prose::properties) +
          property_sections(book, book.properties, "property");
  text += chapter("Rankings", prose::rankings) + property_sections(book, book.rankings, "ranking");
  text += chapter("Lemmas", prose::lemmas) + property_sections(book, book.lemmas, "lemma");
  text += profiles() + faults(book) + assumptions(book);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace holdfast::verify::book
