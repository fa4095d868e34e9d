// `holdfast diff`.
#include <chrono>
#include <string_view>

#include "verify/base/errors.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/cli/interrupts.hpp"
#include "verify/diff/diff.hpp"
#include "verify/diff/difference_result.hpp"
#include "verify/diff/exec/command.hpp"
#include "verify/report/diff_result.hpp"

namespace holdfast::verify::cli {
namespace {

constexpr std::string_view exec_word = "exec:";

/// What is behind a pipe is a manager of decoder-only models.
hunt::Bounds decoder_only(const std::string& sizes) {
  if (sizes.find("encoder_decoder") == std::string::npos)
    return hunt::Bounds(sizes.empty() ? "encoder_decoder=0" : sizes + ",encoder_decoder=0");
  hunt::Bounds asked(sizes);
  if (asked[hunt::place_of(hunt::OfScript::encoder_decoder)] != 0)
    throw InputError(
        "--sizes: expected encoder_decoder=0 beside --against exec:COMMAND, which is the manager "
        "of decoder-only models");
  return asked;
}

/// What --against says.
void choose_implementation(const DiffOptions& asked, diff::Options& options) {
  if (!asked.against.starts_with(exec_word)) return;
  options.bounds = decoder_only(asked.sizes);
  options.implementation =
      diff::exec::make_command({.command = asked.against.substr(exec_word.size()),
                                .answer_time = std::chrono::seconds(asked.answer_seconds),
                                .interrupted = [] { return Interrupts::came(); }});
}

}  // namespace

report::Report run_diff(const DiffOptions& asked, report::StatusLine& status) {
  const bool is_exec = asked.against.starts_with(exec_word);
  if (asked.exhaustive && is_exec)
    throw InputError(
        "--exhaustive: expected --against impl; what is behind a pipe is run with "
        "random scripts");
  if (asked.exhaustive) return run_exhaustion(asked, status);
  const Stopwatch watch;
  const auto seconds = static_cast<double>(asked.seconds);
  diff::Options options;
  options.bounds = hunt::Bounds(asked.sizes);
  options.seed = asked.seed;
  options.jobs = asked.jobs;
  options.steps = static_cast<std::uint64_t>(asked.steps);
  options.stops = [&] { return Interrupts::came() || (seconds > 0 && watch.seconds() > seconds); };
  options.on_steps = [&](std::uint64_t steps) { status.advance(steps, ""); };
  choose_implementation(asked, options);
  const auto files = diff::files_in(asked.scenarios, is_exec);
  diff::expect_writable(files);
  status.start("comparing, small steps", options.steps);
  diff::Compared compared;
  {
    const Interrupts interrupts;
    compared = diff::compare(options);
  }
  if (!compared.broken.empty())
    throw InputError("the model breaks " + compared.broken +
                     " under holdfast: `holdfast hunt` tells how; nothing was compared");
  report::DiffResult result;
  result.against = asked.against;
  result.seed = asked.seed;
  result.scripts = compared.scripts;
  result.passes = compared.passes;
  result.steps = compared.steps;
  result.encoder_decoder_steps = compared.encoder_decoder_steps;
  result.events = compared.events;
  if (compared.events == 0) result.status = report::DiffStatus::unknown;
  if (compared.difference) diff::tell(*compared.difference, files, result);
  result.seconds = watch.seconds();
  report::Report report;
  report.command = "diff";
  report.profile = "holdfast";
  report.results.emplace_back(result);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
