#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "verify/base/text.hpp"
#include "verify/cli/command.hpp"
#include "verify/report/version.hpp"

namespace holdfast::verify::cli {
namespace {

const std::vector<std::pair<std::string, NameKind>> kinds = {
    {"properties", NameKind::property}, {"lemmas", NameKind::lemma},
    {"rules", NameKind::rule},          {"faults", NameKind::fault},
    {"profiles", NameKind::profile},    {"assumptions", NameKind::assumption},
    {"guards", NameKind::guard},
};

NameKind kind_of(const std::string& what) {
  return std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == what; })
      ->second;
}

std::string as_table(const std::vector<Name>& names) {
  std::size_t width = 0;
  for (const Name& name : names) width = std::max(width, columns(name.name));
  std::string text;
  for (const Name& name : names) {
    text += fmt::format("{:<{}}  {}\n", name.name, width, name.summary);
  }
  return text;
}

std::string as_json(const std::string& what, const std::vector<Name>& names) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const Name& name : names) {
    entries.push_back({{"name", name.name}, {"summary", name.summary}});
  }
  const nlohmann::ordered_json list = {
      {"holdfast", report::version()}, {"command", "list"}, {"what", what}, {"results", entries}};
  return list.dump(2) + "\n";
}

}  // namespace

void add_list_command(CommandLine& line) {
  Command command =
      line.add("list", "What there is: properties, lemmas, rules, faults, profiles, ...");
  std::vector<std::string> words;
  for (const auto& [name, kind] : kinds) words.push_back(name);
  const auto what = std::make_shared<std::string>();
  command.one_of("WHAT", *what, "list", words,
                 "properties, lemmas, rules, faults, profiles, assumptions or guards");
  command.output();
  command.runs([what](const OutputOptions& output) {
    return deliver_text(output, [&] {
      const std::vector<Name> names = catalogue(kind_of(*what));
      return output.format == Format::json ? as_json(*what, names) : as_table(names);
    });
  });
}

}  // namespace holdfast::verify::cli
