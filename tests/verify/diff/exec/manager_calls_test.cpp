// The model's own answers to the calls of the manager, as files: what else reads such files must
// find them right. So an implementation behind a pipe is asked what a real manager would be.
#include "verify/hunt/manager_calls.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/hunt/breeder.hpp"
#include "verify/hunt/companion.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::diff::exec {
namespace {

using Events = std::vector<trace::Event>;

/// What the manager was asked in a script, with the model's answers, as a recorded file has them.
Events calls_of(const hunt::Genes& genes, hunt::Coverage& coverage, bool& covers_more) {
  Events events;
  hunt::Watch watch;
  watch.coverage = &coverage;
  watch.on_call = [&](const trace::Event& event) { events.push_back(event); };
  hunt::run_script(hunt::script_of(genes), {}, watch);
  covers_more = watch.covers_more;
  std::get<trace::Header>(events.front()).source = "a manager that was told everything";
  return events;
}

std::vector<Events> runs(unsigned scripts) {
  const hunt::Bounds bounds("encoder_decoder=0");
  hunt::Breeder breeder(bounds, 1);
  hunt::Coverage coverage;
  std::vector<Events> all;
  while (all.size() < scripts) {
    const auto genes = breeder.next();
    bool covers_more = false;
    all.push_back(calls_of(genes, coverage, covers_more));
    if (covers_more) breeder.keep(genes);
  }
  return all;
}

void expect_conform(const std::vector<Events>& all, bool against_library) {
  replay::Options options;
  options.manager_only = true;
  options.against_library = against_library;
  std::uint64_t taken = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto result = replay::replay_events(all[n], spec::Profile{}, options);
    ASSERT_EQ(result.status, report::ReplayStatus::conforms)
        << "script " << n << ", line " << result.line << ": " << result.rule << ", "
        << result.expected << ", not " << result.observed;
    taken += result.events;
  }
  EXPECT_GT(taken, all.size() * 10);
}

constexpr unsigned many = 5000;

// Another reader of the same rules: it has no turns, only calls.
TEST(ManagerCalls, AreWhatAReplayOfCallsFinds) { expect_conform(runs(many), false); }

// The library shares no line with the model.
TEST(ManagerCalls, AreAnsweredByTheLibraryInTheSameWay) { expect_conform(runs(many), true); }

// What is never asked could be wrong in silence.
TEST(ManagerCalls, AllKindsAreMadeWithAllAnswers) {
  std::map<std::string, std::uint64_t> seen;
  std::int64_t free_before = 0;
  for (const auto& events : runs(many))
    for (const auto& event : events) {
      std::string name(trace::name_of(event));
      if (const auto* e = std::get_if<trace::Check>(&event)) name += *e->hit ? " hit" : " miss";
      if (const auto* e = std::get_if<trace::CanAllocate>(&event))
        name += !*e->ok ? " no" : e->evicted->empty() ? " yes" : " evicts";
      if (const auto* e = std::get_if<trace::TakeFreed>(&event))
        name += e->hashes->empty() ? " nothing" : " some";
      if (const auto* e = std::get_if<trace::FreeRequest>(&event))
        name += e->held->empty()         ? " nothing"
                : *e->free > free_before ? " takes orders back"
                                         : " some";
      std::visit(
          [&](const auto& e) {
            if constexpr (requires { e.free; }) free_before = *e.free;
          },
          event);
      ++seen[name];
    }
  for (const char* name : {"header",
                           "add_request",
                           "begin_pass",
                           "check hit",
                           "check miss",
                           "can_allocate yes",
                           "can_allocate no",
                           "can_allocate evicts",
                           "allocate",
                           "free_input",
                           "free_request nothing",
                           "free_request some",
                           "free_request takes orders back",
                           "take_freed nothing",
                           "take_freed some",
                           "end_pass",
                           "preempt",
                           "finish",
                           "reset",
                           "state"})
    EXPECT_GE(seen[name], 5U) << name;
}

}  // namespace
}  // namespace holdfast::verify::diff::exec
