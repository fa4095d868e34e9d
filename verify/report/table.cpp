#include "verify/report/table.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/text.hpp"
#include "verify/report/report.hpp"
#include "verify/report/version.hpp"

namespace holdfast::verify::report {

Mood mood_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::violated:
    case Outcome::found: return Mood::bad;
    case Outcome::unknown: return Mood::unsure;
    case Outcome::proved:
    case Outcome::refuted:
    case Outcome::expected:
    case Outcome::account: break;
  }
  return Mood::good;
}

Mood worse(Mood a, Mood b) {
  if (a == Mood::bad || b == Mood::bad) return Mood::bad;
  return a == Mood::unsure || b == Mood::unsure ? Mood::unsure : Mood::good;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  if (number == 0) return {};
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

// -- paint --

std::string Paint::in(Mood mood, std::string_view text) const {
  return with(mood == Mood::good ? "32" : mood == Mood::bad ? "31" : "33", text);
}

std::string Paint::mark(Mood mood) const {
  return in(mood, mood == Mood::good ? "✓" : mood == Mood::bad ? "✗" : "?");
}

std::string Paint::with(std::string_view code, std::string_view text) const {
  return color_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

// -- grid --

Grid::Grid(std::string title, std::vector<Column> header)
    : title_(std::move(title)), header_(std::move(header)) {}

void Grid::add(Mood mood, std::vector<std::string> cells) {
  rows_.emplace_back(mood, std::move(cells));
}

void Grid::print(std::ostream& out, const Paint& paint) const {
  if (rows_.empty()) return;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < header_.size(); ++i) {
    widths.push_back(columns(header_[i].title));
    for (const auto& [mood, cells] : rows_) widths[i] = std::max(widths[i], columns(cells[i]));
  }
  std::vector<std::string> titles;
  for (const Column& column : header_) titles.push_back(column.title);
  out << '\n' << paint.bold(title_) << '\n';
  out << "    " << paint.faint(aligned(titles, widths)) << '\n';
  for (const auto& [mood, cells] : rows_) {
    out << "  " << paint.mark(mood) << ' ' << aligned(cells, widths) << '\n';
  }
}

std::string Grid::aligned(const std::vector<std::string>& cells,
                          const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - columns(cells[i]), ' ');
    if (i > 0) line += "   ";
    line += header_[i].align == Align::left ? cells[i] + padding : padding + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// -- page --

void Page::title(Mood mood, std::string_view text) {
  out_ << '\n' << paint_.mark(mood) << ' ' << paint_.in(mood, text) << '\n';
}

void Page::indented(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out_ << "    " << text.substr(0, end) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void Page::trace(const std::vector<std::string>& steps) {
  std::size_t number = 0;
  for (const std::string& step : steps) {
    out_ << "    " << paint_.faint(fmt::format("{:>3}", ++number)) << "  " << step << '\n';
  }
}

void Page::fields(const std::vector<std::pair<std::string_view, std::string>>& fields,
                  std::size_t width) {
  for (const auto& [name, value] : fields) {
    if (!value.empty()) out_ << fmt::format("    {:<{}} {}\n", name, width, value);
  }
}

// -- the whole report --

namespace {

void print_summary(const Report& report, const std::vector<std::vector<Result>>& groups,
                   Page& page) {
  const Summary summary = summarize(report);
  std::uint64_t unexpected = 0;
  for (const Result& result : report.results)
    unexpected += result.outcome() == Outcome::violated ? 1 : 0;
  std::vector<std::string> parts;
  const auto part = [&](std::string text) {
    if (!text.empty()) parts.push_back(std::move(text));
  };
  for (const auto& same : groups) {
    // What was looked at is all there is to say where it showed nothing.
    if (same.front().outcome() == Outcome::account && summary.violated > 0) continue;
    part(same.front().tally(same));
  }
  part(counted(unexpected, "not as expected", "not as expected"));
  part(counted(summary.unknown, "undecided", "undecided"));
  if (parts.empty()) parts.emplace_back("nothing was checked");
  const Mood overall = summary.violated > 0  ? Mood::bad
                       : summary.unknown > 0 ? Mood::unsure
                                             : Mood::good;
  const Paint& paint = page.paint();
  page.out() << '\n'
             << paint.mark(overall) << ' '
             << paint.in(overall, fmt::format("{}", fmt::join(parts, ", "))) << paint.faint("  in ")
             << paint.faint(duration(report.seconds)) << '\n';
}

}  // namespace

void print_table(const Report& report, std::ostream& out, bool color) {
  Page page(out, color);
  out << page.paint().bold(fmt::format("holdfast {}", report.command));
  std::vector<std::string> facts{fmt::format("version {}", version())};
  if (!report.profile.empty()) facts.push_back(fmt::format("profile {}", report.profile));
  if (!report.solver.empty()) facts.push_back(report.solver);
  out << page.paint().faint(fmt::format("  {}", fmt::join(facts, " · "))) << '\n';

  const auto groups = by_kind(report);
  for (const auto& same : groups) same.front().print_tables(same, page);
  for (const auto& same : groups) same.front().print_details(same, page);
  print_summary(report, groups, page);
}

}  // namespace holdfast::verify::report
