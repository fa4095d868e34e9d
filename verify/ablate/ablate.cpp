#include "verify/ablate/ablate.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "spec/claims/properties.hpp"
#include "spec/profiles/assumptions.hpp"
#include "verify/ablate/dropped.hpp"
#include "verify/ablate/searches.hpp"
#include "verify/base/errors.hpp"
#include "verify/base/parallel.hpp"
#include "verify/base/stopwatch.hpp"
#include "verify/explore/explore.hpp"
#include "verify/hunt/finding_result.hpp"
#include "verify/hunt/hunt.hpp"
#include "verify/prove/inductive_subset.hpp"
#include "verify/prove/system.hpp"
#include "verify/replay/driven/scenario.hpp"
#include "verify/replay/replay.hpp"
#include "verify/trace/events_file.hpp"

namespace holdfast::verify::ablate {

namespace {

/// Of the whole pass, where the theorems do not speak of the guard.
constexpr std::uint64_t scripts_to_try = 100'000;

/// States of each workload: first few, for every claim; then many, while nothing of its kind is
/// broken.
constexpr std::uint64_t few_states = 100'000, many_states = 1'000'000;

/// The properties and rankings that people read of.
struct Claims {
  std::set<std::string> safety;
  std::set<std::string> progress;
  std::set<std::string> explored;  ///< safety that is not proved of `holdfast` either
};

Claims claims_of(spec::Manager manager) {
  Claims claims;
  const auto& outline = prove::catalogue(manager).outline;
  for (const auto& invariant : outline.invariants)
    if (!invariant.is_lemma)
      (invariant.name == spec::Progress::info.name ? claims.progress : claims.safety)
          .insert(invariant.name);
  for (const auto& ranking : outline.rankings) claims.progress.insert(ranking.name);
  for (const auto& property : prove::catalogue(manager).properties)
    if (!claims.safety.contains(property.name) && !claims.progress.contains(property.name))
      claims.explored.insert(property.name);
  return claims;
}

std::set<std::string> those_in(const std::set<std::string>& all,
                               const std::set<std::string>& some) {
  std::set<std::string> both;
  std::set_intersection(all.begin(), all.end(), some.begin(), some.end(),
                        std::inserter(both, both.end()));
  return both;
}

class Row {
 public:
  Row(const Dropped& dropped, const Options& options)
      : dropped_(dropped), options_(options), claims_(claims_of(dropped.manager)) {
    result_ = blank(dropped);
    dropped_.profile.name = name_;
  }

  std::vector<report::AblationResult> judge() {
    const auto base = prove::inductive_subset(proof_options(dropped_), dropped_.manager);
    result_.obligations = base.obligations;
    result_.safety = judge(claims_.safety, base);
    if (explored_is_broken()) result_.safety = broken_verdict();
    result_.progress = judge(claims_.progress, base);
    if (dropped_.of_the_pass)
      result_.progress = hunt_down() ? broken_verdict() : report::AblationVerdict::unclaimed;
    std::vector<report::AblationResult> all;
    const bool is_settled = result_.safety == report::AblationVerdict::redundant &&
                            result_.progress == report::AblationVerdict::redundant;
    if (!is_settled && !dropped_.of_the_pass)
      for (const auto& further : spec::assumptions)
        if (auto more = judge_under(further, base)) all.push_back(std::move(*more));
    all.insert(all.begin(), std::move(result_));
    return all;
  }

 private:
  static report::AblationResult blank(const Dropped& dropped) {
    report::AblationResult result;
    result.guard = dropped.guard;
    result.option = dropped.option;
    result.says = dropped.says;
    result.assumptions = names_of(dropped.assumptions);
    return result;
  }

  [[nodiscard]] prove::Options proof_options(const Dropped& dropped) const {
    prove::Options to;
    to.profile = dropped.profile;
    to.assumptions = dropped.assumptions;
    to.seed = options_.seed;
    to.timeout_ms = options_.timeout_ms;
    return to;
  }

