// What is left of the invariants where a profile or an assumption breaks some of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "spec/state.hpp"
#include "verify/prove/prove.hpp"

namespace holdfast::verify::prove {

struct InductiveSubset {
  std::set<std::string> proved;  ///< properties, lemmas and rankings that hold
  std::set<std::string>
      unproved;  ///< for these there is no proof; whether they are false is another question
  std::uint64_t obligations = 0;  ///< of those that hold
};

/// What may end the reduction early.
struct Reducing {
  std::set<std::string> first;   ///< obligations of these are tried first
  std::set<std::string> wanted;  ///< once one of these is left out, the rest is of no interest
};

/// The largest set of invariants that hold initially, that every rule keeps if they hold before it,
/// and what follows from them: those that fail are left out until nothing fails. What the solver
/// leaves undecided is left out too. None where something wanted is left out. On the calling
/// thread.
std::optional<InductiveSubset> inductive_subset(const Options& options, spec::Manager manager,
                                                const Reducing& how);
InductiveSubset inductive_subset(const Options& options, spec::Manager manager);

}  // namespace holdfast::verify::prove
