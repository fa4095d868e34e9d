// `holdfast replay`.
#include "spec/faults.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/replay/replay.hpp"

namespace holdfast::verify::cli {

report::Report run_replay(const ReplayOptions& asked, report::StatusLine& status) {
  const Stopwatch watch;
  const auto profile = *spec::profile_named(asked.profile);
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
    auto result = replay::replay(file.string(), profile, settings);
    result.profile = asked.profile;
    report.results.emplace_back(std::move(result));
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
