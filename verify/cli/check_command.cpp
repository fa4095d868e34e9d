#include <memory>

#include "verify/cli/commands.hpp"

namespace holdfast::verify {

void add_check_command(CLI::App& app, OutputOptions& common) {
  CLI::App* command = app.add_subcommand("check", "All of it: prove, refute, explore, replay");
  const auto options = std::make_shared<CheckOptions>();
  add_profile_option(*command, options->profile);
  add_solver_options(*command, options->seed, options->timeout_ms, options->jobs);
  command
      ->add_option("--traces", options->traces,
                   "Recorded traces to replay: files, or folders of .jsonl and .jsonl.gz files")
      ->type_name("PATH");
  command
      ->add_option("--scenarios", options->scenarios,
                   "Folder for the scenario files of refuted faults")
      ->type_name("DIR")
      ->default_str("scenarios");
  add_output_options(*command, common, true);
  command->callback([options, &common] {
    deliver(common, [&](StatusLine& status) { return run_check(*options, status); });
  });
}

}  // namespace holdfast::verify
