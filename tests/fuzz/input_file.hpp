// Bytes as a file, for what reads files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "tests/fuzz/targets.hpp"

namespace holdfast::fuzz {

/// In memory where the machine has such a folder.
class InputFile {
 public:
  explicit InputFile(Bytes bytes) {
    std::ofstream out(path_, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) std::abort();
  }
  ~InputFile() { std::filesystem::remove(path_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static std::string folder() {
    return std::filesystem::is_directory("/dev/shm") ? "/dev/shm"
                                                     : std::filesystem::temp_directory_path();
  }
  const std::string path_ = folder() + "/holdfast-fuzz-" + std::to_string(::getpid()) + ".jsonl";
};

}  // namespace holdfast::fuzz
