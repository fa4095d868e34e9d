// A difference, as it is told: its script is written as a file that replays.
#pragma once

#include <filesystem>

#include "verify/diff/diff.hpp"
#include "verify/report/diff_result.hpp"

namespace holdfast::verify::diff {

/// Where the script of a difference is written.
std::filesystem::path scenario_path(const std::filesystem::path& folder);

/// Fills in where they part. Writes the file, in a folder that is made where it is missing. Throws
/// InputError where it cannot be written.
void tell(const Difference& difference, const std::filesystem::path& file,
          report::DiffResult& result);

}  // namespace holdfast::verify::diff
