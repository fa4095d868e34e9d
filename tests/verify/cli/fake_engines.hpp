// Engines that only note what they were asked, so that the command line is tested alone.
#pragma once

#include <exception>

#include "verify/cli/commands.hpp"

namespace holdfast::verify {

struct Asked {
  int calls = 0;
  ProveOptions prove;
  ExploreOptions explore;
  RefuteOptions refute;
  HuntOptions hunt;
  AblateOptions ablate;
  ReplayOptions replay;
  CheckOptions check;
  Report answer;              ///< what every engine returns
  std::exception_ptr thrown;  ///< what every engine throws instead, if anything
};

Asked& asked();

}  // namespace holdfast::verify
