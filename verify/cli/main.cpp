#include "verify/cli/commands.hpp"

int main(int argc, char** argv) { return holdfast::verify::run_command_line(argc, argv); }
