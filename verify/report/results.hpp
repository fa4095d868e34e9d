// What the commands find, as data. Tables, JSON and JUnit are printed from these and from nothing
// else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace holdfast::verify {

enum class ProofStatus { proved, failed, unknown };

/// One obligation: this path of this rule keeps this property (rule "initial": the base case).
struct ProofResult {
  std::string manager;  ///< decoder_only or encoder_decoder
  std::string property;
  std::string rule;
  std::string path;
  ProofStatus status = ProofStatus::unknown;
  double seconds = 0;
  std::string
      counterexample;  ///< on failure: a smallest pre-state, as text; empty when none was found
};

enum class RefutationStatus { refuted, missed, unknown };

/// One fault: the shortest run that breaks its property.
struct RefutationResult {
  std::string fault;
  std::string property;
  RefutationStatus status = RefutationStatus::unknown;
  std::uint64_t steps = 0;
  std::uint64_t states = 0;
  std::string bmc;       ///< what Z3 said: "confirmed", "confirmed, minimal", or why not
  std::string scenario;  ///< path of the scenario file; empty where none was asked for
  double seconds = 0;
  std::vector<std::string> trace;  ///< one line a step, for people
};

enum class ExplorationStatus { holds, violated, unknown };

/// One exhaustive search at given sizes.
struct ExplorationResult {
  std::map<std::string, std::int64_t> sizes;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  double seconds = 0;
  ExplorationStatus status = ExplorationStatus::unknown;
  std::string property;            ///< the one violated
  std::vector<std::string> trace;  ///< one line a step
};

enum class ReplayStatus { conforms, diverges };

/// One trace or scenario file, run through the model.
struct ReplayResult {
  std::string file;
  std::string profile;
  std::uint64_t events = 0;
  ReplayStatus status = ReplayStatus::conforms;
  std::uint64_t line = 0;  ///< of the divergence; 0 when it conforms
  std::string rule;
  std::string property;
  std::string expected;
  std::string observed;
  std::uint64_t declined = 0;  ///< driving events that the model had no use for under this profile
  double seconds = 0;
};

enum class ReachabilityStatus { reached, unreached, unknown };

/// One path of one rule: whether the proofs speak of something that happens. It is reached when finite
/// sorts have a model of it with every invariant and some explored run takes it; a path that raises is
/// as it should be when neither is so.
struct ReachabilityResult {
  std::string manager;
  std::string rule;
  std::string path;
  bool forbidden = false;  ///< it raises
  bool modelled = false;   ///< the solver has a model
  bool explored = false;   ///< a run takes it
  ReachabilityStatus status = ReachabilityStatus::unknown;
  double seconds = 0;

  [[nodiscard]] bool as_expected() const {
    return status == (forbidden ? ReachabilityStatus::unreached : ReachabilityStatus::reached);
  }
};

using Result = std::variant<ProofResult, ReachabilityResult, RefutationResult, ExplorationResult,
                            ReplayResult>;

/// Everything one command found.
struct Report {
  std::string command;
  std::string profile;
  std::string solver;  ///< "z3 X.Y.Z", empty where no solver ran
  std::vector<Result> results;
  double seconds = 0;
};

/// Exit status of a report: 0 all as expected, 1 a violation or divergence, 3 undecided (1 wins
/// over 3).
int exit_status(const Report& report);

}  // namespace holdfast::verify
