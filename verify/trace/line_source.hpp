#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;  // zlib's

namespace holdfast::verify::trace {

/// The lines of a text file, plain or gzip, one at a time: memory is one buffer and the longest
/// line.
class LineSource {
 public:
  /// Throws InputError where `path` cannot be opened or is a directory.
  LineSource(std::string path, std::size_t max_line_bytes);
  ~LineSource();
  LineSource(LineSource&& other) noexcept;
  LineSource& operator=(LineSource&&) = delete;
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  /// The next line without its line end (LF or CRLF; the last may have none), or none at the end of
  /// the file. Valid until the next call. Throws InputError where a line is longer than
  /// `max_line_bytes`, the file cannot be read, or its compressed data is damaged.
  std::optional<std::string_view> next();

  /// The number of the line returned last, from 1; 0 before the first.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  bool fill();

  std::string path_;
  std::size_t max_line_bytes_;
  gzFile_s* file_ = nullptr;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what was read and not returned
  std::size_t end_ = 0;
  std::uint64_t line_ = 0;
};

}  // namespace holdfast::verify::trace
