// One line on a terminal that says how far a long command is.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "verify/base/stopwatch.hpp"

namespace holdfast::verify::report {

/// Shown on stderr, and only where stderr is a terminal; elsewhere every call does nothing. Any
/// thread may call. The line is erased by finish() and by the destructor, so it never mixes with
/// results.
class StatusLine {
 public:
  StatusLine();
  explicit StatusLine(bool shown) : shown_(shown) {}
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// A new piece of work: "proving", of `total` parts; 0 where the total is not known.
  void start(std::string what, std::uint64_t total);
  /// `parts` more are done. `note` says what is being looked at, and may stay empty.
  void advance(std::uint64_t parts = 1, std::string note = {});
  /// Erases the line.
  void finish();

 private:
  void draw(bool always);
  void erase();

  const bool shown_;
  std::mutex mutex_;
  std::string what_;
  std::string note_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  bool drawn_ = false;
  Stopwatch watch_;      ///< of this piece of work
  double drawn_at_ = 0;  ///< seconds on it
};

/// Whether results printed to stdout may be coloured: a terminal, no NO_COLOR, not TERM=dumb.
bool color_wanted();

}  // namespace holdfast::verify::report
