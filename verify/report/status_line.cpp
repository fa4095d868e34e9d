#include "verify/report/status_line.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "verify/base/text.hpp"

namespace holdfast::verify::report {
namespace {

constexpr double interval = 0.08;  // seconds
constexpr std::size_t bar_columns = 24;

bool dumb_terminal() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

std::size_t terminal_columns() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string bar(std::uint64_t done, std::uint64_t total) {
  const std::size_t full = std::min<std::uint64_t>(done, total) * bar_columns / total;
  std::string result;
  for (std::size_t i = 0; i < bar_columns; ++i) result += i < full ? "━" : "─";
  return result;
}

}  // namespace

StatusLine::StatusLine() : StatusLine(::isatty(STDERR_FILENO) != 0 && !dumb_terminal()) {}

StatusLine::~StatusLine() { finish(); }

void StatusLine::start(std::string what, std::uint64_t total) {
  if (!shown_) return;
  const std::scoped_lock lock(mutex_);
  what_ = std::move(what);
  note_.clear();
  total_ = total;
  done_ = 0;
  watch_ = Stopwatch();
  draw(true);
}

void StatusLine::advance(std::uint64_t parts, std::string note) {
  if (!shown_) return;
  const std::scoped_lock lock(mutex_);
  done_ += parts;
  if (!note.empty()) note_ = std::move(note);
  draw(false);
}

void StatusLine::finish() {
  if (!shown_) return;
  const std::scoped_lock lock(mutex_);
  erase();
}

void StatusLine::draw(bool always) {
  const double seconds = watch_.seconds();
  if (!always && seconds - drawn_at_ < interval) return;
  drawn_at_ = seconds;
  std::string line = total_ > 0 ? fmt::format("{} {} {}/{}", what_, bar(done_, total_),
                                              grouped(done_), grouped(total_))
                                : fmt::format("{} {}", what_, grouped(done_));
  line += fmt::format("  {:.0f} s  {}", seconds, note_);
  line = shortened(line, terminal_columns() - 1);
  std::fputs(("\r\033[K" + line).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void StatusLine::erase() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

bool color_wanted() {
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && !dumb_terminal() &&
         (refused == nullptr || *refused == '\0');
}

}  // namespace holdfast::verify::report
