#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "verify/cli/commands.hpp"
#include "verify/report/errors.hpp"
#include "verify/report/nearest.hpp"
#include "verify/report/version.hpp"

namespace holdfast::verify {
namespace {

constexpr int status_bad_input = 2;
constexpr int status_undecided = 3;
constexpr std::string_view statuses =
    "Exit status: 0 as expected, 1 violation or divergence, 2 bad input or usage, 3 undecided.";

int complain(std::string_view message, int status) {
  std::cerr << "holdfast: " << message << '\n';
  return status;
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

int parse_and_run(int argc, const char* const* argv) {
  CLI::App app("holdfast: the machine-checked contract of vLLM's multimodal encoder cache",
               "holdfast");
  OutputOptions common;
  app.set_version_flag("--version", [] {
    return "holdfast " + std::string(version()) + " (" + solver_version() + ")";
  });
  app.require_subcommand(1);
  app.footer("`holdfast COMMAND --help` tells about a command.\n" + std::string(statuses));
  add_list_command(app, common);
  add_prove_command(app, common);
  add_explore_command(app, common);
  add_refute_command(app, common);
  add_replay_command(app, common);
  add_spec_command(app, common);
  add_ablate_command(app, common);
  add_hunt_command(app, common);
  add_check_command(app, common);
  for (CLI::App* command : app.get_subcommands(nullptr)) command->footer(std::string(statuses));
  try {
    refuse_unknown_command(app, argc, argv);
    app.parse(argc, argv);  // runs the command
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return complain(error.what(), status_bad_input);
  }
  return common.exit_status;
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const InputError& error) {
    return complain(error.what(), status_bad_input);
  } catch (const std::exception& error) {
    return complain(error.what(), status_undecided);
  }
}

}  // namespace holdfast::verify
