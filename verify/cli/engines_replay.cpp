// `holdfast replay`.
#include <algorithm>

#include "spec/faults.hpp"
#include "spec/profiles/releases.hpp"
#include "verify/base/errors.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::cli {

report::Report run_replay(const ReplayOptions& asked, report::StatusLine& status) {
  const Stopwatch watch;
  const auto profile = *spec::profile_named(asked.profile);
  const bool against_library = asked.against == "impl";
  const auto is_named = [&](const spec::Profile& p) { return p.name == asked.profile; };
  if (against_library &&
      std::none_of(spec::known_profiles.begin(), spec::known_profiles.end(), is_named))
    throw InputError(
        "--against impl: expected a profile that is no fault and no guard in another "
        "way, found '" +
        asked.profile + "': the library has none of them");
  report::Report report;
  report.command = "replay";
  report.profile = asked.profile;
  report.solver = solver_version();
  for (const auto& file : asked.files) {
    status.start("replaying " + file.filename().string() + ", events", 0);
    std::uint64_t told = 0;
    replay::Options settings;
    settings.progress = [&](std::uint64_t events) {
      status.advance(events - told);
      told = events;
    };
    settings.against_library = against_library;
    auto result = replay::replay(file.string(), profile, settings);
    result.against = asked.against;
    result.profile = asked.profile;
    report.results.emplace_back(std::move(result));
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
