// What the book says in words that no rule can say. Everything else in it is generated.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace holdfast::verify::book::prose {

extern const std::string_view introduction;
extern const std::string_view notation;
extern const std::string_view windows;
extern const std::string_view shorthands;
extern const std::string_view life_of_an_entry;
extern const std::string_view properties;
extern const std::string_view rankings;
extern const std::string_view lemmas;
extern const std::string_view profiles;
extern const std::string_view variants;
extern const std::string_view faults;
extern const std::string_view assumptions;

struct Word {
  std::string_view word, meaning, vllm;
};
extern const std::vector<Word> words;

/// What each shorthand says.
struct Shorthand {
  std::string_view name, says;
};
extern const std::vector<Shorthand> shorthand_words;

/// The rules of one noun. Every rule of the catalogue is in one chapter.
struct Chapter {
  std::string_view title;
  std::string_view introduction;
  std::span<const std::string_view> rules;
};
extern const std::vector<Chapter> chapters;

/// The state's variables in groups; each begins with the variable named.
struct Group {
  std::string_view title;
  std::string_view first;
};
extern const std::vector<Group> groups;

}  // namespace holdfast::verify::book::prose
