// Random runs of the model, as scenarios: the replay must go the same way. At its end the scenario
// names the state that the run ended in.
#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spec/catalogue.hpp"
#include "spec/faults.hpp"
#include "spec/profiles/releases.hpp"
#include "tests/random_rounds.hpp"
#include "tests/verify/replay/replay_fixture.hpp"
#include "verify/readings/dynamic_machine.hpp"
#include "verify/replay/driven/scenario.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::replay::inline driven {
namespace {

using dynamic::Hash;
using dynamic::Int;
using dynamic::Request;
using D = dynamic::Reading;

class RandomWalk {
 public:
  RandomWalk(std::uint64_t seed, const spec::Profile& profile, spec::Manager manager)
      : random_(static_cast<std::mt19937::result_type>(seed)), machine_(profile) {
    run_.workload = random_workload(manager);
    const auto& w = run_.workload;
    machine_.start({.capacity = w.capacity,
                    .encoder_budget = w.encoder_budget,
                    .lookahead = w.lookahead,
                    .depth = w.depth,
                    .token_budget = w.token_budget,
                    .whole_items = w.whole_items,
                    .inputs_at_once = manager == spec::Manager::encoder_decoder});
    for (int h = 0; h < w.hashes; ++h) machine_.new_hash();
    for (const auto& r : w.requests) {
      std::vector<dynamic::FeatureConfig> features;
      for (const auto& f : r.features)
        features.push_back({Hash{f.hash}, f.start, f.end, f.embeds, {}});
      machine_.new_request(r.prompt, r.limit, features);
    }
  }

  /// Takes rules at random until a property breaks, or after some time nothing is half done.
  template <class System>
  void walk() {
    const int length = draw(10, 120);
    constexpr int most_attempts = 20'000;
    for (int n = 0; n < most_attempts; ++n) {
      if (static_cast<int>(run_.actions.size()) >= length && ended_at_rest()) return;
      if (!attempt_one(typename System::Rules{})) continue;
      System::Properties::each([&]<class P>() {
        if (violated_.empty() && !P::template holds<D>(machine_.d, machine_.s))
          violated_ = P::info.name;
      });
      if (!violated_.empty()) return;
    }
  }

  const verify::explore::Run& run() const { return run_; }
  const std::string& violated() const { return violated_; }
  bool ended_at_rest() const { return spec::at_rest(machine_.s) && !machine_.s.in_pass(); }

  /// The manager's state at the end.
  trace::State state() const {
    const auto& s = machine_.s;
    trace::State e;
    e.cached.emplace();
    s.weight.each([&](Hash h) {
      std::vector<std::string> references;
      s.refs.each(h, [&](Request r) { references.push_back("r" + std::to_string(r.id)); });
      e.cached->emplace_back("h" + std::to_string(h.id), references);
    });
    e.free = s.free();
    e.reclaimable = s.reclaimable();
    std::vector<Hash> freeable;
    s.freeable.each([&](Hash h) { freeable.push_back(h); });
    std::sort(freeable.begin(), freeable.end(),
              [&](Hash a, Hash b) { return s.order(a) < s.order(b); });
    e.lru.emplace();
    for (const auto h : freeable) e.lru->push_back("h" + std::to_string(h.id));
    return e;
  }

 private:
  int draw(int first, int last) {
    return std::uniform_int_distribution<int>(first, std::max(first, last))(random_);
  }

  Workload random_workload(spec::Manager manager) {
    Workload w{.manager = manager,
               .capacity = draw(2, 6),
               .encoder_budget = draw(2, 6),
               .lookahead = manager == spec::Manager::decoder_only ? draw(0, 1) : 0,
               .depth = draw(1, 2),
               .hashes = 3,
               .requests = {}};
    const std::vector<int> sizes = {draw(1, 2), draw(1, 2), draw(1, 2)};
    const int requests = draw(1, 3);
    for (int r = 0; r < requests; ++r) {
      WorkloadRequest request;
      int at = 0;
      for (int n = draw(0, 3); n > 0; --n) {
        const int hash = draw(0, 2);
        const int length = sizes[static_cast<std::size_t>(hash)];
        at += draw(0, 1);
        request.features.push_back({at, at + length, length, hash});
        at += length;
      }
      request.prompt = at + 1;
      request.limit = at + 4;
      w.requests.push_back(request);
    }
    return w;
  }

