#include "verify/replay/model.hpp"

#include <algorithm>

namespace holdfast::verify::replay {
namespace {

spec::Manager manager_of(const trace::Header& header) {
  return header.manager == trace::Manager::decoder_only ? spec::Manager::decoder_only
                                                        : spec::Manager::encoder_decoder;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out = "[";
  for (const auto& word : words) out += (out.size() > 1 ? ", " : "") + word;
  return out + "]";
}

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> words;
  for (const auto n : numbers) words.push_back(std::to_string(n));
  return joined(words);
}

}  // namespace

spec::Sizes<D> sizes_of(const trace::Header& header) {
  spec::Sizes<D> sizes;
  sizes.manager = manager_of(header);
  if (header.scheduling_policy == trace::SchedulingPolicy::priority)
    sizes.policy = spec::Policy::priority;
  sizes.draft_tokens = header.draft_tokens.value_or(0);
  sizes.kv_blocks = header.kv_blocks.value_or(sizes.kv_blocks);
  sizes.kv_block_size = header.kv_block_size.value_or(sizes.kv_block_size);
  sizes.kv_watermark_blocks = header.kv_watermark_blocks.value_or(0);
  sizes.long_prefill_threshold = header.long_prefill_threshold.value_or(0);
  sizes.max_num_seqs = header.max_num_seqs.value_or(sizes.max_num_seqs);
  sizes.max_model_len = header.max_model_len.value_or(sizes.max_model_len);
  return sizes;
}

std::int64_t tail_of(const trace::Header& header) {
  return header.lookahead > 1 ? header.lookahead : 0;
}

Model::Model(const spec::Profile& profile, const trace::Header& header, Int limit_margin)
    : machine(profile),
      d(machine.d),
      s(machine.s),
      manager(manager_of(header)),
      has_priorities_(header.scheduling_policy == trace::SchedulingPolicy::priority),
      limit_margin_(limit_margin) {
  dynamic::Budgets budgets{.capacity = header.capacity,
                           .encoder_budget = header.encoder_budget,
                           .lookahead = header.lookahead,
                           .depth = header.pipeline_depth,
                           .tail = tail_of(header),
                           .whole_items = manager == spec::Manager::decoder_only &&
                                          !header.chunked_mm_input.value_or(true),
                           .inputs_at_once = manager == spec::Manager::encoder_decoder};
  if (header.token_budget) budgets.token_budget = *header.token_budget;
  machine.start(budgets);
}

Request Model::define(const trace::AddRequest& e, bool sleeps) {
  std::vector<dynamic::FeatureConfig> features;
  features.reserve(e.features.size());
  for (const auto& f : e.features) {
    auto h = hashes.find(f.hash);
    if (!h) {
      h = machine.new_sleeping_hash();
      hashes.add(f.hash, *h);
    }
    auto& to = features.emplace_back(
        dynamic::FeatureConfig{*h, f.offset, f.offset + f.length, f.embeds, {}});
    if (f.mask)
      for (const auto& run : *f.mask) to.mask.push_back({run.first, run.count});
  }
  const Request r =
      machine.new_sleeping_request(e.prompt_tokens, e.prompt_tokens + e.max_tokens + limit_margin_,
                                   features, has_priorities_ ? e.priority : 0);
  if (!sleeps) machine.wake(r);
  requests.add(e.request, r);
  return r;
}

std::string Model::text(Request r, Int i) const {
  return "input " + std::to_string(i) + " (" + text(d.config.hash(r, i)) + ") of " + text(r);
}

std::vector<std::string> Model::texts(const std::vector<Hash>& some) const {
  std::vector<std::string> words;
  for (const auto h : some) words.push_back(text(h));
  return words;
}

std::string Model::text(const std::vector<Hash>& some) const { return joined(texts(some)); }

std::string Model::withdrawn_text(const std::vector<Hash>& withdrawn) const {
  if (withdrawn.empty()) return {};
  if (withdrawn.size() == 1)
    return ": its pending entry " + text(withdrawn.front()) + " is withdrawn";
  return ": its pending entries " + text(withdrawn) + " are withdrawn";
}

std::vector<Hash> Model::lru() const {
  std::vector<Hash> all;
  s.freeable.each([&](Hash h) { all.push_back(h); });
  std::sort(all.begin(), all.end(), [&](Hash a, Hash b) { return s.order(a) < s.order(b); });
  return all;
}

std::vector<Int> Model::held(Request r) const {
  std::vector<Int> all;
  s.held.each(r, [&](Int i) { all.push_back(i); });
  return all;
}

std::string Model::slots() const {
  return "free " + std::to_string(s.free()) + ", reclaimable " + std::to_string(s.reclaimable());
}

void Model::expect_slots(const Place& place, const std::optional<std::int64_t>& free,
                         const std::optional<std::int64_t>& reclaimable) const {
  // The encoder-decoder manager has no freeable entries: only its free slots mean anything.
  const bool same = (!free || *free == s.free()) &&
                    (!reclaimable || !is_decoder_only() || *reclaimable == s.reclaimable());
  if (same) return;
  std::string observed;
  if (free) observed = "free " + std::to_string(*free);
  if (reclaimable)
    observed += (observed.empty() ? "" : ", ") + ("reclaimable " + std::to_string(*reclaimable));
  diverge(place, spec::ExactSlots::info.name, slots(), observed);
}

