#include "verify/trace/reader.hpp"

#include <string_view>
#include <utility>

#include "verify/base/errors.hpp"
#include "verify/trace/form.hpp"
#include "verify/trace/line_error.hpp"

namespace holdfast::verify::trace {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

TraceReader::TraceReader(std::string path, const ReaderOptions& options)
    : source_(std::move(path), options.max_line_bytes), order_(options.spans) {}

std::optional<Event> TraceReader::next() {
  if (std::exchange(done_, true)) return std::nullopt;
  const std::optional<std::string_view> line = source_.next();
  if (!line) {
    if (source_.line() == 0) throw InputError(file(), 1, "empty file; expected a header");
    return std::nullopt;
  }
  try {
    if (line->starts_with(byte_order_mark)) {
      throw LineError("byte order mark; expected UTF-8 without one");
    }
    if (line->find_first_not_of(" \t\r") == std::string_view::npos) {
      throw LineError("blank line; expected one JSON object a line");
    }
    std::optional<Event> event = parse_event(tape_.parse(*line));
    order_.take(*event);
    done_ = false;
    return event;
  } catch (const LineError& error) {
    throw InputError(file(), source_.line(), error.what());
  }
}

}  // namespace holdfast::verify::trace
