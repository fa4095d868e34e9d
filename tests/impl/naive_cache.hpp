// The cache beside one that is written with maps and scans.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "holdfast/encoder_cache.hpp"
#include "tests/impl/cache_fixture.hpp"

namespace holdfast::impl {

using Occurrence = std::pair<std::string, InputId>;

/// The cache, written with maps and scans, which remembers names only.
struct NaiveCache {
  struct Made {
    std::string hash;
    Occurrence owner;
    std::deque<Occurrence> sharers;
    std::vector<Occurrence> given_by;
    bool is_withdrawn = false;
  };

  Embeds capacity;
  std::map<std::string, std::vector<EncoderCache::Feature>> requests;
  std::map<std::string, Embeds> cached, promised;
  std::vector<std::string> freeable, evicted;
  std::set<Occurrence> held;
  bool in_pass = false;
  std::vector<Made> made;
  std::vector<Occurrence> chosen;

  const EncoderCache::Feature& feature(const Occurrence& o) { return requests[o.first][o.second]; }
  std::string hash(const Occurrence& o) { return std::string(feature(o).mm_hash); }
  bool is_chosen(const Occurrence& o) { return std::ranges::count(chosen, o) > 0; }
  bool others_have_chosen(const std::string& id) {
    return !chosen.empty() && chosen.front().first != id;
  }
  static Embeds sum(const std::map<std::string, Embeds>& sizes) {
    Embeds all = 0;
    for (const auto& [_, size] : sizes) all += size;
    return all;
  }
  Embeds free() { return capacity - sum(cached); }
  Embeds reclaimable() {
    Embeds all = free();
    for (const auto& h : freeable) all += cached[h];
    return all;
  }
  Made* order(const std::string& h) {
    for (auto& m : made)
      if (m.hash == h && !m.is_withdrawn) return &m;
    return nullptr;
  }
  Embeds ordered() {
    Embeds all = 0;
    for (const auto& m : made) all += m.is_withdrawn ? 0 : cached[m.hash];
    return all;
  }

  Error refusal(const Occurrence& o) {
    if (!requests.contains(o.first)) return Error::unknown_request;
    return o.second < requests[o.first].size() ? Error::none : Error::unknown_input;
  }
  void hold(const Occurrence& o) {
    if (!held.insert(o).second) return;
    std::erase(freeable, hash(o));
    if (Made* m = order(hash(o)); m != nullptr && m->owner != o) m->sharers.push_back(o);
  }
  void drop(const Occurrence& o) {
    const std::string h = hash(o);
    held.erase(o);
    Made* m = order(h);
    const bool is_wanted =
        std::ranges::any_of(held, [&](const Occurrence& other) { return hash(other) == h; });
    if (!is_wanted && m != nullptr) {
      m->is_withdrawn = true;
      cached.erase(h);
    } else if (!is_wanted) {
      freeable.push_back(h);
    } else if (m != nullptr && m->owner == o) {
      do {
        m->owner = m->sharers.front();
        m->sharers.pop_front();
      } while (!held.contains(m->owner));
      if (m->owner.first != o.first) m->given_by.push_back(o);
    }
  }
  void drop_all(const std::string& id) {
    for (InputId i = 0; i < requests[id].size(); ++i)
      if (held.contains({id, i})) drop({id, i});
  }
  void take(const Occurrence& o) {
    cached[hash(o)] = feature(o).embeds;
    if (in_pass) made.push_back({hash(o), o, {}, {}});
    hold(o);
  }

  // -- operations --

