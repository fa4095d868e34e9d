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

/// A scenario that names its rules: r0 orders its image, q0 takes its tokens back, and the worker
/// runs the step.
inline std::vector<std::string> scenario_lines() {
  return {
      R"({"event":"header","format":"holdfast-trace","version":1,"source":"holdfast test","manager":"decoder_only","pipeline_depth":1,"capacity":8,"encoder_budget":8,"lookahead":0})",
      R"({"event":"add_request","request":"r0","prompt_tokens":8,"max_tokens":2,"priority":0,"features":[{"hash":"h0","offset":0,"length":4,"embeds":4}],"rules":[{"rule":"add","request":"r0"}]})",
      R"({"event":"add_request","request":"q0","prompt_tokens":8,"max_tokens":2,"priority":0,"features":[],"rules":[{"rule":"add","request":"q0"}]})",
      R"({"event":"begin_pass","pass":1,"rules":[{"rule":"begin_pass"}]})",
      R"({"event":"check","request":"r0","input":0,"rules":[{"rule":"plan","request":"r0","tokens":8,"hit":0}]})",
      R"({"event":"can_allocate","request":"r0","input":0,"compute_budget":8,"scheduled_embeds":0,"rules":[{"rule":"order"}]})",
      R"({"event":"allocate","request":"r0","input":0,"rules":[{"rule":"allocate","input":0}]})",
      R"({"event":"preempt","request":"r0","rules":[{"rule":"commit","drafts":0,"owed":0},{"rule":"plan","request":"q0","tokens":8,"hit":0},{"rule":"retract","request":"r0"}]})",
      R"({"event":"free_request","request":"r0","rules":[{"rule":"drop","input":0},{"rule":"drained"}]})",
      R"({"event":"end_pass","pass":1,"scheduled":[{"request":"q0","computed":0,"tokens":8,"drafts":1,"placeholders":1}],"rules":[{"rule":"commit","drafts":1,"owed":1},{"rule":"end_pass"}]})",
      R"({"event":"execute","pass":1,"rules":[{"rule":"drop_notices"},{"rule":"encode"}]})",
      R"({"event":"deliver","pass":1,"outputs":[{"request":"q0","generated":0,"rejected":1}],"rules":[{"rule":"deliver","request":"q0","pass":1,"rejected":1}]})",
      R"({"event":"state","rules":[{"rule":"end_deliver"}]})",
  };
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
