#include "verify/refute/presets.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "spec/faults.hpp"
#include "spec/require.hpp"
#include "verify/explore/worlds.hpp"

namespace holdfast::verify::refute {
namespace {

using namespace explore::worlds;

/// Items must not be split, and a pass has tokens for one alone.
Workload one_item_per_pass(Workload w) {
  return whole_items(with_tokens_per_pass(2, std::move(w)));
}

/// The second request's first image drives the first's out, its second image brings it back.
Workload scarce_slots() {
  return roomy({with_output(0, images(0, 1)), with_output(0, images(2, 0))});
}

const std::map<std::string_view, Workload>& workload_of_fault() {
  static const std::map<std::string_view, Workload> all = {
      {"abort-keeps-references", roomy({image(0)})},
      {"duplicate-charged-twice", roomy({images(0, 0)})},
      {"waiting-keeps-references", roomy({image(0), image(0)})},
      {"release-at-schedule", roomy({image(0)})},
      {"release-optimistic", roomy({image(0)})},
      {"lookahead-unplanned", with_lookahead(1, roomy({prompt_of({text(), image(0)})}))},
      // The image that is looked ahead at does not fit the pass any more.
      {"no-boundary-fallback", with_lookahead(1, with_embeds_per_pass(1, roomy({images(0, 1)})))},
      {"rollback-without-lookahead",
       with_lookahead(1, one_item_per_pass(roomy({prompt_of({text(), long_image(0)})})))},
      // Two images, one after the other, that fit one at a time.
      {"hold-past-end",
       with_lookahead(1, with_slots(1, roomy({prompt_of({long_image(0), image(1)})})))},
      {"stale-notice", scarce_slots()},
      {"first-occurrence-frees", roomy({images(0, 0)})},
      {"split-item", one_item_per_pass(roomy({long_image(0)}))},
      {"no-size-check", roomy({image(0), image(0, {.slots = 2})})},
      {"oversized-queued", roomy({image(0, {.slots = 3})})},
      {"encdec-notice-early", encoder_decoder(two_in_flight(roomy({image(0)})))},
      {"encdec-credit-repeats", encoder_decoder(roomy({image(0)}))},
      {"retract-keeps-entry", roomy({image(0), text()})},
  };
  return all;
}

std::map<std::string_view, explore::SearchOptions> make_presets() {
  for (const auto& [name, workload] : workload_of_fault())
    if (spec::find_fault(name) == nullptr)
      throw std::logic_error("verify/refute/presets.cpp has a workload for no fault: " +
                             std::string(name));
  std::map<std::string_view, explore::SearchOptions> all;
  for (const auto& fault : spec::faults) {
    const auto known = workload_of_fault().find(fault.profile.name);
    if (known == workload_of_fault().end())
      throw std::logic_error("verify/refute/presets.cpp has no workload for the fault " +
                             std::string(fault.profile.name));
    const auto& workload = known->second;
    explore::SearchOptions options;
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

const explore::SearchOptions& preset(std::string_view fault) {
  static const auto all = make_presets();
  const auto found = all.find(fault);
  HOLDFAST_REQUIRE(found != all.end(), "a name of spec::faults");
  return found->second;
}

}  // namespace holdfast::verify::refute
