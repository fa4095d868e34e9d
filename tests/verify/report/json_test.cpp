// The shape that issue 3 fixes: others rely on these names.
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/verify/report/sample_report.hpp"
#include "verify/report/report.hpp"
#include "verify/report/version.hpp"

namespace holdfast::verify::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Report& report) {
  std::ostringstream out;
  print_json(report, out);
  return Json::parse(out.str());
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Json, HasTheStableFields) {
  const Json json = json_of(all_as_expected());
  EXPECT_EQ(keys(json), (Names{"holdfast", "command", "profile", "solver", "results", "summary"}));
  EXPECT_EQ(json["holdfast"], version());
  EXPECT_EQ(json["command"], "check");
  EXPECT_EQ(json["profile"], "holdfast");
  EXPECT_EQ(json["solver"], "z3 5.4.1");
  EXPECT_EQ(json["summary"], Json::parse(R"({"proved": 1, "refuted": 1, "violated": 0,
                                             "unknown": 0, "seconds": 2.5})"));
  EXPECT_EQ(keys(json["summary"]), (Names{"proved", "refuted", "violated", "unknown", "seconds"}));
}

TEST(Json, OfAProof) {
  EXPECT_EQ(json_of(all_as_expected())["results"][0],
            Json::parse(R"({"kind": "proof", "property": "exact-slots", "rule": "allocate",
                            "path": "fits", "status": "proved", "seconds": 0.0125,
                            "manager": "decoder_only"})"));
}

TEST(Json, OfARefutation) {
  EXPECT_EQ(json_of(all_as_expected())["results"][1],
            Json::parse(R"({"kind": "refutation", "fault": "stale-notice",
                            "property": "no-stale-notice", "status": "refuted", "steps": 7,
                            "states": 12345, "bmc": "confirmed",
                            "scenario": "scenarios/stale-notice.jsonl"})"));
}

TEST(Json, OfAnExploration) {
  EXPECT_EQ(json_of(all_as_expected())["results"][2], Json::parse(R"({"kind": "exploration",
                            "sizes": {"features": 2, "hashes": 2, "requests": 2},
                            "states": 1234567, "transitions": 7654321, "depth": 31,
                            "seconds": 1.0, "status": "holds"})"));
}

TEST(Json, OfAReplay) {
  EXPECT_EQ(json_of(with_result(a_replay(ReplayStatus::diverges)))["results"][4],
            Json::parse(R"({"kind": "replay", "file": "fcfs.jsonl", "events": 2000,
                            "status": "diverges", "line": 17, "rule": "retract",
                            "property": "no-ghost-entry", "expected": "free 8",
                            "observed": "free 4", "profile": "holdfast", "declined": 0,
                            "against": "model"})"));
}

TEST(Json, OfARulePath) {
  EXPECT_EQ(json_of(with_result(a_path(ReachabilityStatus::reached)))["results"][4],
            Json::parse(R"({"kind": "reachability", "manager": "decoder_only", "rule": "clip",
                            "path": "always", "forbidden": false, "modelled": true,
                            "explored": true, "status": "reached"})"));
}

TEST(Json, OfAFinding) {
  EXPECT_EQ(json_of(with_result(a_finding()))["results"][4],
            Json::parse(R"({"kind": "finding", "profile": "vllm-0.33.0", "property": "progress",
                            "cause": ["tail=cut-after-planning"], "steps": 19,
                            "configuration": {"capacity": 1, "lookahead": 2},
                            "scenario": "scenarios/hunt-vllm-0.33.0-1.jsonl", "part": false,
                            "observed": "r0 is stuck", "confirmed": true})"));
}

TEST(Json, OfAHunt) {
  EXPECT_EQ(json_of(with_result(a_hunt()))["results"][4],
            Json::parse(R"({"kind": "hunt", "profile": "vllm-0.33.0", "scripts": 1000,
                            "passes": 20000, "steps": 300000, "given_up": 0, "exhausted": 5,
                            "seed": 7, "seconds": 1.5})"));
}

TEST(Json, NamesEveryStatus) {
  const auto status = [](Result result) {
    return json_of(with_result(std::move(result)))["results"][4]["status"];
  };
  EXPECT_EQ(status(a_proof(ProofStatus::failed)), "failed");
  EXPECT_EQ(status(a_proof(ProofStatus::unknown)), "unknown");
  EXPECT_EQ(status(a_refutation(RefutationStatus::missed)), "missed");
  EXPECT_EQ(status(a_refutation(RefutationStatus::unknown)), "unknown");
  EXPECT_EQ(status(an_exploration(ExplorationStatus::violated)), "violated");
  EXPECT_EQ(status(an_exploration(ExplorationStatus::unknown)), "unknown");
}

TEST(Json, SurvivesOddTextAndNumbers) {
  ReplayResult replay = a_replay(ReplayStatus::diverges);
  replay.file = "bytes \xff\xfe \"quoted\"\n.jsonl";
  Report report = with_result(replay);
  report.seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(json_of(report)["summary"]["seconds"].is_null());
}

TEST(Json, OfNothingIsStillWhole) { EXPECT_EQ(json_of(Report{})["results"], Json::array()); }

}  // namespace
}  // namespace holdfast::verify::report
