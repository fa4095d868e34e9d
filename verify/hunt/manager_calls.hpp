// The calls of the encoder cache's manager that a run makes, in the words of the trace format, each
// with the model's answer. The field map (verify/trace/field_map.cpp) says which rule is which
// call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "spec/require.hpp"
#include "spec/schedule/scheduler.hpp"
#include "verify/hunt/names.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/hunt/script.hpp"
#include "verify/hunt/story_events.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::hunt {

/// Of the manager of decoder-only models.
template <class D>
class ManagerCalls {
 public:
  using Request = spec::Request<D>;
  using Hash = spec::Hash<D>;
  using Int = spec::Int<D>;

  /// Requires: a script of a decoder-only model.
  ManagerCalls(const Script& script, const D& d, const spec::State<D>& s, const Names& names,
               const CallListener& listener)
      : script_(script), d_(d), s_(s), names_(names), listener_(listener) {
    HOLDFAST_REQUIRE(script.workload.manager == spec::Manager::decoder_only,
                     "the manager of decoder-only models");
  }

  void begins() { tell(header_of(script_, "holdfast diff")); }

  template <class Rule, class... Arguments>
  void before(Arguments... arguments) {
    using namespace spec;
    if constexpr (std::is_same_v<Rule, BeginPass>) tell_state();
    if constexpr (std::is_same_v<Rule, Touch> || std::is_same_v<Rule, Order> ||
                  std::is_same_v<Rule, Evict> || std::is_same_v<Rule, Clip> ||
                  std::is_same_v<Rule, Abandon>)
      look_up<Rule>(arguments...);
    if constexpr (std::is_same_v<Rule, Allocate>) allocates(arguments...);
    if constexpr (std::is_same_v<Rule, Preempt> || std::is_same_v<Rule, Retract>)
      preempts(arguments...);
    if constexpr (std::is_same_v<Rule, Refuse>)
      ends(trace::FinishReason::aborted, s_.plan_request());
    if constexpr (std::is_same_v<Rule, Finish>) ends(trace::FinishReason::stopped, arguments...);
    if constexpr (std::is_same_v<Rule, AbortRequest>)
      ends(trace::FinishReason::aborted, arguments...);
    if constexpr (std::is_same_v<Rule, Drop>) drops(arguments...);
    if constexpr (std::is_same_v<Rule, Drained>) leaving_ = s_.drain_request();
    if constexpr (std::is_same_v<Rule, EndPass>) ends_pass();
  }
  template <class Rule, class... Arguments>
  void after(Arguments... arguments) {
    using namespace spec;
    if constexpr (std::is_same_v<Rule, Add>) adds(arguments...);
    if constexpr (std::is_same_v<Rule, BeginPass>) tell(trace::BeginPass{++pass_});
    if constexpr (std::is_same_v<Rule, Touch> || std::is_same_v<Rule, Allocate>) tell_hit();
    if constexpr (std::is_same_v<Rule, Order>) tell_room(true);
    if constexpr (std::is_same_v<Rule, Allocate>) tell_allocated();
    if constexpr (std::is_same_v<Rule, ReleaseInput>) releases(arguments...);
    if constexpr (std::is_same_v<Rule, Drained>) tell_drained();
    if constexpr (std::is_same_v<Rule, EndPass>) tell_pass();
    if constexpr (std::is_same_v<Rule, Reset>) {
      tell(trace::Reset{s_.free(), s_.reclaimable()});
      tell_state();
    }
    // Whom nothing is given back for, as an abort that forgets it.
    if constexpr (std::is_same_v<Rule, AbortRequest>)
      if (!s_.draining()) tell_end();
  }

 private:
  struct Room {
    Request request;
    Int input = 0, compute = 0, promised = 0;
    std::vector<std::string> evicted = {};
  };

  void tell(const trace::Event& event) { listener_(event); }
  [[nodiscard]] std::string name(Request r) const { return names_.request(r.id); }
  static std::string name(Hash h) { return Names::hash(h.id); }

  void adds(Request r) { tell(add_event(script_, static_cast<std::size_t>(r.id), name(r))); }
  void preempts(Request r) { tell(trace::Preempt{name(r)}); }
  void ends(trace::FinishReason reason, Request r) {
    ended_ = r;
    reason_ = reason;
  }
  void drops(Int i) { held_.push_back(i); }
  void allocates(Int i) {
    const Hash h = d_.config.hash(s_.plan_request(), i);
    (spec::is_cached<D>(s_, h) ? hit_ : allocated_).emplace(s_.plan_request(), i);
  }
  void releases(Request r, Int i) {
    tell(trace::FreeInput{name(r), i, s_.free(), s_.reclaimable()});
  }

