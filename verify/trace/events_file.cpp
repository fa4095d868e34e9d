#include "verify/trace/events_file.hpp"

#include <system_error>

#include "verify/base/atomic_file.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::trace {
namespace {

/// Where it can't be made, opening the file says so.
void make_folder_of(const std::filesystem::path& file) {
  std::error_code ignored;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ignored);
}

}  // namespace

void expect_writable(const std::filesystem::path& file) {
  make_folder_of(file);
  const AtomicFile untouched(file);
}

void write_lines(const std::vector<std::string>& lines, const std::filesystem::path& file) {
  make_folder_of(file);
  AtomicFile out(file);
  for (const auto& line : lines) out.stream() << line;
  out.commit();
}

void write_events(const std::vector<Event>& events, const std::filesystem::path& file) {
  write_lines({to_lines(events)}, file);
}

}  // namespace holdfast::verify::trace
