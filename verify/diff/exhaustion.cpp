#include "verify/diff/exhaustion.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spec/schedule/scheduler.hpp"
#include "verify/base/parallel.hpp"
#include "verify/diff/driving.hpp"
#include "verify/diff/lockstep.hpp"

namespace holdfast::verify::diff {
namespace {

/// A state between two driving events, and how it was reached.
struct Reached {
  std::uint32_t before = 0;
  Driving event;
};

/// One workload, breadth first.
class Search {
 public:
  Search(const hunt::Script& script, const ExhaustionOptions& options, std::atomic<bool>& stops)
      : script_(script), options_(options), stops_(stops), machine_(script, options.profile) {}

  Exhausted run() {
    out_.workloads = 1;
    reached_.push_back({});
    auto initial = machine_.initial();
    seen_.insert(machine_.key(initial));
    keep(std::move(initial), 0);
    for (; !frontier_.empty() && !stops_; frontier_.pop_front()) {
      auto [standing, number] = std::move(frontier_.front());
      const auto way = way_to(number);
      for (auto& event : machine_.enabled(standing))
        if (!take(standing, number, way, event)) return std::move(out_);
      if (reached_.size() > options_.max_states || (options_.stops && options_.stops()))
        stops_ = true;
    }
    out_.is_complete = frontier_.empty();
    return std::move(out_);
  }

 private:
  /// False where they part, or the model breaks a property.
  bool take(const Standing& standing, std::uint32_t number, const std::vector<Driving>& way,
            Driving& event) {
    ++out_.events;
    auto next = standing;
    try {
      Lockstep lockstep;
      lockstep.begins(script_);
      lockstep.compares(false);
      for (const auto& past : way) machine_.tell(lockstep, past, standing);
      lockstep.compares(true);
      out_.steps += machine_.take(next, event, lockstep);
    } catch (const hunt::Differs& differs) {
      out_.difference = differs.what;
    } catch (const spec::Refused& refused) {
      out_.broken = fmt::format("progress ({} is refused)", refused.rule);
    }
    if (!machine_.broken().empty()) out_.broken = machine_.broken();
    if (!out_.difference.empty() || !out_.broken.empty()) {
      for (const auto& past : way) out_.way.push_back(text_of(past));
      out_.way.push_back(text_of(event));
      stops_ = true;
      return false;
    }
    machine_.settle(next);
    if (!seen_.insert(machine_.key(next)).second) return true;
    reached_.push_back({number, std::move(event)});
    out_.deepest = std::max<std::uint64_t>(out_.deepest, way.size() + 1);
    keep(std::move(next), static_cast<std::uint32_t>(reached_.size() - 1));
    return true;
  }

  void keep(Standing standing, std::uint32_t number) {
    ++out_.states;
    frontier_.emplace_back(std::move(standing), number);
  }

  [[nodiscard]] std::vector<Driving> way_to(std::uint32_t number) const {
    std::vector<Driving> way;
    for (; number != 0; number = reached_[number].before) way.push_back(reached_[number].event);
    std::reverse(way.begin(), way.end());
    return way;
  }

  const hunt::Script& script_;
  const ExhaustionOptions& options_;
  std::atomic<bool>& stops_;
  Machine machine_;
  std::vector<Reached> reached_;
  std::deque<std::pair<Standing, std::uint32_t>> frontier_;
  std::unordered_set<std::string> seen_;
  Exhausted out_;
};

hunt::Script script_of(const Workload& workload, const ExhaustionOptions& options) {
  hunt::Script script;
  script.workload = workload;
  script.workload.requests.clear();
  script.policy = options.policy;
  script.draft_tokens = options.sizes.drafts;
  script.kv_blocks = options.kv_blocks;
  script.threshold = options.threshold;
  script.max_num_seqs = options.sizes.requests;
  const int margin = spec::limit_margin<hunt::Reading>(workload.depth, options.sizes.drafts);
  for (auto request : workload.requests) {
    request.limit = request.prompt + options.max_tokens + margin;
    // The first positions of a span have its embeddings.
    for (auto& f : request.features)
      if (f.embeds < f.end - f.start) f.mask = {{0, f.embeds}};
    script.max_model_len = std::max(script.max_model_len, request.limit);
    script.requests.push_back({.request = request, .max_tokens = options.max_tokens});
  }
  return script;
}

}  // namespace

Exhausted exhaust(const ExhaustionOptions& options) {
  const auto workloads = explore::workloads(options.sizes);
  std::atomic<bool> stops = false;
  std::mutex adding;
  Exhausted all;
  in_parallel(options.jobs, workloads.size(), [&](std::size_t n) {
    if (stops) return;
    const auto script = script_of(workloads[n], options);
    auto one = Search(script, options, stops).run();
    const std::lock_guard lock(adding);
    all.workloads += one.workloads;
    all.states += one.states;
    all.events += one.events;
    all.steps += one.steps;
    all.deepest = std::max(all.deepest, one.deepest);
    all.is_complete &= one.is_complete;
    if (all.difference.empty() && all.broken.empty()) {
      all.difference = std::move(one.difference);
      all.broken = std::move(one.broken);
      all.way = std::move(one.way);
    }
  });
  all.is_complete &= all.workloads == workloads.size() && !stops;
  return all;
}

}  // namespace holdfast::verify::diff
