#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_prove_command(CommandLine& line) {
  Command command = line.add("prove", "Prove the properties, for any size");
  const auto options = std::make_shared<ProveOptions>();
  command.profile(options->profile);
  command.name("--property", options->property, {NameKind::property, NameKind::lemma},
               "Only this property or lemma");
  command.name("--rule", options->rule, {NameKind::rule},
               "Only what this rule has to keep; initial: only the base case", "initial");
  command.solver(options->seed, options->timeout_ms, options->jobs);
  command.assumptions(options->assumptions);
  command.flag("--all-lemmas", options->all_lemmas,
               "Give every obligation all lemmas, not the learned plan");
  command.optional_file("--learn", options->learn, options->plan, "--all-lemmas",
                        "Learn the plan of lemmas anew, and write it (to FILE, if given)");
  command.output(true);
  command.runs(options, run_prove);
}

}  // namespace holdfast::verify::cli
