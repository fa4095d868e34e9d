#include <algorithm>

#include "verify/report/report.hpp"

namespace holdfast::verify::report {

std::vector<std::vector<Result>> by_kind(const Report& report) {
  std::vector<std::vector<Result>> groups;
  for (const Result& result : report.results) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& same) {
      return same.front().kind() == result.kind();
    });
    if (group == groups.end()) group = groups.insert(groups.end(), std::vector<Result>{});
    group->push_back(result);
  }
  return groups;
}

Summary summarize(const Report& report) {
  Summary summary;
  summary.seconds = report.seconds;
  for (const Result& result : report.results) {
    switch (result.outcome()) {
      case Outcome::proved: ++summary.proved; break;
      case Outcome::refuted: ++summary.refuted; break;
      case Outcome::violated:
      case Outcome::found: ++summary.violated; break;
      case Outcome::unknown: ++summary.unknown; break;
      case Outcome::expected:
      case Outcome::account: break;
    }
  }
  return summary;
}

int exit_status(const Report& report) {
  const Summary summary = summarize(report);
  if (summary.violated > 0) return 1;
  return summary.unknown > 0 ? 3 : 0;
}

}  // namespace holdfast::verify::report
