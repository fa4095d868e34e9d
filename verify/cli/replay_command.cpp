#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_replay_command(CommandLine& line) {
  Command command =
      line.add("replay", "Run recorded traces and scenarios through the model, or the library");
  const auto options = std::make_shared<ReplayOptions>();
  command.files("FILE", options->files, "Trace or scenario files, JSON Lines");
  command.profile(options->profile);
  command.choice("--against", options->against, {"model", "impl"},
                 "What is held against the file: impl is the library, for recorded files");
  command.output();
  command.runs(options, run_replay);
}

}  // namespace holdfast::verify::cli
