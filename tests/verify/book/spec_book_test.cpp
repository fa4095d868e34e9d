// docs/spec.md is what the book prints; it leaves nothing out, and it is sound Markdown.
#include <algorithm>
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/catalogue.hpp"
#include "spec/faults.hpp"
#include "spec/profiles/assumptions.hpp"
#include "spec/profiles/releases.hpp"
#include "spec/profiles/variants.hpp"
#include "tests/verify/book/kept_page.hpp"
#include "verify/book/book.hpp"
#include "verify/book/diff.hpp"

namespace holdfast::verify::book {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string& the_book() {
  static const std::string text = spec_book();
  return text;
}

std::vector<std::string> every_profile() {
  std::vector<std::string> names;
  for (const auto& p : spec::known_profiles) names.emplace_back(p.name);
  for (const auto& f : spec::faults) names.emplace_back(f.profile.name);
  return names;
}

TEST(SpecBook, IsDocsSpec) { expect_kept("docs/spec.md", the_book()); }

TEST(SpecBook, IsTheSameEveryTime) { EXPECT_EQ(spec_book(), the_book()); }

TEST(SpecBook, HasEveryName) {
  const auto expect = [](std::string_view kind, std::string_view name) {
    EXPECT_THAT(the_book(),
                HasSubstr("<a id=\"" + std::string(kind) + "-" + std::string(name) + "\"></a>"));
  };
  const auto walk = [&]<class System>() {
    System::Rules::each([&]<class Rule>() { expect("rule", Rule::info.name); });
    System::Properties::each([&]<class Property>() { expect("property", Property::info.name); });
    System::Lemmas::each([&]<class Lemma>() { expect("lemma", Lemma::info.name); });
    System::Rankings::each([&]<class Claim>() { expect("ranking", Claim::info.name); });
  };
  walk.operator()<spec::DecoderOnly>();
  walk.operator()<spec::EncoderDecoder>();
  for (const auto& fault : spec::faults) expect("fault", fault.profile.name);
  for (const auto& assumption : spec::assumptions) expect("assumption", assumption.name);
  for (const auto& profile : spec::known_profiles)
    EXPECT_THAT(the_book(), HasSubstr("`" + std::string(profile.name) + "`"));
  expect("property", "exact-slots-encoder-decoder");
}

TEST(SpecBook, LinksLeadSomewhere) {
  std::set<std::string> targets;
  const auto all = lines_of(the_book());
  const std::regex id("<a id=\"([^\"]+)\"></a>"), link("\\]\\(#([^)]+)\\)");
  for (const auto& line : all) {
    for (std::sregex_iterator m(line.begin(), line.end(), id), end; m != end; ++m)
      EXPECT_TRUE(targets.insert((*m)[1]).second) << "twice: " << (*m)[1];
    if (line.starts_with("## ")) {
      std::string slug = line.substr(3);
      std::transform(slug.begin(), slug.end(), slug.begin(), [](unsigned char c) {
        return c == ' ' ? '-' : static_cast<char>(std::tolower(c));
      });
      targets.insert(slug);
    }
  }
  for (const auto& line : all)
    for (std::sregex_iterator m(line.begin(), line.end(), link), end; m != end; ++m)
      EXPECT_TRUE(targets.contains((*m)[1])) << (*m)[1];
}

TEST(SpecBook, IsSoundMarkdown) {
  for (const auto& name : every_profile()) {
    SCOPED_TRACE(name);
    const auto all = lines_of(spec_book(*spec::find_profile(name)));
    bool in_block = false;
    std::string paragraph;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto& line = all[n];
      SCOPED_TRACE("line " + std::to_string(n + 1) + ": " + line);
      if (line.starts_with("```")) {
        in_block = !in_block;
        continue;
      }
      EXPECT_TRUE(line.empty() || line.back() != ' ');
      if (in_block) continue;
      EXPECT_EQ(std::count(line.begin(), line.end(), '`') % 2, 0);
      // A parenthesis may run over the lines of a paragraph.
      paragraph = line.empty() ? "" : paragraph + line;
      const bool ends = n + 1 == all.size() || all[n + 1].empty();
      if (ends) {
        EXPECT_EQ(std::count(paragraph.begin(), paragraph.end(), '('),
                  std::count(paragraph.begin(), paragraph.end(), ')'));
      }
      if (line.starts_with("**When**") || line.starts_with("**Then**")) {
        ASSERT_LT(n + 2, all.size());
        EXPECT_TRUE(all[n + 2].starts_with("- ")) << "an empty section";
      }
      if (line.starts_with("|") && n > 0 && all[n - 1].starts_with("|")) {
        EXPECT_EQ(std::count(line.begin(), line.end(), '|'),
                  std::count(all[n - 1].begin(), all[n - 1].end(), '|'));
      }
    }
    EXPECT_FALSE(in_block);
  }
}

