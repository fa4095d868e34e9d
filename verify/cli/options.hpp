// Options that several commands share, and how their reports leave.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>

#include <CLI/CLI.hpp>

#include "verify/cli/engines.hpp"
#include "verify/report/report.hpp"

namespace holdfast::verify {

enum class Format { table, json, junit };

/// Filled by the command that was given.
struct OutputOptions {
  Format format = Format::table;
  std::filesystem::path output;  ///< empty: standard output
  bool no_color = false;
  int exit_status = 0;
};

/// --output, --format and --no-color; `junit` is offered where `with_junit`.
void add_output_options(CLI::App& command, OutputOptions& common, bool with_junit = false);

/// An option or argument that takes a name of one of these kinds. An unknown one is an error that
/// suggests the nearest; `also` is accepted besides ("all").
CLI::Option* add_name_option(CLI::App& command, const std::string& flags, std::string& value,
                             std::initializer_list<NameKind> kinds, const std::string& description,
                             const std::string& also = {});

/// --profile: a profile, a fault by its name, or "GUARD=OPTION,...".
CLI::Option* add_profile_option(CLI::App& command, std::string& value);

/// --assume and --without: names of assumptions, each any number of times.
void add_assumption_options(CLI::App& command, AssumptionSwitches& switches);

/// A whole number from `low` to `high`, in decimal digits and nothing else. Throws
/// CLI::ValidationError that names the option and the bounds.
std::int64_t parse_number(const std::string& option, const std::string& text, std::int64_t low,
                          std::int64_t high);

/// An option that takes such a number; its default is what `value` is now.
template <std::integral Number>
CLI::Option* add_number_option(CLI::App& command, const std::string& option, Number& value,
                               std::int64_t low, std::int64_t high,
                               const std::string& description) {
  const auto store = [=, &value](const std::string& text) {
    value = static_cast<Number>(parse_number(option, text, low, high));
  };
  return command.add_option_function<std::string>(option, store, description)
      ->type_name("N")
      ->default_str(std::to_string(value));
}

/// --seed, --timeout and --jobs, for what runs a solver. Sets `jobs` to the number of cores.
void add_solver_options(CLI::App& command, std::uint32_t& seed, std::uint32_t& timeout_ms,
                        std::uint32_t& jobs);

/// --jobs. Sets `jobs` to the number of cores.
void add_jobs_option(CLI::App& command, std::uint32_t& jobs);

/// A check of CLI11: an empty name is no folder.
std::string folder_name(const std::string& text);

/// Runs the engine, writes its report as `common` says and keeps the exit status there. The output
/// is opened first, so that one that cannot be written is found before the work and not after it.
void deliver(OutputOptions& common, const std::function<Report(StatusLine&)>& engine);

/// The same for text that is no report.
void deliver_text(OutputOptions& common, const std::function<std::string()>& text);

}  // namespace holdfast::verify
