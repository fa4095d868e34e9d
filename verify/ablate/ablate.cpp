#include "verify/ablate/ablate.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "verify/ablate/dropped.hpp"
#include "verify/ablate/searches.hpp"
#include "verify/hunt/hunt.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/prove/inductive_subset.hpp"
#include "verify/prove/parallel.hpp"
#include "verify/prove/system.hpp"
#include "verify/replay/scenario.hpp"
#include "verify/trace/events_file.hpp"

namespace holdfast::verify::ablate {

namespace {

/// Enough for every fault that a hunt finds, many times over.
constexpr std::uint64_t scripts_to_try = 60'000;

bool concerns_progress(const std::string& property) { return property == "progress" || property == "nobody-overtakes"; }

/// What people read of: the properties and rankings that are proved of `holdfast`.
std::set<std::string> claims(spec::Manager manager) {
  std::set<std::string> names;
  const auto& outline = prove::catalogue(manager).outline;
  for (const auto& invariant : outline.invariants)
    if (!invariant.is_lemma) names.insert(invariant.name);
  for (const auto& ranking : outline.rankings) names.insert(ranking.name);
  return names;
}

prove::ProveOptions proof_options(const Dropped& dropped, const Options& options) {
  prove::ProveOptions to;
  to.profile = dropped.profile;
  to.assumptions = dropped.assumptions;
  to.seed = options.seed;
  to.timeout_ms = options.timeout_ms;
  return to;
}

class Row {
 public:
  Row(const Dropped& dropped, const Options& options) : dropped_(dropped), options_(options) {
    result_.guard = dropped.guard;
    result_.option = dropped.option;
    result_.says = dropped.says;
    result_.assumptions = names_of(dropped.assumptions);
  }

  AblationResult judge() {
    const auto subset = prove::inductive_subset(proof_options(dropped_, options_), dropped_.manager);
    result_.obligations = subset.obligations;
    std::vector<std::string> unproved;
    for (const auto& claim : claims(dropped_.manager))
      (subset.proved.contains(claim) ? result_.redundant_for : unproved).push_back(claim);
    for (const bool thorough : {false, true}) {
      // Once something is broken, what else rests on it is of less interest.
      if (thorough && !result_.scenario.empty()) break;
      std::size_t looked_for = 0;
      std::erase_if(unproved, [&](const std::string& claim) {
        return !(thorough && ++looked_for > 2) && look_for_run(claim, thorough);
      });
    }
    result_.open = std::move(unproved);
    result_.safety = verdict([](const std::string& p) { return !concerns_progress(p); });
    result_.progress = verdict(concerns_progress);
    return std::move(result_);
  }

 private:
  /// A run that breaks the claim is evidence; what asks for more than `holdfast` does harm by it.
  bool look_for_run(const std::string& claim, bool thorough) {
    auto file = concerns_progress(claim) ? hunt_down() : explore_down(claim, thorough);
    if (!file) return false;
    (dropped_.is_extra ? result_.harmful_to : result_.needed_for).push_back(claim);
    if (result_.scenario.empty()) result_.scenario = *file;
    return true;
  }

  std::optional<std::string> explore_down(const std::string& claim, bool thorough) {
    const auto run = find_violation(dropped_, claim, thorough);
    if (!run) return std::nullopt;
    return write(claim, scenario_of(*run, dropped_.profile));
  }

  /// A stuck state or a starved request needs the whole pass.
  std::optional<std::string> hunt_down() {
    if (hunted_) return *hunted_;
    hunted_.emplace();
    hunt::Settings settings;
    settings.profile = dropped_.profile;
    settings.property = "progress";
    settings.seed = options_.seed;
    settings.scripts = scripts_to_try;
    const auto found = hunt::hunt(settings);
    if (found.findings.empty()) return std::nullopt;
    const auto script = hunt::script_of(found.findings.front().genes);
    hunt::Story story;
    hunt::Watch watch{.until = "progress", .story = &story};
    hunt::run_script(script, dropped_.profile, watch);
    *hunted_ = write("progress", story.events);
    return *hunted_;
  }

  std::string write(const std::string& claim, const std::vector<trace::Event>& events) const {
    if (options_.scenarios.empty()) return "none";
    const auto path = options_.scenarios / fmt::format("ablate-{}-{}-{}.jsonl", dropped_.guard, dropped_.option, claim);
    trace::write_events(events, path);
    return path.string();
  }

  template <class Concerns>
  AblationVerdict verdict(Concerns&& concerns) const {
    const auto any = [&](const std::vector<std::string>& names) { return std::any_of(names.begin(), names.end(), concerns); };
    if (any(result_.harmful_to)) return AblationVerdict::harmful;
    if (any(result_.needed_for)) return AblationVerdict::needed;
    return any(result_.open) ? AblationVerdict::unknown : AblationVerdict::redundant;
  }

  Dropped dropped_;
  const Options& options_;
  AblationResult result_;
  std::optional<std::optional<std::string>> hunted_;
};

/// The same with a further assumption, where that makes the guard redundant for safety.
std::optional<AblationResult> judge_under(Dropped dropped, const spec::Assumption& further, const Options& options) {
  if (dropped.assumptions.*further.made || dropped.guard == further.name) return std::nullopt;
  dropped.assumptions.*further.made = true;
  const auto subset = prove::inductive_subset(proof_options(dropped, options), dropped.manager);
  AblationResult result{dropped.guard, dropped.option, dropped.says, names_of(dropped.assumptions)};
  result.obligations = subset.obligations;
  result.safety = AblationVerdict::redundant;
  result.progress = AblationVerdict::redundant;
  for (const auto& claim : claims(dropped.manager)) {
    if (subset.proved.contains(claim)) {
      result.redundant_for.push_back(claim);
    } else if (concerns_progress(claim)) {
      result.progress = AblationVerdict::unknown;
      result.open.push_back(claim);
    } else {
      return std::nullopt;
    }
  }
  return result.progress == AblationVerdict::redundant ? std::optional(result) : std::nullopt;
}

std::vector<AblationResult> judge(const Dropped& dropped, const Options& options) {
  std::vector<AblationResult> all;
  all.push_back(Row(dropped, options).judge());
  if (all.front().safety != AblationVerdict::needed && all.front().safety != AblationVerdict::unknown) return all;
  for (const auto& further : spec::assumptions)
    if (auto more = judge_under(dropped, further, options)) all.push_back(std::move(*more));
  return all;
}

}  // namespace

std::vector<AblationResult> ablate(const Options& options, const OnResult& on_result) {
  std::vector<Dropped> rows;
  for (const auto& row : all_dropped())
    if (options.guard.empty() || options.guard == row.guard) rows.push_back(row);
  std::vector<std::vector<AblationResult>> results(rows.size());
  std::mutex telling;
  const prove::Worker work = [&](std::size_t n) {
    const auto start = std::chrono::steady_clock::now();
    results[n] = judge(rows[n], options);
    results[n].front().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::lock_guard lock(telling);
    if (on_result)
      for (const auto& result : results[n]) on_result(result);
  };
  prove::in_parallel(options.jobs, rows.size(), [&] { return work; });
  std::vector<AblationResult> flat;
  for (auto& some : results) std::move(some.begin(), some.end(), std::back_inserter(flat));
  return flat;
}

}  // namespace holdfast::verify::ablate
