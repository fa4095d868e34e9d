#include "verify/cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "verify/report/atomic_file.hpp"
#include "verify/report/errors.hpp"
#include "verify/report/nearest.hpp"

namespace holdfast::verify {
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

/// Standard output, or the file that was asked for.
class Output {
 public:
  explicit Output(const OutputOptions& common)
      : color_(common.output.empty() && !common.no_color && color_wanted()) {
    if (!common.output.empty()) file_.emplace(common.output);
  }

  [[nodiscard]] std::ostream& stream() { return file_ ? file_->stream() : std::cout; }
  [[nodiscard]] bool color() const { return color_; }

  void finish() {
    if (file_) {
      file_->commit();
    } else if (!std::cout.flush()) {
      throw InputError("standard output cannot be written");
    }
  }

 private:
  std::optional<AtomicFile> file_;
  bool color_;
};

}  // namespace

void add_output_options(CLI::App& command, OutputOptions& common, bool with_junit) {
  std::map<std::string, Format> formats{{"table", Format::table}, {"json", Format::json}};
  if (with_junit) formats.emplace("junit", Format::junit);
  std::vector<std::string> names;
  for (const auto& [name, format] : formats) names.push_back(name);
  const auto store = [formats, names, &common](const std::string& text) {
    const auto found = formats.find(text);
    if (found == formats.end()) {
      throw CLI::ValidationError("--format", unknown_name("format", text, names));
    }
    common.format = found->second;
  };
  command.add_option_function<std::string>("--format", store, "How to print the result")
      ->type_name(with_junit ? "table|json|junit" : "table|json")
      ->default_str("table");
  command.add_option("-o,--output", common.output, "Write to this file instead of standard output")
      ->type_name("FILE");
  command.add_flag("--no-color", common.no_color, "No colours, as with the variable NO_COLOR");
}

CLI::Option* add_name_option(CLI::App& command, const std::string& flags, std::string& value,
                             std::initializer_list<NameKind> kinds, const std::string& description,
                             const std::string& also) {
  const auto store = [&value, flags, also,
                      kinds = std::vector<NameKind>(kinds)](const std::string& text) {
    std::vector<std::string> names;
    for (const NameKind kind : kinds) {
      for (Name& name : catalogue(kind)) names.push_back(std::move(name.name));
    }
    if (!also.empty()) names.push_back(also);
    if (std::find(names.begin(), names.end(), text) == names.end()) {
      throw CLI::ValidationError(flags, unknown_name(word_for(kinds.front()), text, names));
    }
    value = text;
  };
  return command.add_option_function<std::string>(flags, store, description)
      ->type_name("NAME")
      ->default_str(value);
}

CLI::Option* add_profile_option(CLI::App& command, std::string& value) {
  const auto store = [&value](const std::string& text) {
    const bool is_list = text.find('=') != std::string::npos;
    std::vector<std::string> names;
    for (const NameKind kind : {NameKind::profile, NameKind::fault})
      if (!is_list)
        for (Name& name : catalogue(kind)) names.push_back(std::move(name.name));
    if (is_list) names = guard_options();
    std::vector<std::string> guards;
    for (std::size_t from = 0; from <= text.size();) {
      const auto end = is_list ? std::min(text.find(',', from), text.size()) : text.size();
      const auto part = text.substr(from, end - from);
      from = end + 1;
      if (std::find(names.begin(), names.end(), part) == names.end())
        throw CLI::ValidationError("--profile",
                                   unknown_name(is_list ? "guard" : "profile", part, names));
      auto guard = part.substr(0, part.find('='));
      if (std::find(guards.begin(), guards.end(), guard) != guards.end())
        throw CLI::ValidationError("--profile", fmt::format("the guard '{}' is said twice", guard));
      guards.push_back(std::move(guard));
    }
    value = text;
  };
  return command
      .add_option_function<std::string>(
          "--profile", store,
          "Which system: a profile, a fault, or guards in another way, "
          "GUARD=OPTION,...; see `holdfast list`")
      ->type_name("NAME")
      ->default_str(value);
}

void add_assumption_options(CLI::App& command, AssumptionSwitches& switches) {
  const auto add = [&command](const std::string& flag, std::vector<std::string>& names,
                              const std::string& description) {
    const auto store = [&names, flag](const std::vector<std::string>& texts) {
      std::vector<std::string> known;
      for (Name& name : catalogue(NameKind::assumption)) known.push_back(std::move(name.name));
      for (const std::string& text : texts) {
        if (std::find(known.begin(), known.end(), text) == known.end()) {
          throw CLI::ValidationError(flag, unknown_name("assumption", text, known));
        }
        names.push_back(text);
      }
    };
    command.add_option_function<std::vector<std::string>>(flag, store, description)
        ->type_name("NAME")
        ->allow_extra_args(false);
  };
  add("--assume", switches.made, "Make this assumption too, see `holdfast list assumptions`");
  add("--without", switches.dropped, "Do without this assumption");
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

void add_solver_options(CLI::App& command, std::uint32_t& seed, std::uint32_t& timeout_ms,
                        std::uint32_t& jobs) {
  constexpr std::int64_t an_hour_ms = 3'600'000;
  add_number_option(command, "--seed", seed, 0, UINT32_MAX, "Seed of the solver");
  add_number_option(command, "--timeout", timeout_ms, 1, an_hour_ms,
                    "Limit of each query, in milliseconds");
  add_jobs_option(command, jobs);
}

void add_jobs_option(CLI::App& command, std::uint32_t& jobs) {
  jobs = std::max(1U, std::thread::hardware_concurrency());
  add_number_option(command, "--jobs", jobs, 1, 256, "Threads")->default_str("cores");
}

std::string folder_name(const std::string& text) {
  return text.empty() ? "expected the name of a folder" : std::string();
}

void deliver(OutputOptions& common, const std::function<Report(StatusLine&)>& engine) {
  Output output(common);
  Report report;
  {
    StatusLine status;
    report = engine(status);
  }
  switch (common.format) {
    case Format::table: print_table(report, output.stream(), output.color()); break;
    case Format::json: print_json(report, output.stream()); break;
    case Format::junit: print_junit(report, output.stream()); break;
  }
  output.finish();
  common.exit_status = exit_status(report);
}

void deliver_text(OutputOptions& common, const std::function<std::string()>& text) {
  Output output(common);
  output.stream() << text();
  output.finish();
}

}  // namespace holdfast::verify
