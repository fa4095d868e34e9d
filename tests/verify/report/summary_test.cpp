#include <gtest/gtest.h>

#include "tests/verify/report/sample_report.hpp"
#include "verify/report/report.hpp"

namespace holdfast::verify::report {
namespace {

TEST(ExitStatus, IsZeroWhenAllIsAsExpected) {
  EXPECT_EQ(exit_status(all_as_expected()), 0);
  EXPECT_EQ(exit_status(Report{}), 0);
}

TEST(ExitStatus, IsOneForEveryKindOfViolation) {
  EXPECT_EQ(exit_status(with_result(a_proof(ProofStatus::failed))), 1);
  EXPECT_EQ(exit_status(with_result(a_refutation(RefutationStatus::missed))), 1);
  EXPECT_EQ(exit_status(with_result(an_exploration(ExplorationStatus::violated))), 1);
  EXPECT_EQ(exit_status(with_result(a_replay(ReplayStatus::diverges))), 1);
  EXPECT_EQ(exit_status(with_result(a_path(ReachabilityStatus::unreached))), 1);
  EXPECT_EQ(exit_status(with_result(a_finding())), 1);
  EXPECT_EQ(exit_status(with_result(a_hunt())), 0);
}

TEST(ExitStatus, APathThatRaisesMustNotBeReached) {
  auto path = a_path(ReachabilityStatus::unreached);
  path.forbidden = true;
  EXPECT_EQ(exit_status(with_result(path)), 0);
  path.status = ReachabilityStatus::reached;
  EXPECT_EQ(exit_status(with_result(path)), 1);
}

TEST(ExitStatus, IsThreeForWhatIsUndecided) {
  EXPECT_EQ(exit_status(with_result(a_proof(ProofStatus::unknown))), 3);
  EXPECT_EQ(exit_status(with_result(a_refutation(RefutationStatus::unknown))), 3);
  EXPECT_EQ(exit_status(with_result(an_exploration(ExplorationStatus::unknown))), 3);
  EXPECT_EQ(exit_status(with_result(a_path(ReachabilityStatus::unknown))), 3);
}

TEST(ExitStatus, AViolationWeighsMoreThanWhatIsUndecided) {
  Report report = with_result(a_proof(ProofStatus::unknown));
  report.results.push_back(a_replay(ReplayStatus::diverges));
  EXPECT_EQ(exit_status(report), 1);
}

TEST(Summary, NeverCallsABoundedResultAProof) {
  const Summary summary = summarize(all_as_expected());
  EXPECT_EQ(summary.proved, 1U);
  EXPECT_EQ(summary.refuted, 1U);
  EXPECT_EQ(summary.violated, 0U);
  EXPECT_EQ(summary.unknown, 0U);
  EXPECT_EQ(summary.seconds, 2.5);
}

}  // namespace
}  // namespace holdfast::verify::report
