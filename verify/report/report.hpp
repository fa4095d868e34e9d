// A report, printed for people (a table), for programs (JSON) and for CI systems (JUnit). The
// printers know no kind of result: each says itself what there is to print (result.hpp).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

/// Everything one command found.
struct Report {
  std::string command;
  std::string profile;
  std::string solver;  ///< "z3 X.Y.Z", empty where no solver ran
  std::vector<Result> results;
  double seconds = 0;
};

/// The results by their kind, in the order in which the kinds come in the report.
std::vector<std::vector<Result>> by_kind(const Report& report);

/// What the summary counts. Every result falls under at most one of the first four; an exploration
/// that holds and a replay that conforms are as expected but neither proved nor refuted (a bounded
/// result is never called a proof).
struct Summary {
  std::uint64_t proved = 0;   ///< proofs that closed
  std::uint64_t refuted = 0;  ///< faults whose property was broken, as expected
  std::uint64_t violated =
      0;  ///< failed proofs, missed faults, violated explorations, divergences, findings
  std::uint64_t unknown = 0;  ///< what no answer was found for; never success
  double seconds = 0;         ///< wall-clock time of the whole command
};

Summary summarize(const Report& report);

/// Exit status of a report: 0 all as expected, 1 a violation or divergence, 3 undecided (1 wins
/// over 3).
int exit_status(const Report& report);

/// For people: the tables of each kind, below them in full what went wrong, and one line that
/// counts. `color`: ANSI colours.
void print_table(const Report& report, std::ostream& out, bool color);

/// For programs: the form that issue 3 fixes. Field names and nesting are stable.
void print_json(const Report& report, std::ostream& out);

/// JUnit XML: one suite per kind of result, one test case per result. A violation is a <failure>,
/// an undecided result an <error>.
void print_junit(const Report& report, std::ostream& out);

}  // namespace holdfast::verify::report
