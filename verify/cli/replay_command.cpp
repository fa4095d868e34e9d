#include <memory>

#include "verify/cli/commands.hpp"

namespace holdfast::verify {

void add_replay_command(CLI::App& app, OutputOptions& common) {
  CLI::App* command =
      app.add_subcommand("replay", "Run recorded traces and scenarios through the model");
  const auto options = std::make_shared<ReplayOptions>();
  command->add_option("FILE", options->files, "Trace or scenario files, JSON Lines")
      ->required()
      ->type_name("");
  add_profile_option(*command, options->profile);
  add_output_options(*command, common);
  command->callback([options, &common] {
    deliver(common, [&](StatusLine& status) { return run_replay(*options, status); });
  });
}

}  // namespace holdfast::verify
