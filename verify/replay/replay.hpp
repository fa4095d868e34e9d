// Runs a trace or scenario file through the model. What the header's `source` begins with, and
// whether the first event behind it names rules, says which of four kinds it is.
//
// "holdfast", and it names rules: a *scenario*. The rules that each event names are taken if their
// guards hold; an event with one that the profile does not allow is declined and counted. After
// every rule every property is checked.
//
// "holdfast hunt", or "holdfast" without rules: a *script*. Only the events that drive are read;
// the reference pass decides the rest, and every property is checked after every small step.
//
// A file that `hunt` or `refute` wrote is about one property: under its own profile only that one
// is checked, as others may well break on the way.
//
// Anything else is *recorded*: a system has done this, and the model must find the same. The
// reference pass runs on what drives the file, and everything else in it is an answer of its own:
// that judges the *scheduler*. Where the header does not say all that a pass goes by, or on demand,
// only the events of the cache *manager* have their meaning, and the rest serves to know which
// requests exist, when a pass begins and ends, and who is preempted in it.
//
// In all but a script an answer that is given is compared.
//
// A recorded file can be held against the library in the model's place (library/).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "verify/report/replay_result.hpp"
#include "verify/trace/events.hpp"
#include "verify/trace/reader.hpp"

namespace holdfast::verify::replay {

struct Options {
  std::string property;  ///< of a driven file check only this one; empty: all, except as said above
  bool manager_only = false;  ///< of a recorded file judge only the cache manager
  /// A recorded file is held against the library (impl/) in the model's place: whole passes under
  /// `holdfast`; under a release its cache as vLLM's manager is called.
  bool against_library = false;
  trace::ReaderOptions reader;
  std::function<void(std::uint64_t events)> progress;  ///< called now and then; may be empty
};

/// Streams the file. Ends at the first divergence; its line is where the file and the model part,
/// or where a property is violated. Where the profile is not that of the release that was recorded,
/// and one guard of it is behind the divergence, `expected` says which: that is found by replaying
/// again. Throws InputError where the file is at fault.
report::ReplayResult replay(const std::string& file, const spec::Profile& profile,
                            const Options& options = {});

/// The same for events in memory, the first of them a header; event n is line n + 1.
report::ReplayResult replay_events(const std::vector<trace::Event>& events,
                                   const spec::Profile& profile, const Options& options = {});

}  // namespace holdfast::verify::replay
