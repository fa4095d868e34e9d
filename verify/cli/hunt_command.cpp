#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_hunt_command(CommandLine& line) {
  Command command =
      line.add("hunt", "Search configurations and workloads for what a profile does wrong");
  const auto options = std::make_shared<HuntOptions>();
  constexpr std::int64_t a_week_s = 604'800;
  command.profile(options->profile);
  command.number("--time", options->seconds, 0, a_week_s, "Ends after so many seconds; 0: never");
  command.number("--scripts", options->scripts, 0, INT64_MAX,
                 "Ends after about so many configurations with what happens in them; 0: never");
  command.number("--seed", options->seed, 0, UINT32_MAX, "Seed of the random search");
  command.text("--sizes", options->sizes, "NAME=N,...",
               "Largest sizes, such as requests=2,length=4; see `docs/hunt.md`");
  command.name("--property", options->property, {NameKind::property}, "Only this property");
  command.scenarios(options->scenarios, "Write each finding as a scenario file into this folder",
                    true);
  command.jobs(options->jobs);
  command.output(true);
  command.runs(options, run_hunt);
}

}  // namespace holdfast::verify::cli
