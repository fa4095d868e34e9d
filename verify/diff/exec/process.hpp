// A program behind a pipe: a line in, a line out.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace holdfast::verify::diff::exec {

/// Thrown where no line comes: the program has ended, hangs, or says too much.
struct NoAnswer {
  std::string why;
  bool never_ran = false;  ///< the shell found no such command, or could not run it
};

/// A command of the shell, in a process group of its own, which ends with this object.
class Process {
 public:
  /// `interrupted` is asked while an answer is waited for; may be empty. Throws std::system_error
  /// where the system gives no process.
  Process(const std::string& command, std::function<bool()> interrupted);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Gives it the line, which ends with a line end, and returns what it answers within `patience`,
  /// without its line end. Throws NoAnswer, or Interrupted.
  std::string ask(std::string_view line, std::chrono::milliseconds patience);

 private:
  void write(std::string_view line);
  /// Reads what is there, of both. False: it has closed its output.
  bool read(std::chrono::milliseconds patience);
  [[noreturn]] void has_ended();
  /// What it said last on its standard error, as the end of a sentence.
  [[nodiscard]] std::string last_words() const;

  std::function<bool()> interrupted_;
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;  ///< its ends of pipes that are ours
  std::string read_;                   ///< and not yet returned
  std::string complaints_;             ///< the tail of its standard error
};

}  // namespace holdfast::verify::diff::exec
