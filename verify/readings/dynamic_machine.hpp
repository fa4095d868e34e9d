// A machine to run the rules on: the dynamic reading, its state, and the comings and goings of
// requests and hashes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spec/require.hpp"
#include "verify/readings/dynamic.hpp"
#include "verify/readings/groups.hpp"

namespace holdfast::verify::inline readings::dynamic {

struct FeatureConfig {
  Hash hash;
  Int start = 0;
  Int end = 0;
  Int embeds = 0;
  std::vector<MaskRun> mask = {};  ///< empty: every position
};

struct Budgets {
  Int capacity = 0;
  Int encoder_budget = 0;
  Int lookahead = 0;
  Int depth = 1;
  Int token_budget = Int{1} << 40;
  Int tail = 0;
  bool whole_items = false;
  bool inputs_at_once = false;  ///< of an encoder-decoder request
};

/// Not copied or moved: the maps of `s` refer to the universe of `d`.
class Machine {
 public:
  explicit Machine(const spec::Profile& profile, const spec::Assumptions& assumptions = {}) {
    d.profile = profile;
    d.assumptions = assumptions;
    State::visit(
        s, [&](std::string_view, auto& variable, std::string_view) { variable.bind(d.universe); });
    Config::visit(d.config, [&](std::string_view, auto& variable, std::string_view) {
      variable.bind(d.universe);
    });
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Reading d;
  State s;

  /// Sets the budgets; every slot free, nothing in flight.
  void start(const Budgets& budgets) {
    d.config.capacity.set(budgets.capacity);
    d.config.encoder_budget.set(budgets.encoder_budget);
    d.config.lookahead.set(budgets.lookahead);
    d.config.depth.set(budgets.depth);
    inputs_at_once_ = budgets.inputs_at_once;
    d.config.token_budget.set(budgets.token_budget);
    d.config.tail.set(budgets.tail);
    d.config.whole_items.set(budgets.whole_items);
    spec::initialise(d, s);
  }

  /// In the universe, or first used by requests that sleep.
  Hash new_hash() {
    const Hash h = new_sleeping_hash();
    wake(h);
    return h;
  }
  Hash new_sleeping_hash() { return make(free_hashes_, hashes_made_, hash_sleeps_); }

  /// A request that may come; `add` lets it. Requires: its hashes are of new_hash.
  Request new_request(Int prompt, Int limit, const std::vector<FeatureConfig>& features,
                      Int priority = 0) {
    const Request r = new_sleeping_request(prompt, limit, features, priority);
    wake(r);
    return r;
  }

  /// The same, but quantifiers and bulk updates pass it over, and its hashes if nobody else has
  /// them, until it is woken. To no rule it makes a difference while nothing but its status is set,
  /// and that to `waiting`; a property may see it.
  Request new_sleeping_request(Int prompt, Int limit, const std::vector<FeatureConfig>& features,
                               Int priority = 0) {
    for (const auto& feature : features)
      HOLDFAST_REQUIRE(0 <= feature.hash.id && feature.hash.id < hashes_made_,
                       "a hash of new_hash");
    const Request r = make(free_requests_, requests_made_, request_sleeps_);
    auto& c = d.config;
    c.prompt.set(r, prompt);
    c.limit.set(r, limit);
    c.priority.set(r, priority);
    const auto groups = groups_of(features, inputs_at_once_);
    c.features.set(r, static_cast<Int>(features.size()));
    for (std::size_t n = 0; n < features.size(); ++n) {
      const auto i = static_cast<Int>(n);
      c.start.set(r, i, features[n].start);
      c.end.set(r, i, features[n].end);
      c.embeds.set(r, i, features[n].embeds);
      c.hash.set(r, i, features[n].hash);
      c.grouped.set(r, i, groups[n].grouped);
      c.group_start.set(r, i, groups[n].start);
      c.group_end.set(r, i, groups[n].end);
      c.group_embeds.set(r, i, groups[n].embeds);
      if (!features[n].mask.empty()) d.set_mask(r, i, features[n].mask);
      ++sleepers_of(features[n].hash);
    }
    return r;
  }
  /// Before anything but its status is set.
  void wake(Request r) {
    if (!wake(r, d.universe.requests, request_sleeps_)) return;
    for (Int i = 0; i < d.config.features(r); ++i) {
      const Hash h = d.config.hash(r, i);
      --sleepers_of(h);
      wake(h);
    }
  }

  /// Steps that the worker has run and the scheduler has processed are of no further use.
  void forget_old_steps() {
    const Int oldest = std::min(s.executed(), s.delivered() + 1);
    State::visit(s, [&](std::string_view, auto& variable, std::string_view) {
      if constexpr (requires { requires std::remove_cvref_t<decltype(variable)>::by_step; })
        variable.drop_rows_before(oldest);
    });
  }

  struct Forgotten {
    std::vector<Request> requests;
    std::vector<Hash> hashes;
  };
  /// Forgets finished requests that hold nothing and have nothing in flight, and hashes that occur
  /// nowhere. Their numbers are used again. Requires: outside a pass, at rest.
  Forgotten sweep() {
    HOLDFAST_REQUIRE(!s.in_pass() && spec::at_rest(s), "no pass is being made, nobody leaves");
    // Of an entry that cannot be evicted no rule asks when it became freeable.
    for (const auto h : d.universe.hashes)
      if (s.freeable(h) == 0) s.order.set(h, 0);
    std::vector<bool> requests(static_cast<std::size_t>(requests_made_));
    std::vector<bool> hashes(static_cast<std::size_t>(hashes_made_));
    State::visit(s, [&](std::string_view, auto& variable, std::string_view) {
      mark(variable, requests, hashes);
    });
    Forgotten gone;
    for (const auto r : d.universe.requests) {
      if (spec::has_status(s, r, spec::Status::finished) &&
          !requests[static_cast<std::size_t>(r.id)]) {
        gone.requests.push_back(r);
      } else {
        for (Int i = 0; i < d.config.features(r); ++i)
          hashes[static_cast<std::size_t>(d.config.hash(r, i).id)] = true;
      }
    }
    for (const auto h : d.universe.hashes)
      if (!hashes[static_cast<std::size_t>(h.id)] && sleepers_of(h) == 0) gone.hashes.push_back(h);
    for (const auto r : gone.requests) forget(r);
    retire(d.universe.requests, free_requests_, gone.requests);
    retire(d.universe.hashes, free_hashes_, gone.hashes);
    return gone;
  }

 private:
  template <class N>
  static N make(std::vector<N>& free, std::int32_t& made, std::vector<bool>& sleeps) {
    N name{made};
    if (free.empty()) {
      ++made;
      sleeps.push_back(true);
    } else {
      name = free.back();
      free.pop_back();
      sleeps[static_cast<std::size_t>(name.id)] = true;
    }
    return name;
  }
  /// Whether it slept.
  template <class N>
  static bool wake(N name, std::vector<N>& universe, std::vector<bool>& sleeps) {
    const auto n = static_cast<std::size_t>(name.id);
    if (!sleeps[n]) return false;
    sleeps[n] = false;
    universe.push_back(name);
    return true;
  }
  void wake(Hash h) { wake(h, d.universe.hashes, hash_sleeps_); }
  /// How many features of sleeping requests have it.
  Int& sleepers_of(Hash h) {
    const auto n = static_cast<std::size_t>(h.id);
    if (sleepers_.size() <= n) sleepers_.resize(n + 1);
    return sleepers_[n];
  }
  template <class N>
  static void retire(std::vector<N>& universe, std::vector<N>& free, const std::vector<N>& gone) {
    if (gone.empty()) return;
    std::vector<bool> is_gone;
    for (const auto name : gone) {
      const auto n = static_cast<std::size_t>(name.id);
      if (is_gone.size() <= n) is_gone.resize(n + 1);
      is_gone[n] = true;
    }
    std::erase_if(universe, [&](const N& name) {
      const auto n = static_cast<std::size_t>(name.id);
      return n < is_gone.size() && is_gone[n];
    });
    free.insert(free.end(), gone.begin(), gone.end());
  }

  // What keeps a name alive: any value at a hash, any value that a request shares with something
  // else, and to be a value.
  template <class V>
  static void mark(const Var<V>& x, std::vector<bool>& requests, std::vector<bool>& hashes) {
    if constexpr (is_name<V>)
      if (x() != Value<V>{}) set_mark<V>(x().id, requests, hashes);
  }
  template <class V>
  static void mark(const Map<V, spec::RequestSort>&, std::vector<bool>&, std::vector<bool>&) {
    static_assert(!is_name<V>, "a map from requests to names: mark its values here");
  }
  template <class V>
  static void mark(const Map<V, spec::HashSort>& map, std::vector<bool>& requests,
                   std::vector<bool>& hashes) {
    map.each([&](Hash h) {
      hashes[static_cast<std::size_t>(h.id)] = true;
      if constexpr (is_name<V>) set_mark<V>(map(h).id, requests, hashes);
    });
  }
  template <class V, class A, class B>
  static void mark(const Map<V, A, B>& map, std::vector<bool>& requests,
                   std::vector<bool>& hashes) {
    static_assert(!is_name<V>, "a map of two keys to names: mark its values here");
    map.each_point([&](auto a, auto b) {
      set_mark<A>(a, requests, hashes);
      set_mark<B>(b, requests, hashes);
    });
  }
  template <class Sort, class Key>
  static void set_mark(Key key, std::vector<bool>& requests, std::vector<bool>& hashes) {
    if constexpr (std::is_same_v<Sort, spec::RequestSort>)
      requests[static_cast<std::size_t>(key)] = true;
    if constexpr (std::is_same_v<Sort, spec::HashSort>)
      hashes[static_cast<std::size_t>(key)] = true;
  }

  void forget(Request r) {
    const auto drop = [r](std::string_view, auto& variable, std::string_view) {
      using V = std::remove_cvref_t<decltype(variable)>;
      if constexpr (requires { typename V::FirstKey; })
        if constexpr (std::is_same_v<typename V::FirstKey, spec::RequestSort>) variable.forget(r);
    };
    State::visit(s, drop);
    Config::visit(d.config, drop);
    d.forget_masks(r);
  }

  bool inputs_at_once_ = false;
  std::vector<Request> free_requests_;
  std::vector<Hash> free_hashes_;
  std::int32_t requests_made_ = 0;
  std::int32_t hashes_made_ = 0;
  std::vector<bool> request_sleeps_;
  std::vector<bool> hash_sleeps_;
  std::vector<Int> sleepers_;  // by hash
};

}  // namespace holdfast::verify::inline readings::dynamic
