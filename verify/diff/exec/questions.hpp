// What an implementation behind a pipe is asked, and what it must answer: docs/conformance.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verify/trace/events.hpp"
#include "verify/trace/json_tape.hpp"

namespace holdfast::verify::diff::exec {

/// The event as a line, with its line end, without what the manager has to answer.
std::string question(const trace::Event& event);

class AnswerReader {
 public:
  /// What is wrong with this answer to `event`, which carries the model's: one line for each, empty
  /// where they are the same. Of what has no order (`hashes`, requests that hold an entry) the
  /// order is not looked at.
  std::vector<std::string> faults(const trace::Event& event, std::string_view answer);

 private:
  trace::JsonTape tape_;
};

}  // namespace holdfast::verify::diff::exec
