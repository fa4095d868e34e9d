#pragma once

namespace holdfast::verify::cli {

/// The whole command line: parses, runs, reports errors on stderr. Returns the exit status: 0 as
/// expected, 1 violation or divergence, 2 bad input or usage, 3 undecided or an internal error.
int run_command_line(int argc, const char* const* argv);

}  // namespace holdfast::verify::cli
