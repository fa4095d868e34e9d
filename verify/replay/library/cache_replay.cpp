#include "verify/replay/library/cache_replay.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spec/claims/properties.hpp"
#include "verify/base/errors.hpp"
#include "verify/replay/library/state.hpp"

namespace holdfast::verify::replay::inline library {
namespace {

std::vector<std::string> ascending(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return words;
}

std::string input_text(std::string_view call, const std::string& request, std::int64_t input) {
  return fmt::format("{} of input {} of {}", call, input, request);
}

}  // namespace

template <class Cache>
CacheReplay<Cache>::CacheReplay(const std::string& file, const trace::Header& header,
                                bool in_passes)
    : in_passes_(in_passes), encoder_budget_(header.encoder_budget) {
  auto made = Cache::make(header.capacity);
  if (!made) throw InputError(file, 1, fmt::format("header.capacity: {}", to_string(made.error)));
  cache_ = std::move(made.value);
}

template <class Cache>
void CacheReplay<Cache>::take(const trace::Event& event, std::uint64_t line) {
  line_ = line;
  std::visit([this](const auto& e) { on(e); }, event);
}

template <class Cache>
void CacheReplay<Cache>::expect_taken(const Place& where, std::string_view property,
                                      Error error) const {
  if (error != Error::none)
    diverge(where, property, fmt::format("refused: {}", to_string(error)), "done");
}

template <class Cache>
void CacheReplay<Cache>::expect_slots(std::string_view call,
                                      const std::optional<std::int64_t>& free,
                                      const std::optional<std::int64_t>& reclaimable) const {
  expect_same_slots(place(call), {cache_.num_free_slots(), cache_.num_freeable_slots()}, free,
                    reclaimable);
}

template <class Cache>
std::vector<std::string> CacheReplay<Cache>::names(const std::vector<HashHandle>& hashes) const {
  std::vector<std::string> all;
  for (const auto h : hashes) all.emplace_back(*cache_.mm_hash(h));
  return all;
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::AddRequest& e) {
  std::vector<EncoderCache::Feature> features;
  auto& hashes = hashes_[e.request];
  for (const auto& f : e.features) {
    features.push_back({f.hash, f.embeds});
    hashes.push_back(f.hash);
  }
  expect_taken(place("add_request", e.request), spec::RefusesImpossible::info.name,
               cache_.add_request(e.request, features).error);
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::BeginPass&) {
  ordered_.clear();
  noticed_.reset();
  if (in_passes_) expect_taken(place("begin_pass"), spec::Progress::info.name, cache_.begin_pass());
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::Check& e) {
  const auto found = cache_.check_and_update_cache(e.request, static_cast<InputId>(e.input));
  const auto here = place("check", input_text("check", e.request, e.input));
  expect_taken(here, spec::SameSize::info.name, found.error);
  if (e.hit && *e.hit != *found)
    diverge(here, spec::NoGhostEntry::info.name, *found ? "a hit" : "no hit",
            *e.hit ? "a hit" : "no hit");
  expect_slots("check", e.free, e.reclaimable);
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::CanAllocate& e) {
  std::vector<HashHandle> before;
  if constexpr (is_decoder_only)
    if (e.evicted) before = cache_.freeable();
  if (in_passes_) {
    const auto left = encoder_budget_ - cache_.num_ordered_embeds() - e.scheduled_embeds;
    if (left != e.compute_budget)
      diverge(place("can_allocate", input_text("can_allocate", e.request, e.input)),
              spec::ExactBudget::info.name, fmt::format("compute budget {}", left),
              fmt::format("compute budget {}", e.compute_budget));
  }
  const auto ok = cache_.can_allocate(e.request, static_cast<InputId>(e.input), e.compute_budget,
                                      e.scheduled_embeds);
  const auto here = place("can_allocate", input_text("can_allocate", e.request, e.input));
  expect_taken(here, spec::ExactSlots::info.name, ok.error);
  if (e.ok && *e.ok != *ok)
    diverge(here, spec::ExactSlots::info.name, *ok ? "there is room" : "no room",
            *e.ok ? "there is room" : "no room");
  expect_evicted(e, before);
  expect_slots("can_allocate", e.free, e.reclaimable);
}

template <class Cache>
void CacheReplay<Cache>::expect_evicted(const trace::CanAllocate& e,
                                        const std::vector<HashHandle>& before) const {
  if (!e.evicted) return;
  std::vector<std::string> evicted;
  if constexpr (is_decoder_only) {
    evicted = names(before);
    evicted.resize(before.size() - cache_.freeable().size());
  }
  if (evicted != *e.evicted)
    diverge(place("can_allocate", input_text("can_allocate", e.request, e.input)),
            spec::ExactSlots::info.name, fmt::format("evicts [{}]", fmt::join(evicted, ", ")),
            fmt::format("evicts [{}]", fmt::join(*e.evicted, ", ")));
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::Allocate& e) {
  expect_taken(place("allocate", input_text("allocate", e.request, e.input)),
               spec::ExactSlots::info.name,
               cache_.allocate(e.request, static_cast<InputId>(e.input)));
  expect_slots("allocate", e.free, e.reclaimable);
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::FreeInput& e) {
  // Every delivery of an encoder-decoder model frees every input.
  const auto error = cache_.free_encoder_input(e.request, static_cast<InputId>(e.input));
  if (is_decoder_only || (error != Error::not_held && error != Error::unknown_request))
    expect_taken(place("free_input", input_text("free_input", e.request, e.input)),
                 spec::NoFreedWhileReferenced::info.name, error);
  expect_slots("free_input", e.free, e.reclaimable);
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::FreeRequest& e) {
  const auto here = place("free_request", "free_request of " + e.request);
  if (const auto r = cache_.find_request(e.request); cache_.request_id(r).ok()) {
    const auto held = *cache_.held(r);
    if (e.held) {
      std::vector<std::int64_t> library(held.begin(), held.end()), file = *e.held;
      std::sort(file.begin(), file.end());
      if (library != file)
        diverge(here, spec::NoFreedWhileReferenced::info.name,
                fmt::format("it holds [{}]", fmt::join(library, ", ")),
                fmt::format("it holds [{}]", fmt::join(file, ", ")));
      for (const auto i : *e.held)
        expect_taken(here, spec::NoFreedWhileReferenced::info.name,
                     cache_.free_encoder_input(r, static_cast<InputId>(i)));
    }
    expect_taken(here, spec::NoFreedWhileReferenced::info.name, cache_.free(r));
  } else if (e.held && !e.held->empty()) {
    diverge(here, spec::NoFreedWhileReferenced::info.name, "it has ended and holds nothing",
            "it holds something");
  }
  expect_slots("free_request", e.free, e.reclaimable);
}

template <class Cache>
void CacheReplay<Cache>::end_pass(std::string_view call) {
  if (!cache_.in_pass()) return;
  const auto pass = cache_.end_pass();
  expect_taken(place(call), spec::Progress::info.name, pass.error);
  for (const auto& order : pass->orders) ordered_.emplace_back(*cache_.mm_hash(order.mm_hash));
}

template <class Cache>
void CacheReplay<Cache>::expect_notices(std::string_view call,
                                        const std::optional<std::vector<std::string>>& file) const {
  if (noticed_ && file && ascending(*file) != ascending(*noticed_))
    diverge(place(call), spec::NoStaleNotice::info.name,
            fmt::format("notices [{}]", fmt::join(*noticed_, ", ")),
            fmt::format("notices [{}]", fmt::join(*file, ", ")));
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::TakeFreed& e) {
  end_pass("take_freed");
  const auto freed = cache_.get_freed_mm_hashes();
  expect_taken(place("take_freed"), spec::NoStaleNotice::info.name, freed.error);
  noticed_.emplace();
  for (const auto& f : *freed) noticed_->emplace_back(f.mm_hash);
  expect_notices("take_freed", e.hashes);
  expect_slots("take_freed", e.free, e.reclaimable);
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::Reset& e) {
  expect_taken(place("reset"), spec::NoGhostEntry::info.name, cache_.reset());
  expect_slots("reset", e.free, e.reclaimable);
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::EndPass& e) {
  end_pass("end_pass");
  expect_notices("end_pass", e.notices);
  if (!in_passes_ || !e.encode) return;
  std::vector<std::string> file;
  for (const auto& [request, inputs] : *e.encode)
    for (const auto i : inputs)
      if (const auto at = hashes_.find(request); at != hashes_.end())
        file.push_back(at->second[static_cast<std::size_t>(i)]);
  if (ascending(file) != ascending(ordered_))
    diverge(place("end_pass"), spec::ExactBudget::info.name,
            fmt::format("encodes [{}]", fmt::join(ordered_, ", ")),
            fmt::format("encodes [{}]", fmt::join(file, ", ")));
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::Finish& e) {
  expect_taken(place("finish", e.request), spec::AllReturned::info.name,
               cache_.remove_request(e.request));
  hashes_.erase(e.request);
}

template <class Cache>
void CacheReplay<Cache>::on(const trace::State& e) {
  CacheState state{{cache_.num_free_slots(), cache_.num_freeable_slots()}};
  if constexpr (is_decoder_only) {
    state.cached.emplace();
    for (const auto h : cache_.cached()) {
      auto& holders = (*state.cached)[std::string(*cache_.mm_hash(h))];
      for (const auto r : *cache_.holders(h)) holders.emplace_back(*cache_.request_id(r));
    }
    state.lru = names(cache_.freeable());
  }
  expect_same(place("state"), state, e);
}

template class CacheReplay<EncoderCache>;
template class CacheReplay<EncoderDecoderCache>;

}  // namespace holdfast::verify::replay::inline library
