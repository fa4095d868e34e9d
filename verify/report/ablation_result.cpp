#include "verify/report/ablation_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {
namespace {

std::string word(AblationVerdict verdict) {
  switch (verdict) {
    case AblationVerdict::needed: return "needed";
    case AblationVerdict::redundant: return "redundant";
    case AblationVerdict::harmful: return "harmful";
    case AblationVerdict::unclaimed: return "unclaimed";
    case AblationVerdict::unknown: break;
  }
  return "unknown";
}

std::string list(const std::vector<std::string>& names) {
  return names.empty() ? std::string("–") : fmt::format("{}", fmt::join(names, ", "));
}

std::string progress_of(const AblationResult& ablation) {
  std::string text = word(ablation.progress);
  if (!ablation.progress_assumes.empty()) text += " (" + ablation.progress_assumes + ")";
  return text;
}

void print_verdicts(const All<AblationResult>& all, Page& page) {
  Grid grid("Guards, each in another way than holdfast's", {{"guard"},
                                                            {"instead"},
                                                            {"safety"},
                                                            {"progress"},
                                                            {"needed for"},
                                                            {"harmful to"},
                                                            {"proved without it", Align::right},
                                                            {"assumptions"}});
  for (const AblationResult* ablation : all) {
    const auto claims = ablation->redundant_for.size() + ablation->needed_for.size() +
                        ablation->harmful_to.size() + ablation->open.size();
    grid.add(mood_of(ablation->outcome()),
             {ablation->guard, ablation->option, word(ablation->safety), progress_of(*ablation),
              list(ablation->needed_for), list(ablation->harmful_to),
              fmt::format("{} of {}", ablation->redundant_for.size(), claims),
              list(ablation->assumptions)});
  }
  page.print(grid);
}

void print_runs(const All<AblationResult>& all, Page& page) {
  Grid grid(
      "Shortest runs that break something; `holdfast replay FILE --profile GUARD=OPTION` ends "
      "there (of an assumption: without --profile)",
      {{"guard"}, {"breaks"}, {"steps", Align::right}, {"scenario"}});
  for (const AblationResult* ablation : all) {
    if (ablation->scenario.empty()) continue;
    const auto& broken = ablation->needed_for.empty() ? ablation->harmful_to : ablation->needed_for;
    grid.add(Mood::good, {ablation->guard + "=" + ablation->option, list(broken),
                          grouped(ablation->steps), ablation->scenario});
  }
  page.print(grid);
}

}  // namespace

Outcome AblationResult::outcome() const {
  return is_decided() ? Outcome::expected : Outcome::unknown;
}

Fields AblationResult::fields() const {
  auto made = assumptions;
  if (!progress_assumes.empty()) made.push_back(progress_assumes + " (for progress alone)");
  return {{"guard", guard},
          {"option", option},
          {"assumptions", made},
          {"safety", word(safety)},
          {"progress", word(progress)},
          {"evidence", scenario.empty() ? Value(obligations) : Value(scenario)},
          {"progress_assumes", progress_assumes},
          {"steps", steps},
          {"needed_for", needed_for},
          {"redundant_for", redundant_for},
          {"harmful_to", harmful_to},
          {"open", open},
          {"obligations", obligations},
          {"seconds", seconds}};
}

TestCase AblationResult::test_case() const {
  return {
      .group = guard,
      .name = fmt::format("{}={} [{}]", guard, option, fmt::join(assumptions, ", ")),
      .seconds = seconds,
      .message = fmt::format("safety: {}, progress: {}", word(safety), word(progress)),
      .detail = fmt::format("needed for: {}\nharmful to: {}\nopen: {}", fmt::join(needed_for, ", "),
                            fmt::join(harmful_to, ", "), fmt::join(open, ", "))};
}

std::string AblationResult::tally(const All<AblationResult>& all) {
  return counted(all.size(), "guard judged", "guards judged");
}

void AblationResult::print_tables(const All<AblationResult>& all, Page& page) {
  print_verdicts(all, page);
  print_runs(all, page);
}

void AblationResult::print_details(const All<AblationResult>& all, Page& page) {
  for (const AblationResult* ablation : all) {
    if (ablation->is_decided()) continue;
    page.title(Mood::unsure,
               fmt::format("{}={} is undecided: neither proved nor broken: {}", ablation->guard,
                           ablation->option, fmt::join(ablation->open, ", ")));
  }
}

}  // namespace holdfast::verify::report
