#include "verify/cli/command.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/errors.hpp"
#include "verify/base/nearest.hpp"

namespace holdfast::verify::cli {
namespace {

std::string word_for(NameKind kind) {
  switch (kind) {
    case NameKind::property: return "property";
    case NameKind::lemma: return "lemma";
    case NameKind::rule: return "rule";
    case NameKind::fault: return "fault";
    case NameKind::profile: return "profile";
    case NameKind::assumption: return "assumption";
    case NameKind::guard: return "guard";
  }
  return "name";
}

std::vector<std::string> names_of(const std::vector<NameKind>& kinds) {
  std::vector<std::string> names;
  for (const NameKind kind : kinds)
    for (Name& name : catalogue(kind)) names.push_back(std::move(name.name));
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Throws where the word is not among the names: of `what`, for the option or argument `flag`.
void expect_known(const std::string& flag, const std::string& what, const std::string& word,
                  const std::vector<std::string>& names) {
  if (!contains(names, word)) throw CLI::ValidationError(flag, unknown_name(what, word, names));
}

void expect_profile(const std::string& text) {
  const bool is_list = text.find('=') != std::string::npos;
  const auto names = is_list ? guard_options() : names_of({NameKind::profile, NameKind::fault});
  std::vector<std::string> guards;
  for (std::size_t from = 0; from <= text.size();) {
    const auto end = is_list ? std::min(text.find(',', from), text.size()) : text.size();
    const auto part = text.substr(from, end - from);
    from = end + 1;
    expect_known("--profile", is_list ? "guard" : "profile", part, names);
    auto guard = part.substr(0, part.find('='));
    if (contains(guards, guard))
      throw CLI::ValidationError("--profile", fmt::format("the guard '{}' is said twice", guard));
    guards.push_back(std::move(guard));
  }
}

std::int64_t parse_number(const std::string& option, const std::string& text, std::int64_t low,
                          std::int64_t high) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stopped != end || number < low || number > high) {
    throw CLI::ValidationError(
        option, fmt::format("'{}' is not a whole number from {} to {}", text, low, high));
  }
  return number;
}

/// A check of CLI11: an empty name is no folder.
std::string folder_name(const std::string& text) {
  return text.empty() ? "expected the name of a folder" : std::string();
}

/// CLI11 would only say that a subcommand is required.
void refuse_unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2) throw InputError("a command is required; `holdfast --help` lists them");
  if (std::string_view(argv[1]).starts_with('-')) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == argv[1]) return;
    names.push_back(command->get_name());
  }
  throw InputError(unknown_name("command", argv[1], names));
}

}  // namespace

// -- options --

void Command::flag(const std::string& option, bool& value, const std::string& description) {
  app_->add_flag(option, value, description);
}

void Command::flag_without(const std::string& option, bool& value, const std::string& description) {
  app_->add_flag_callback(option, [&value] { value = false; }, description);
}

void Command::number(const std::string& option, std::int64_t low, std::int64_t high,
                     const std::string& by_default, const std::string& description,
                     std::function<void(std::int64_t)> store) {
  const auto parse = [=](const std::string& text) { store(parse_number(option, text, low, high)); };
  app_->add_option_function<std::string>(option, parse, description)
      ->type_name("N")
      ->default_str(by_default);
}

void Command::text(const std::string& option, std::string& value, const std::string& type,
                   const std::string& description) {
  app_->add_option(option, value, description)->type_name(type);
}

void Command::name(const std::string& option, std::string& value,
                   std::initializer_list<NameKind> kinds, const std::string& description,
                   const std::string& also) {
  const auto store = [&value, option, also,
                      kinds = std::vector<NameKind>(kinds)](const std::string& text) {
    auto names = names_of(kinds);
    if (!also.empty()) names.push_back(also);
    expect_known(option, word_for(kinds.front()), text, names);
    value = text;
  };
  app_->add_option_function<std::string>(option, store, description)
      ->type_name("NAME")
      ->default_str(value);
}

void Command::paths(const std::string& option, std::vector<std::filesystem::path>& value,
                    const std::string& description) {
  app_->add_option(option, value, description)->type_name("PATH");
}

void Command::optional_file(const std::string& option, bool& given, std::filesystem::path& file,
                            const std::string& excluded, const std::string& description) {
  const auto store = [&](const std::string& text) {
    given = true;
    file = text;
  };
  app_->add_option_function<std::string>(option, store, description)
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->excludes(app_->get_option(excluded));
}

void Command::scenarios(std::filesystem::path& folder, const std::string& description,
                        bool must_be_named) {
  auto* option = app_->add_option("--scenarios", folder, description)
                     ->type_name("DIR")
                     ->default_str("scenarios");
  if (must_be_named) option->check(folder_name);
}

void Command::profile(std::string& value) {
  const auto store = [&value](const std::string& text) {
    expect_profile(text);
    value = text;
  };
  app_->add_option_function<std::string>(
          "--profile", store,
          "Which system: a profile, a fault, or guards in another way, "
          "GUARD=OPTION,...; see `holdfast list`")
      ->type_name("NAME")
      ->default_str(value);
}

