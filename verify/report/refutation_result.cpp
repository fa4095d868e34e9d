#include "verify/report/refutation_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/base/text.hpp"
#include "verify/report/table.hpp"

namespace holdfast::verify::report {
namespace {

std::string word(RefutationStatus status) {
  switch (status) {
    case RefutationStatus::refuted: return "refuted";
    case RefutationStatus::missed: return "missed";
    case RefutationStatus::unknown: break;
  }
  return "unknown";
}

void print_detail(const RefutationResult& refutation, bool is_only, Page& page) {
  switch (refutation.status) {
    case RefutationStatus::missed:
      page.title(Mood::bad, fmt::format("{} was not refuted: nothing breaks {}", refutation.fault,
                                        refutation.property));
      break;
    case RefutationStatus::unknown:
      page.title(Mood::unsure, fmt::format("{} undecided: {}", refutation.fault, refutation.bmc));
      break;
    case RefutationStatus::refuted:
      if (!is_only || refutation.trace.empty()) return;
      page.title(Mood::good, fmt::format("{} breaks {} in {} steps", refutation.fault,
                                         refutation.property, refutation.steps));
      break;
  }
  page.trace(refutation.trace);
}

}  // namespace

Outcome RefutationResult::outcome() const {
  switch (status) {
    case RefutationStatus::refuted: return Outcome::refuted;
    case RefutationStatus::missed: return Outcome::violated;
    case RefutationStatus::unknown: break;
  }
  return Outcome::unknown;
}

Fields RefutationResult::fields() const {
  return {{"fault", fault},   {"property", property}, {"status", word(status)}, {"steps", steps},
          {"states", states}, {"bmc", bmc},           {"scenario", scenario}};
}

TestCase RefutationResult::test_case() const {
  return {.group = property,
          .name = fault,
          .seconds = seconds,
          .message = fmt::format("{}: {}", fault, word(status)),
          .detail = fmt::format("{}\n{}", bmc, fmt::join(trace, "\n"))};
}

std::string RefutationResult::tally(const All<RefutationResult>& all) {
  return counted(count(all, Outcome::refuted), "refuted", "refuted");
}

void RefutationResult::print_tables(const All<RefutationResult>& all, Page& page) {
  Grid grid("Refutations, by a shortest run", {{"fault"},
                                               {"property"},
                                               {"steps", Align::right},
                                               {"states", Align::right},
                                               {"Z3"},
                                               {"scenario"}});
  for (const RefutationResult* refutation : all) {
    const bool found = refutation->status == RefutationStatus::refuted;
    grid.add(mood_of(refutation->outcome()),
             {refutation->fault, refutation->property,
              found ? grouped(refutation->steps) : word(refutation->status),
              grouped(refutation->states), refutation->bmc, refutation->scenario});
  }
  page.print(grid);
}

void RefutationResult::print_details(const All<RefutationResult>& all, Page& page) {
  for (const RefutationResult* refutation : all) print_detail(*refutation, all.size() == 1, page);
}

}  // namespace holdfast::verify::report
