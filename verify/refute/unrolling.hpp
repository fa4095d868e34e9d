// The symbolic reading unrolled over finite sorts: states 0..n, each following from the one before
// by a rule. The rules are those of the proofs; only quantifiers and sums are spelled out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/explore/run.hpp"
#include "verify/explore/walk.hpp"
#include "verify/prove/query.hpp"
#include "verify/prove/system.hpp"

namespace holdfast::verify::refute {

class Unrolling {
 public:
  /// The workload's sizes are the universe; its configuration is fixed. With `choices`, what a pass
  /// gives a request goes no further than in an exploration.
  Unrolling(const Workload& workload, int steps, const spec::Profile& profile,
            const spec::Assumptions& assumptions, std::optional<explore::Choices> choices = {});

  /// Adds a state that follows by `rule`, on any of its paths, with any parameters.
  void follow(const std::string& rule);
  /// Adds a state that follows by any rule.
  void follow_any();

  /// Whether some run of this shape ends in a violation of the property, or, with `anywhere`, has
  /// one at any of its states.
  prove::Answer violates(const std::string& property, const prove::QueryLimits& limits,
                         bool anywhere = false);

 private:
  void follow_paths(std::vector<prove::RulePath> paths);

  z3::context context_;
  symbolic::Universe universe_;
  symbolic::UseUniverse in_use_;
  const prove::Catalogue& catalogue_;
  symbolic::Reading reading_;
  std::optional<explore::Choices> choices_;
  z3::solver solver_;
  std::vector<symbolic::State> states_;
};

}  // namespace holdfast::verify::refute
