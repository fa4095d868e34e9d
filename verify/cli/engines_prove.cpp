// `holdfast prove`.
#include <algorithm>
#include <filesystem>

#include "spec/faults.hpp"
#include "verify/base/atomic_file.hpp"
#include "verify/base/errors.hpp"
#include "verify/cli/commands.hpp"
#include "verify/cli/engine_support.hpp"
#include "verify/prove/prove.hpp"
#include "verify/prove/query.hpp"

namespace holdfast::verify::cli {

namespace {

constexpr const char* kept_at = "verify/prove/learned_plan.inc";

void write_plan(const prove::LemmaPlan& plan, std::filesystem::path path) {
  if (path.empty()) {
    path = kept_at;
    if (!std::filesystem::exists(path))
      throw InputError(std::string("--learn writes ") + kept_at +
                       " of the source tree: run it from there, or name a FILE");
  }
  AtomicFile file(path);
  file.stream() << "R\"plan(\n" << prove::to_text(plan) << ")plan\"\n";
  file.commit();
}

}  // namespace

prove::Options proof_options(const std::string& profile, std::uint32_t seed,
                             std::uint32_t timeout_ms, std::uint32_t jobs) {
  prove::Options options;
  options.profile = *spec::profile_named(profile);
  options.seed = seed;
  options.timeout_ms = timeout_ms;
  options.jobs = jobs;
  return options;
}

report::Report run_prove(const ProveOptions& asked, report::StatusLine& status) {
  const Stopwatch watch;
  auto options = proof_options(asked.profile, asked.seed, asked.timeout_ms, asked.jobs);
  options.all_lemmas = asked.all_lemmas;
  options.assumptions = assumptions_of(asked.assumptions);
  if (!asked.rule.empty()) options.rule = asked.rule;
  if (!asked.property.empty()) {
    const auto names = prove::invariant_names();
    if (std::find(names.begin(), names.end(), asked.property) == names.end())
      throw InputError(asked.property +
                       " is not proved by induction; `holdfast explore --property " +
                       asked.property + "` and `holdfast refute` speak of it");
    options.property = asked.property;
  }
  if (asked.learn) {
    status.start("learning which lemmas are needed", 0);
    write_plan(prove::learn_plan(options), asked.plan);
  }
  status.start("proving", 0);
  report::Report report;
  report.command = "prove";
  report.profile = asked.profile;
  report.solver = prove::solver_version();
  for (auto& result :
       prove::prove(options, [&](const report::ProofResult& r) { status.advance(1, r.rule); }))
    report.results.emplace_back(std::move(result));
  if (report.results.empty())
    throw InputError("no obligation: " + asked.property +
                     " does not concern the manager whose rule " + asked.rule + " is");
  report.seconds = watch.seconds();
  return report;
}

}  // namespace holdfast::verify::cli
