// Files for the tests of verify/trace.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "verify/trace/line_source.hpp"

namespace holdfast::verify::trace {

inline constexpr std::array<std::string_view, 8> recorded_names = {
    "async", "fcfs", "masks", "priority-1", "priority-2", "reset-async", "spec-async", "spec"};

inline std::string recorded_path(std::string_view name) {
  return std::string(HOLDFAST_TEST_DATA) + "/traces/vllm-0.33.0/" + std::string(name) + ".jsonl.gz";
}

/// The first lines of a recorded trace, without line ends.
inline std::vector<std::string> recorded_lines(std::string_view name, std::size_t most = -1) {
  LineSource source(recorded_path(name), std::size_t{1} << 20U);
  std::vector<std::string> lines;
  while (lines.size() < most) {
    const auto line = source.next();
    if (!line) break;
    lines.emplace_back(*line);
  }
  return lines;
}

/// A file that goes away with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content = {}) {
    std::string pattern = (std::filesystem::temp_directory_path() / "holdfast-XXXXXX").string();
    const int fd = ::mkstemp(pattern.data());
    EXPECT_GE(fd, 0);
    ::close(fd);
    path_ = pattern;
    write(content);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Overwrites in place: emptying a file first makes ext4 wait for the disk.
  void write(std::string_view content) const {
    {
      std::fstream out(path_, std::ios::binary | std::ios::in | std::ios::out);
      out.write(content.data(), static_cast<std::streamsize>(content.size()));
    }
    std::filesystem::resize_file(path_, content.size());
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace holdfast::verify::trace
