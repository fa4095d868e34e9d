#include "verify/trace/line_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <zlib.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify/base/errors.hpp"

namespace holdfast::verify::trace {
namespace {

constexpr std::size_t first_buffer_bytes = std::size_t{256} << 10U;
constexpr std::size_t min_read_bytes = std::size_t{64} << 10U;

std::string size_text(std::size_t bytes) {
  constexpr std::size_t mebi = std::size_t{1} << 20U;
  if (bytes % mebi == 0) return std::to_string(bytes / mebi) + " MiB";
  return std::to_string(bytes) + " bytes";
}

}  // namespace

LineSource::LineSource(std::string path, std::size_t max_line_bytes)
    : path_(std::move(path)), max_line_bytes_(max_line_bytes), buffer_(first_buffer_bytes) {
  const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw InputError(path_, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat info{};
  if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(fd);
    throw InputError(path_, "is a directory; expected a file");
  }
  file_ = ::gzdopen(fd, "rb");  // reads plain files as they are
  if (file_ == nullptr) {
    ::close(fd);
    throw InputError(path_, "cannot be read: out of memory");
  }
  ::gzbuffer(file_, first_buffer_bytes);
}

LineSource::~LineSource() {
  if (file_ != nullptr) ::gzclose_r(file_);
}

LineSource::LineSource(LineSource&& other) noexcept
    : path_(std::move(other.path_)),
      max_line_bytes_(other.max_line_bytes_),
      file_(std::exchange(other.file_, nullptr)),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      end_(other.end_),
      line_(other.line_) {}

/// Reads more behind end_; false at the end of the file.
bool LineSource::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < min_read_bytes) buffer_.resize(2 * buffer_.size());
  const std::size_t room = std::min(buffer_.size() - end_, std::size_t{1} << 30U);
  const int got = ::gzread(file_, buffer_.data() + end_, static_cast<unsigned>(room));
  int code = Z_OK;
  const char* text = ::gzerror(file_, &code);
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    const bool os_error = code == Z_ERRNO;
    throw InputError(path_, line_ + 1,
                     os_error ? std::string("cannot be read: ") + std::strerror(errno)
                              : std::string("the gzip data is damaged: ") + text);
  }
  end_ += static_cast<std::size_t>(got);
  return got > 0;
}

std::optional<std::string_view> LineSource::next() {
  std::size_t searched = 0;
  std::size_t length = 0;
  std::size_t consumed = 0;
  while (true) {
    const char* start = buffer_.data() + begin_;
    const auto* found =
        static_cast<const char*>(std::memchr(start + searched, '\n', end_ - begin_ - searched));
    if (found != nullptr) {
      length = static_cast<std::size_t>(found - start);
      consumed = length + 1;
      break;
    }
    searched = end_ - begin_;
    if (searched > max_line_bytes_ || !fill()) {
      length = consumed = searched;
      break;
    }
  }
  if (length > max_line_bytes_) {
    throw InputError(path_, line_ + 1,
                     "the line is longer than " + size_text(max_line_bytes_) +
                         "; expected one JSON object a line");
  }
  if (consumed == 0) return std::nullopt;
  ++line_;
  std::string_view line(buffer_.data() + begin_, length);
  begin_ += consumed;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace holdfast::verify::trace
