// Reads a trace or scenario file (trace-format.md), plain or gzip, event by event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "verify/trace/events.hpp"
#include "verify/trace/json_tape.hpp"
#include "verify/trace/line_source.hpp"
#include "verify/trace/order.hpp"
#include "verify/trace/spans.hpp"

namespace holdfast::verify::trace {

struct ReaderOptions {
  std::size_t max_line_bytes = std::size_t{16} << 20U;
  SpanOptions spans;
};

/// Streams: memory is the longest line, and some 100 bytes for each different request id and hash.
/// Every fault of the file is an InputError "FILE:LINE: what was expected, what was found"; where
/// the file cannot be opened it has no line.
class TraceReader {
 public:
  explicit TraceReader(std::string path, const ReaderOptions& options = {});

  /// The next event, or none at the end of the file. The first is a Header. Throws InputError;
  /// after that the reader gives nothing more.
  std::optional<Event> next();

  /// The line of the event returned last, from 1; 0 before the first.
  [[nodiscard]] std::uint64_t line() const { return source_.line(); }
  [[nodiscard]] const std::string& file() const { return source_.path(); }

 private:
  LineSource source_;
  JsonTape tape_;
  OrderCheck order_;
  bool done_ = false;
};

}  // namespace holdfast::verify::trace
