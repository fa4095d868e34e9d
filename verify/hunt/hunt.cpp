#include "verify/hunt/hunt.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "verify/base/parallel.hpp"
#include "verify/hunt/breeder.hpp"
#include "verify/hunt/enumeration.hpp"
#include "verify/hunt/findings.hpp"
#include "verify/hunt/outcome.hpp"

namespace holdfast::verify::hunt {
namespace {

/// Scripts up to that size come before any other.
constexpr int first_size = 5;
/// Then so many at random and so many larger ones take turns.
constexpr std::uint64_t at_random = 3000, in_order = 1000;

class Hunter {
 public:
  Hunter(const Options& options, Findings& findings, unsigned which, std::atomic<bool>& stops)
      : options_(options),
        findings_(findings),
        which_(which),
        stops_(stops),
        enumeration_(options.bounds),
        breeder_(options.bounds, options.seed * 1000003U + which) {}

  void run() {
    while (enumeration_.size() <= first_size && enumerate()) {
    }
    while (!is_over()) {
      for (std::uint64_t n = 0; n < at_random && !is_over(); ++n) {
        const Genes genes = breeder_.next();
        // Every other one without what is found already, which hides what comes behind it.
        if (try_one(genes, n % 2 == 1 ? findings_.relieved() : options_.profile))
          breeder_.keep(genes);
      }
      for (std::uint64_t n = 0; n < in_order && enumerate(); ++n) {
      }
    }
  }

  [[nodiscard]] const Hunted& counts() const { return counts_; }

 private:
  /// The next script by size that is this thread's. False where it stops.
  bool enumerate() {
    for (unsigned n = 0; n < options_.jobs; ++n) {
      const Genes* genes = is_over() ? nullptr : enumeration_.next();
      if (genes == nullptr) return false;
      counts_.exhausted = enumeration_.size() - 1;
      if (n == which_ && try_one(*genes, options_.profile)) breeder_.keep(*genes);
    }
    return true;
  }

  /// Whether it led somewhere new.
  bool try_one(const Genes& genes, const spec::Profile& profile) {
    Watch watch;
    watch.coverage = &coverage_;
    const auto outcome = run_script(script_of(genes), profile, watch);
    ++counts_.scripts;
    counts_.passes += outcome.passes;
    counts_.steps += outcome.steps;
    counts_.given_up += outcome.overflows;
    if (!outcome.broken.empty()) findings_.consider(genes, outcome);
    if (counts_.scripts % 256 == 0) tell();
    return watch.covers_more;
  }

  void tell() {
    if (options_.on_scripts) options_.on_scripts(256, findings_.count());
    if (options_.scripts > 0 && counts_.scripts >= options_.scripts / options_.jobs)
      has_its_share_ = true;
    if (options_.stops && options_.stops()) stops_ = true;
  }

  /// Each thread has its share, however fast the others are.
  [[nodiscard]] bool is_over() const { return stops_ || has_its_share_; }

  const Options& options_;
  Findings& findings_;
  const unsigned which_;
  bool has_its_share_ = false;
  std::atomic<bool>& stops_;
  Enumeration enumeration_;
  Breeder breeder_;
  Coverage coverage_;
  Hunted counts_;
};

}  // namespace

Hunted hunt(const Options& options) {
  Findings findings(options);
  std::atomic<bool> stops = false;
  std::vector<std::unique_ptr<Hunter>> hunters;
  for (unsigned n = 0; n < options.jobs; ++n)
    hunters.push_back(std::make_unique<Hunter>(options, findings, n, stops));
  in_parallel(options.jobs, hunters.size(), [&](std::size_t n) {
    try {
      hunters[n]->run();
    } catch (...) {
      stops = true;  // nobody goes on for a hunt that has failed
      throw;
    }
  });
  Hunted all;
  all.exhausted = hunters.front()->counts().exhausted;
  for (const auto& hunter : hunters) {
    const auto& counts = hunter->counts();
    all.scripts += counts.scripts;
    all.passes += counts.passes;
    all.steps += counts.steps;
    all.given_up += counts.given_up;
    all.exhausted = std::min(all.exhausted, counts.exhausted);
  }
  all.findings = findings.take();
  return all;
}

}  // namespace holdfast::verify::hunt