  /// What is not proved any more is to be broken by a run. Once something of the kind is, what else
  /// rests on it is of less interest.
  report::AblationVerdict judge(const std::set<std::string>& claims,
                                const prove::InductiveSubset& subset) {
    if (claims.empty()) return report::AblationVerdict::unclaimed;
    std::vector<std::string> unproved;
    for (const auto& claim : claims)
      (subset.proved.contains(claim) ? result_.redundant_for : unproved).push_back(claim);
    if (unproved.empty()) return report::AblationVerdict::redundant;
    const auto before = unproved.size();
    for (const auto most_states : {few_states, many_states})
      if (unproved.size() == before)
        std::erase_if(unproved,
                      [&](const std::string& claim) { return is_broken(claim, most_states); });
    const bool is_any_broken = unproved.size() < before;
    result_.open.insert(result_.open.end(), unproved.begin(), unproved.end());
    return is_any_broken ? broken_verdict() : report::AblationVerdict::unknown;
  }

  /// Where a claim that a run breaks is told.
  std::vector<std::string>& broken() {
    return dropped_.is_extra ? result_.harmful_to : result_.needed_for;
  }
  [[nodiscard]] report::AblationVerdict broken_verdict() const {
    return dropped_.is_extra ? report::AblationVerdict::harmful : report::AblationVerdict::needed;
  }

  bool explored_is_broken() {
    return std::count_if(claims_.explored.begin(), claims_.explored.end(),
                         [&](const std::string& claim) { return is_broken(claim, few_states); }) >
           0;
  }

  /// A request that gets nothing for ever, by the whole pass.
  bool hunt_down() {
    hunt::Options options;
    options.profile = dropped_.profile;
    options.property = spec::Progress::info.name;
    options.seed = options_.seed;
    options.scripts = scripts_to_try;
    const auto found = hunt::hunt(options);
    if (found.findings.empty()) return false;
    std::erase(result_.redundant_for, options.property);
    broken().push_back(options.property);
    if (options_.scenarios.empty()) return true;
    const auto told =
        hunt::result_of(found.findings.front(), dropped_.profile, path_of(options.property));
    result_.scenario = told.scenario;
    result_.steps = told.steps;
    return told.unconfirmed.empty();
  }

  /// A run that breaks the claim is evidence; what asks for more than `holdfast` does harm by it.
  bool is_broken(const std::string& claim, std::uint64_t most_states) {
    const auto run = find_violation(dropped_, claim, most_states, [&](const explore::Run& r) {
      return events_of(r, claim).has_value();
    });
    if (!run) return false;
    broken().push_back(claim);
    if (!options_.scenarios.empty()) write(*run, claim);
    broken_by_.emplace(claim, *run);
    return true;
  }

  /// No proof can close under these assumptions either: one of the runs is one of theirs.
  [[nodiscard]] bool is_broken_under(const spec::Assumptions& assumptions,
                                     const std::set<std::string>& claims) const {
    return std::any_of(broken_by_.begin(), broken_by_.end(), [&](const auto& broken) {
      const auto& [claim, run] = broken;
      try {
        return claims.contains(claim) &&
               explore::check_run(run, dropped_.profile, assumptions, claim).property == claim;
      } catch (const InputError&) {
        return false;
      }
    });
  }

  /// The run as a file that ends, replayed, in a violation of the claim; none where a file can't
  /// say it.
  std::optional<std::vector<trace::Event>> events_of(const explore::Run& run,
                                                     const std::string& claim) const {
    const auto source = fmt::format("holdfast ablate {} {}", name_, claim);
    try {
      auto events = replay::scenario_of(run, dropped_.profile, source);
      replay::Options settings;
      settings.property = claim;
      if (replay::replay_events(events, dropped_.profile, settings).property == claim)
        return events;
    } catch (const std::invalid_argument&) {
    }
    return std::nullopt;
  }

