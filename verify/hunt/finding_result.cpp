#include "verify/hunt/finding_result.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/hunt/outcome.hpp"
#include "verify/replay/replay.hpp"
#include "verify/trace/events_file.hpp"

namespace holdfast::verify::hunt {
namespace {

std::string describe(const WorkloadFeature& f) {
  std::string text = fmt::format("h{} at [{}, {})", f.hash, f.start, f.end);
  if (!f.mask.empty()) {
    std::vector<std::string> runs;
    for (const auto& [first, count] : f.mask)
      runs.push_back(fmt::format("[{}, {})", f.start + first, f.start + first + count));
    text += fmt::format(", embeddings at {}", fmt::join(runs, " and "));
  }
  return text;
}

std::string describe(const ScriptRequest& r, std::size_t number, bool by_priority) {
  std::string text = fmt::format("r{}: {} {}", number, r.request.prompt,
                                 r.request.prompt == 1 ? "token" : "tokens");
  for (const auto& f : r.request.features) text += "; " + describe(f);
  text += fmt::format("; {} {}", r.max_tokens, r.max_tokens == 1 ? "output" : "outputs");
  if (by_priority) text += fmt::format("; priority {}", r.request.priority);
  if (r.hit > 0) text += fmt::format("; {} from the prefix cache", r.hit);
  if (r.again) text += "; fresh copies keep coming";
  return text;
}

/// What limits, by the names of the trace's header.
std::map<std::string, std::int64_t> configuration_of(const Script& s) {
  std::map<std::string, std::int64_t> all;
  const auto& w = s.workload;
  const auto unless = [&](const char* name, std::int64_t value, std::int64_t roomy) {
    if (value != roomy) all[name] = value;
  };
  unless("capacity", w.capacity, roomy_slots);
  unless("encoder_budget", w.encoder_budget, roomy_slots);
  unless("token_budget", w.token_budget, roomy_tokens);
  unless("lookahead", w.lookahead, 0);
  unless("whole_items", w.whole_items, 0);
  unless("pipeline_depth", w.depth, 1);
  unless("draft_tokens", s.draft_tokens, 0);
  unless("priority_policy", s.policy == spec::Policy::priority, 0);
  unless("encoder_decoder", w.manager == spec::Manager::encoder_decoder, 0);
  unless("kv_blocks", s.kv_blocks, roomy_blocks);
  unless("kv_block_size", s.kv_block_size, 1);
  unless("kv_watermark_blocks", s.kv_watermark_blocks, 0);
  unless("long_prefill_threshold", s.threshold, 0);
  unless("max_num_seqs", s.max_num_seqs, roomy_seqs);
  unless("max_model_len", s.max_model_len, roomy_length);
  return all;
}

/// What is wrong with the file's replay; empty if nothing is.
std::string replay_fault(const std::string& file, const Finding& finding,
                         const spec::Profile& profile, std::string& observed) {
  const auto broken = replay::replay(file, profile);
  observed = broken.observed;
  if (broken.status != report::ReplayStatus::diverges || broken.property != finding.property)
    return fmt::format("replayed, it does not break {}", finding.property);
  // Of holdfast itself nothing else is to be compared.
  if (finding.cause.variants.empty()) return {};
  const auto repaired = replay::replay(file, spec::Profile{});
  if (repaired.status != report::ReplayStatus::conforms)
    return fmt::format("replayed, it breaks {} under holdfast too", repaired.property);
  return {};
}

}  // namespace

std::filesystem::path scenario_path(const std::filesystem::path& folder, std::string_view profile,
                                    std::size_t number) {
  return folder / fmt::format("hunt-{}-{}.jsonl", profile, number);
}

report::FindingResult result_of(const Finding& finding, const spec::Profile& profile,
                                const std::filesystem::path& file) {
  const Script script = script_of(finding.genes);
  Story story;
  story.source = fmt::format("holdfast hunt {} {}", profile.name, finding.property);
  Watch watch;
  watch.until = finding.property;
  watch.story = &story;
  const auto outcome = run_script(script, profile, watch);
  report::FindingResult result;
  result.profile = profile.name;
  result.property = finding.property;
  for (const auto* v : finding.cause.variants)
    result.cause.push_back(fmt::format("{}={}", v->guard, v->option));
  result.is_part = !finding.cause.is_enough;
  if (const auto* broken = outcome.find(finding.property)) result.steps = broken->steps;
  result.configuration = configuration_of(script);
  for (std::size_t r = 0; r < script.requests.size(); ++r)
    result.requests.push_back(
        describe(script.requests[r], r, script.policy == spec::Policy::priority));
  result.trace = std::move(story.lines);
  trace::write_events(story.events, file);
  result.scenario = file.string();
  result.unconfirmed = replay_fault(result.scenario, finding, profile, result.observed);
  return result;
}

}  // namespace holdfast::verify::hunt
