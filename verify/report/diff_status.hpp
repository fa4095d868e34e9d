// What a comparison of model and implementation came to.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast::verify::report {

/// unknown: it ended before it was done, or before anything was compared.
enum class DiffStatus : std::int8_t { agrees, differs, unknown };

/// As JSON says it.
inline std::string word(DiffStatus status) {
  switch (status) {
    case DiffStatus::agrees: return "agrees";
    case DiffStatus::differs: return "differs";
    case DiffStatus::unknown: break;
  }
  return "unknown";
}

}  // namespace holdfast::verify::report
