#include <memory>

#include "verify/cli/commands.hpp"

namespace holdfast::verify {

void add_hunt_command(CLI::App& app, OutputOptions& common) {
  CLI::App* command = app.add_subcommand(
      "hunt", "Search configurations and workloads for what a profile does wrong");
  const auto options = std::make_shared<HuntOptions>();
  constexpr std::int64_t a_week_s = 604'800;
  add_profile_option(*command, options->profile);
  add_number_option(*command, "--time", options->seconds, 0, a_week_s,
                    "Ends after so many seconds; 0: never");
  add_number_option(*command, "--scripts", options->scripts, 0, INT64_MAX,
                    "Ends after about so many configurations with what happens in them; 0: never");
  add_number_option(*command, "--seed", options->seed, 0, UINT32_MAX, "Seed of the random search");
  command
      ->add_option("--sizes", options->sizes,
                   "Largest sizes, such as requests=2,length=4; see `docs/hunt.md`")
      ->type_name("NAME=N,...");
  add_name_option(*command, "--property", options->property, {NameKind::property},
                  "Only this property");
  command
      ->add_option("--scenarios", options->scenarios,
                   "Write each finding as a scenario file into this folder")
      ->type_name("DIR")
      ->default_str("scenarios")
      ->check(folder_name);
  add_jobs_option(*command, options->jobs);
  add_output_options(*command, common, true);
  command->callback([options, &common] {
    deliver(common, [&](StatusLine& status) { return run_hunt(*options, status); });
  });
}

}  // namespace holdfast::verify
