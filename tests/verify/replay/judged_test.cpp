// Small recorded and driven files whose one wrong line must be found.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spec/faults.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::replay {
namespace {

std::string header(const std::string& source) {
  return R"({"event":"header","format":"holdfast-trace","version":1,"source":")" + source +
         R"(","manager":"decoder_only","pipeline_depth":1,"capacity":8,"encoder_budget":8,"lookahead":0})";
}

const std::string add =
    R"({"event":"add_request","request":"r0","prompt_tokens":8,"max_tokens":1,"priority":0,"features":[{"hash":"h0","offset":0,"length":4,"embeds":4}]})";
const std::string begin = R"({"event":"begin_pass","pass":1})";
const std::string allocate =
    R"({"event":"allocate","request":"r0","input":0,"free":4,"reclaimable":4})";

report::ReplayResult replayed(const std::vector<std::string>& lines,
                              std::string_view profile = "holdfast") {
  const auto path = testing::TempDir() + "judged.jsonl";
  std::ofstream out(path);
  for (const auto& line : lines) out << line << '\n';
  out.close();
  return replay(path, *spec::find_profile(profile));
}

void expect_divergence(const report::ReplayResult& result, std::uint64_t line) {
  EXPECT_EQ(result.status, report::ReplayStatus::diverges);
  EXPECT_EQ(result.line, line) << result.expected << " / " << result.observed;
}

TEST(ManagerReplay, TheSameInputIsNotAllocatedTwice) {
  expect_divergence(replayed({header("vllm"), add, begin, allocate, allocate}), 5);
}

TEST(ManagerReplay, WhatIsCachedNeedsNoRoom) {
  expect_divergence(
      replayed(
          {header("vllm"), add, begin, allocate,
           R"({"event":"can_allocate","request":"r0","input":0,"compute_budget":4,"scheduled_embeds":0,"ok":true,"evicted":[],"free":4,"reclaimable":4})"}),
      5);
}

TEST(ManagerReplay, TheNoticesOfAPassAreThoseThatWereTaken) {
  expect_divergence(
      replayed(
          {header("vllm"), add, begin, allocate,
           R"({"event":"take_freed","hashes":[],"free":4,"reclaimable":4})",
           R"({"event":"end_pass","pass":1,"scheduled":[],"encode":{"r0":[0]},"notices":["h0"]})"}),
      6);
}

/// The same line, standing for these rules.
std::string by(std::string line, const std::string& rules) {
  line.insert(line.size() - 1, R"(,"rules":[)" + rules + "]");
  return line;
}

TEST(ScenarioReplay, AnAnswerToWhatCannotHappenIsADivergence) {
  // Six more slots do not fit in the four that are left.
  const auto added = by(add, R"({"rule":"add","request":"r0"})");
  const auto begun = by(begin, R"({"rule":"begin_pass"})");
  const std::string wide = by(
      R"({"event":"add_request","request":"r1","prompt_tokens":8,"max_tokens":1,"priority":0,"features":[{"hash":"h1","offset":0,"length":6,"embeds":6}]})",
      R"({"rule":"add","request":"r1"})");
  const std::string mine = by(
      R"({"event":"allocate","request":"r0","input":0})",
      R"({"rule":"plan","request":"r0","tokens":4,"hit":0},{"rule":"order"},{"rule":"allocate","input":0})");
  const std::string turn =
      R"({"rule":"commit","drafts":0,"owed":0},{"rule":"plan","request":"r1","tokens":8,"hit":0},{"rule":"order"},{"rule":"allocate","input":0})";
  const auto claimed =
      by(R"({"event":"allocate","request":"r1","input":0,"free":77,"reclaimable":99})", turn);
  const auto asked = by(R"({"event":"allocate","request":"r1","input":0})", turn);
  const auto end = by(
      R"({"event":"end_pass","pass":1,"scheduled":[{"request":"r0","computed":0,"tokens":4,"drafts":0,"placeholders":0}]})",
      R"({"rule":"abandon"},{"rule":"end_pass"})");
  expect_divergence(replayed({header("holdfast mine"), added, wide, begun, mine, claimed, end}), 6);
  const auto declined = replayed({header("holdfast mine"), added, wide, begun, mine, asked, end});
  EXPECT_EQ(declined.status, report::ReplayStatus::conforms);
  EXPECT_EQ(declined.declined, 1U);
}

}  // namespace
}  // namespace holdfast::verify::replay
