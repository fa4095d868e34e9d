#include <csignal>
#include <cstdlib>
#include <initializer_list>

#include <unistd.h>

#include "verify/cli/command_line.hpp"

namespace {

/// A crash, of the solver say, is an answer that was not found: the exit status must say so.
void crashed(int) {
  constexpr char message[] = "holdfast: crashed; nothing was decided\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message, sizeof message - 1);
  std::_Exit(3);
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, crashed);
  return holdfast::verify::cli::run_command_line(argc, argv);
}
