#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_replay_command(CommandLine& line) {
  Command command = line.add("replay", "Run recorded traces and scenarios through the model");
  const auto options = std::make_shared<ReplayOptions>();
  command.files("FILE", options->files, "Trace or scenario files, JSON Lines");
  command.profile(options->profile);
  command.output();
  command.runs(options, run_replay);
}

}  // namespace holdfast::verify::cli
