#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::verify::replay {

/// Where the model and the file part. Thrown: a replay ends with the first.
struct Divergence {
  std::uint64_t line = 0;
  std::string rule;
  std::string property;
  std::string expected;  ///< what the model says
  std::string observed;  ///< what the file says, or what is wrong with the state
};

/// What a comparison needs to say of its place.
struct Place {
  std::uint64_t line = 0;
  std::string_view rule;
  std::string about = {};  ///< "free_request of r3"; may be empty
};

[[noreturn]] inline void diverge(const Place& place, std::string_view property,
                                 std::string expected, std::string observed) {
  if (!place.about.empty()) expected = place.about + ": " + expected;
  throw Divergence{place.line, std::string(place.rule), std::string(property), std::move(expected),
                   std::move(observed)};
}

}  // namespace holdfast::verify::replay