void Model::expect_hit(const Place& place, const std::optional<bool>& hit, bool model) const {
  if (!hit || *hit == model) return;
  const bool size = place.rule == spec::Refuse::info.name;
  diverge(place, size ? spec::SameSize::info.name : spec::NoGhostEntry::info.name,
          size    ? "refused, as the entry has another size"
          : model ? "a hit"
                  : "a miss",
          *hit ? "a hit" : "a miss");
}

void Model::expect_room(const Place& place, const trace::CanAllocate& e, const Room& room) const {
  if (e.evicted) {
    std::vector<std::string> model;
    for (const auto h : room.evicted) model.push_back(text(h));
    if (model != *e.evicted) {
      const bool referenced =
          std::any_of(e.evicted->begin(), e.evicted->end(), [&](const auto& id) {
            const auto h = hashes.find(id);
            return h && !s.refs.none(*h);
          });
      diverge(place,
              referenced ? spec::NoFreedWhileReferenced::info.name : spec::ExactSlots::info.name,
              "evicts " + joined(model), "evicts " + joined(*e.evicted));
    }
  }
  if (e.ok && *e.ok != room.ok) {
    diverge(place, spec::ExactSlots::info.name,
            std::string(room.ok ? "it fits" : "it does not fit") + " (" + slots() + ")",
            *e.ok ? "it fits" : "it does not fit");
  }
}

void Model::expect_state(const Place& place, const trace::State& e) const {
  if (e.cached) {
    std::size_t found = 0;
    for (const auto& [id, references] : *e.cached) {
      const auto h = hashes.find(id);
      if (!h || !spec::is_cached<D>(s, *h))
        diverge(place, spec::NoGhostEntry::info.name, id + " is not cached", id + " is cached");
      ++found;
      std::vector<std::string> model;
      s.refs.each(*h, [&](Request r) { model.push_back(text(r)); });
      auto file = references;
      std::sort(model.begin(), model.end());
      std::sort(file.begin(), file.end());
      if (model != file)
        diverge(place, spec::NoFreedWhileReferenced::info.name,
                id + " is referenced by " + joined(model),
                id + " is referenced by " + joined(references));
    }
    std::size_t cached = 0;
    s.weight.each([&](Hash) { ++cached; });
    if (cached != found) {
      s.weight.each([&](Hash h) {
        const auto named = [&](const auto& entry) { return entry.first == text(h); };
        if (std::none_of(e.cached->begin(), e.cached->end(), named))
          diverge(place, spec::NoGhostEntry::info.name, text(h) + " is cached",
                  text(h) + " is not cached");
      });
    }
  }
  if (e.lru) {
    std::vector<std::string> model;
    for (const auto h : lru()) model.push_back(text(h));
    if (model != *e.lru)
      diverge(place, spec::ExactSlots::info.name, "freeable, oldest first: " + joined(model),
              joined(*e.lru));
  }
  expect_slots(place, e.free, e.reclaimable);
}

void Model::expect_notices(const Place& place,
                           const std::optional<std::vector<std::string>>& listed,
                           const std::vector<Hash>& model) const {
  if (!listed) return;
  auto expected = texts(model);
  auto file = *listed;
  std::sort(expected.begin(), expected.end());
  std::sort(file.begin(), file.end());
  if (expected != file) expect_notices_in_order(place, listed, model);
}

void Model::expect_notices_in_order(const Place& place,
                                    const std::optional<std::vector<std::string>>& listed,
                                    const std::vector<Hash>& model) const {
  if (listed && *listed != texts(model))
    diverge(place, spec::NoStaleNotice::info.name, "the worker is told to drop " + text(model),
            "the worker is told to drop " + joined(*listed));
}

void Model::expect_encodes(const Place& place, const trace::EndPass& e,
                           const std::vector<Hash>& ordered) const {
  if (!e.encode) return;
  std::vector<std::string> model;
  std::vector<std::string> file;
  for (const auto h : ordered) model.push_back(text(h));
  for (const auto& [id, inputs] : *e.encode) {
    const auto r = find(id);
    for (const auto i : inputs) file.push_back(r ? text(d.config.hash(*r, i)) : id);
  }
  std::sort(model.begin(), model.end());
  std::sort(file.begin(), file.end());
  if (model != file)
    diverge(place, spec::ExactBudget::info.name, "the step encodes " + joined(model),
            "the step encodes " + joined(file));
}

void Model::expect_held(const Place& place, Request r, std::vector<std::int64_t> listed) const {
  std::sort(listed.begin(), listed.end());
  if (const auto model = held(r); model != listed) diverge_on_held(place, text(r), model, listed);
}

void diverge_on_held(const Place& place, const std::string& request, const std::vector<Int>& model,
                     const std::vector<std::int64_t>& listed) {
  diverge(place, spec::NoFreedWhileReferenced::info.name,
          request + " holds inputs " + joined(model), request + " holds inputs " + joined(listed));
}

void Model::sweep_sometimes() {
  const auto size = [&] { return d.universe.requests.size() + d.universe.hashes.size(); };
  if (size() <= sweep_above_ || s.in_pass() || !spec::at_rest(s)) return;
  const auto gone = machine.sweep();
  for (const auto r : gone.requests) requests.remove(r);
  for (const auto h : gone.hashes) hashes.remove(h);
  sweep_above_ = std::max<std::size_t>(32, 2 * size());
}

}  // namespace holdfast::verify::replay
