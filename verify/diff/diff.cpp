#include "verify/diff/diff.hpp"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "spec/profiles/variants.hpp"
#include "verify/base/parallel.hpp"
#include "verify/diff/lockstep.hpp"
#include "verify/hunt/breeder.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/hunt/shrink.hpp"

namespace holdfast::verify::diff {
namespace {

hunt::Outcome run(const hunt::Genes& genes, const spec::Profile& profile, hunt::Watch& watch,
                  Lockstep& lockstep) {
  watch.companion = &lockstep;
  return hunt::run_script(hunt::script_of(genes), profile, watch);
}

class Driver {
 public:
  Driver(const Options& options, unsigned which, std::atomic<bool>& stops)
      : options_(options),
        stops_(stops),
        breeder_(options.bounds, options.seed * 1'000'003U + which) {}

  void run() {
    while (!stops_ && !has_its_share_) {
      const auto genes = breeder_.next();
      hunt::Watch watch;
      watch.coverage = &coverage_;
      const auto outcome = diff::run(genes, options_.profile, watch, lockstep_);
      ++counts_.scripts;
      counts_.passes += outcome.passes;
      counts_.steps += outcome.steps;
      if (genes[hunt::place_of(hunt::OfScript::encoder_decoder)] != 0)
        counts_.encoder_decoder_steps += outcome.steps;
      counts_.events = lockstep_.events();
      if (!outcome.differs.empty()) return found(genes, outcome);
      if (!outcome.broken.empty() && spec::variants_in(options_.profile).empty()) {
        counts_.broken = outcome.broken.front().property;
        stops_ = true;
      }
      if (watch.covers_more) breeder_.keep(genes);
      if (counts_.scripts % 256 == 0) tell();
    }
  }

  [[nodiscard]] const Compared& counts() const { return counts_; }

 private:
  void found(const hunt::Genes& genes, const hunt::Outcome& outcome) {
    stops_ = true;
    counts_.difference = {genes, outcome.differs, outcome.steps};
  }

  void tell() {
    if (options_.on_steps) options_.on_steps(counts_.steps - told_);
    told_ = counts_.steps;
    // Each thread has its share, however fast the others are.
    const auto share = (options_.steps + options_.jobs - 1) / options_.jobs;
    has_its_share_ = options_.steps > 0 && counts_.steps >= share;
    if (options_.stops && options_.stops()) stops_ = true;
  }

  const Options& options_;
  std::atomic<bool>& stops_;
  hunt::Breeder breeder_;
  hunt::Coverage coverage_;
  Lockstep lockstep_;
  std::uint64_t told_ = 0;
  bool has_its_share_ = false;
  Compared counts_;
};

/// The smallest script that the two still part in, whatever they part about.
Difference smallest(const Difference& difference, const Options& options) {
  const auto cost = [&](const hunt::Genes& genes) -> std::optional<std::uint64_t> {
    Lockstep lockstep;
    hunt::Watch watch;
    const auto outcome = run(genes, options.profile, watch, lockstep);
    if (outcome.differs.empty()) return std::nullopt;
    return outcome.steps * 1000 + static_cast<std::uint64_t>(hunt::size_of(genes));
  };
  const auto genes = hunt::shrink(difference.genes, options.bounds, cost);
  Lockstep lockstep;
  hunt::Watch watch;
  const auto outcome = run(genes, options.profile, watch, lockstep);
  return {genes, outcome.differs, outcome.steps};
}

}  // namespace

Compared compare(const Options& options) {
  std::atomic<bool> stops = false;
  std::vector<std::unique_ptr<Driver>> drivers;
  for (unsigned n = 0; n < options.jobs; ++n)
    drivers.push_back(std::make_unique<Driver>(options, n, stops));
  in_parallel(options.jobs, drivers.size(), [&](std::size_t n) {
    try {
      drivers[n]->run();
    } catch (...) {
      stops = true;
      throw;
    }
  });
  Compared all;
  for (const auto& driver : drivers) {
    const auto& counts = driver->counts();
    all.scripts += counts.scripts;
    all.passes += counts.passes;
    all.steps += counts.steps;
    all.encoder_decoder_steps += counts.encoder_decoder_steps;
    all.events += counts.events;
    if (all.broken.empty()) all.broken = counts.broken;
    if (!all.difference) all.difference = counts.difference;
  }
  if (all.difference) all.difference = smallest(*all.difference, options);
  return all;
}

}  // namespace holdfast::verify::diff