  Result<bool> check(const Occurrence& o) {
    if (const Error e = refusal(o); e != Error::none) return e;
    if (!cached.contains(hash(o))) return false;
    if (cached[hash(o)] != feature(o).embeds) return Error::wrong_size;
    hold(o);
    return true;
  }
  Result<bool> can_allocate(const Occurrence& o, Embeds budget, Embeds planned) {
    if (const Error e = refusal(o); e != Error::none) return e;
    if (cached.contains(hash(o)) || promised.contains(hash(o))) return Error::already_cached;
    const Embeds wanted = feature(o).embeds + planned + sum(promised);
    if (feature(o).embeds > budget || wanted > reclaimable()) return false;
    while (wanted > free()) {
      const std::string oldest = freeable.front();
      freeable.erase(freeable.begin());
      cached.erase(oldest);
      if (std::ranges::count(evicted, oldest) == 0) evicted.push_back(oldest);
    }
    return true;
  }
  Error allocate(const Occurrence& o) {
    if (const Error e = refusal(o); e != Error::none) return e;
    if (cached.contains(hash(o)) || promised.contains(hash(o))) return Error::already_cached;
    if (feature(o).embeds + sum(promised) > free()) return Error::no_room;
    take(o);
    return Error::none;
  }
  Error free_input(const Occurrence& o) {
    if (const Error e = refusal(o); e != Error::none) return e;
    if (!held.contains(o)) return Error::not_held;
    drop(o);
    return Error::none;
  }
  Error choose(const Occurrence& o) {
    if (const Error e = refusal(o); e != Error::none) return e;
    if (others_have_chosen(o.first)) return Error::wrong_time;
    if (cached.contains(hash(o)) || is_chosen(o)) return Error::already_cached;
    if (promised.contains(hash(o))) {
      if (promised[hash(o)] != feature(o).embeds) return Error::wrong_size;
    } else if (feature(o).embeds + sum(promised) > free()) {
      return Error::no_room;
    }
    promised[hash(o)] = feature(o).embeds;
    chosen.push_back(o);
    return Error::none;
  }
  Error settle(const std::string& id, bool is_taken) {
    if (!requests.contains(id)) return Error::unknown_request;
    if (others_have_chosen(id)) return Error::wrong_time;
    promised.clear();
    for (const auto& o : std::exchange(chosen, {})) {
      if (!is_taken) continue;
      if (cached.contains(hash(o)))
        hold(o);
      else
        take(o);
    }
    return Error::none;
  }
  std::vector<std::string> freed() {
    auto told = std::exchange(evicted, {});
    std::erase_if(told, [&](const auto& h) { return cached.contains(h); });
    return told;
  }
  void reset() {
    cached.clear();
    freeable.clear();
    evicted.clear();
    held.clear();
  }
  static std::string text(const Occurrence& o) { return o.first + "/" + std::to_string(o.second); }
  std::vector<std::string> end_pass() {
    std::vector<std::string> said;
    for (const auto& m : made)
      if (!m.is_withdrawn) said.push_back(text(m.owner) + " sees " + m.hash);
    std::multiset<std::string> given;  // among orders, by the time at which they were given
    for (const auto& m : made)
      for (const auto& from : m.given_by)
        if (!m.is_withdrawn) given.insert(text(from) + " gave " + m.hash + " to " + text(m.owner));
    said.insert(said.end(), given.begin(), given.end());
    made.clear();
    in_pass = false;
    return said;
  }
};

/// Calls drawn by `draw`, made of both, with every answer compared. A test.
class BesideNaiveCache : public CacheFixture<EncoderCache> {
 public:
  BesideNaiveCache() : CacheFixture(12) { naive.capacity = 12; }
  void TestBody() override {}

  std::size_t below(std::size_t n) { return draw() % n; }
  Occurrence some() { return {ids[below(ids.size())], static_cast<InputId>(below(4))}; }

