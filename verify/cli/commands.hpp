// The commands, one file each: <command>_command.cpp.
#pragma once

#include <CLI/CLI.hpp>

#include "verify/cli/options.hpp"

namespace holdfast::verify {

void add_list_command(CLI::App& app, OutputOptions& common);
void add_prove_command(CLI::App& app, OutputOptions& common);
void add_explore_command(CLI::App& app, OutputOptions& common);
void add_refute_command(CLI::App& app, OutputOptions& common);
void add_replay_command(CLI::App& app, OutputOptions& common);
void add_spec_command(CLI::App& app, OutputOptions& common);
void add_ablate_command(CLI::App& app, OutputOptions& common);
void add_hunt_command(CLI::App& app, OutputOptions& common);
void add_check_command(CLI::App& app, OutputOptions& common);

/// The whole command line: parses, runs, reports errors on stderr. Returns the exit status: 0 as
/// expected, 1 violation or divergence, 2 bad input or usage, 3 undecided or an internal error.
int run_command_line(int argc, const char* const* argv);

}  // namespace holdfast::verify
