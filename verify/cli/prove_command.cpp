#include <memory>

#include "verify/cli/commands.hpp"

namespace holdfast::verify {

void add_prove_command(CLI::App& app, OutputOptions& common) {
  CLI::App* command = app.add_subcommand("prove", "Prove the properties, for any size");
  const auto options = std::make_shared<ProveOptions>();
  add_profile_option(*command, options->profile);
  add_name_option(*command, "--property", options->property, {NameKind::property, NameKind::lemma},
                  "Only this property or lemma");
  add_name_option(*command, "--rule", options->rule, {NameKind::rule},
                  "Only what this rule has to keep; initial: only the base case", "initial");
  add_solver_options(*command, options->seed, options->timeout_ms, options->jobs);
  add_assumption_options(*command, options->assumptions);
  CLI::Option* all_lemmas =
      command->add_flag("--all-lemmas", options->all_lemmas,
                        "Give every obligation all lemmas, not the learned plan");
  CLI::Option* learn =
      command
          ->add_option("--learn", options->plan,
                       "Learn the plan of lemmas anew, and write it (to FILE, if given)")
          ->type_name("[FILE]")
          ->expected(0, 1)
          ->excludes(all_lemmas);
  add_output_options(*command, common, true);
  command->callback([options, learn, &common] {
    options->learn = learn->count() > 0;
    deliver(common, [&](StatusLine& status) { return run_prove(*options, status); });
  });
}

}  // namespace holdfast::verify
