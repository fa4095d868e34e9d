#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "verify/report/result.hpp"

namespace holdfast::verify::report {

/// One way in which a profile breaks a property: the shortest scenario of its kind that was found.
struct FindingResult {
  std::string profile;
  std::string property;
  std::vector<std::string> cause;  ///< variants, "guard=option": without them it does not break it
  bool is_part = false;     ///< they do not break it alone: the profile's others have a part in it
  std::uint64_t steps = 0;  ///< small steps up to the violation
  std::map<std::string, std::int64_t> configuration;  ///< what limits; the rest is roomy
  std::string scenario;                               ///< path of its file
  std::string observed;                               ///< what is wrong in the end
  std::vector<std::string> requests;                  ///< one line each
  std::vector<std::string> trace;                     ///< one line a pass
  std::string unconfirmed;  ///< why its file does not replay as it should; empty if it does

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "finding";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<FindingResult>& all);
  static void print_tables(const All<FindingResult>& all, Page& page);
  static void print_details(const All<FindingResult>& all, Page& page);
};

/// What a hunt has looked at.
struct HuntResult {
  std::string profile;
  std::uint64_t scripts = 0;  ///< configurations, with requests and what happens to them
  std::uint64_t passes = 0;
  std::uint64_t steps = 0;     ///< small steps, every property checked after each
  std::uint64_t given_up = 0;  ///< scripts in which a number left the range of the search
  std::int64_t exhausted = 0;  ///< every script of at most that size was tried
  std::uint64_t seed = 0;
  double seconds = 0;

  // How it is told: result.hpp says what each is for.
  static constexpr std::string_view kind = "hunt";
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Fields fields() const;
  [[nodiscard]] TestCase test_case() const;
  static std::string tally(const All<HuntResult>& all);
  static void print_tables(const All<HuntResult>& all, Page& page);
  static void print_details(const All<HuntResult>& all, Page& page);
};

}  // namespace holdfast::verify::report
