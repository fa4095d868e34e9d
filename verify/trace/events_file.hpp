// Whole files of events: scenarios.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "verify/trace/events.hpp"

namespace holdfast::verify::trace {

/// Throws InputError where a file can't be written there, before any work is done for it. Its
/// folder is made where it is missing.
void expect_writable(const std::filesystem::path& file);

/// Writes the file whole, or throws InputError. Its folder is made where it is missing.
void write_lines(const std::vector<std::string>& lines, const std::filesystem::path& file);
void write_events(const std::vector<Event>& events, const std::filesystem::path& file);

}  // namespace holdfast::verify::trace