TEST(SpecBook, SpeaksNoCpp) {
  for (const auto& name : every_profile()) {
    SCOPED_TRACE(name);
    const auto text = spec_book(*spec::find_profile(name));
    for (const auto* leak :
         {"&&", "||", "==", "!(", "::", " ->", "unbound", "old(", "static_cast", "\n\n\n", "``\n`"})
      EXPECT_EQ(text.find(leak), std::string::npos) << leak;
  }
}

/// The rule's text says the shorthand, or a shorthand that does.
bool uses(const book::ManagerText& manager, std::vector<std::string> lines,
          const std::string& shorthand) {
  for (auto at = manager.shorthands.rbegin(); at != manager.shorthands.rend(); ++at) {
    const bool used = std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
      return line.find(at->name) != std::string::npos;
    });
    if (used && at->name == shorthand) return true;
    if (used) lines.insert(lines.end(), at->lines.begin(), at->lines.end());
  }
  return false;
}

TEST(SpecBook, EveryFaultChangesItsRule) {
  for (const auto& fault : spec::faults) {
    const auto sound = book::rules_of(fault.manager(), {}, {});
    const auto rule = std::find_if(sound.rules.begin(), sound.rules.end(),
                                   [&](const auto& r) { return r.info.name == fault.rule; });
    ASSERT_NE(rule, sound.rules.end()) << fault.profile.name;
    const auto changes = book::changes(sound, book::rules_of(fault.manager(), fault.profile, {}));
    EXPECT_TRUE(std::any_of(changes.begin(), changes.end(), [&](const book::Change& c) {
      return std::find(c.rules.begin(), c.rules.end(), fault.rule) != c.rules.end() ||
             uses(sound, book::guard_lines(*rule), c.shorthand);
    })) << fault.profile.name;
  }
}

/// An enumerator that no rule asks for would be `holdfast` by another name.
TEST(SpecBook, EveryVariantChangesARule) {
  for (const auto& variant : spec::variants) {
    if (variant.of_the_pass) continue;
    spec::Profile profile;
    variant.set(profile);
    EXPECT_FALSE(book::changes(book::rules_of(variant.manager, {}, {}),
                               book::rules_of(variant.manager, profile, {}))
                     .empty())
        << "no rule in spec/rules/ reads " << variant.guard << "=" << variant.option;
  }
}

TEST(SpecBook, AVariantThatAReleaseHasIsShown) {
  for (const auto& variant : spec::variants)
    for (const auto& profile : spec::known_profiles)
      if (variant.is_in(profile)) {
        EXPECT_THAT(the_book(), HasSubstr("<a id=\"variant-" + std::string(variant.guard) + "-" +
                                          std::string(variant.option) + "\"></a>"));
      }
}

TEST(SpecBook, EveryShorthandIsUsed) {
  const auto manager = book::rules_of(spec::Manager::decoder_only, {}, {});
  for (const auto& shorthand : manager.shorthands) {
    std::size_t uses = 0;
    for (auto at = the_book().find(shorthand.name); at != std::string::npos;
         at = the_book().find(shorthand.name, at + 1))
      ++uses;
    EXPECT_GT(uses, 3U) << shorthand.name;  // three are its own section
  }
}

TEST(SpecBook, DiffKeepsALineAroundAChange) {
  EXPECT_THAT(book::diff({"a", "b", "c", "d", "e", "f", "g"}, {"a", "b", "x", "d", "e", "f"}),
              ElementsAre("  b", "- c", "+ x", "  d", "  ...", "  f", "- g"));
  EXPECT_TRUE(book::diff({"a"}, {"a"}).empty());
}

}  // namespace
}  // namespace holdfast::verify::book
