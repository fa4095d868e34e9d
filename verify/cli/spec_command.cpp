#include "verify/cli/commands.hpp"

namespace holdfast::verify {

void add_spec_command(CLI::App& app, OutputOptions& common) {
  CLI::App* command = app.add_subcommand("spec", "Print the spec as a Markdown book");
  command->add_option("-o,--output", common.output, "Write to this file instead of standard output")
      ->type_name("FILE");
  command->callback([&common] { deliver_text(common, run_spec); });
}

}  // namespace holdfast::verify
