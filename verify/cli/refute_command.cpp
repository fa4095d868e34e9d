#include <memory>

#include "verify/cli/commands.hpp"

namespace holdfast::verify {

void add_refute_command(CLI::App& app, OutputOptions& common) {
  CLI::App* command =
      app.add_subcommand("refute", "Find a shortest run that breaks a fault's property");
  const auto options = std::make_shared<RefuteOptions>();
  add_name_option(*command, "FAULT", options->fault, {NameKind::fault}, "A fault, or all", "all")
      ->required()
      ->type_name("")
      ->default_str("");
  command->add_flag("--bmc", options->bmc,
                    "Full bounded model checking too: Z3 agrees that no shorter run exists");
  add_number_option(*command, "--bmc-steps", options->bmc_steps, 1, 64,
                    "Longest run that --bmc settles; of a longer one it looks at that many steps");
  command
      ->add_option("--scenarios", options->scenarios,
                   "Write each run as a scenario file into this folder")
      ->type_name("DIR")
      ->default_str("scenarios");
  add_solver_options(*command, options->seed, options->timeout_ms, options->jobs);
  add_output_options(*command, common);
  command->callback([options, &common] {
    if (options->fault == "all") options->fault.clear();
    deliver(common, [&](StatusLine& status) { return run_refute(*options, status); });
  });
}

}  // namespace holdfast::verify