  void add_or_remove(const std::string& id) {
    if (naive.requests.contains(id)) {
      const bool is_late =
          naive.in_pass || (!naive.chosen.empty() && naive.chosen.front().first == id);
      ASSERT_EQ(cache.remove_request(id), is_late ? Error::wrong_time : Error::none);
      if (is_late) return;
      naive.drop_all(id);
      naive.requests.erase(id);
      return;
    }
    Features features;
    for (auto n = below(4); n > 0; --n) {
      const auto h = below(hashes.size());
      // Now and then of another size.
      features.push_back({hashes[h], static_cast<Embeds>(1 + h + (below(8) == 0 ? 1 : 0))});
    }
    add(id, features);
    naive.requests[id] = features;
  }
  void begin_or_end() {
    if (!naive.in_pass) {
      ASSERT_EQ(cache.begin_pass(), Error::none);
      naive.in_pass = true;
    } else if (!naive.chosen.empty()) {
      ASSERT_EQ(cache.end_pass().error, Error::wrong_time);
    } else {
      auto said = end_pass();
      const auto first = std::ranges::find_if(
          said, [](const auto& line) { return line.find(" gave ") != std::string::npos; });
      std::sort(first, said.end());
      ASSERT_EQ(said, naive.end_pass());
    }
  }
  void tell_or_reset(bool is_reset) {
    const bool is_late = naive.in_pass || (is_reset && !naive.chosen.empty());
    if (is_reset) {
      ASSERT_EQ(cache.reset(), is_late ? Error::wrong_time : Error::none);
      if (!is_late) naive.reset();
    } else if (is_late) {
      ASSERT_EQ(cache.get_freed_mm_hashes().error, Error::wrong_time);
    } else {
      ASSERT_EQ(freed(), naive.freed());
    }
  }
  void free_all(const std::string& id) {
    const bool is_late = !naive.chosen.empty() && naive.chosen.front().first == id;
    if (!naive.requests.contains(id)) {
      ASSERT_EQ(cache.free(id), Error::unknown_request);
    } else {
      ASSERT_EQ(cache.free(id), is_late ? Error::wrong_time : Error::none);
      if (!is_late) naive.drop_all(id);
    }
  }
  static void same(const Result<bool>& here, const Result<bool>& there) {
    ASSERT_EQ(here.error, there.error);
    ASSERT_EQ(here.value, there.value);
  }
  void step() {
    const Occurrence o = some();
    const auto& [id, i] = o;
    const auto budget = static_cast<Embeds>(below(14)), planned = static_cast<Embeds>(below(3));
    switch (below(16)) {
      case 0: return add_or_remove(id);
      case 1: return begin_or_end();
      case 2: return tell_or_reset(below(8) == 0);
      case 3: return free_all(id);
      case 4:
      case 5: ASSERT_EQ(cache.choose(id, i), naive.choose(o)); return;
      case 6: ASSERT_EQ(cache.allocate_chosen(id), naive.settle(id, true)); return;
      case 7: ASSERT_EQ(cache.forget_chosen(id), naive.settle(id, false)); return;
      case 8:
      case 9: ASSERT_EQ(cache.free_encoder_input(id, i), naive.free_input(o)); return;
      case 10:
      case 11: ASSERT_EQ(cache.allocate(id, i), naive.allocate(o)); return;
      case 12:
      case 13:
        return same(cache.can_allocate(id, i, budget, planned),
                    naive.can_allocate(o, budget, planned));
      default: return same(cache.check_and_update_cache(id, i), naive.check(o));
    }
  }
  void compare() {
    ASSERT_EQ(slots(), std::tuple(naive.free(), naive.reclaimable(),
                                  NaiveCache::sum(naive.promised), naive.ordered()));
    for (const auto& [id, features] : naive.requests) {
      std::vector<InputId> there;
      for (InputId i = 0; i < features.size(); ++i)
        if (naive.cached.contains(naive.hash({id, i}))) there.push_back(i);
      ASSERT_EQ(cached(id), there);
    }
    cache.check_invariants();
  }

  std::function<std::uint64_t()> draw;
  NaiveCache naive;
  // What is short lies elsewhere than what is long.
  const std::vector<std::string> ids{"a", std::string(30, 'b'), "c", std::string("d\0", 2)};
  const std::vector<std::string> hashes{"one", std::string(64, '2'), "", "\xff", "five", "six"};
};

}  // namespace holdfast::impl