  template <class Rule>
  void look_up(Hash evicted = {}) {
    using namespace spec;
    const Request r = s_.plan_request();
    const Int i = s_.cursor();
    if constexpr (std::is_same_v<Rule, Touch>) {
      hit_.emplace(r, i);
      return;
    }
    constexpr bool gives_up = std::is_same_v<Rule, Clip> || std::is_same_v<Rule, Abandon>;
    // What stops a turn otherwise (a chunk that would cut an item, a group of which something is
    // cached) the scheduler knows without asking.
    if (gives_up && !(cannot_get_in(d_, s_) && !is_in_reach(d_, s_))) return;
    if (!room_) {
      tell(trace::Check{name(r), i, false, s_.free(), s_.reclaimable()});
      const Int promised = s_.promised.sum();
      room_ = {r, i, s_.compute() - promised, promised};
    }
    if constexpr (std::is_same_v<Rule, Evict>) room_->evicted.push_back(name(evicted));
    if constexpr (gives_up) {
      // Where the group is too large and the item alone is not, nobody asks for room.
      const Int embeds = d_.config.embeds(r, i);
      if (embeds > room_->compute || embeds + room_->promised > s_.reclaimable())
        tell_room(false);
      else
        room_.reset();
    }
  }
  void tell_room(bool ok) {
    if (!room_) return;
    tell(trace::CanAllocate{name(room_->request), room_->input, room_->compute, room_->promised, ok,
                            room_->evicted, s_.free(), s_.reclaimable()});
    room_.reset();
  }
  void tell_hit() {
    if (!hit_) return;
    tell(trace::Check{name(hit_->first), hit_->second, true, s_.free(), s_.reclaimable()});
    hit_.reset();
  }
  void tell_allocated() {
    if (!allocated_) return;
    tell(trace::Allocate{name(allocated_->first), allocated_->second, s_.free(), s_.reclaimable()});
    allocated_.reset();
  }
  void tell_drained() {
    tell(trace::FreeRequest{name(leaving_), std::exchange(held_, {}), s_.free(), s_.reclaimable()});
    if (!s_.in_pass()) tell_end();
  }
  /// Nobody asks for it any more. A request that is refused inside a pass ends behind it.
  void tell_end() {
    if (!ended_) return;
    tell(trace::Finish{name(*ended_), reason_});
    ended_.reset();
  }

  void ends_pass() {
    notices_.clear();
    d_.all_hashes([&](Hash h) {
      if (spec::is_noticed<D>(d_, s_, h)) notices_.push_back(name(h));
      return true;
    });
    encode_.clear();
    d_.all_hashes([&](Hash h) {
      if (s_.pending(h) > 0) orders(s_.ordered_by(h), h);
      return true;
    });
  }
  void orders(Request r, Hash h) {
    Int i = 0;
    while (d_.config.hash(r, i) != h) ++i;
    const auto of_r = std::find_if(encode_.begin(), encode_.end(),
                                   [&](const auto& e) { return e.first == name(r); });
    if (of_r == encode_.end())
      encode_.emplace_back(name(r), std::vector<std::int64_t>{i});
    else
      of_r->second.push_back(i);
  }
  void tell_pass() {
    tell(trace::TakeFreed{notices_, s_.free(), s_.reclaimable()});
    tell(trace::EndPass{pass_, {}, encode_, notices_, {}});
    tell_end();
    tell_state();
  }

  void tell_state() {
    trace::State state{
        .cached = {{}}, .lru = {{}}, .free = s_.free(), .reclaimable = s_.reclaimable()};
    std::vector<Hash> freeable;
    d_.all_hashes([&](Hash h) {
      if (!spec::is_cached<D>(s_, h)) return true;
      auto& holders = state.cached->emplace_back(name(h), std::vector<std::string>{}).second;
      d_.all_requests([&](Request r) {
        if (s_.refs(h, r)) holders.push_back(name(r));
        return true;
      });
      if (s_.freeable(h) > 0) freeable.push_back(h);
      return true;
    });
    std::sort(freeable.begin(), freeable.end(),
              [&](Hash a, Hash b) { return s_.order(a) < s_.order(b); });
    for (const Hash h : freeable) state.lru->push_back(name(h));
    tell(state);
  }

  const Script& script_;
  const D& d_;
  const spec::State<D>& s_;
  const Names& names_;
  const CallListener& listener_;
  std::int64_t pass_ = 0;
  std::optional<Room> room_;  ///< asked for, of the feature at the cursor
  std::optional<std::pair<Request, Int>> hit_, allocated_;
  std::vector<std::int64_t> held_;  ///< given back so far by who is leaving
  Request leaving_;
  std::optional<Request> ended_;
  trace::FinishReason reason_ = trace::FinishReason::aborted;
  std::vector<std::string> notices_;
  trace::ById<std::vector<std::int64_t>> encode_;
};

}  // namespace holdfast::verify::hunt
