// Whether something good still happens, over any machine-valued reading: no state predicate can say
// that.
//
// Whoever runs the scheduler tells the monitor of every pass, and between passes lets it remember
// where things stand. Where everything stands as before, and the environment goes on as it did in
// between, the same will happen for ever: then the monitor says who gets nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/schedule/steps.hpp"

namespace holdfast::verify::liveness {

/// What happens for ever.
enum class Stall : std::int8_t {
  stuck,    ///< nobody gets a token
  starved,  ///< one gets none, while others do who came after it, and nobody more urgent
  circles,  ///< tokens are given and lost again, nobody ends
};

template <class D>
struct NoProgress {
  Stall stall = Stall::stuck;
  spec::Request<D> request{};  ///< gets nothing; stuck: the first of those who live
  spec::Request<D> served{};   ///< starved: one who gets tokens meanwhile
  std::size_t passes = 0;      ///< after which all stands as before
};

/// For people; `name` says what they call a request.
template <class D, class Name>
std::string text_of(const NoProgress<D>& found, Name&& name) {
  const auto after = found.passes == 1 ? std::string("each pass")
                                       : "every " + std::to_string(found.passes) + " passes";
  const std::string who = name(found.request);
  switch (found.stall) {
    case Stall::stuck:
      return "nothing is in flight, and no pass schedules a token any more; " + who + " is stuck";
    case Stall::starved:
      return who + " gets nothing, while others such as " + name(found.served) +
             ", which came after it, do; after " + after + " all stands as before";
    case Stall::circles: break;
  }
  return "nobody ends, " + who + " neither; after " + after + " all stands as before";
}

template <class D>
class ProgressMonitor {
 public:
  using State = spec::State<D>;
  using Queues = spec::Queues<D>;
  /// What is as before if all stands as before.
  using Key = std::vector<std::int64_t>;

  struct Verdict {
    bool repeats = false;  ///< all stands as before, and the environment can go on as it did
    std::optional<NoProgress<D>> found;
  };

  /// A pass became a step.
  void issued(const D& d, Queues& queues, const spec::Flight<D>& flight) {
    auto& pass = passes_.emplace_back();
    for (const auto& entry : flight.scheduled)
      if (const auto* q = queues.find(entry.request))
        pass.push_back({q->arrival, d.config.priority(entry.request), entry.request});
  }

  /// Between two passes. `environment` is where those stand who drive the scheduler.
  Verdict remember(const D& d, const State& s, const Queues& queues, const Key& environment = {}) {
    Point here{key_of(d, s, queues), passes_.size(), queues.arrivals, {}};
    here.key.insert(here.key.end(), environment.begin(), environment.end());
    for (const auto* queue : {&queues.running, &queues.waiting})
      for (const auto& q : *queue)
        here.live.push_back({q.arrival, d.config.priority(q.request), q.request});
    Verdict verdict;
    for (auto before = points_.rbegin(); before != points_.rend() && !verdict.repeats; ++before)
      if (before->passes < here.passes && before->key == here.key)
        verdict = {true, judge(*before, here, queues.sizes.policy == spec::Policy::priority)};
    points_.push_back(std::move(here));
    return verdict;
  }

 private:
  using Int = spec::Int<D>;
  using Request = spec::Request<D>;

  /// One request that came, not a copy of it.
  struct Visitor {
    Int arrival;
    Int priority;
    Request request;
  };
  struct Point {
    Key key;
    std::size_t passes;
    Int arrivals;
    std::vector<Visitor> live;  ///< in the order of the key
  };

  std::optional<NoProgress<D>> judge(const Point& before, const Point& here,
                                     bool by_priority) const {
    const std::size_t length = here.passes - before.passes;
    std::vector<Visitor> served;
    for (std::size_t n = before.passes; n < here.passes; ++n)
      served.insert(served.end(), passes_[n].begin(), passes_[n].end());
    if (here.live.empty()) return std::nullopt;
    if (served.empty()) return NoProgress<D>{Stall::stuck, here.live.front().request, {}, length};
    for (std::size_t n = 0; n < here.live.size(); ++n) {
      const auto& q = here.live[n];
      // Another one of the same kind in its place would get its turn.
      if (q.arrival != before.live[n].arrival) continue;
      const auto is_q = [&](const Visitor& v) { return v.arrival == q.arrival; };
      // Whoever is more urgent may take all there is.
      const auto is_more_urgent = [&](const Visitor& v) {
        return by_priority && v.priority < q.priority;
      };
      if (std::any_of(served.begin(), served.end(), is_q) ||
          std::any_of(served.begin(), served.end(), is_more_urgent))
        continue;
      for (const auto& v : served)
        if (v.arrival > q.arrival)
          return NoProgress<D>{Stall::starved, q.request, v.request, length};
    }
    if (before.arrivals == here.arrivals)
      return NoProgress<D>{Stall::circles, here.live.front().request, {}, length};
    return std::nullopt;
  }

