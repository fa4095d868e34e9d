#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/report/sample_report.hpp"
#include "verify/report/report.hpp"

namespace holdfast::verify::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string printed(const Report& report, bool color = false) {
  std::ostringstream out;
  print_table(report, out, color);
  return out.str();
}

TEST(Table, HasALineForEachGroup) {
  Report report = with_result(a_proof(ProofStatus::proved));
  const std::string text = printed(report);
  EXPECT_THAT(text, HasSubstr("profile holdfast · z3 5.4.1"));
  EXPECT_THAT(text, HasSubstr("  ✓ exact-slots             2        2     12 ms         25 ms\n"));
  EXPECT_THAT(text, HasSubstr("  ✓ stale-notice   no-stale-notice       7   12,345   confirmed"));
  EXPECT_THAT(text, HasSubstr("requests 2 · features 2 · hashes 2   1,234,567     7,654,321"));
  EXPECT_THAT(text, HasSubstr("  ✓ fcfs.jsonl   holdfast    2,000"));
  EXPECT_THAT(text, HasSubstr("\n✓ 2 proved, 1 refuted, 1 exploration holds, 1 replay conforms"));
}

TEST(Table, ShowsTheRunOfASingleRefutation) {
  EXPECT_THAT(printed(all_as_expected()), HasSubstr("      2  allocate r0 i0\n"));
  EXPECT_THAT(printed(with_result(a_refutation(RefutationStatus::refuted))),
              Not(HasSubstr("allocate r0 i0")));
}

TEST(Table, PrintsWhatWentWrongInFull) {
  Report report = with_result(a_proof(ProofStatus::failed));
  report.results.push_back(a_replay(ReplayStatus::diverges));
  const std::string text = printed(report);
  EXPECT_THAT(text, HasSubstr("✗ exact-slots is not kept by allocate\n"));
  EXPECT_THAT(text, HasSubstr("    weight[h0] = 2\n"));
  EXPECT_THAT(text, HasSubstr("✗ fcfs.jsonl:17 diverges\n"));
  EXPECT_THAT(text, HasSubstr("    expected  free 8\n    observed  free 4\n"));
  EXPECT_THAT(text, HasSubstr("2 not as expected"));
}

TEST(Table, TellsAFindingInABlock) {
  const std::string text = printed(Report{.command = "hunt", .results = {a_hunt(), a_finding()}});
  EXPECT_THAT(
      text,
      HasSubstr(
          "progress   tail=cut-after-planning      19   scenarios/hunt-vllm-0.33.0-1.jsonl\n"));
  EXPECT_THAT(text, HasSubstr("✗ progress: r0 is stuck\n"));
  EXPECT_THAT(text, HasSubstr("    configuration capacity 1 · lookahead 2\n"));
  EXPECT_THAT(text, HasSubstr("    r0: 2 tokens\n      pass 1: r0 arrives\n"));
  EXPECT_THAT(text, HasSubstr("1,000   20,000       300,000"));
  EXPECT_THAT(text, HasSubstr("\n✗ 1 finding  in"));
  EXPECT_THAT(printed(Report{.command = "hunt", .results = {a_hunt()}}),
              HasSubstr("✓ 1 hunt without a finding"));
}

TEST(Table, ColoursOnlyWhenAsked) {
  EXPECT_THAT(printed(all_as_expected(), false), Not(HasSubstr("\033")));
  EXPECT_THAT(printed(all_as_expected(), true), HasSubstr("\033[32m"));
}

TEST(Table, OfNothingSaysSo) {
  EXPECT_THAT(printed(Report{.command = "replay"}), HasSubstr("nothing was checked"));
}

}  // namespace
}  // namespace holdfast::verify::report
