#include <memory>

#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_diff_command(CommandLine& line) {
  Command command = line.add("diff", "Run the implementation beside the model, in lock step");
  const auto options = std::make_shared<DiffOptions>();
  constexpr std::int64_t an_hour_s = 3600, a_week_s = 604'800;
  command.number("--steps", options->steps, 0, INT64_MAX,
                 "Ends after about so many small steps of the model; 0: when the time is over");
  command.number("--time", options->seconds, 0, a_week_s, "Ends after so many seconds; 0: never");
  command.number("--seed", options->seed, 0, UINT32_MAX, "Seed of the random scripts");
  command.text("--sizes", options->sizes, "NAME=N,...",
               "Largest sizes, such as requests=2,length=4; see `docs/hunt.md`");
  command.choice(
      "--against", options->against, {"impl", "exec:"},
      "What is run beside the model: the library, or a command of the shell that answers "
      "lines, see `docs/conformance.md`",
      "COMMAND");
  command.number("--answer-time", options->answer_seconds, 1, an_hour_s,
                 "Seconds that COMMAND may take for one answer");
  command.flag("--exhaustive", options->exhaustive,
               "Instead, go through every state at small sizes and every event in it");
  command.scenarios(options->scenarios, "Write the script of a difference into this folder", true);
  command.jobs(options->jobs);
  command.output(true);
  command.runs(options, run_diff);
}

}  // namespace holdfast::verify::cli
