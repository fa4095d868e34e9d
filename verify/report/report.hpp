// A report, printed for people (a table), for programs (JSON) and for CI systems (JUnit).
#pragma once

#include <cstdint>
#include <iosfwd>

#include "verify/report/results.hpp"

namespace holdfast::verify {

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

/// For people. Proofs are grouped by property; what went wrong is printed in full below the tables;
/// the trace of a refuted fault is printed when it is the only one. `color`: ANSI colours.
void print_table(const Report& report, std::ostream& out, bool color);

/// For programs: the form that issue 3 fixes. Field names and nesting are stable.
void print_json(const Report& report, std::ostream& out);

/// JUnit XML: one suite per kind of result, one test case per result. A violation is a <failure>,
/// an undecided result an <error>.
void print_junit(const Report& report, std::ostream& out);

}  // namespace holdfast::verify
