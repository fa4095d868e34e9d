#include "verify/cli/output.hpp"

#include <iostream>
#include <optional>

#include "verify/base/atomic_file.hpp"
#include "verify/base/errors.hpp"

namespace holdfast::verify::cli {
namespace {

/// Standard output, or the file that was asked for.
class Output {
 public:
  explicit Output(const OutputOptions& options)
      : color_(options.output.empty() && !options.no_color && report::color_wanted()) {
    if (!options.output.empty()) file_.emplace(options.output);
  }

  [[nodiscard]] std::ostream& stream() { return file_ ? file_->stream() : std::cout; }
  [[nodiscard]] bool color() const { return color_; }

  void finish() {
    if (file_) {
      file_->commit();
    } else if (!std::cout.flush()) {
      throw InputError("standard output cannot be written");
    }
  }

 private:
  std::optional<AtomicFile> file_;
  bool color_;
};

}  // namespace

int deliver(const OutputOptions& options,
            const std::function<report::Report(report::StatusLine&)>& engine) {
  Output output(options);
  report::Report report;
  {
    report::StatusLine status;
    report = engine(status);
  }
  switch (options.format) {
    case Format::table: report::print_table(report, output.stream(), output.color()); break;
    case Format::json: report::print_json(report, output.stream()); break;
    case Format::junit: report::print_junit(report, output.stream()); break;
  }
  output.finish();
  return report::exit_status(report);
}

int deliver_text(const OutputOptions& options, const std::function<std::string()>& text) {
  Output output(options);
  output.stream() << text();
  output.finish();
  return 0;
}

}  // namespace holdfast::verify::cli
