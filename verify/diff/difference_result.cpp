#include "verify/diff/difference_result.hpp"

#include <utility>

#include "verify/diff/lockstep.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/trace/events_file.hpp"

namespace holdfast::verify::diff {

std::filesystem::path scenario_path(const std::filesystem::path& folder) {
  return folder / "diff-impl.jsonl";
}

void tell(const Difference& difference, const std::filesystem::path& file,
          report::DiffResult& result) {
  hunt::Story story;
  story.source = "holdfast diff";
  Lockstep lockstep;
  hunt::Watch watch;
  watch.story = &story;
  watch.companion = &lockstep;
  hunt::run_script(hunt::script_of(difference.genes), spec::Profile{}, watch);
  result.status = report::DiffStatus::differs;
  result.step = difference.steps;
  result.what = difference.what;
  result.trace = std::move(story.lines);
  result.scenario = file.string();
  trace::write_events(story.events, file);
}

}  // namespace holdfast::verify::diff
