#include "verify/cli/command_line.hpp"

#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include "verify/base/errors.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/commands.hpp"
#include "verify/report/version.hpp"

namespace holdfast::verify::cli {
namespace {

constexpr int status_bad_input = 2;
constexpr int status_undecided = 3;
constexpr const char* statuses =
    "Exit status: 0 as expected, 1 violation or divergence, 2 bad input or usage, 3 undecided.";

int complain(std::string_view message, int status) {
  std::cerr << "holdfast: " << message << '\n';
  return status;
}

int parse_and_run(int argc, const char* const* argv) {
  CommandLine line("holdfast: the machine-checked contract of vLLM's multimodal encoder cache",
                   statuses,
                   [] { return std::string(report::version()) + " (" + solver_version() + ")"; });
  for (const auto add : all_commands) add(line);
  return line.run(argc, argv);
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

}  // namespace holdfast::verify::cli
