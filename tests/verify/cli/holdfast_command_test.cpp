// The command as people run it: exit statuses, bad input, and what the README shows.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "spec/faults.hpp"

namespace holdfast::verify::cli {
namespace {

using testing::HasSubstr;

struct Ran {
  int status = -1;
  std::string out;  ///< stdout and stderr
};

Ran shell(const std::string& command) {
  Ran ran;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> buffer;
  while (const auto size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    ran.out.append(buffer.data(), size);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

Ran holdfast(const std::string& arguments) {
  return shell(std::string(HOLDFAST_COMMAND) + " " + arguments);
}

std::string file_with(const std::string& name, const std::string& text) {
  const auto path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

struct Bad {
  const char* arguments;
  const char* says;
};

class BadWords : public testing::TestWithParam<Bad> {};

TEST_P(BadWords, AreOneErrorWithStatus2) {
  const auto ran = holdfast(GetParam().arguments);
  EXPECT_EQ(ran.status, 2) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr(GetParam().says));
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
}

INSTANTIATE_TEST_SUITE_P(
    Command, BadWords,
    testing::Values(Bad{"refute stale-notic", "did you mean 'stale-notice'"},
                    Bad{"prove --profile holdfst", "did you mean 'holdfast'"},
                    Bad{"prove --property exact-slot", "did you mean 'exact-slots'"},
                    Bad{"prove --property exact-placeholders", "not proved by induction"},
                    Bad{"prove --property encdec-charges --rule evict", "no obligation"},
                    Bad{"prove --rule evikt", "did you mean 'evict'"},
                    Bad{"prove --without sorted-span", "did you mean 'sorted-spans'"},
                    Bad{"prove --seed -1", "--seed"}, Bad{"prove --timeout 0", "--timeout"},
                    Bad{"prove -o /no/such/folder/out.json", "/no/such/folder"},
                    Bad{"refute stale-notice --scenarios /proc/nothing", "/proc/nothing"},
                    Bad{"hunt --sizes requests=9", "requests is a whole number from 1 to 4"},
                    Bad{"hunt --sizes request=2", "did you mean 'requests'"},
                    Bad{"hunt --profile vllm-0.33", "did you mean 'vllm-0.33.0'"},
                    Bad{"hunt --profile split-item --scripts 3000 --scenarios /proc/nothing",
                        "/proc/nothing"},
                    Bad{"explore --capacity 0", "--capacity"},
                    Bad{"explore --requests 99", "--requests"},
                    Bad{"explore --hashes 18446744073709551616", "--hashes"},
                    Bad{"replay /no/such/file.jsonl", "/no/such/file.jsonl"}, Bad{"replay", "FILE"},
                    Bad{"diff --exhaustive --time 3", "expected no --steps, --time"},
                    Bad{"replay a --against impl --profile stale-notice", "the library has none"},
                    Bad{"ablate release=optimist", "did you mean 'release=optimistic'"},
                    Bad{"prov", "did you mean 'prove'"}, Bad{"list things", "list"}));

TEST(BadFiles, AreOneErrorWithFileAndLine) {
  const auto header =
      R"({"event":"header","format":"holdfast-trace","version":1,"source":"test","manager":"decoder_only","pipeline_depth":1,"capacity":8,"encoder_budget":8,"lookahead":0})";
  const struct {
    std::string text, says;
  } files[] = {
      {"", ":1: "},
      {"{", ":1: "},
      {std::string(header) + "\n{\"event\":\"chek\"}\n", ":2: "},
      {std::string(header) + "\n{\"event\":\"begin_pass\"}\n", ":2: "},
      {std::string(header) + "\n{\"event\":\"begin_pass\",\"pass\":9223372036854775808}\n", ":2: "},
      {std::string(header) + "\n{\"event\":\"preempt\",\"request\":\"r7\"}\n", ":2: "},
  };
  for (const auto& [text, says] : files) {
    const auto path = file_with("bad.jsonl", text);
    const auto ran = holdfast("replay " + path);
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_THAT(ran.out, HasSubstr("bad.jsonl" + says)) << text;
  }
}

TEST(ExitStatuses, FollowWhatWasFound) {
  EXPECT_EQ(holdfast("prove").status, 0);
  EXPECT_EQ(holdfast("prove --profile stale-notice").status, 1);
  EXPECT_EQ(holdfast("explore --max-states 100").status, 3);
  EXPECT_EQ(holdfast("explore --profile notices-lost").status, 2) << "mutants are for tests alone";
  EXPECT_EQ(holdfast("--help").status, 0);
  EXPECT_EQ(holdfast("--version").status, 0);
}

TEST(Scenarios, ReplayToTheirViolationAndNotUnderHoldfast) {
  const auto folder = testing::TempDir() + "scenarios";
  EXPECT_EQ(holdfast("refute all --scenarios " + folder).status, 0);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    const auto file = entry.path().string(), fault = entry.path().stem().string();
    const auto broken = holdfast("replay " + file + " --format json --profile " + fault);
    EXPECT_EQ(broken.status, 1) << broken.out;
    EXPECT_EQ(holdfast("replay " + file).status, 0) << file;
    if (fault == "no-boundary-fallback") {
      EXPECT_THAT(broken.out, HasSubstr("misses h1"));
    }
  }
  EXPECT_EQ(files, spec::faults.size());
}

TEST(Hunts, EndInFilesThatReplay) {
  const auto folder = testing::TempDir() + "hunted";
  const auto ran = holdfast(
      "hunt --profile vllm-0.33.0 --scripts 40000 --time 0 --jobs 1 --format json --scenarios " +
      folder);
  EXPECT_EQ(ran.status, 1) << ran.out;
  const auto json = nlohmann::json::parse(ran.out);
  std::size_t findings = 0;
  for (const auto& result : json["results"]) {
    if (result["kind"] != "finding") continue;
    ++findings;
    const auto file = result["scenario"].get<std::string>();
    EXPECT_TRUE(result["confirmed"]) << result;
    EXPECT_EQ(std::filesystem::path(file).filename(),
              "hunt-vllm-0.33.0-" + std::to_string(findings) + ".jsonl");
    const auto broken = nlohmann::json::parse(
        holdfast("replay " + file + " --format json --profile vllm-0.33.0").out);
    EXPECT_EQ(broken["results"][0]["property"], result["property"]) << result;
    EXPECT_EQ(holdfast("replay " + file).status, 0) << file;
  }
  EXPECT_GE(findings, 5u);
  EXPECT_EQ(json["summary"]["violated"], findings);
  EXPECT_EQ(holdfast("hunt --scripts 2000 --jobs 1 --scenarios " + folder).status, 0);
}

TEST(Hunts, AreEndedByAnInterrupt) {
  const auto ran = shell("timeout --foreground --preserve-status -s INT 2 " +
                         std::string(HOLDFAST_COMMAND) + " hunt --time 0 --jobs 2");
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("1 hunt without a finding"));
}

TEST(Json, OfEveryCommandIsWellFormedAndCounts) {
  const auto proofs = nlohmann::json::parse(holdfast("prove --format json").out);
  EXPECT_EQ(proofs["command"], "prove");
  EXPECT_EQ(proofs["summary"]["proved"], proofs["results"].size());
  EXPECT_THAT(proofs["solver"].get<std::string>(), testing::StartsWith("z3 "));
  const auto refutations = nlohmann::json::parse(
      holdfast("refute all --format json --scenarios " + testing::TempDir() + "scenarios").out);
  EXPECT_EQ(refutations["summary"]["refuted"], spec::faults.size());
}

TEST(Interrupted, LeavesNoHalfWrittenFile) {
  const auto path = testing::TempDir() + "interrupted.json";
  std::filesystem::remove(path);
  shell("timeout -s INT 0.3 " + std::string(HOLDFAST_COMMAND) +
        " explore --requests 3 --features 2 --hashes 3 --format json -o " + path);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Interrupted, ASolverIsNoExcuse) {
  const auto path = testing::TempDir() + "interrupted.txt";
  std::filesystem::remove(path);
  const auto ran = shell("timeout -s INT 1 " + std::string(HOLDFAST_COMMAND) +
                         " refute stale-notice --bmc --bmc-steps 14 -o " + path + " --scenarios " +
                         testing::TempDir() + "scenarios");
  EXPECT_EQ(ran.status, 124) << "it went on: " << ran.out;
  EXPECT_FALSE(std::filesystem::exists(path));
}

// Of all faults it is asked every night.
TEST(Refute, BoundedModelCheckingAgreesThatNoShorterRunExists) {
  for (const std::string fault : {"split-item", "no-size-check", "hold-past-end"}) {
    const auto ran = holdfast("refute " + fault + " --bmc --format json --scenarios " +
                              testing::TempDir() + "scenarios");
    EXPECT_EQ(ran.status, 0) << ran.out;
    const auto report = nlohmann::json::parse(ran.out);
    ASSERT_EQ(report["results"].size(), 1U);
    const auto& result = report["results"][0];
    EXPECT_EQ(result["bmc"],
              result["steps"] <= 10 ? "confirmed, minimal" : "confirmed; none within 10 steps")
        << fault;
  }
}

TEST(Check, IsGreenWithTheRecordedTraces) {
  const auto ran = holdfast("check --format json --traces " + std::string(HOLDFAST_TEST_DATA) +
                            "/traces/vllm-0.33.0 --scenarios " + testing::TempDir() + "scenarios");
  EXPECT_EQ(ran.status, 0) << ran.out;
  std::map<std::string, std::size_t> kinds;
  const auto report = nlohmann::json::parse(ran.out);
  for (const auto& result : report["results"]) ++kinds[result["kind"]];
  EXPECT_EQ(kinds["refutation"], spec::faults.size());
  EXPECT_EQ(kinds["replay"], 8);
  EXPECT_GT(kinds["proof"], 1000);
  EXPECT_GT(kinds["reachability"], 60);
  EXPECT_GT(kinds["exploration"], 1);
}

/// Times differ from run to run, and columns with them.
std::string steady(std::string text) {
  text = std::regex_replace(text, std::regex(R"([0-9.,]+ (µs|ms|s)\b)"), "TIME");
  text = std::regex_replace(text, std::regex(R"(z3 [0-9.]+)"), "z3 VERSION");
  return std::regex_replace(text, std::regex(R"([ \t]+)"), " ");
}

TEST(Readme, ConsoleBlocksAreWhatTheCommandPrints) {
  std::ifstream in(std::string(HOLDFAST_SOURCE_DIR) + "/README.md");
  std::stringstream text;
  text << in.rdbuf();
  const auto readme = text.str();
  const auto scratch = testing::TempDir() + "readme";
  std::size_t blocks = 0;
  for (std::size_t at = 0;
       (at = readme.find("```console\n$ build/bin/holdfast ", at)) != std::string::npos; ++at) {
    const auto begin =
        readme.find("build/bin/holdfast ", at) + std::string("build/bin/holdfast ").size();
    const auto line_end = readme.find('\n', begin);
    const auto end = readme.find("```", line_end);
    auto arguments = readme.substr(begin, line_end - begin);
    const auto expected = readme.substr(line_end + 1, end - line_end - 1);
    std::filesystem::create_directories(scratch + "/build");
    const auto ran = shell("cd " + scratch + " && " + HOLDFAST_COMMAND + " " + arguments);
    EXPECT_EQ(steady(ran.out), steady(expected)) << arguments;
    ++blocks;
  }
  EXPECT_GE(blocks, 1u);
}

}  // namespace
}  // namespace holdfast::verify::cli