  [[nodiscard]] std::filesystem::path path_of(const std::string& claim) const {
    return options_.scenarios /
           fmt::format("ablate-{}-{}-{}.jsonl", dropped_.guard, dropped_.option, claim);
  }

  /// The shortest is the evidence.
  void write(const explore::Run& run, const std::string& claim) {
    const auto path = path_of(claim);
    trace::write_events(*events_of(run, claim), path);
    const auto steps = run.actions.size();
    if (!result_.scenario.empty() && result_.steps <= steps) return;
    result_.scenario = path.string();
    result_.steps = steps;
  }

  /// The same with a further assumption: another row where everything is proved then; where that
  /// settles progress alone, a word in this one.
  std::optional<report::AblationResult> judge_under(const spec::Assumption& further,
                                                    const prove::InductiveSubset& base) {
    auto dropped = dropped_;
    if (dropped.assumptions.*further.made || dropped.guard == further.name) return std::nullopt;
    dropped.assumptions.*further.made = true;
    const bool wants_progress = result_.progress == report::AblationVerdict::unknown;
    auto wanted = those_in(claims_.progress, base.unproved);
    if (!wants_progress) {
      wanted.merge(those_in(claims_.safety, base.unproved));
      wanted.insert(claims_.explored.begin(), claims_.explored.end());
    }
    if (is_broken_under(dropped.assumptions, wanted)) return std::nullopt;
    const auto subset = prove::inductive_subset(proof_options(dropped), dropped.manager,
                                                {.first = base.unproved, .wanted = wanted});
    if (!subset) return std::nullopt;
    const auto is_proved = [&](const std::set<std::string>& claims) {
      return those_in(claims, subset->proved) == claims;
    };
    if (wants_progress && is_proved(claims_.progress)) {
      result_.progress = report::AblationVerdict::redundant;
      result_.progress_assumes = further.name;
      std::erase_if(result_.open,
                    [&](const std::string& claim) { return claims_.progress.contains(claim); });
    }
    if (!is_proved(claims_.safety) || !is_proved(claims_.progress)) return std::nullopt;
    auto result = blank(dropped);
    result.obligations = subset->obligations;
    result.safety = report::AblationVerdict::redundant;
    result.progress = claims_.progress.empty() ? report::AblationVerdict::unclaimed
                                               : report::AblationVerdict::redundant;
    for (const auto* claims : {&claims_.safety, &claims_.progress})
      result.redundant_for.insert(result.redundant_for.end(), claims->begin(), claims->end());
    return result;
  }

  Dropped dropped_;
  const std::string name_ = dropped_.guard + "=" + dropped_.option;
  const Options& options_;
  Claims claims_;
  report::AblationResult result_;
  std::map<std::string, explore::Run> broken_by_;
};

}  // namespace

std::vector<report::AblationResult> ablate(const Options& options, const OnResult& on_result) {
  std::vector<Dropped> rows;
  for (const auto& row : all_dropped())
    if (options.guard.empty() || options.guard == row.guard ||
        options.guard == row.guard + "=" + row.option)
      rows.push_back(row);
  if (!options.scenarios.empty()) trace::expect_writable(options.scenarios / "ablate.jsonl");
  std::vector<std::vector<report::AblationResult>> results(rows.size());
  std::mutex telling;
  const auto work = [&](std::size_t n) {
    const Stopwatch watch;
    results[n] = Row(rows[n], options).judge();
    results[n].front().seconds = watch.seconds();
    const std::lock_guard lock(telling);
    if (on_result)
      for (const auto& result : results[n]) on_result(result);
  };
  in_parallel(options.jobs, rows.size(), work);
  std::vector<report::AblationResult> flat;
  for (auto& some : results) std::move(some.begin(), some.end(), std::back_inserter(flat));
  return flat;
}

}  // namespace holdfast::verify::ablate
