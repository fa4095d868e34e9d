#include <memory>

#include "verify/cli/commands.hpp"

namespace holdfast::verify {

void add_ablate_command(CLI::App& app, OutputOptions& common) {
  CLI::App* command = app.add_subcommand(
      "ablate", "Drop each guard and assumption: is it needed, redundant or harmful?");
  const auto options = std::make_shared<AblateOptions>();
  add_name_option(*command, "GUARD", options->guard, {NameKind::guard},
                  "A guard or an assumption, or all", "all")
      ->type_name("")
      ->default_str("all");
  command
      ->add_option("--scenarios", options->scenarios,
                   "Write each run as a scenario file into this folder")
      ->type_name("DIR")
      ->default_str("scenarios")
      ->check(folder_name);
  add_solver_options(*command, options->seed, options->timeout_ms, options->jobs);
  add_output_options(*command, common, true);
  command->callback([options, &common] {
    if (options->guard == "all") options->guard.clear();
    deliver(common, [&](StatusLine& status) { return run_ablate(*options, status); });
  });
}

}  // namespace holdfast::verify
