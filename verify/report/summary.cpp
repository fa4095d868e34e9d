#include <variant>

#include "verify/report/report.hpp"

namespace holdfast::verify {
namespace {

struct Count {
  Summary& summary;

  void operator()(const ProofResult& proof) const {
    switch (proof.status) {
      case ProofStatus::proved: ++summary.proved; break;
      case ProofStatus::failed: ++summary.violated; break;
      case ProofStatus::unknown: ++summary.unknown; break;
    }
  }

  void operator()(const ReachabilityResult& path) const {
    if (path.status == ReachabilityStatus::unknown) {
      ++summary.unknown;
    } else if (!path.as_expected()) {
      ++summary.violated;
    }
  }
  void operator()(const RefutationResult& refutation) const {
    switch (refutation.status) {
      case RefutationStatus::refuted: ++summary.refuted; break;
      case RefutationStatus::missed: ++summary.violated; break;
      case RefutationStatus::unknown: ++summary.unknown; break;
    }
  }

  void operator()(const ExplorationResult& exploration) const {
    switch (exploration.status) {
      case ExplorationStatus::holds: break;
      case ExplorationStatus::violated: ++summary.violated; break;
      case ExplorationStatus::unknown: ++summary.unknown; break;
    }
  }

  void operator()(const FindingResult&) const { ++summary.violated; }
  void operator()(const HuntResult&) const {}

  void operator()(const AblationResult& ablation) const {
    if (!ablation.is_decided()) ++summary.unknown;
  }

  void operator()(const ReplayResult& replay) const {
    if (replay.status == ReplayStatus::diverges) ++summary.violated;
  }
};

}  // namespace

Summary summarize(const Report& report) {
  Summary summary;
  summary.seconds = report.seconds;
  for (const Result& result : report.results) std::visit(Count{summary}, result);
  return summary;
}

int exit_status(const Report& report) {
  const Summary summary = summarize(report);
  if (summary.violated > 0) return 1;
  return summary.unknown > 0 ? 3 : 0;
}

}  // namespace holdfast::verify
