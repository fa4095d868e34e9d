#include "verify/prove/inductive_subset.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "verify/prove/obligations.hpp"

namespace holdfast::verify::prove {

namespace {

/// An obligation and the lemmas that its proof is known to use; none known: perhaps all.
struct Kept {
  Obligation obligation;
  std::optional<std::vector<std::string>> core;
  std::size_t dropped_then = 0;  ///< how much was dropped already when it was proved
};

class Reduction {
 public:
  Reduction(const Options& options, spec::Manager manager, const Reducing& how)
      : options_(options),
        how_(how),
        system_(context_, std::nullopt, catalogue(manager), options.profile, options.assumptions) {
    for (const auto& task : tasks_of(manager))
      each_obligation(options_, task, system_, [&](const Obligation& o) {
        all_.push_back({o, std::vector<std::string>{}});
      });
    std::stable_partition(all_.begin(), all_.end(), [&](const Kept& k) {
      return how_.first.contains(k.obligation.name.property);
    });
  }

  std::optional<InductiveSubset> run() {
    for (auto& kept : all_) {
      if (is_in_vain_) return std::nullopt;
      settle(kept);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& kept : all_) {
        if (is_in_vain_) return std::nullopt;
        const bool may_fail =
            !kept.core || std::any_of(kept.core->begin(), kept.core->end(),
                                      [&](const auto& lemma) { return dropped_.contains(lemma); });
        if (may_fail && kept.dropped_then < dropped_.size() &&
            !dropped_.contains(kept.obligation.name.property))
          changed |= !settle(kept);
      }
    }
    if (is_in_vain_) return std::nullopt;
    InductiveSubset subset;
    subset.unproved = dropped_;
    for (const auto& kept : all_)
      if (const auto& name = kept.obligation.name.property; !dropped_.contains(name)) {
        subset.proved.insert(name);
        ++subset.obligations;
      }
    return subset;
  }

 private:
  /// Proves it without what is dropped, or drops what it is about.
  bool settle(Kept& kept) {
    const auto& o = kept.obligation;
    kept.dropped_then = dropped_.size();
    if (dropped_.contains(o.name.property)) return false;
    if (o.unchanged) return true;
    const QueryLimits limits{options_.timeout_ms, options_.seed};
    const auto plan = learned_plan().find(o.name);
    if (plan != learned_plan().end()) {
      const auto& core = plan->second;
      const bool stands = std::none_of(core.begin(), core.end(),
                                       [&](const auto& l) { return dropped_.contains(l); });
      if (stands && attempt(context_, o, only(core), limits) == Answer::unsatisfiable) {
        kept.core = core;
        return true;
      }
    }
    kept.core.reset();
    const auto stands = [&](const std::string& name) { return !dropped_.contains(name); };
    if (attempt(context_, o, stands, limits) == Answer::unsatisfiable) return true;
    dropped_.insert(o.name.property);
    is_in_vain_ |= how_.wanted.contains(o.name.property);
    return false;
  }

  const Options& options_;
  const Reducing& how_;
  z3::context context_;
  System system_;
  std::vector<Kept> all_;
  std::set<std::string> dropped_;
  bool is_in_vain_ = false;
};

}  // namespace

std::optional<InductiveSubset> inductive_subset(const Options& options, spec::Manager manager,
                                                const Reducing& how) {
  return Reduction(options, manager, how).run();
}

InductiveSubset inductive_subset(const Options& options, spec::Manager manager) {
  return *inductive_subset(options, manager, {});
}

}  // namespace holdfast::verify::prove
