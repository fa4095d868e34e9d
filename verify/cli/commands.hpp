// The commands: what each is asked with, who answers it, who reads its words. What answers stands
// in engines*.cpp; everything else in this folder parses words and prints reports, and knows
// neither the model nor a solver. Only command.cpp knows CLI11.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "verify/report/report.hpp"
#include "verify/report/status_line.hpp"

namespace holdfast::verify::cli {

// -- names --

enum class NameKind { property, lemma, rule, fault, profile, assumption, guard };

struct Name {
  std::string name;
  std::string summary;  ///< one line
};

/// Everything of that kind, in the order in which people should read it.
std::vector<Name> catalogue(NameKind kind);

/// Every other way of every guard, as a profile says it: "release=optimistic".
std::vector<std::string> guard_options();

// -- what is asked, and who answers --
// Each returns what it found, and throws InputError for input that a person has to mend. Names in
// the options were checked against the catalogue; counts are inside the bounds that the commands
// state.

/// Assumptions by name: made beside the default ones, or not made.
struct AssumptionSwitches {
  std::vector<std::string> made;
  std::vector<std::string> dropped;
};

struct ProveOptions {
  std::string profile = "holdfast";
  std::string property;  ///< empty: all
  std::string rule;      ///< empty: all
  std::uint32_t seed = 0;
  std::uint32_t timeout_ms = 10'000;  ///< per obligation
  std::uint32_t jobs = 1;             ///< threads
  bool all_lemmas = false;            ///< without the learned plan
  bool learn = false;                 ///< renew the plan
  std::filesystem::path plan;         ///< where to write it; empty: where the built-in one is kept
  AssumptionSwitches assumptions;
};
report::Report run_prove(const ProveOptions& options, report::StatusLine& status);

struct ExploreOptions {
  std::string profile = "holdfast";
  std::string property;  ///< empty: all
  std::int64_t requests = 2;
  std::int64_t features = 2;  ///< per request
  std::int64_t hashes = 2;
  std::int64_t capacity = 2;      ///< slots
  std::int64_t budget = 2;        ///< embeds per pass
  std::int64_t depth = 1;         ///< steps in flight
  std::int64_t lookahead = 1;     ///< positions
  std::int64_t drafts = 1;        ///< draft tokens per step, at most
  std::int64_t tokens = 2;        ///< tokens per step, at most
  std::int64_t token_budget = 0;  ///< tokens per pass; 0: as many as its requests like
  std::int64_t hits = 0;          ///< tokens of a prefix hit, at most
  std::int64_t text = 0;          ///< tokens before each feature
  std::int64_t span = 1;          ///< tokens of each feature
  std::int64_t overlap = 0;       ///< tokens that every other feature shares with the one before it
  std::int64_t beyond = 1;        ///< tokens after the last feature
  std::int64_t tail = 0;          ///< tokens at the prompt's end in which no chunk may end
  bool whole_items = false;       ///< items must not be split
  bool disagree = false;          ///< requests disagree about the size of a hash
  bool ranked = false;            ///< the first request is the most urgent
  bool encoder_decoder = false;
  bool lemmas = false;  ///< check the lemmas too
  AssumptionSwitches assumptions;
  std::uint64_t max_states = 100'000'000;
  bool symmetry = true;
};
report::Report run_explore(const ExploreOptions& options, report::StatusLine& status);

struct RefuteOptions {
  std::string fault;  ///< empty: all
  bool bmc = false;   ///< full bounded model checking too
  std::uint32_t seed = 0;
  std::uint32_t timeout_ms = 60'000;  ///< per query
  std::uint32_t jobs = 1;
  std::int64_t bmc_steps = 10;                    ///< what bounded model checking goes up to
  std::filesystem::path scenarios = "scenarios";  ///< folder for scenario files
};
report::Report run_refute(const RefuteOptions& options, report::StatusLine& status);

struct AblateOptions {
  std::string guard;  ///< a guard, GUARD=OPTION or an assumption; empty: all
  std::uint32_t seed = 0;
  std::uint32_t timeout_ms = 2'000;  ///< per query
  std::uint32_t jobs = 1;
  std::filesystem::path scenarios = "scenarios";  ///< folder for scenario files
};
report::Report run_ablate(const AblateOptions& options, report::StatusLine& status);

struct HuntOptions {
  std::string profile = "holdfast";
  std::string property;       ///< empty: all
  std::int64_t seconds = 60;  ///< 0: no limit
  std::int64_t scripts = 0;   ///< 0: no limit
  std::uint32_t seed = 0;
  std::uint32_t jobs = 1;
  std::string sizes;                              ///< "requests=2,length=4"; may be empty
  std::filesystem::path scenarios = "scenarios";  ///< folder for scenario files
};
report::Report run_hunt(const HuntOptions& options, report::StatusLine& status);

struct DiffOptions {
  std::string against = "impl";      ///< or "exec:COMMAND"
  std::int64_t answer_seconds = 10;  ///< that COMMAND may take for one answer
  std::int64_t steps = 0;            ///< of the model; 0: no limit
  std::int64_t seconds = 60;         ///< 0: no limit
  std::uint32_t seed = 0;
  std::uint32_t jobs = 1;
  std::string sizes;                              ///< "requests=2,length=4"; may be empty
  std::filesystem::path scenarios = "scenarios";  ///< folder for the scenario file
  bool exhaustive = false;  ///< instead of random scripts, every state at given sizes
};
report::Report run_diff(const DiffOptions& options, report::StatusLine& status);
/// `run_diff` where it is to be exhaustive. Steps, seconds, seed and sizes of its own are refused.
report::Report run_exhaustion(const DiffOptions& options, report::StatusLine& status);

struct ReplayOptions {
  std::string profile = "holdfast";
  std::string against = "model";  ///< or "impl", the library
  std::vector<std::filesystem::path> files;
};
report::Report run_replay(const ReplayOptions& options, report::StatusLine& status);

struct CheckOptions {
  std::string profile = "holdfast";
  std::uint32_t seed = 0;
  std::uint32_t timeout_ms = 10'000;
  std::uint32_t jobs = 1;
  std::filesystem::path scenarios = "scenarios";  ///< folder for scenario files
  std::vector<std::filesystem::path> traces;      ///< to replay: files, or folders of them
};
report::Report run_check(const CheckOptions& options, report::StatusLine& status);

/// The spec as a Markdown book.
std::string run_spec();

/// "z3 X.Y.Z", of the library that is loaded.
std::string solver_version();

// -- words --
// How each is called: X_command.cpp.

class CommandLine;

void add_list_command(CommandLine& line);
void add_prove_command(CommandLine& line);
void add_explore_command(CommandLine& line);
void add_refute_command(CommandLine& line);
void add_replay_command(CommandLine& line);
void add_spec_command(CommandLine& line);
void add_ablate_command(CommandLine& line);
void add_hunt_command(CommandLine& line);
void add_diff_command(CommandLine& line);
void add_check_command(CommandLine& line);

/// In the order of `holdfast --help`.
inline constexpr void (*all_commands[])(CommandLine&) = {
    add_list_command,   add_prove_command, add_explore_command, add_refute_command,
    add_replay_command, add_spec_command,  add_ablate_command,  add_hunt_command,
    add_diff_command,   add_check_command};

}  // namespace holdfast::verify::cli
