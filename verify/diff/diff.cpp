#include "verify/diff/diff.hpp"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "spec/profiles/variants.hpp"
#include "verify/base/parallel.hpp"
#include "verify/base/stopwatch.hpp"
#include "verify/hunt/breeder.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/hunt/shrink.hpp"

namespace holdfast::verify::diff {
namespace {

hunt::Outcome run(const hunt::Genes& genes, const spec::Profile& profile, hunt::Watch& watch,
                  Implementation& implementation) {
  implementation.joins(watch);
  return hunt::run_script(hunt::script_of(genes), profile, watch);
}

class Driver {
 public:
  Driver(const Options& options, unsigned which, std::atomic<bool>& stops)
      : options_(options),
        stops_(stops),
        breeder_(options.bounds, options.seed * 1'000'003U + which),
        implementation_(options.implementation()) {}

  void run() {
    try {
      compare();
    } catch (const Interrupted&) {
      stops_ = true;
    }
  }

  [[nodiscard]] const Compared& counts() const { return counts_; }

 private:
  void compare() {
    while (!stops_ && !has_its_share_) {
      const auto genes = breeder_.next();
      hunt::Watch watch;
      watch.coverage = &coverage_;
      const auto outcome = diff::run(genes, options_.profile, watch, *implementation_);
      ++counts_.scripts;
      counts_.passes += outcome.passes;
      counts_.steps += outcome.steps;
      if (genes[hunt::place_of(hunt::OfScript::encoder_decoder)] != 0)
        counts_.encoder_decoder_steps += outcome.steps;
      counts_.events = implementation_->events();
      if (!outcome.differs.empty()) return found(genes, outcome);
      if (!outcome.broken.empty() && spec::variants_in(options_.profile).empty()) {
        counts_.broken = outcome.broken.front().property;
        stops_ = true;
      }
      if (watch.covers_more) breeder_.keep(genes);
      if (counts_.scripts % between_words == 0) tell();
    }
  }

  void found(const hunt::Genes& genes, const hunt::Outcome& outcome) {
    stops_ = true;
    counts_.difference = {.genes = genes,
                          .what = outcome.differs,
                          .steps = outcome.steps,
                          .story = {},
                          .asked = implementation_->asked()};
  }

  void tell() {
    if (options_.on_steps) options_.on_steps(counts_.steps - told_);
    told_ = counts_.steps;
    // Each thread has its share, however fast the others are.
    const auto share = (options_.steps + options_.jobs - 1) / options_.jobs;
    has_its_share_ = options_.steps > 0 && counts_.steps >= share;
    if (options_.stops && options_.stops()) stops_ = true;
  }

  static constexpr std::uint64_t between_words = 256;  ///< in scripts

  const Options& options_;
  std::atomic<bool>& stops_;
  hunt::Breeder breeder_;
  hunt::Coverage coverage_;
  std::unique_ptr<Implementation> implementation_;
  std::uint64_t told_ = 0;
  bool has_its_share_ = false;
  Compared counts_;
};

/// Looks for the smallest script that the two still part in, whatever they part about.
class Shrinking {
 public:
  explicit Shrinking(const Options& options)
      : options_(options), implementation_(options.implementation()) {}

  Difference run(const Difference& found) {
    try {
      return smallest(found);
    } catch (const Interrupted&) {
      return as_found(found, true);
    }
  }

 private:
  Difference smallest(const Difference& found) {
    if (!parts_in(found.genes)) return as_found(found, false);
    implementation_->hurries(true);
    const auto smaller = hunt::shrink(found.genes, options_.bounds,
                                      [this](const auto& genes) { return cost(genes); });
    implementation_->hurries(false);
    if (auto smallest = parts_in(smaller)) return *smallest;
    // What was only slow in a hurry is no difference.
    const auto again = parts_in(found.genes);
    return again ? *again : as_found(found, false);
  }

  std::optional<std::uint64_t> cost(const hunt::Genes& genes) {
    if (implementation_->is_slow() && watch_.seconds() > options_.shrinking_seconds)
      return std::nullopt;
    hunt::Watch watch;
    const auto outcome = diff::run(genes, options_.profile, watch, *implementation_);
    if (outcome.differs.empty()) return std::nullopt;
    return outcome.steps * 1000 + static_cast<std::uint64_t>(hunt::size_of(genes));
  }

  /// With nothing left of what was run before.
  std::optional<Difference> parts_in(const hunt::Genes& genes) {
    implementation_->restarts();
    Difference difference;
    difference.genes = genes;
    difference.story.source = "holdfast diff";
    hunt::Watch watch;
    watch.story = &difference.story;
    const auto outcome = diff::run(genes, options_.profile, watch, *implementation_);
    if (outcome.differs.empty()) return std::nullopt;
    difference.what = outcome.differs;
    difference.steps = outcome.steps;
    difference.asked = implementation_->asked();
    return difference;
  }

  /// The story is the model's alone.
  [[nodiscard]] Difference as_found(Difference found, bool repeats) const {
    found.repeats = repeats;
    found.story.source = "holdfast diff";
    hunt::Watch watch;
    watch.story = &found.story;
    hunt::run_script(hunt::script_of(found.genes), options_.profile, watch);
    return found;
  }

  const Options& options_;
  std::unique_ptr<Implementation> implementation_;
  Stopwatch watch_;
};

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
  if (all.difference) all.difference = Shrinking(options).run(*all.difference);
  return all;
}

}  // namespace holdfast::verify::diff
