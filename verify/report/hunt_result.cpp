#include "verify/report/hunt_result.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {
namespace {

std::string cause_of(const FindingResult& finding) {
  if (finding.cause.empty()) return "the profile itself";
  return fmt::format("{}{}", fmt::join(finding.cause, " and "),
                     finding.is_part ? " and others" : "");
}

/// What limits; the rest is roomy.
std::string configuration_of(const FindingResult& finding) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : finding.configuration)
    parts.push_back(fmt::format("{} {}", name, value));
  return parts.empty() ? std::string("roomy") : fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace

// -- findings --

Outcome FindingResult::outcome() const { return Outcome::found; }

Fields FindingResult::fields() const {
  return {
      {"profile", profile}, {"property", property},           {"cause", cause},
      {"steps", steps},     {"configuration", configuration}, {"scenario", scenario},
      {"part", is_part},    {"observed", observed},           {"confirmed", unconfirmed.empty()}};
}

TestCase FindingResult::test_case() const {
  return {.group = property,
          .name = fmt::format("{}: {} [{}]", profile, property, fmt::join(cause, ", ")),
          .message = fmt::format("{} breaks {}: {}", profile, property, observed),
          .detail = fmt::format("{}\n{}\n{}", scenario, fmt::join(requests, "\n"),
                                fmt::join(trace, "\n"))};
}

std::string FindingResult::tally(const All<FindingResult>& all) {
  return counted(all.size(), "finding", "findings");
}

void FindingResult::print_tables(const All<FindingResult>& all, Page& page) {
  Grid grid("Findings, each by a short scenario",
            {{"property"}, {"cause"}, {"steps", Align::right}, {"scenario"}});
  for (const FindingResult* finding : all)
    grid.add(finding->unconfirmed.empty() ? Mood::bad : Mood::unsure,
             {finding->property, cause_of(*finding), grouped(finding->steps), finding->scenario});
  page.print(grid);
}

void FindingResult::print_details(const All<FindingResult>& all, Page& page) {
  for (const FindingResult* finding : all) {
    page.title(Mood::bad, fmt::format("{}: {}", finding->property, finding->observed));
    page.fields({{"cause", cause_of(*finding)},
                 {"configuration", configuration_of(*finding)},
                 {"scenario", finding->scenario},
                 {"unconfirmed", finding->unconfirmed}},
                13);
    for (const auto& request : finding->requests) page.out() << "    " << request << '\n';
    for (const auto& line : finding->trace) page.out() << "      " << line << '\n';
  }
}

// -- hunts --

Outcome HuntResult::outcome() const { return Outcome::account; }

Fields HuntResult::fields() const {
  return {{"profile", profile}, {"scripts", scripts},   {"passes", passes},
          {"steps", steps},     {"given_up", given_up}, {"exhausted", exhausted},
          {"seed", seed},       {"seconds", seconds}};
}

TestCase HuntResult::test_case() const {
  return {.group = "whole-pass",
          .name = fmt::format("{}, seed {}", profile, seed),
          .seconds = seconds,
          .message = fmt::format("{} scripts, {} passes, {} steps", scripts, passes, steps)};
}

std::string HuntResult::tally(const All<HuntResult>& all) {
  return counted(all.size(), "hunt without a finding", "hunts without a finding");
}

void HuntResult::print_tables(const All<HuntResult>& all, Page& page) {
  Grid grid("Hunts, every property after every small step", {{"profile"},
                                                             {"scripts", Align::right},
                                                             {"passes", Align::right},
                                                             {"small steps", Align::right},
                                                             {"all up to size", Align::right},
                                                             {"seed", Align::right},
                                                             {"time", Align::right}});
  for (const HuntResult* hunt : all)
    grid.add(Mood::good, {hunt->profile, grouped(hunt->scripts), grouped(hunt->passes),
                          grouped(hunt->steps), std::to_string(hunt->exhausted),
                          std::to_string(hunt->seed), duration(hunt->seconds)});
  page.print(grid);
}

void HuntResult::print_details(const All<HuntResult>&, Page&) {}

}  // namespace holdfast::verify::report
