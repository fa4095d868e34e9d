#include <cmath>
#include <ostream>
#include <string>
#include <type_traits>
#include <variant>

#include <nlohmann/json.hpp>

#include "verify/report/report.hpp"
#include "verify/report/version.hpp"

namespace holdfast::verify::report {
namespace {

using Json = nlohmann::ordered_json;

/// Microseconds are as much as a clock means.
double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

Json value_of(const Value& value) {
  const auto convert = [](const auto& v) -> Json {
    if constexpr (std::is_same_v<std::decay_t<decltype(v)>, double>) return rounded(v);
    return v;
  };
  return std::visit(convert, value);
}

Json object_of(const Result& result) {
  Json object = {{"kind", result.kind()}};
  for (const auto& [name, value] : result.fields()) object[std::string(name)] = value_of(value);
  return object;
}

/// One line. A file name may hold bytes that are no UTF-8; those are replaced.
std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

// One result a line: as easy to read and to grep as it is to parse.
void print_json(const Report& report, std::ostream& out) {
  const Summary summary = summarize(report);
  const Json counts = {{"proved", summary.proved},
                       {"refuted", summary.refuted},
                       {"violated", summary.violated},
                       {"unknown", summary.unknown},
                       {"seconds", rounded(summary.seconds)}};
  out << "{\n"
      << R"("holdfast": )" << line(Json(version())) << ",\n"
      << R"("command": )" << line(Json(report.command)) << ",\n"
      << R"("profile": )" << line(Json(report.profile)) << ",\n"
      << R"("solver": )" << line(Json(report.solver)) << ",\n"
      << R"("results": [)";
  const char* separator = "\n";
  for (const Result& result : report.results) {
    out << separator << line(object_of(result));
    separator = ",\n";
  }
  out << (report.results.empty() ? "" : "\n") << "],\n"
      << R"("summary": )" << line(counts) << "\n}\n";
}

}  // namespace holdfast::verify::report
