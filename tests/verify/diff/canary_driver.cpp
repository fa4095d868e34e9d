// What `holdfast diff` does, without the rest of the command: `canary.py` links it anew for every
// mutant. Prints lines of `key: value`; of a crash, how many small steps were told before it.
#include <csignal>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "verify/diff/diff.hpp"

namespace holdfast::verify::diff {
namespace {

std::uint64_t told = 0;

extern "C" void tell_crash(int signal) {
  fmt::print(stderr, "crash: signal {} after {} steps\n", signal, told);
  std::_Exit(128 + signal);
}

/// STEPS SEED
int run(int count, char** arguments) {
  if (count != 3) return 2;
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, tell_crash);
  Options options;
  options.steps = std::strtoull(arguments[1], nullptr, 10);
  options.seed = std::strtoull(arguments[2], nullptr, 10);
  options.on_steps = [](std::uint64_t steps) { told += steps; };
  const auto compared = diff::compare(options);
  fmt::print("steps: {}\nbroken: {}\n", compared.steps, compared.broken);
  if (!compared.difference) return 0;
  fmt::print("shrunk: {}\nwhat: {}\n", compared.difference->steps, compared.difference->what);
  return 1;
}

}  // namespace
}  // namespace holdfast::verify::diff

int main(int count, char** arguments) { return holdfast::verify::diff::run(count, arguments); }
