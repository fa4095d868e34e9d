#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_refute_command(CommandLine& line) {
  Command command = line.add("refute", "Find a shortest run that breaks a fault's property");
  const auto options = std::make_shared<RefuteOptions>();
  command.name_or_all("FAULT", options->fault, NameKind::fault, "A fault, or all", true);
  command.flag("--bmc", options->bmc,
               "Full bounded model checking too: Z3 agrees that no shorter run exists");
  command.number("--bmc-steps", options->bmc_steps, 1, 64,
                 "Longest run that --bmc settles; of a longer one it looks at that many steps");
  command.scenarios(options->scenarios, "Write each run as a scenario file into this folder");
  command.solver(options->seed, options->timeout_ms, options->jobs);
  command.output();
  command.runs(options, run_refute);
}

}  // namespace holdfast::verify::cli
