// Exploration as nobody would do it: sets of whole states, parameters by brute force, no clever
// form. It shares the rules and the reading with the real one, and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "spec/catalogue.hpp"
#include "verify/explore/walk.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify::explore::naive {

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
/// names: every variable at every key, but for what is told apart by name here.
class View {
 public:
  View(const Workload& w, const State& s, const Numbers& requests, const Numbers& hashes)
      : w_(w), s_(s), requests_(requests), hashes_(hashes) {}

  Numbers numbers() {
    spec::VariablesOf<State>::each([&]<class V>() { look<V>(V::of(s_)); });
    return seen_;
  }

 private:
  void put(int x) { seen_.push_back(x); }
  template <class Sort>
  auto keys() const {
    if constexpr (std::is_same_v<Sort, spec::RequestSort>)
      return std::views::transform(requests_, [](int r) { return Request{r}; });
    else if constexpr (std::is_same_v<Sort, spec::HashSort>)
      return std::views::transform(hashes_, [](int h) { return Hash{h}; });
    else
      return std::views::iota(0, D::Size::features);
  }
  int name(Request r) const {
    return static_cast<int>(std::ranges::find(requests_, r.id) - requests_.begin());
  }

  template <class V, class Value>
  void look(const compact::Var<Value>& x) {
    if constexpr (std::is_same_v<Value, spec::StepSort>)
      put(std::max(0, x() - s_.delivered()));
    else if constexpr (V::name == "plan_request")
      put(s_.planning() ? name(x()) : -1);
    else if constexpr (V::name == "drain_request")
      put(s_.draining() ? name(x()) : -1);
    else if constexpr (V::name == "clock")
      ;  // says nothing but who comes next
    else if constexpr (V::name == "held_back")
      put(x() && is_asked_who_was_held_back());
    else if constexpr (V::name == "opened")
      put(is_looking() ? x() : -1);
    else
      put(x());
  }
  template <class V, class Size, class Value, class Key>
  void look(const compact::Map<Size, Value, Key>& x) {
    for (const auto key : keys<Key>()) {
      if constexpr (V::name == "order")
        put(s_.freeable(key) > 0 ? older_than(key) : -1);
      else if constexpr (V::name == "ordered_by")
        put(s_.pending(key) > 0 ? name(x(key)) : -1);
      else if constexpr (V::name == "epoch")
        ;  // outputs are compared with it below
      else
        put(x(key));
    }
  }
  template <class V, class Size, class Value, class First, class Second>
  void look(const compact::Map<Size, Value, First, Second>& x) {
    if constexpr (std::is_same_v<First, spec::StepSort>) {
      for (int k = first_row<V>(); k <= s_.issued(); ++k)
        for (const auto key : keys<Second>()) put(at_step<V>(x, k, key));
    } else {
      for (const auto a : keys<First>())
        for (const auto b : keys<Second>()) put(x(a, b));
    }
  }

  /// The first step whose row is asked for.
  template <class V>
  int first_row() const {
    if constexpr (V::name == "available") return s_.executed();
    if constexpr (V::name == "step_notices" || V::name == "step_encodes") return s_.executed() + 1;
    return s_.delivered() + 1;
  }
  template <class V>
  int at_step(const auto& x, int k, Hash h) const {
    return x(k, h);
  }
  template <class V>
  int at_step(const auto& x, int k, Request r) const {
    constexpr bool until_executed = V::name == "step_confirmed" || V::name == "step_computed";
    if (s_.step_tokens(k, r) == 0 || (until_executed && k < s_.executed())) return -1;
    if constexpr (V::name == "step_epoch") return x(k, r) == s_.epoch(r);
    return x(k, r);
  }

  int older_than(Hash h) const {
    int older = 0;
    for (int g = 0; g < w_.hashes; ++g)
      older += s_.freeable({g}) > 0 && s_.order({g}) < s_.order(h);
    return older;
  }
  bool is_looking() const {
    return s_.planning() && s_.cursor() < std::ssize(w_.requests[s_.plan_request().id].features);
  }
  // Only of a pass with nothing in flight and nobody scheduled is it asked who lacked KV blocks,
  // and where who ordered an encode has left.
  bool is_asked_who_was_held_back() const {
    bool any_scheduled = false;
    for (const auto r : keys<spec::RequestSort>()) any_scheduled |= s_.scheduled(r);
    bool any_orphan = false;
    for (const auto h : keys<spec::HashSort>()) {
      const Request r = s_.ordered_by(h);
      const bool stands =
          s_.refs(h, r) && (s_.scheduled(r) || (s_.granted() && s_.plan_request() == r));
      any_orphan |= s_.pending(h) > 0 && s_.weight(h) > 0 && !stands;
    }
    return any_orphan || (s_.issued() == s_.delivered() && !any_scheduled);
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

}  // namespace holdfast::verify::explore::naive