  // Requests are known by what they are and where they stand, hashes by name.
  static Key key_of(const D& d, const State& s, const Queues& queues) {
    Key key;
    const auto add = [&key](auto... values) {
      (key.push_back(static_cast<std::int64_t>(values)), ...);
    };
    std::vector<Request> live;
    for (const auto* queue : {&queues.running, &queues.waiting}) {
      add(queue->size());
      for (const auto& q : *queue) {
        live.push_back(q.request);
        add_request(d, s, q, add);
      }
    }
    add_ranks(queues, add);
    add(queues.kv_free);
    add_entries(d, s, live, add);
    add_pipeline(d, s, queues, live, add);
    return key;
  }

  template <class Add>
  static void add_request(const D& d, const State& s, const spec::Sequence<D>& q, Add& add) {
    const Request r = q.request;
    const auto& c = d.config;
    add(c.prompt(r), q.max_tokens, q.hit, c.priority(r), c.features(r));
    for (Int i = 0; i < c.features(r); ++i) {
      add(c.start(r, i), c.end(r, i), c.embeds(r, i), c.hash(r, i).id, s.held(r, i),
          s.charged(r, i));
      d.each_run(r, i, [&](Int first, Int count) { add(first, count); });
      add(-1);
    }
    add(s.computed(r), s.placeholders(r), s.status(r), s.forgotten(r), s.credited(r));
    add(q.known, q.drafts, q.placeholders, q.blocks, q.is_chunk, q.drops_stale);
  }

  template <class Add>
  static void add_ranks(const Queues& queues, Add& add) {
    std::vector<Int> arrivals;
    for (const auto* queue : {&queues.running, &queues.waiting})
      for (const auto& q : *queue) arrivals.push_back(q.arrival);
    auto sorted = arrivals;
    std::sort(sorted.begin(), sorted.end());
    for (const auto a : arrivals)
      add(std::lower_bound(sorted.begin(), sorted.end(), a) - sorted.begin());
  }

  template <class Add>
  static void add_entries(const D& d, const State& s, const std::vector<Request>& live, Add& add) {
    add(s.free(), s.reclaimable());
    d.all_hashes([&](spec::Hash<D> h) {
      if (s.weight(h) == 0 && s.worker(h) == 0 && !s.evicted(h) && s.refs.none(h)) return true;
      Int rank = 0;
      if (s.freeable(h) > 0)
        d.all_hashes([&](spec::Hash<D> g) {
          rank += s.freeable(g) > 0 && s.order(g) <= s.order(h);
          return true;
        });
      add(-1, h.id, s.weight(h), s.freeable(h), rank, s.worker(h), s.evicted(h), s.refs.none(h));
      for (const auto r : live) add(s.refs(h, r));
      return true;
    });
  }

  template <class Add>
  static void add_pipeline(const D& d, const State& s, const Queues& queues,
                           const std::vector<Request>& live, Add& add) {
    add(-2, s.issued() - s.delivered(), s.executed() - s.delivered(), s.half_done(), s.missed());
    auto k = s.delivered();
    for (const auto& flight : queues.in_flight) {
      ++k;
      add(-3, flight.is_reset);
      for (const auto& entry : flight.scheduled) {
        const Request r = entry.request;
        const auto place = std::find(live.begin(), live.end(), r) - live.begin();
        add(place, s.step_epoch(k, r) == s.epoch(r), entry.computed, entry.tokens, entry.drafts,
            entry.placeholders, entry.samples, s.step_owed(k, r), s.step_confirmed(k, r));
      }
      if (k <= s.executed()) continue;
      d.all_hashes([&](spec::Hash<D> h) {
        if (s.step_notices(k, h) || s.step_encodes(k, h) > 0)
          add(-4, h.id, s.step_notices(k, h), s.step_encodes(k, h));
        return true;
      });
    }
  }

  std::vector<std::vector<Visitor>> passes_;  // who got tokens
  std::vector<Point> points_;
};

}  // namespace holdfast::verify::liveness
