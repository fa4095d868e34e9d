// Looks for what a profile does wrong: every script of a small size, and between them scripts at
// random, each run through the whole scheduler.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "verify/hunt/cause.hpp"
#include "verify/hunt/script.hpp"

namespace holdfast::verify::hunt {

struct Options {
  spec::Profile profile;
  std::string property;  ///< only this one; empty: all
  Bounds bounds;
  std::uint64_t seed = 0;
  unsigned jobs = 1;  ///< threads; with more than one, what is found depends on their timing
  std::uint64_t scripts = 0;    ///< ends after about so many; 0: goes on until it is told to stop
  std::function<bool()> stops;  ///< asked now and then, from any thread; may be empty
  /// Told of scripts tried and findings, from any thread; may be empty.
  std::function<void(std::uint64_t scripts, std::uint64_t findings)> on_scripts;
};

/// One way to break a property, by a script that cannot easily be made smaller.
struct Finding {
  std::string_view property;
  Cause cause;
  Genes genes{};
};

struct Hunted {
  std::vector<Finding> findings;  ///< in the order of the properties
  std::uint64_t scripts = 0;      ///< configurations with what happens in them
  std::uint64_t passes = 0;
  std::uint64_t steps = 0;     ///< small steps, every property checked after each
  std::uint64_t given_up = 0;  ///< scripts in which a number left its range
  int exhausted = -1;          ///< every script of at most that size was tried
};

Hunted hunt(const Options& options);

}  // namespace holdfast::verify::hunt
