#include <cmath>
#include <ostream>
#include <string>
#include <variant>

#include <nlohmann/json.hpp>

#include "verify/report/report.hpp"
#include "verify/report/version.hpp"
#include "verify/report/words.hpp"

namespace holdfast::verify {
namespace {

using Json = nlohmann::ordered_json;

/// Microseconds are as much as a clock means.
double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

struct ToJson {
  Json operator()(const ProofResult& proof) const {
    return {{"kind", "proof"},
            {"property", proof.property},
            {"rule", proof.rule},
            {"path", proof.path},
            {"status", word(proof.status)},
            {"seconds", rounded(proof.seconds)},
            {"manager", proof.manager}};
  }

  Json operator()(const ReachabilityResult& path) const {
    return {{"kind", "reachability"},    {"manager", path.manager},     {"rule", path.rule},
            {"path", path.path},         {"forbidden", path.forbidden}, {"modelled", path.modelled},
            {"explored", path.explored}, {"status", word(path.status)}};
  }

  Json operator()(const RefutationResult& refutation) const {
    return {{"kind", "refutation"},
            {"fault", refutation.fault},
            {"property", refutation.property},
            {"status", word(refutation.status)},
            {"steps", refutation.steps},
            {"states", refutation.states},
            {"bmc", refutation.bmc},
            {"scenario", refutation.scenario}};
  }

  Json operator()(const ExplorationResult& exploration) const {
    Json sizes = Json::object();
    for (const auto& [name, size] : exploration.sizes) sizes[name] = size;
    return {{"kind", "exploration"},
            {"sizes", sizes},
            {"states", exploration.states},
            {"transitions", exploration.transitions},
            {"depth", exploration.depth},
            {"seconds", rounded(exploration.seconds)},
            {"status", word(exploration.status)}};
  }

  Json operator()(const ReplayResult& replay) const {
    return {{"kind", "replay"},
            {"file", replay.file},
            {"events", replay.events},
            {"status", word(replay.status)},
            {"line", replay.line},
            {"rule", replay.rule},
            {"property", replay.property},
            {"expected", replay.expected},
            {"observed", replay.observed},
            {"profile", replay.profile},
            {"declined", replay.declined}};
  }

  Json operator()(const FindingResult& finding) const {
    Json configuration = Json::object();
    for (const auto& [name, value] : finding.configuration) configuration[name] = value;
    return {{"kind", "finding"},
            {"profile", finding.profile},
            {"property", finding.property},
            {"cause", finding.cause},
            {"steps", finding.steps},
            {"configuration", configuration},
            {"scenario", finding.scenario},
            {"part", finding.is_part},
            {"observed", finding.observed},
            {"confirmed", finding.unconfirmed.empty()}};
  }

  Json operator()(const HuntResult& hunt) const {
    return {{"kind", "hunt"},
            {"profile", hunt.profile},
            {"scripts", hunt.scripts},
            {"passes", hunt.passes},
            {"steps", hunt.steps},
            {"given_up", hunt.given_up},
            {"exhausted", hunt.exhausted},
            {"seed", hunt.seed},
            {"seconds", rounded(hunt.seconds)}};
  }

  Json operator()(const AblationResult& ablation) const {
    const bool is_proof = ablation.scenario.empty();
    auto assumptions = ablation.assumptions;
    if (!ablation.progress_assumes.empty())
      assumptions.push_back(ablation.progress_assumes + " (for progress alone)");
    return {{"kind", "ablation"},
            {"guard", ablation.guard},
            {"option", ablation.option},
            {"assumptions", assumptions},
            {"safety", word(ablation.safety)},
            {"progress", word(ablation.progress)},
            {"evidence", is_proof ? Json(ablation.obligations) : Json(ablation.scenario)},
            {"progress_assumes", ablation.progress_assumes},
            {"steps", ablation.steps},
            {"needed_for", ablation.needed_for},
            {"redundant_for", ablation.redundant_for},
            {"harmful_to", ablation.harmful_to},
            {"open", ablation.open},
            {"obligations", ablation.obligations},
            {"seconds", ablation.seconds}};
  }
};

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
    out << separator << line(std::visit(ToJson{}, result));
    separator = ",\n";
  }
  out << (report.results.empty() ? "" : "\n") << "],\n"
      << R"("summary": )" << line(counts) << "\n}\n";
}

}  // namespace holdfast::verify
