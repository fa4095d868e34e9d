// Exploration as nobody would do it: sets of whole states, parameters by brute force, no clever
// form. It shares the rules and the reading with the real one, and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "spec/catalogue.hpp"
#include "verify/explore/walk.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify::naive {

/// Steps are never renumbered, so this many bound the depth: one a pass, one a reset.
inline constexpr int most_steps = 14;
using D = compact::Reading<2, 2, 2, most_steps>;
using State = spec::State<D>;
using Request = D::Request;
using Hash = D::Hash;
using Numbers = std::vector<int>;

struct Counts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  bool operator==(const Counts&) const = default;
};

/// What a rule or a property can ask of a state, when requests and hashes are called by other
/// names.
class View {
 public:
  View(const Workload& w, const State& s, const Numbers& requests, const Numbers& hashes)
      : w_(w), s_(s), requests_(requests), hashes_(hashes) {}

  Numbers numbers() {
    manager();
    pass();
    for (int k = s_.executed(); k <= s_.issued(); ++k)
      at_each_hash([&](Hash h) { put(s_.available(k, h)); });
    for (int k = s_.executed() + 1; k <= s_.issued(); ++k)
      at_each_hash([&](Hash h) { put(s_.step_notices(k, h)), put(s_.step_encodes(k, h)); });
    for (int k = s_.delivered() + 1; k <= s_.issued(); ++k) outputs(k);
    return seen_;
  }

 private:
  void put(int x) { seen_.push_back(x); }
  template <class F>
  void at_each_hash(F f) {
    for (const int h : hashes_) f(Hash{h});
  }
  template <class F>
  void at_each_request(F f) {
    for (const int r : requests_) f(Request{r});
  }
  int name(Request r) {
    return static_cast<int>(std::ranges::find(requests_, r.id) - requests_.begin());
  }

  void manager() {
    at_each_hash([&](Hash h) {
      int older = 0;
      for (int g = 0; g < w_.hashes; ++g)
        older += s_.freeable({g}) > 0 && s_.order({g}) < s_.order(h);
      put(s_.weight(h)), put(s_.freeable(h)), put(s_.freeable(h) > 0 ? older : -1);
      put(s_.evicted(h)), put(s_.pending(h)), put(s_.promised(h)), put(s_.worker(h));
      put(s_.pending(h) > 0 ? name(s_.ordered_by(h)) : -1);
      at_each_request([&](Request r) { put(s_.refs(h, r)); });
    });
    put(s_.free()), put(s_.reclaimable());
    put(s_.half_done()), put(s_.missed());
    put(s_.issued() - s_.delivered()), put(s_.executed() - s_.delivered());
    put(std::max(0, s_.reset_step() - s_.delivered()));
  }
  void pass() {
    put(s_.in_pass()), put(s_.compute());
    // Only of a pass with nothing in flight and nobody scheduled is it asked who lacked KV blocks,
    // and where who ordered an encode has left.
    bool any_scheduled = false;
    at_each_request([&](Request r) { any_scheduled |= s_.scheduled(r); });
    bool any_orphan = false;
    at_each_hash([&](Hash h) {
      const Request r = s_.ordered_by(h);
      const bool stands =
          s_.refs(h, r) && (s_.scheduled(r) || (s_.granted() && s_.plan_request() == r));
      any_orphan |= s_.pending(h) > 0 && s_.weight(h) > 0 && !stands;
    });
    put(s_.held_back() && (any_orphan || (s_.issued() == s_.delivered() && !any_scheduled)));
    put(s_.planning()), put(s_.plan_tokens()), put(s_.cursor());
    const bool looking =
        s_.planning() && s_.cursor() < std::ssize(w_.requests[s_.plan_request().id].features);
    put(looking ? s_.opened() : -1), put(s_.granted());
    put(s_.planning() ? name(s_.plan_request()) : -1);
    put(s_.draining() ? name(s_.drain_request()) : -1);
    put(s_.retracting());
    at_each_request([&](Request r) {
      put(s_.status(r)), put(s_.computed(r)), put(s_.placeholders(r)), put(s_.forgotten(r));
      put(s_.credited(r)), put(s_.tried(r));
      put(s_.scheduled(r)), put(s_.tokens(r)), put(s_.drafts(r)), put(s_.owed(r));
      for (int i = 0; i < 2; ++i) put(s_.held(r, i)), put(s_.chosen(r, i)), put(s_.charged(r, i));
    });
  }
  void outputs(int k) {
    at_each_request([&](Request r) {
      const bool there = s_.step_tokens(k, r) > 0;
      put(s_.step_tokens(k, r));
      put(there ? s_.step_drafts(k, r) : -1), put(there ? s_.step_owed(k, r) : -1);
      put(there ? s_.step_epoch(k, r) == s_.epoch(r) : -1);
      const bool read = there && k >= s_.executed();
      put(read ? s_.step_confirmed(k, r) : -1), put(read ? s_.step_computed(k, r) : -1);
    });
  }

