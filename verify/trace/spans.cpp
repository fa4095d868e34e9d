#include "verify/trace/spans.hpp"

#include <string>

#include "verify/trace/line_error.hpp"

namespace holdfast::verify::trace {
namespace {

std::string range(std::int64_t from, std::int64_t length) {
  return "[" + std::to_string(from) + ", " + std::to_string(from + length) + ")";
}

std::string where(std::size_t index) {
  return "add_request.features[" + std::to_string(index) + "]";
}

std::string span(const Feature& f) { return range(f.offset, f.length); }

void check_mask(const Feature& f, std::size_t index) {
  if (!f.mask) {
    if (f.embeds != f.length) {
      throw LineError(where(index) + ".embeds: expected the length " + std::to_string(f.length) +
                      ", as there is no mask; found " + std::to_string(f.embeds));
    }
    return;
  }
  if (f.mask->empty()) throw LineError(where(index) + ".mask: expected runs, found an empty array");
  std::int64_t end = 0;
  std::int64_t embeds = 0;
  std::size_t run_index = 0;
  for (const MaskRun& run : *f.mask) {
    const std::string_view problem = run.first < end ? "starts before the end of the run before it"
                                     : run.first + run.count > f.length ? "ends past the feature"
                                                                        : "";
    if (!problem.empty()) {
      throw LineError(where(index) + ".mask[" + std::to_string(run_index) + "]: the run " +
                      range(run.first, run.count) + " " + std::string(problem) +
                      "; expected sorted runs inside [0, " + std::to_string(f.length) + ")");
    }
    end = run.first + run.count;
    embeds += run.count;
    ++run_index;
  }
  if (embeds != f.embeds) {
    throw LineError(where(index) + ".embeds: expected " + std::to_string(embeds) +
                    ", the positions of the mask; found " + std::to_string(f.embeds));
  }
}

void check_successor(const Feature& before, const Feature& f, std::size_t index,
                     const SpanOptions& options) {
  if (options.allow_unsorted || f.offset >= before.offset) return;
  throw LineError(where(index) + ": features out of order: " + span(f) + " comes after " +
                  span(before) + "; expected spans sorted by offset");
}

}  // namespace

void check_features(const AddRequest& added, Manager manager, const SpanOptions& options) {
  const Feature* before = nullptr;
  std::size_t index = 0;
  for (const Feature& f : added.features) {
    const bool in_prompt = manager == Manager::decoder_only && !options.allow_past_prompt;
    if (in_prompt && f.offset + f.length > added.prompt_tokens) {
      throw LineError(where(index) + ": the feature " + span(f) + " ends past the prompt of " +
                      std::to_string(added.prompt_tokens) + " tokens");
    }
    check_mask(f, index);
    if (before != nullptr) check_successor(*before, f, index, options);
    before = &f;
    ++index;
  }
}

}  // namespace holdfast::verify::trace
