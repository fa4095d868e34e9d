#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/verify/report/sample_report.hpp"
#include "verify/report/report.hpp"

namespace holdfast::verify::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string junit_of(const Report& report) {
  std::ostringstream out;
  print_junit(report, out);
  return out.str();
}

/// Whether a real XML parser takes it.
bool well_formed(const std::string& xml) {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("holdfast-junit-{}.xml", ::getpid());
  std::ofstream(file) << xml;
  const std::string command =
      "python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' " + file.string();
  const int status = std::system(command.c_str());
  std::filesystem::remove(file);
  return status == 0;
}

TEST(Junit, CountsCasesBySuite) {
  const std::string xml = junit_of(all_as_expected());
  EXPECT_TRUE(well_formed(xml)) << xml;
  EXPECT_THAT(xml, HasSubstr(R"(<testsuites name="holdfast check" tests="4" failures="0")"));
  EXPECT_THAT(xml, HasSubstr(R"(<testsuite name="proof" tests="1" failures="0" errors="0")"));
  EXPECT_THAT(
      xml,
      HasSubstr(R"(classname="holdfast.proof.exact-slots" name="decoder_only: allocate [fits]")"));
  EXPECT_THAT(xml, Not(HasSubstr("<failure")));
}

TEST(Junit, TellsFailuresFromErrors) {
  Report report = with_result(a_proof(ProofStatus::failed));
  report.results.push_back(a_proof(ProofStatus::unknown));
  const std::string xml = junit_of(report);
  EXPECT_TRUE(well_formed(xml)) << xml;
  EXPECT_THAT(xml, HasSubstr(R"(<testsuite name="proof" tests="3" failures="1" errors="1")"));
  EXPECT_THAT(xml, HasSubstr("weight[h0] = 2"));
  EXPECT_THAT(xml, HasSubstr("<error "));
}

TEST(Junit, OfAHunt) {
  Report report{.command = "hunt", .results = {a_hunt(), a_finding()}};
  const std::string xml = junit_of(report);
  EXPECT_TRUE(well_formed(xml)) << xml;
  EXPECT_THAT(xml, HasSubstr(R"(<testsuite name="finding" tests="1" failures="1" errors="0")"));
  EXPECT_THAT(xml, HasSubstr(R"(<testsuite name="hunt" tests="1" failures="0" errors="0")"));
  EXPECT_THAT(xml, HasSubstr("pass 1: r0 arrives"));
}

TEST(Junit, EscapesWhatXmlCannotHold) {
  ReplayResult replay = a_replay(ReplayStatus::diverges);
  replay.expected = "<a & \"b\">\n]]>\x01\xff";
  const std::string xml = junit_of(with_result(replay));
  EXPECT_TRUE(well_formed(xml)) << xml;
}

TEST(Junit, OfNothingIsWellFormed) { EXPECT_TRUE(well_formed(junit_of(Report{}))); }

}  // namespace
}  // namespace holdfast::verify::report