void Command::assumptions(AssumptionSwitches& switches) {
  const auto add = [this](const std::string& flag, std::vector<std::string>& names,
                          const std::string& description) {
    const auto store = [&names, flag](const std::vector<std::string>& texts) {
      const auto known = names_of({NameKind::assumption});
      for (const std::string& text : texts) {
        expect_known(flag, "assumption", text, known);
        names.push_back(text);
      }
    };
    app_->add_option_function<std::vector<std::string>>(flag, store, description)
        ->type_name("NAME")
        ->allow_extra_args(false);
  };
  add("--assume", switches.made, "Make this assumption too, see `holdfast list assumptions`");
  add("--without", switches.dropped, "Do without this assumption");
}

void Command::solver(std::uint32_t& seed, std::uint32_t& timeout_ms, std::uint32_t& jobs) {
  constexpr std::int64_t an_hour_ms = 3'600'000;
  number("--seed", seed, 0, UINT32_MAX, "Seed of the solver");
  number("--timeout", timeout_ms, 1, an_hour_ms, "Limit of each query, in milliseconds");
  this->jobs(jobs);
}

void Command::jobs(std::uint32_t& jobs) {
  jobs = std::max(1U, std::thread::hardware_concurrency());
  number("--jobs", 1, 256, "cores", "Threads",
         [&jobs](std::int64_t number) { jobs = static_cast<std::uint32_t>(number); });
}

void Command::output(bool with_junit) {
  std::map<std::string, Format> formats{{"table", Format::table}, {"json", Format::json}};
  if (with_junit) formats.emplace("junit", Format::junit);
  std::vector<std::string> names;
  for (const auto& [name, format] : formats) names.push_back(name);
  const auto store = [formats, names, output = output_](const std::string& text) {
    expect_known("--format", "format", text, names);
    output->format = formats.at(text);
  };
  app_->add_option_function<std::string>("--format", store, "How to print the result")
      ->type_name(with_junit ? "table|json|junit" : "table|json")
      ->default_str("table");
  output_file();
  app_->add_flag("--no-color", output_->no_color, "No colours, as with the variable NO_COLOR");
}

void Command::output_file() {
  app_->add_option("-o,--output", output_->output, "Write to this file instead of standard output")
      ->type_name("FILE");
}

// -- arguments --

void Command::name_or_all(const std::string& argument, std::string& value, NameKind kind,
                          const std::string& description, bool is_required) {
  const auto store = [&value, argument, kind](const std::string& text) {
    auto names = names_of({kind});
    names.emplace_back("all");
    if (kind == NameKind::guard)
      for (auto& option : guard_options()) names.push_back(std::move(option));
    expect_known(argument, word_for(kind), text, names);
    value = text == "all" ? std::string() : text;
  };
  app_->add_option_function<std::string>(argument, store, description)
      ->required(is_required)
      ->type_name("")
      ->default_str(is_required ? "" : "all");
}

void Command::one_of(const std::string& argument, std::string& value, const std::string& what,
                     const std::vector<std::string>& words, const std::string& description) {
  const auto store = [=, &value](const std::string& text) {
    expect_known(argument, what, text, words);
    value = text;
  };
  app_->add_option_function<std::string>(argument, store, description)->required()->type_name("");
}

void Command::choice(const std::string& option, std::string& value,
                     const std::vector<std::string>& words, const std::string& description,
                     const std::string& what) {
  const auto store = [=, &value](const std::string& text) {
    const auto begins = [&](const std::string& word) {
      return word.ends_with(':') && text.starts_with(word);
    };
    if (const auto word = std::find_if(words.begin(), words.end(), begins); word == words.end())
      expect_known(option, "value", text, words);
    else if (text.find_first_not_of(' ', word->size()) == std::string::npos)
      throw CLI::ValidationError(option, fmt::format("'{}' lacks its {}", text, what));
    value = text;
  };
  app_->add_option_function<std::string>(option, store, description)
      ->type_name(fmt::format("{}{}", fmt::join(words, "|"), what))
      ->default_str(value);
}

void Command::files(const std::string& argument, std::vector<std::filesystem::path>& value,
                    const std::string& description) {
  app_->add_option(argument, value, description)->required()->type_name("");
}

// -- what it does --

void Command::runs(std::function<int(const OutputOptions&)> action) {
  app_->callback([action = std::move(action), output = output_, status = exit_status_] {
    *status = action(*output);
  });
}

// -- the command line --

CommandLine::CommandLine(const std::string& description, const std::string& footer,
                         std::function<std::string()> version)
    : app_(std::make_unique<CLI::App>(description, "holdfast")), footer_(footer) {
  app_->set_version_flag("--version",
                         [version = std::move(version)] { return "holdfast " + version(); });
  app_->require_subcommand(1);
  app_->footer("`holdfast COMMAND --help` tells about a command.\n" + footer_);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& description) {
  CLI::App* command = app_->add_subcommand(name, description);
  command->footer(footer_);
  return {*command, output_, exit_status_};
}

int CommandLine::run(int argc, const char* const* argv) {
  try {
    refuse_unknown_command(*app_, argc, argv);
    app_->parse(argc, argv);  // runs the command
  } catch (const CLI::Success& help_or_version) {
    return app_->exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what());
  }
  return exit_status_;
}

}  // namespace holdfast::verify::cli
