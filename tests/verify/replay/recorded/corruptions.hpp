// Ways to corrupt one answer of a recorded file.
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline recorded {

/// Changes the answer; false where the event has none to change.
using Corrupt = std::function<bool(trace::Event&)>;

struct Kind {
  std::string_view name;
  std::string_view property;
  Corrupt corrupt;
};

template <class E, class F>
Corrupt in(F change) {
  return [change](trace::Event& event) {
    auto* e = std::get_if<E>(&event);
    return e != nullptr && change(*e);
  };
}

/// Another number of slots, in either field.
template <class E>
Corrupt free_of() {
  return in<E>([](E& e) { return e.free ? (++*e.free, true) : false; });
}
template <class E>
Corrupt reclaimable_of() {
  return in<E>([](E& e) { return e.reclaimable ? (--*e.reclaimable, true) : false; });
}

template <class List>
bool drop_last(List& list) {
  if (!list || list->empty()) return false;
  list->pop_back();
  return true;
}

/// Of the cache manager: both levels of a replay find them.
inline const std::vector<Kind>& manager_kinds() {
  using namespace trace;
  static const std::vector<Kind> all = {
      {"check.hit", "no-ghost-entry", in<Check>([](Check& e) { return e.hit = !*e.hit, true; })},
      {"check.free", "exact-slots", free_of<Check>()},
      {"check.reclaimable", "exact-slots", reclaimable_of<Check>()},
      {"can_allocate.ok", "exact-slots",
       in<CanAllocate>([](CanAllocate& e) { return e.ok = !*e.ok, true; })},
      {"can_allocate.evicted less", "exact-slots",
       in<CanAllocate>([](CanAllocate& e) { return drop_last(e.evicted); })},
      {"can_allocate.evicted reversed", "exact-slots", in<CanAllocate>([](CanAllocate& e) {
         if (e.evicted->size() < 2) return false;
         std::reverse(e.evicted->begin(), e.evicted->end());
         return true;
       })},
      {"can_allocate.compute_budget", "exact-budget",
       in<CanAllocate>([](CanAllocate& e) { return ++e.compute_budget, true; })},
      {"can_allocate.free", "exact-slots", free_of<CanAllocate>()},
      {"can_allocate.reclaimable", "exact-slots", reclaimable_of<CanAllocate>()},
      {"allocate.free", "exact-slots", free_of<Allocate>()},
      {"allocate.reclaimable", "exact-slots", reclaimable_of<Allocate>()},
      {"free_input.free", "exact-slots", free_of<FreeInput>()},
      {"free_input.reclaimable", "exact-slots", reclaimable_of<FreeInput>()},
      {"free_request.held less", "no-freed-while-referenced",
       in<FreeRequest>([](FreeRequest& e) { return drop_last(e.held); })},
      {"free_request.held twice", "no-freed-while-referenced", in<FreeRequest>([](FreeRequest& e) {
         if (e.held->empty()) return false;
         e.held->push_back(e.held->front());
         return true;
       })},
      {"free_request.free", "exact-slots", free_of<FreeRequest>()},
      {"free_request.reclaimable", "exact-slots", reclaimable_of<FreeRequest>()},
      {"take_freed.hashes less", "no-stale-notice",
       in<TakeFreed>([](TakeFreed& e) { return drop_last(e.hashes); })},
      {"take_freed.hashes twice", "no-stale-notice", in<TakeFreed>([](TakeFreed& e) {
         if (e.hashes->empty()) return false;
         e.hashes->push_back(e.hashes->front());
         return true;
       })},
      {"take_freed.free", "exact-slots", free_of<TakeFreed>()},
      {"take_freed.reclaimable", "exact-slots", reclaimable_of<TakeFreed>()},
      {"reset.free", "exact-slots", free_of<Reset>()},
      {"reset.reclaimable", "exact-slots", reclaimable_of<Reset>()},
      {"end_pass.encode", "exact-budget", in<EndPass>([](EndPass& e) {
         if (!e.encode || e.encode->empty()) return false;
         e.encode->pop_back();
         return true;
       })},
      {"state.cached less", "no-ghost-entry",
       in<State>([](State& e) { return drop_last(e.cached); })},
      {"state.cached reference", "no-freed-while-referenced", in<State>([](State& e) {
         for (auto& [hash, requests] : *e.cached)
           if (!requests.empty()) return requests.pop_back(), true;
         return false;
       })},
      {"state.lru less", "exact-slots", in<State>([](State& e) { return drop_last(e.lru); })},
      {"state.lru reversed", "exact-slots", in<State>([](State& e) {
         if (e.lru->size() < 2) return false;
         std::reverse(e.lru->begin(), e.lru->end());
         return true;
       })},
      {"state.free", "exact-slots", free_of<State>()},
      {"state.reclaimable", "exact-slots", reclaimable_of<State>()},
  };
  return all;
}

/// Beyond the cache manager: only a replay of the whole pass finds them.
inline const std::vector<Kind>& pass_kinds() {
  using namespace trace;
  const auto scheduled = [](std::int64_t Scheduled::* field) {
    return in<EndPass>([field](EndPass& e) {
      if (e.scheduled.empty()) return false;
      e.scheduled.back().*field += 1;
      return true;
    });
  };
  static const std::vector<Kind> all = {
      {"check.input", "", in<Check>([](Check& e) { return e.input ^= 1, true; })},
      {"can_allocate.input", "",
       in<CanAllocate>([](CanAllocate& e) { return e.input ^= 1, true; })},
      {"can_allocate.scheduled_embeds", "exact-budget",
       in<CanAllocate>([](CanAllocate& e) { return ++e.scheduled_embeds, true; })},
      {"allocate.input", "", in<Allocate>([](Allocate& e) { return e.input ^= 1, true; })},
      {"free_input.input", "", in<FreeInput>([](FreeInput& e) { return e.input ^= 1, true; })},
      {"free_request.held reversed", "no-freed-while-referenced",
       in<FreeRequest>([](FreeRequest& e) {
         if (e.held->size() < 2) return false;
         std::reverse(e.held->begin(), e.held->end());
         return true;
       })},
      {"end_pass.computed", "progress", scheduled(&Scheduled::computed)},
      {"end_pass.tokens", "progress", scheduled(&Scheduled::tokens)},
      {"end_pass.drafts", "progress", scheduled(&Scheduled::drafts)},
      {"end_pass.placeholders", "progress", scheduled(&Scheduled::placeholders)},
      {"end_pass.scheduled less", "progress", in<EndPass>([](EndPass& e) {
         if (e.scheduled.empty()) return false;
         e.scheduled.pop_back();
         return true;
       })},
      {"end_pass.scheduled swapped", "progress", in<EndPass>([](EndPass& e) {
         if (e.scheduled.size() < 2) return false;
         std::swap(e.scheduled[0], e.scheduled[1]);
         return true;
       })},
      {"end_pass.notices", "no-stale-notice",
       in<EndPass>([](EndPass& e) { return drop_last(e.notices); })},
      {"end_pass.kv_free", "progress", in<EndPass>([](EndPass& e) { return ++*e.kv_free, true; })},
      {"gather.start", "no-interior-miss", in<Gather>([](Gather& e) { return ++e.start, true; })},
      {"gather.tokens", "no-interior-miss", in<Gather>([](Gather& e) { return ++e.tokens, true; })},
      {"gather.lookahead", "no-interior-miss",
       in<Gather>([](Gather& e) { return ++e.lookahead, true; })},
      {"gather.rows", "no-interior-miss", in<Gather>([](Gather& e) { return ++*e.rows, true; })},
      {"gather.miss", "no-interior-miss", in<Gather>([](Gather& e) {
         if (!e.miss->hash) return false;
         e.miss = Miss{};
         return true;
       })},
      {"deliver.stale", "no-freed-while-referenced", in<Deliver>([](Deliver& e) {
         if (e.outputs.empty()) return false;
         e.outputs.back().stale = !*e.outputs.back().stale;
         return true;
       })},
      {"deliver.outputs less", "no-freed-while-referenced", in<Deliver>([](Deliver& e) {
         if (e.outputs.empty()) return false;
         e.outputs.pop_back();
         return true;
       })},
      {"finish.request", "", in<Finish>([](Finish& e) {
         return e.reason == FinishReason::stopped && (e.request += "x", true);
       })},
  };
  return all;
}

}  // namespace holdfast::verify::replay::inline recorded
