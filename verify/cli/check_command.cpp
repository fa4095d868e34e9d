#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_check_command(CommandLine& line) {
  Command command = line.add("check", "All of it: prove, refute, explore, replay");
  const auto options = std::make_shared<CheckOptions>();
  command.profile(options->profile);
  command.solver(options->seed, options->timeout_ms, options->jobs);
  command.paths("--traces", options->traces,
                "Recorded traces to replay: files, or folders of .jsonl and .jsonl.gz files");
  command.scenarios(options->scenarios, "Folder for the scenario files of refuted faults");
  command.output(true);
  command.runs(options, run_check);
}

}  // namespace holdfast::verify::cli
