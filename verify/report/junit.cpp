#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "verify/report/report.hpp"
#include "verify/report/version.hpp"
#include "verify/report/words.hpp"

namespace holdfast::verify {
namespace {

struct Case {
  std::string suite;
  std::string group;
  std::string name;
  double seconds = 0;
  bool failed = false;
  bool undecided = false;
  std::string message;
  std::string detail;
};

/// Escaped for an attribute or text. XML 1.0 has no other control characters than tab and line
/// ends, and no bytes outside UTF-8.
std::string escaped(std::string_view text) {
  using Json = nlohmann::json;
  const auto valid = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
                         .get<std::string>();
  std::string result;
  for (const char c : valid) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\t': result += "&#9;"; break;
      case '\n': result += "&#10;"; break;
      case '\r': result += "&#13;"; break;
      default: result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return result;
}

struct ToCase {
  Case operator()(const ProofResult& proof) const {
    return {.suite = "proof",
            .group = proof.property,
            .name = proof.manager.empty()
                        ? fmt::format("{} [{}]", proof.rule, proof.path)
                        : fmt::format("{}: {} [{}]", proof.manager, proof.rule, proof.path),
            .seconds = proof.seconds,
            .failed = proof.status == ProofStatus::failed,
            .undecided = proof.status == ProofStatus::unknown,
            .message = fmt::format("{}: {} by {}", proof.property, word(proof.status), proof.rule),
            .detail = proof.counterexample};
  }

  Case operator()(const ReachabilityResult& path) const {
    return {.suite = "reachability",
            .group = path.rule,
            .name = fmt::format("{}: {} [{}]", path.manager, path.rule, path.path),
            .seconds = path.seconds,
            .failed = path.status != ReachabilityStatus::unknown && !path.as_expected(),
            .undecided = path.status == ReachabilityStatus::unknown,
            .message = fmt::format("{} [{}]: {}", path.rule, path.path, word(path.status)),
            .detail = fmt::format("modelled: {}, explored: {}", path.modelled, path.explored)};
  }

  Case operator()(const RefutationResult& refutation) const {
    return {.suite = "refutation",
            .group = refutation.property,
            .name = refutation.fault,
            .seconds = refutation.seconds,
            .failed = refutation.status == RefutationStatus::missed,
            .undecided = refutation.status == RefutationStatus::unknown,
            .message = fmt::format("{}: {}", refutation.fault, word(refutation.status)),
            .detail = fmt::format("{}\n{}", refutation.bmc, fmt::join(refutation.trace, "\n"))};
  }

  Case operator()(const ExplorationResult& exploration) const {
    std::vector<std::string> sizes;
    for (const auto& [name, size] : exploration.sizes) {
      sizes.push_back(fmt::format("{} {}", name, size));
    }
    return {.suite = "exploration",
            .group = "reachability",
            .name = fmt::format("{}", fmt::join(sizes, ", ")),
            .seconds = exploration.seconds,
            .failed = exploration.status == ExplorationStatus::violated,
            .undecided = exploration.status == ExplorationStatus::unknown,
            .message = fmt::format("{}: {}", exploration.property, word(exploration.status)),
            .detail = fmt::format("{}", fmt::join(exploration.trace, "\n"))};
  }

  Case operator()(const FindingResult& finding) const {
    return {.suite = "finding",
            .group = finding.property,
            .name = fmt::format("{}: {} [{}]", finding.profile, finding.property,
                                fmt::join(finding.cause, ", ")),
            .failed = true,
            .message = fmt::format("{} breaks {}: {}", finding.profile, finding.property,
                                   finding.observed),
            .detail = fmt::format("{}\n{}\n{}", finding.scenario, fmt::join(finding.requests, "\n"),
                                  fmt::join(finding.trace, "\n"))};
  }

  Case operator()(const HuntResult& hunt) const {
    return {.suite = "hunt",
            .group = "whole-pass",
            .name = fmt::format("{}, seed {}", hunt.profile, hunt.seed),
            .seconds = hunt.seconds,
            .message = fmt::format("{} scripts, {} passes, {} steps", hunt.scripts, hunt.passes,
                                   hunt.steps)};
  }

  Case operator()(const AblationResult& ablation) const {
    const auto word_of = [](AblationVerdict verdict) { return word(verdict); };
    return {.suite = "ablation",
            .group = ablation.guard,
            .name = fmt::format("{}={} [{}]", ablation.guard, ablation.option,
                                fmt::join(ablation.assumptions, ", ")),
            .seconds = ablation.seconds,
            .failed = false,
            .undecided = !ablation.is_decided(),
            .message = fmt::format("safety: {}, progress: {}", word_of(ablation.safety),
                                   word_of(ablation.progress)),
            .detail = fmt::format(
                "needed for: {}\nharmful to: {}\nopen: {}", fmt::join(ablation.needed_for, ", "),
                fmt::join(ablation.harmful_to, ", "), fmt::join(ablation.open, ", "))};
  }

  Case operator()(const ReplayResult& replay) const {
    return {.suite = "replay",
            .group = "trace",
            .name = replay.file,
            .seconds = replay.seconds,
            .failed = replay.status == ReplayStatus::diverges,
            .undecided = false,
            .message = fmt::format("{}:{}: {} diverges", replay.file, replay.line, replay.rule),
            .detail = fmt::format("property: {}\nexpected: {}\nobserved: {}", replay.property,
                                  replay.expected, replay.observed)};
  }
};

struct Totals {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  double seconds = 0;

  void add(const Case& test) {
    ++tests;
    failures += test.failed ? 1 : 0;
    errors += test.undecided ? 1 : 0;
    seconds += test.seconds;
  }
  [[nodiscard]] std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" time="{:.6f}")", tests, failures,
                       errors, seconds);
  }
};

void print_case(const Case& test, std::ostream& out) {
  out << fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.6f}")",
                     escaped("holdfast." + test.suite + "." + test.group), escaped(test.name),
                     test.seconds);
  if (!test.failed && !test.undecided) {
    out << "/>\n";
    return;
  }
  const char* element = test.failed ? "failure" : "error";
  out << fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", element,
                     escaped(test.message), escaped(test.detail));
}

}  // namespace

void print_junit(const Report& report, std::ostream& out) {
  std::vector<Case> cases;
  Totals all;
  for (const Result& result : report.results) {
    cases.push_back(std::visit(ToCase{}, result));
    all.add(cases.back());
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out << fmt::format("<testsuites name=\"holdfast {}\" {}>\n", escaped(report.command),
                     all.attributes());
  for (const char* kind : {"proof", "reachability", "refutation", "exploration", "replay",
                           "ablation", "finding", "hunt"}) {
    Totals totals;
    for (const Case& test : cases) {
      if (test.suite == kind) totals.add(test);
    }
    if (totals.tests == 0) continue;
    out << fmt::format("  <testsuite name=\"{}\" {}>\n", kind, totals.attributes());
    out << fmt::format(
        "    <properties>\n"
        "      <property name=\"holdfast\" value=\"{}\"/>\n"
        "      <property name=\"profile\" value=\"{}\"/>\n"
        "      <property name=\"solver\" value=\"{}\"/>\n"
        "    </properties>\n",
        version(), escaped(report.profile), escaped(report.solver));
    for (const Case& test : cases) {
      if (test.suite == kind) print_case(test, out);
    }
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace holdfast::verify
