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
};

enum class ReachabilityStatus { reached, unreached, unknown };

/// One path of one rule: whether the proofs speak of something that happens. It is reached when
/// finite sorts have a model of it with every invariant and some explored run takes it; a path that
/// raises is as it should be when neither is so.
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

enum class AblationVerdict {
  needed,
  redundant,
  harmful,
  unclaimed,  ///< nothing of that kind is proved of the manager in any case
  unknown,
};

/// One guard or assumption dropped, or asked for more than `holdfast` does: what is still proved,
/// and what a run breaks.
struct AblationResult {
  std::string guard;
  std::string option;  ///< what takes its place
  std::string says;
  std::vector<std::string> assumptions;  ///< made all the same
  AblationVerdict safety = AblationVerdict::unknown;
  AblationVerdict progress = AblationVerdict::unknown;
  std::string progress_assumes;  ///< a further assumption under which alone progress is proved; may
                                 ///< be empty
  std::vector<std::string> needed_for;     ///< properties that a run breaks without it
  std::vector<std::string> redundant_for;  ///< properties proved without it
  std::vector<std::string> harmful_to;     ///< properties that a run breaks because of it
  std::vector<std::string>
      open;  ///< neither proved nor broken: their proofs rest on what is broken
  std::uint64_t obligations = 0;  ///< proved without it
  std::string scenario;           ///< the shortest run that breaks one, as a file; may be empty
  std::uint64_t steps = 0;        ///< of that run
  double seconds = 0;

  [[nodiscard]] bool is_decided() const {
    return safety != AblationVerdict::unknown && progress != AblationVerdict::unknown;
  }
};

using Result = std::variant<ProofResult, ReachabilityResult, RefutationResult, ExplorationResult,
                            ReplayResult, AblationResult, FindingResult, HuntResult>;

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
