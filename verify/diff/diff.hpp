// Drives the model and the implementation through the scripts of a hunt, in lock step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "verify/diff/implementation.hpp"
#include "verify/diff/library.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/hunt/script.hpp"

namespace holdfast::verify::diff {

struct Options {
  /// Of the model. The implementation is `holdfast`: of another profile they are to part.
  spec::Profile profile;
  MakeImplementation implementation = make_library;  ///< one for each thread, one for shrinking
  hunt::Bounds bounds;
  std::uint64_t seed = 0;
  unsigned jobs = 1;            ///< threads
  std::uint64_t steps = 0;      ///< ends after about so many small steps; 0: when it is told to
  std::function<bool()> stops;  ///< asked now and then, from any thread; may be empty
  /// Told of further small steps, from any thread; may be empty.
  std::function<void(std::uint64_t steps)> on_steps;
  /// Shrinking ends then, if the implementation is a slow one.
  double shrinking_seconds = 20;
};

/// A script in which the two part, made as small as it can easily be.
struct Difference {
  hunt::Genes genes{};
  std::string what;                     ///< both states, side by side
  std::uint64_t steps = 0;              ///< small steps of the model up to it
  hunt::Story story;                    ///< of the model, up to there
  std::vector<std::string> asked = {};  ///< the lines that another process was given
  /// They part in this script whatever the implementation did before. If not, the script is as it
  /// was found.
  bool repeats = true;
};

struct Compared {
  std::uint64_t scripts = 0;
  std::uint64_t passes = 0;
  std::uint64_t steps = 0;  ///< small steps of the model, every property checked after each
  std::uint64_t encoder_decoder_steps = 0;  ///< of these, with that manager
  std::uint64_t events = 0;  ///< driving events, both states compared after each; or answers
  std::string broken;        ///< a property that the model breaks; then nothing is to be compared
  std::optional<Difference> difference;  ///< the first that was found
};

Compared compare(const Options& options);

}  // namespace holdfast::verify::diff
