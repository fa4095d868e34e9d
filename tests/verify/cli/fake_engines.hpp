// Engines that only note what they were asked, so that the command line is tested alone. The engine
// of a command that has a test of its own is faked there.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "verify/cli/commands.hpp"

namespace holdfast::verify::cli {

struct Asked {
  int calls = 0;
  ProveOptions prove;
  ExploreOptions explore;
  RefuteOptions refute;
  AblateOptions ablate;
  ReplayOptions replay;
  CheckOptions check;
  report::Report answer;      ///< what every engine returns
  std::exception_ptr thrown;  ///< what every engine throws instead, if anything
};

Asked& asked();

/// What an engine returns or throws that was asked for this command.
report::Report answer(const char* command);

struct Ran {
  int status;
  std::string out;
  std::string err;
};

/// `holdfast WORDS`.
Ran run(std::vector<const char*> words);

}  // namespace holdfast::verify::cli
