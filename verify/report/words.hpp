// The words for each status, the same in every format.
#pragma once

#include <string_view>

#include "verify/report/results.hpp"

namespace holdfast::verify {

constexpr std::string_view word(ProofStatus status) {
  switch (status) {
    case ProofStatus::proved: return "proved";
    case ProofStatus::failed: return "failed";
    case ProofStatus::unknown: break;
  }
  return "unknown";
}

constexpr std::string_view word(ReachabilityStatus status) {
  switch (status) {
    case ReachabilityStatus::reached: return "reached";
    case ReachabilityStatus::unreached: return "unreached";
    case ReachabilityStatus::unknown: break;
  }
  return "unknown";
}

constexpr std::string_view word(RefutationStatus status) {
  switch (status) {
    case RefutationStatus::refuted: return "refuted";
    case RefutationStatus::missed: return "missed";
    case RefutationStatus::unknown: break;
  }
  return "unknown";
}

constexpr std::string_view word(ExplorationStatus status) {
  switch (status) {
    case ExplorationStatus::holds: return "holds";
    case ExplorationStatus::violated: return "violated";
    case ExplorationStatus::unknown: break;
  }
  return "unknown";
}

constexpr std::string_view word(AblationVerdict verdict) {
  switch (verdict) {
    case AblationVerdict::needed: return "needed";
    case AblationVerdict::redundant: return "redundant";
    case AblationVerdict::harmful: return "harmful";
    case AblationVerdict::unclaimed: return "unclaimed";
    case AblationVerdict::unknown: break;
  }
  return "unknown";
}

constexpr std::string_view word(ReplayStatus status) {
  return status == ReplayStatus::conforms ? "conforms" : "diverges";
}

}  // namespace holdfast::verify
