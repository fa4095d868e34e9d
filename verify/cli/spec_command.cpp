#include "verify/cli/command.hpp"

namespace holdfast::verify::cli {

void add_spec_command(CommandLine& line) {
  Command command = line.add("spec", "Print the spec as a Markdown book");
  command.output_file();
  command.runs([](const OutputOptions& output) { return deliver_text(output, run_spec); });
}

}  // namespace holdfast::verify::cli
