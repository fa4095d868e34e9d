#include "verify/base/errors.hpp"

#include <utility>

namespace holdfast::verify::inline base {

InputError::InputError(std::string message)
    : std::runtime_error(message), message_(std::move(message)) {}

InputError::InputError(std::string file, std::string message)
    : std::runtime_error(file + ": " + message),
      file_(std::move(file)),
      message_(std::move(message)) {}

InputError::InputError(std::string file, std::uint64_t line, std::string message)
    : std::runtime_error(file + ":" + std::to_string(line) + ": " + message),
      file_(std::move(file)),
      line_(line),
      message_(std::move(message)) {}

}  // namespace holdfast::verify::inline base
