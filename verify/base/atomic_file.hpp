// Output files appear whole or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>

namespace holdfast::verify::inline base {

/// Writes beside `path` under a temporary name and takes `path` over with commit(). Without
/// commit(), and on SIGINT, SIGTERM or SIGHUP, `path` stays as it was and the temporary file is
/// removed. Symbolic links are followed; what exists and is no regular file (a pipe, /dev/stdout)
/// is written to directly. An existing file keeps its permissions.
class AtomicFile {
 public:
  /// Throws InputError where `path` cannot be written, before any work was done for it.
  explicit AtomicFile(const std::filesystem::path& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return stream_; }

  /// Makes what was written the content of `path`. Throws InputError where the disk refused it, and
  /// then `path` is as it was. At most once.
  void commit();

 private:
  void discard() noexcept;

  std::filesystem::path path_;       ///< as given, for messages
  std::filesystem::path target_;     ///< with links followed
  std::filesystem::path temporary_;  ///< empty: written directly, or done
  std::size_t slot_;                 ///< of the file in the signal handler's list
  std::ofstream stream_;
};

}  // namespace holdfast::verify::inline base