  template <class... Rules>
  bool attempt_one(spec::List<Rules...>) {
    const int chosen = draw(0, static_cast<int>(sizeof...(Rules)) - 1);
    int n = 0;
    return ((n++ == chosen && is_wanted(Rules::info.name) &&
             attempt<Rules>(typename Rules::Parameters{})) ||
            ...);
  }
  /// What ends requests or takes everything back is rare, so that runs get somewhere.
  bool is_wanted(std::string_view rule) {
    if (rule == "abort" || rule == "finish" || rule == "reset" || rule == "encdec_reset")
      return draw(0, 19) == 0;
    if (rule == "preempt" || rule == "retract" || rule == "put_back") return draw(0, 3) == 0;
    return true;
  }
  template <class Rule, spec::Role... R>
  bool attempt(spec::Roles<R...>) {
    const std::vector<int> arguments = {draw_for(R)...};
    return [&]<std::size_t... N>(std::index_sequence<N...>) {
      auto& d = machine_.d;
      auto& s = machine_.s;
      if (!Rule::template guard<D>(d, s, spec::as_argument<D, R>(arguments[N])...)) return false;
      Rule::template effect<D>(d, s, spec::as_argument<D, R>(arguments[N])...);
      run_.actions.push_back({std::string(Rule::info.name), arguments});
      return true;
    }(std::make_index_sequence<sizeof...(R)>{});
  }
  int draw_for(spec::Role role) {
    const auto& s = machine_.s;
    switch (role) {
      case spec::Role::request: return draw(0, static_cast<int>(run_.workload.requests.size()) - 1);
      case spec::Role::feature:
      case spec::Role::hash: return draw(0, 2);
      case spec::Role::step:
        return draw(static_cast<int>(s.delivered()) + 1, static_cast<int>(s.issued()));
      case spec::Role::tokens: return draw(1, 4);
      case spec::Role::hit: return 0;
      case spec::Role::drafts:
      case spec::Role::owed:
      case spec::Role::rejected: return draw(0, 2);
      case spec::Role::position: return draw(0, 8);
    }
    return 0;
  }

  std::mt19937 random_;
  dynamic::Machine machine_;
  verify::explore::Run run_;
  std::string violated_;
};

void walk_and_replay(std::uint64_t seed, const spec::Profile& profile, spec::Manager manager) {
  RandomWalk walk(seed, profile, manager);
  if (manager == spec::Manager::decoder_only)
    walk.walk<spec::DecoderOnly>();
  else
    walk.walk<spec::EncoderDecoder>();
  auto events = scenario_of(walk.run(), profile);
  std::get<trace::Header>(events.front()).source = "holdfast test";  // every property is watched
  if (walk.violated().empty()) {
    ASSERT_TRUE(walk.ended_at_rest()) << "seed " << seed;
    events.emplace_back(walk.state());
  }
  const auto text = trace::to_lines(events);
  const trace::TemporaryFile file(text);
  const auto result = replay(file.path(), profile);
  EXPECT_EQ(result.declined, 0U) << "seed " << seed << "\n" << text;
  EXPECT_EQ(result.property, walk.violated())
      << "seed " << seed << ", " << profile.name << ", line " << result.line << ", " << result.rule
      << ": expected " << result.expected << ", observed " << result.observed << "\n"
      << text;
}

TEST(RandomRunsTest, ReplayGoesTheSameWay) {
  const tests::RandomRounds each_profile(1, 60);
  auto seed = each_profile.seed;
  const auto walk_all = [&](const spec::Profile& profile, spec::Manager manager) {
    for (std::uint64_t n = 0; n < each_profile.rounds && !::testing::Test::HasFailure(); ++n)
      walk_and_replay(seed++, profile, manager);
  };
  for (const auto& p : spec::known_profiles) walk_all(p, spec::Manager::decoder_only);
  walk_all(spec::known_profiles.front(), spec::Manager::encoder_decoder);
  for (const auto& f : spec::faults) walk_all(f.profile, f.manager());
}

}  // namespace
}  // namespace holdfast::verify::replay::inline driven
