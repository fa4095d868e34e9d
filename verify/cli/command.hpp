// A command's words, as its file describes them. Keeps CLI11 out of those files: it is most of what
// a file that includes it costs to compile.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "verify/cli/commands.hpp"
#include "verify/cli/output.hpp"

namespace CLI {
class App;
}

namespace holdfast::verify::cli {

/// One command. What it is given to fill must live until the command has run. Each option and
/// argument stands in `--help` in the order in which it is added.
class Command {
 public:
  Command(CLI::App& app, OutputOptions& output, int& exit_status)
      : app_(&app), output_(&output), exit_status_(&exit_status) {}

  // -- options --

  void flag(const std::string& option, bool& value, const std::string& description);
  /// A flag that takes something away.
  void flag_without(const std::string& option, bool& value, const std::string& description);
  /// A whole number from `low` to `high`, in decimal digits and nothing else; its default is what
  /// `value` is now.
  template <std::integral Number>
  void number(const std::string& option, Number& value, std::int64_t low, std::int64_t high,
              const std::string& description) {
    number(option, low, high, std::to_string(value), description,
           [&value](std::int64_t number) { value = static_cast<Number>(number); });
  }
  /// `type` says in the help what it looks like.
  void text(const std::string& option, std::string& value, const std::string& type,
            const std::string& description);
  /// One of these words. One that ends with ':' stands for itself and what follows it, as
  /// "exec:" does; that is `what`, such as COMMAND.
  void choice(const std::string& option, std::string& value, const std::vector<std::string>& words,
              const std::string& description, const std::string& what = {});
  /// A name of one of these kinds. An unknown one is an error that suggests the nearest; `also` is
  /// accepted besides.
  void name(const std::string& option, std::string& value, std::initializer_list<NameKind> kinds,
            const std::string& description, const std::string& also = {});
  /// Files and folders, any number of them.
  void paths(const std::string& option, std::vector<std::filesystem::path>& value,
             const std::string& description);
  /// With a file or without one; not together with the option `excluded`, which was added before.
  void optional_file(const std::string& option, bool& given, std::filesystem::path& file,
                     const std::string& excluded, const std::string& description);
  /// --scenarios: a folder. An empty name is an error if `must_be_named`.
  void scenarios(std::filesystem::path& folder, const std::string& description,
                 bool must_be_named = false);
  /// --profile: a profile, a fault by its name, or "GUARD=OPTION,...".
  void profile(std::string& value);
  /// --assume and --without: names of assumptions, each any number of times.
  void assumptions(AssumptionSwitches& switches);
  /// --seed, --timeout and --jobs, for what runs a solver.
  void solver(std::uint32_t& seed, std::uint32_t& timeout_ms, std::uint32_t& jobs);
  /// --jobs. Sets `jobs` to the number of cores.
  void jobs(std::uint32_t& jobs);
  /// --format, --output and --no-color; `junit` is offered where `with_junit`.
  void output(bool with_junit = false);
  /// --output alone.
  void output_file();

  // -- arguments, known by their place --

  /// A name of that kind, or "all", which leaves `value` empty, as no argument does.
  void name_or_all(const std::string& argument, std::string& value, NameKind kind,
                   const std::string& description, bool is_required);
  /// One of `words`; of the others the error says that it is an unknown `what`.
  void one_of(const std::string& argument, std::string& value, const std::string& what,
              const std::vector<std::string>& words, const std::string& description);
  /// At least one.
  void files(const std::string& argument, std::vector<std::filesystem::path>& value,
             const std::string& description);

  // -- what it does --

  /// Keeps the options until then.
  template <class Options>
  void runs(const std::shared_ptr<Options>& options,
            report::Report (*engine)(const Options&, report::StatusLine&)) {
    runs([options, engine](const OutputOptions& output) {
      return deliver(output, [&](report::StatusLine& status) { return engine(*options, status); });
    });
  }
  /// Returns the exit status.
  void runs(std::function<int(const OutputOptions&)> action);

 private:
  void number(const std::string& option, std::int64_t low, std::int64_t high,
              const std::string& by_default, const std::string& description,
              std::function<void(std::int64_t)> store);

  CLI::App* app_;
  OutputOptions* output_;
  int* exit_status_;
};

/// All of them, and what is said of the program itself.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& footer,
              std::function<std::string()> version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add(const std::string& name, const std::string& description);

  /// Runs the command that was given, or prints the help; returns the exit status. Throws
  /// InputError for words that it does not understand.
  int run(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::string footer_;  ///< of every command
  OutputOptions output_;
  int exit_status_ = 0;
};

}  // namespace holdfast::verify::cli
