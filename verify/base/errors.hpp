#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace holdfast::verify::inline base {

/// Input that a person gave and has to mend: a file, a line of it, or a word on the command line.
/// The command line turns it into one line on stderr and exit status 2.
class InputError : public std::runtime_error {
 public:
  /// what() is `message`.
  explicit InputError(std::string message);
  /// what() is "FILE: message".
  InputError(std::string file, std::string message);
  /// what() is "FILE:LINE: message". Lines count from 1.
  InputError(std::string file, std::uint64_t line, std::string message);

  /// The file at fault; empty where the fault is not in a file.
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// The line at fault, from 1; none where the fault is the whole file.
  [[nodiscard]] std::optional<std::uint64_t> line() const noexcept { return line_; }
  /// The message without its place.
  [[nodiscard]] const std::string& message() const noexcept { return message_; }

 private:
  std::string file_;
  std::optional<std::uint64_t> line_;
  std::string message_;
};

}  // namespace holdfast::verify::inline base
