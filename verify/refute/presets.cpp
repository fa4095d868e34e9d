#include "verify/refute/presets.hpp"

#include <map>
#include <stdexcept>
#include <string>

#include "spec/faults.hpp"

namespace holdfast::verify {
namespace {

/// Roomy: nothing is scarce but what a preset makes so.
Workload roomy(std::vector<WorkloadRequest> requests) {
  return {.capacity = 2, .encoder_budget = 2, .hashes = 1, .requests = std::move(requests)};
}

/// One image, of the first token; `hash` says which.
WorkloadRequest image(int hash, int embeds = 1) { return {1, 2, {{0, 1, embeds, hash}}}; }

/// Two images, one after the other.
WorkloadRequest images(int first, int second) {
  return {2, 3, {{0, 1, 1, first}, {1, 2, 1, second}}};
}

/// A token of text, then an image.
WorkloadRequest text_and_image() { return {2, 3, {{1, 2, 1, 0}}}; }

WorkloadRequest text() { return {1, 2, {}}; }

Workload with_lookahead(Workload w) {
  w.lookahead = 1;
  return w;
}

/// The next pass need not wait for the worker.
Workload two_in_flight(Workload w) {
  w.depth = 2;
  return w;
}

Workload encoder_decoder(Workload w) {
  w.manager = spec::Manager::encoder_decoder;
  return w;
}

/// Items must not be split, and a pass has tokens for one alone.
Workload whole_items(Workload w) {
  w.whole_items = true;
  w.token_budget = 2;
  return w;
}

/// An image of two tokens, behind so many of text.
WorkloadRequest long_image(int text = 0) { return {text + 2, text + 3, {{text, text + 2, 1, 0}}}; }

/// Two images, one after the other, that fit one at a time.
Workload one_at_a_time() {
  auto w = with_lookahead(roomy({{3, 4, {{0, 2, 1, 0}, {2, 3, 1, 1}}}}));
  w.hashes = 2;
  w.capacity = 1;
  return w;
}

/// The image that is looked ahead at does not fit the pass any more.
Workload scarce_budget() {
  auto w = with_lookahead(roomy({images(0, 1)}));
  w.hashes = 2;
  w.encoder_budget = 1;
  return w;
}

/// The second request's first image drives the first's out, its second image brings it back.
Workload scarce_slots() {
  auto w = roomy({images(0, 1), images(2, 0)});
  w.hashes = 3;
  for (auto& request : w.requests) request.limit = request.prompt;
  return w;
}

const std::map<std::string_view, Workload>& workload_of_fault() {
  static const std::map<std::string_view, Workload> all = {
      {"abort-keeps-references", roomy({image(0)})},
      {"duplicate-charged-twice", roomy({images(0, 0)})},
      {"waiting-keeps-references", roomy({image(0), image(0)})},
      {"release-at-schedule", roomy({image(0)})},
      {"release-optimistic", roomy({image(0)})},
      {"lookahead-unplanned", with_lookahead(roomy({text_and_image()}))},
      {"no-boundary-fallback", scarce_budget()},
      {"rollback-without-lookahead", with_lookahead(whole_items(roomy({long_image(1)})))},
      {"hold-past-end", one_at_a_time()},
      {"stale-notice", scarce_slots()},
      {"first-occurrence-frees", roomy({images(0, 0)})},
      {"split-item", whole_items(roomy({long_image()}))},
      {"no-size-check", roomy({image(0, 1), image(0, 2)})},
      {"oversized-queued", roomy({image(0, 3)})},
      {"encdec-notice-early", encoder_decoder(two_in_flight(roomy({image(0)})))},
      {"encdec-credit-repeats", encoder_decoder(roomy({image(0)}))},
      {"retract-keeps-entry", roomy({image(0), text()})},
  };
  return all;
}

std::map<std::string_view, SearchOptions> make_presets() {
  for (const auto& [name, workload] : workload_of_fault())
    if (spec::find_fault(name) == nullptr)
      throw std::logic_error("verify/refute/presets.cpp has a workload for no fault: " +
                             std::string(name));
  std::map<std::string_view, SearchOptions> all;
  for (const auto& fault : spec::faults) {
    const auto known = workload_of_fault().find(fault.profile.name);
    if (known == workload_of_fault().end())
      throw std::logic_error("verify/refute/presets.cpp has no workload for the fault " +
                             std::string(fault.profile.name));
    const auto& workload = known->second;
    SearchOptions options;
    options.profile = fault.profile;
    options.property = fault.property;
    options.workloads = {workload};
    options.sizes = {{"requests", std::ssize(workload.requests)},
                     {"hashes", workload.hashes},
                     {"capacity", workload.capacity},
                     {"budget", workload.encoder_budget},
                     {"lookahead", workload.lookahead},
                     {"depth", workload.depth}};
    options.choices = {.tokens = 2, .drafts = 0};
    all.emplace(fault.profile.name, std::move(options));
  }
  return all;
}

}  // namespace

const SearchOptions& preset(std::string_view fault) {
  static const auto all = make_presets();
  return all.at(fault);
}

}  // namespace holdfast::verify
