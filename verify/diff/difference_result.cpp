#include "verify/diff/difference_result.hpp"

#include "verify/trace/events_file.hpp"

namespace holdfast::verify::diff {

DifferenceFiles files_in(const std::filesystem::path& folder, bool is_asked) {
  if (!is_asked) return {folder / "diff-impl.jsonl", {}};
  return {folder / "diff-exec.jsonl", folder / "diff-exec-asked.jsonl"};
}

void expect_writable(const DifferenceFiles& files) {
  trace::expect_writable(files.script);
  if (!files.asked.empty()) trace::expect_writable(files.asked);
}

void tell(const Difference& difference, const DifferenceFiles& files, report::DiffResult& result) {
  result.status = report::DiffStatus::differs;
  result.step = difference.steps;
  result.what = difference.what;
  result.trace = difference.story.lines;
  result.scenario = files.script.string();
  result.repeats = difference.repeats;
  trace::write_events(difference.story.events, files.script);
  if (files.asked.empty() || difference.asked.empty()) return;
  result.asked = files.asked.string();
  trace::write_lines(difference.asked, files.asked);
}

}  // namespace holdfast::verify::diff
