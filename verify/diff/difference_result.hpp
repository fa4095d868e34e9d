// A difference, as it is told: its script is written as a file that replays.
#pragma once

#include <filesystem>

#include "verify/diff/diff.hpp"
#include "verify/report/diff_result.hpp"

namespace holdfast::verify::diff {

/// What a difference is written as.
struct DifferenceFiles {
  std::filesystem::path script;  ///< replays with the model
  std::filesystem::path asked;   ///< lines for the other process; empty: there is none
};

/// In that folder: of the library, or of what is behind a pipe.
DifferenceFiles files_in(const std::filesystem::path& folder, bool is_asked);

/// Throws InputError where they cannot be written there, before any work is done.
void expect_writable(const DifferenceFiles& files);

/// Fills in where they part. Writes the files, in a folder that is made where it is missing. Throws
/// InputError where they cannot be written.
void tell(const Difference& difference, const DifferenceFiles& files, report::DiffResult& result);

}  // namespace holdfast::verify::diff