  const Workload& w_;
  const State& s_;
  const Numbers &requests_, &hashes_;
  Numbers seen_;
};

inline bool is_symmetry(const Workload& w, const Numbers& requests, const Numbers& hashes) {
  for (std::size_t r = 0; r < w.requests.size(); ++r) {
    const auto &a = w.requests[r], &b = w.requests[requests[r]];
    if (a.prompt != b.prompt || a.limit != b.limit || a.priority != b.priority ||
        a.features.size() != b.features.size())
      return false;
    for (std::size_t i = 0; i < a.features.size(); ++i) {
      const auto &x = a.features[i], &y = b.features[i];
      if (x.start != y.start || x.end != y.end || x.embeds != y.embeds || x.mask != y.mask ||
          hashes[x.hash] != y.hash)
        return false;
    }
  }
  return true;
}

template <class F>
void each_permutation(std::size_t size, F f) {
  Numbers p(size);
  std::iota(p.begin(), p.end(), 0);
  do f(p);
  while (std::ranges::next_permutation(p).found);
}

template <class System>
class Explorer {
 public:
  Explorer(const Workload& w, const spec::Profile& profile, Choices choices, bool symmetry)
      : w_(w), d_(w, profile, {}), choices_(choices) {
    each_permutation(w.requests.size(), [&](const Numbers& requests) {
      each_permutation(w.hashes, [&](const Numbers& hashes) {
        const bool identity = std::ranges::is_sorted(requests) && std::ranges::is_sorted(hashes);
        if (identity || (symmetry && is_symmetry(w, requests, hashes)))
          renamings_.push_back({requests, hashes});
      });
    });
  }

  /// Of the states at most `depth` actions away: how many there are, and how many rule instances
  /// lead on from those before the last.
  Counts count(int depth) {
    Counts counts;
    std::set<Numbers> seen;
    State s;
    spec::initialise(d_, s);
    std::vector<State> level = {s};
    seen.insert(least_view(s));
    for (int n = 0; n < depth; ++n) {
      std::vector<State> next;
      for (const auto& from : level)
        each_successor(from, [&](const State& to) {
          ++counts.transitions;
          if (seen.insert(least_view(to)).second) next.push_back(to);
        });
      level = std::move(next);
    }
    counts.states = seen.size();
    return counts;
  }

 private:
  Numbers least_view(const State& s) {
    Numbers least;
    for (const auto& [requests, hashes] : renamings_) {
      auto view = View(w_, s, requests, hashes).numbers();
      if (least.empty() || view < least) least = std::move(view);
    }
    return least;
  }

  template <class Visit>
  void each_successor(const State& s, Visit visit) {
    System::Rules::each([&]<class Rule>() { take<Rule>(typename Rule::Parameters{}, s, visit); });
  }

  template <class Rule, class Visit, class... Chosen>
  void take(spec::Roles<>, const State& s, Visit& visit, Chosen... chosen) {
    if (!Rule::template guard<D>(d_, s, chosen...)) return;
    State t = s;
    Rule::template effect<D>(d_, t, chosen...);
    visit(t);
  }
  template <class Rule, spec::Role First, spec::Role... Rest, class Visit, class... Chosen>
  void take(spec::Roles<First, Rest...>, const State& s, Visit& visit, Chosen... chosen) {
    using enum spec::Role;
    const auto go_on = [&](auto x) { take<Rule>(spec::Roles<Rest...>{}, s, visit, chosen..., x); };
    if constexpr (First == request) {
      for (int r = 0; r < std::ssize(w_.requests); ++r) go_on(Request{r});
    } else if constexpr (First == hash) {
      for (int h = 0; h < w_.hashes; ++h) go_on(Hash{h});
    } else {
      const int last = First == step     ? most_steps - 1
                       : First == tokens ? choices_.tokens
                       : First == hit    ? choices_.hits
                       : First == drafts ? choices_.drafts
                                         : 9;
      const int first = First == feature ? -1 : 0;
      for (int x = first; x <= (First == feature ? 2 : last); ++x) go_on(x);
    }
  }

  Workload w_;
  D d_;
  Choices choices_;
  std::vector<std::pair<Numbers, Numbers>> renamings_;
};

inline Counts count(const Workload& w, const spec::Profile& profile, Choices choices, bool symmetry,
                    int depth) {
  return w.manager == spec::Manager::encoder_decoder
             ? Explorer<spec::EncoderDecoder>(w, profile, choices, symmetry).count(depth)
             : Explorer<spec::DecoderOnly>(w, profile, choices, symmetry).count(depth);
}

}  // namespace holdfast::verify::naive
