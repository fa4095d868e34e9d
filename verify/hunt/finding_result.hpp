// A finding, as it is told: its scenario is written, and replayed from that file before anybody
// sees it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "verify/hunt/hunt.hpp"
#include "verify/report/hunt_result.hpp"

namespace holdfast::verify::hunt {

/// Where a hunt's finding of that number, from 1, is written.
std::filesystem::path scenario_path(const std::filesystem::path& folder, std::string_view profile,
                                    std::size_t number);

/// Writes the file, in a folder that is made where it is missing. Throws InputError where it cannot
/// be written.
report::FindingResult result_of(const Finding& finding, const spec::Profile& profile,
                                const std::filesystem::path& file);

}  // namespace holdfast::verify::hunt
