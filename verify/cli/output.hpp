// How what a command found leaves the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "verify/report/report.hpp"
#include "verify/report/status_line.hpp"

namespace holdfast::verify::cli {

enum class Format : std::int8_t { table, json, junit };

/// Filled by the command that was given.
struct OutputOptions {
  Format format = Format::table;
  std::filesystem::path output;  ///< empty: standard output
  bool no_color = false;
};

/// Runs the engine, writes its report as the options say and returns the exit status. The output is
/// opened first, so that one that cannot be written is found before the work and not after it.
int deliver(const OutputOptions& options,
            const std::function<report::Report(report::StatusLine&)>& engine);

/// The same for text that is no report.
int deliver_text(const OutputOptions& options, const std::function<std::string()>& text);

}  // namespace holdfast::verify::cli
