#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "verify/report/report.hpp"
#include "verify/report/version.hpp"

namespace holdfast::verify::report {
namespace {

/// Escaped for an attribute or text. XML 1.0 has no other control characters than tab and line
/// ends, and no bytes outside UTF-8.
std::string escaped(std::string_view text) {
  using JsonText = nlohmann::json;
  const auto valid =
      JsonText::parse(JsonText(text).dump(-1, ' ', false, JsonText::error_handler_t::replace))
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

bool failed(const Result& result) {
  return result.outcome() == Outcome::violated || result.outcome() == Outcome::found;
}
bool undecided(const Result& result) { return result.outcome() == Outcome::unknown; }

struct Totals {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  double seconds = 0;

  explicit Totals(const std::vector<Result>& results) {
    for (const Result& result : results) {
      ++tests;
      failures += failed(result) ? 1 : 0;
      errors += undecided(result) ? 1 : 0;
      seconds += result.test_case().seconds;
    }
  }
  [[nodiscard]] std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" time="{:.6f}")", tests, failures,
                       errors, seconds);
  }
};

void print_case(const Result& result, std::ostream& out) {
  const TestCase test = result.test_case();
  out << fmt::format(R"(    <testcase classname="holdfast.{}.{}" name="{}" time="{:.6f}")",
                     result.kind(), escaped(test.group), escaped(test.name), test.seconds);
  if (!failed(result) && !undecided(result)) {
    out << "/>\n";
    return;
  }
  out << fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n",
                     failed(result) ? "failure" : "error", escaped(test.message),
                     escaped(test.detail));
}

void print_suite(const Report& report, const std::vector<Result>& same, std::ostream& out) {
  out << fmt::format("  <testsuite name=\"{}\" {}>\n", same.front().kind(),
                     Totals(same).attributes());
  out << fmt::format(
      "    <properties>\n"
      "      <property name=\"holdfast\" value=\"{}\"/>\n"
      "      <property name=\"profile\" value=\"{}\"/>\n"
      "      <property name=\"solver\" value=\"{}\"/>\n"
      "    </properties>\n",
      version(), escaped(report.profile), escaped(report.solver));
  for (const Result& result : same) print_case(result, out);
  out << "  </testsuite>\n";
}

}  // namespace

void print_junit(const Report& report, std::ostream& out) {
  auto suites = by_kind(report);
  // What can fail comes first.
  std::stable_partition(suites.begin(), suites.end(), [](const auto& same) {
    return same.front().outcome() != Outcome::account;
  });
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out << fmt::format("<testsuites name=\"holdfast {}\" {}>\n", escaped(report.command),
                     Totals(report.results).attributes());
  for (const auto& same : suites) print_suite(report, same, out);
  out << "</testsuites>\n";
}

}  // namespace holdfast::verify::report
