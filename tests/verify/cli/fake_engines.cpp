#include "tests/verify/cli/fake_engines.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "verify/cli/command_line.hpp"

namespace holdfast::verify::cli {

report::Report answer(const char* command) {
  ++asked().calls;
  if (asked().thrown) std::rethrow_exception(asked().thrown);
  report::Report report = asked().answer;
  report.command = command;
  return report;
}

Ran run(std::vector<const char*> words) {
  words.insert(words.begin(), "holdfast");
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int status = run_command_line(static_cast<int>(words.size()), words.data());
  std::string out = ::testing::internal::GetCapturedStdout();
  return {status, std::move(out), ::testing::internal::GetCapturedStderr()};
}

Asked& asked() {
  static Asked asked;
  return asked;
}

std::vector<Name> catalogue(NameKind kind) {
  switch (kind) {
    case NameKind::property: return {{"exact-slots", "sums"}, {"same-size", "one size"}};
    case NameKind::lemma: return {{"held-is-referenced", "an occurrence has its reference"}};
    case NameKind::rule: return {{"allocate", "takes slots"}};
    case NameKind::fault:
      return {{"stale-notice", "tells all"}, {"no-size-check", "does not look"}};
    case NameKind::profile: return {{"holdfast", "ours"}};
    case NameKind::assumption: return {{"fifo-delivery", "in order"}};
    case NameKind::guard: return {{"release", "when"}};
  }
  return {};
}

std::vector<std::string> guard_options() { return {"release=optimistic", "notice=never"}; }

report::Report run_prove(const ProveOptions& options, report::StatusLine&) {
  asked().prove = options;
  return answer("prove");
}
report::Report run_explore(const ExploreOptions& options, report::StatusLine&) {
  asked().explore = options;
  return answer("explore");
}
report::Report run_refute(const RefuteOptions& options, report::StatusLine&) {
  asked().refute = options;
  return answer("refute");
}
report::Report run_ablate(const AblateOptions& options, report::StatusLine&) {
  asked().ablate = options;
  return answer("ablate");
}
report::Report run_replay(const ReplayOptions& options, report::StatusLine&) {
  asked().replay = options;
  return answer("replay");
}
report::Report run_check(const CheckOptions& options, report::StatusLine&) {
  asked().check = options;
  return answer("check");
}
std::string run_spec() { return "# The book\n"; }
std::string solver_version() { return "z3 0.0.0"; }

}  // namespace holdfast::verify::cli
