// Inductive proofs: each path of each rule keeps each invariant, and the initial state has them
// all. There are no sizes: any number of requests, hashes, features, positions, slots and passes in
// flight.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spec/profiles/profile.hpp"
#include "verify/prove/lemma_plan.hpp"
#include "verify/report/proof_result.hpp"

namespace holdfast::verify::prove {

struct Options {
  spec::Profile profile;
  spec::Assumptions assumptions;
  std::optional<std::string> property;  ///< only this one, and every lemma that its proof uses
  std::set<std::string> beside;         ///< proved beside `property`
  std::optional<std::string> rule;      ///< only this rule; "initial": only the base case
  unsigned seed = 0;
  unsigned timeout_ms = 10'000;  ///< per query
  unsigned jobs = 0;             ///< threads; 0: one per core
  bool all_lemmas = false;       ///< do without the learned plan
};

/// Told after each obligation; called from the proving threads, one at a time.
using OnProof = std::function<void(const report::ProofResult&)>;

/// The obligations of both managers, in the order of the catalogue. A failed one has a smallest
/// pre-state over finite sorts as its counterexample, if there is one. Of one property, those of
/// the lemmas too that its proof uses, and that theirs do: else it would be proved only if they
/// hold. With a `rule`, what that rule has to keep, if all the rest holds.
std::vector<report::ProofResult> prove(const Options& options, const OnProof& on_proof = {});

/// The plan as minimised unsat cores of every obligation of the profile.
LemmaPlan learn_plan(const Options& options);

/// Every rule, property and lemma that an obligation can name, "initial" included.
std::vector<std::string> rule_names();
std::vector<std::string> invariant_names();

/// One rule path that finite sorts can take together with every invariant.
struct PathWitness {
  std::string manager;
  std::string rule;
  std::string path;
  bool forbidden = false;  ///< a path that raises: here the invariants must exclude it
  enum class Status { possible, impossible, unknown } status = Status::unknown;
  double seconds = 0;
};

/// Non-vacuity: the same formulas over 2 requests, 2 features, 2 hashes and at most 3 passes.
std::vector<PathWitness> path_witnesses(const Options& options);

}  // namespace holdfast::verify::prove
