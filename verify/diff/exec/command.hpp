// An implementation in any language, behind one pipe: each call of the encoder cache's manager is a
// line to it, each answer a line from it. docs/conformance.md is the protocol.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "verify/diff/implementation.hpp"

namespace holdfast::verify::diff::exec {

struct CommandOptions {
  std::string command;                            ///< of the shell
  std::chrono::milliseconds answer_time{10'000};  ///< it may take for one line
  std::function<bool()> interrupted;              ///< asked while it is waited for; may be empty
};

/// Of decoder-only models: scripts of others are not for it. Throws InputError out of the first
/// run where the shell cannot run the command.
MakeImplementation make_command(CommandOptions options);

}  // namespace holdfast::verify::diff::exec
