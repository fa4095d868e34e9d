#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_ablate_command(CommandLine& line) {
  Command command =
      line.add("ablate", "Drop each guard and assumption: is it needed, redundant or harmful?");
  const auto options = std::make_shared<AblateOptions>();
  command.name_or_all("GUARD", options->guard, NameKind::guard,
                      "A guard, GUARD=OPTION, an assumption, or all", false);
  command.scenarios(options->scenarios, "Write each run as a scenario file into this folder", true);
  command.solver(options->seed, options->timeout_ms, options->jobs);
  command.output(true);
  command.runs(options, run_ablate);
}

}  // namespace holdfast::verify::cli
