#include "verify/diff/refinement.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "impl/scheduler_core.hpp"

namespace holdfast::verify::diff {
namespace {

using D = hunt::Reading;
using Numbers = std::vector<std::int64_t>;
using Request = spec::Request<D>;
using Hash = spec::Hash<D>;

impl::Index number_of(const Scheduler& other, int request) {
  return other.core().ids().find(request_name(request));
}
impl::Index entry_of(const Scheduler& other, int hash) {
  return other.core().hashes().find(hash_name(hash));
}
bool is_encoder_decoder(const hunt::Model& m) {
  return m.queues.sizes.manager == spec::Manager::encoder_decoder;
}
std::int64_t references(const hunt::Model& m, Hash h) {
  std::int64_t count = 0;
  m.d.all_requests([&](Request r) {
    count += m.s.refs(h, r);
    return true;
  });
  return count;
}

void compare_entry(const hunt::Model& m, const impl::Entries& entries, impl::Index n, Hash h,
                   Comparison& c) {
  const impl::Entry entry = n == impl::none ? impl::Entry{} : entries.entry(n);
  const bool freeable = n != impl::none && entries.is_freeable(n);
  c.same<std::int64_t>("weight", h.id, m.s.weight(h), entry.embeds);
  c.same<std::int64_t>("references", h.id, references(m, h), entry.references);
  c.same("evicted", h.id, m.s.evicted(h), entry.is_evicted);
  c.same<std::int64_t>("freeable", h.id, m.s.freeable(h), freeable ? entry.embeds : 0);
}

void compare_entries(const hunt::Model& m, const Scheduler& other, Comparison& c) {
  const auto& entries = other.core().entries();
  std::vector<std::pair<std::int64_t, std::int64_t>> ages;
  m.d.all_hashes([&](Hash h) {
    compare_entry(m, entries, entry_of(other, h.id), h, c);
    if (m.s.freeable(h) > 0) ages.emplace_back(m.s.order(h), h.id);
    return true;
  });
  std::sort(ages.begin(), ages.end());
  Numbers model, impl;
  for (const auto& [age, h] : ages) model.push_back(h);
  for (auto n = entries.oldest(); n != impl::none; n = entries.next_oldest(n))
    impl.push_back(number_in(entries.hashes().name(n)));
  c.same("freeable entries, oldest first", model, impl);
  c.same<std::int64_t>("free", m.s.free(), entries.free());
  c.same<std::int64_t>("reclaimable", m.s.reclaimable(), entries.reclaimable());
}

/// Of an encoder-decoder model, where nothing is cached.
void compare_slots(const hunt::Model& m, const Scheduler& other, const impl::InputSlots& slots,
                   Comparison& c) {
  m.d.all_hashes([&](Hash h) {
    const impl::Index n = entry_of(other, h.id);
    const auto entry = n == impl::none ? impl::InputSlots::Entry{} : slots.entry(n);
    c.same<std::int64_t>("weight", h.id, m.s.weight(h), 0);
    c.same<std::int64_t>("freeable", h.id, m.s.freeable(h), 0);
    c.same<std::int64_t>("references", h.id, references(m, h), entry.references);
    c.same("evicted", h.id, bool(m.s.evicted(h)), entry.is_due);
    return true;
  });
  c.same<std::int64_t>("free", m.s.free(), slots.free());
}

/// Steps in flight that owe r an output, of its epoch or an older one.
std::pair<std::int64_t, std::int64_t> owing(const hunt::Model& m, Request r) {
  std::int64_t current = 0, stale = 0;
  for (int k = m.s.delivered() + 1; k <= m.s.issued(); ++k)
    if (m.s.step_tokens(k, r) > 0) ++(m.s.step_epoch(k, r) == m.s.epoch(r) ? current : stale);
  return {current, stale};
}

/// Which features r holds; of an encoder-decoder model also what it is charged for them.
void compare_held(const hunt::Model& m, const impl::SchedulerCore& core, Request r, impl::Index n,
                  Comparison& c) {
  Numbers model, impl, charged, taken;
  for (int i = 0; i < m.d.config.features(r); ++i) {
    const auto input = static_cast<std::size_t>(i);
    if (m.s.held(r, i)) model.push_back(i);
    charged.push_back(m.s.charged(r, i));
    if (core.inputs() != nullptr) {
      const auto& x = core.inputs()->holder(n).inputs[input];
      if (x.is_held) impl.push_back(i);
      taken.push_back(x.is_held ? x.embeds : 0);
    } else {
      if (core.entries().holder(n).features[input].is_held) impl.push_back(i);
      taken.push_back(0);
    }
  }
  c.same("held", r.id, model, impl);
  c.same("charged", r.id, charged, taken);
}

void compare_request(const hunt::Model& m, const Scheduler& other, const spec::Sequence<D>& q,
                     bool runs, Comparison& c) {
  const Request r = q.request;
  const impl::Index n = number_of(other, r.id);
  c.same("known to the implementation", r.id, true, n != impl::none);
  if (n == impl::none) return;
  const auto& core = other.core();
  const impl::Sequence& x = core.sequence(n);
  const auto [current, stale] = owing(m, r);
  c.same("running", r.id, runs, x.status == impl::Status::running);
  c.same<std::int64_t>("computed", r.id, m.s.computed(r), x.computed);
  c.same<std::int64_t>("placeholders", r.id, m.s.placeholders(r), x.placeholders);
  c.same("forgotten", r.id, bool(m.s.forgotten(r)), x.forgotten);
  c.same<std::int64_t>("known", r.id, q.known, x.known);
  c.same<std::int64_t>("drafts", r.id, q.drafts, x.drafts);
  c.same<std::int64_t>("output placeholders", r.id, q.placeholders, x.output_placeholders);
  c.same<std::int64_t>("KV blocks", r.id, q.blocks, x.blocks);
  c.same("is_chunk", r.id, q.is_chunk, x.is_chunk);
  c.same("drops_stale", r.id, q.drops_stale, x.drops_stale);
  c.same<std::int64_t>("steps in flight", r.id, current, x.in_flight);
  c.same<std::int64_t>("stale steps in flight", r.id, stale, x.stale);
  compare_held(m, core, r, n, c);
}

template <class Queue>
Numbers requests_of(const Queue& queue) {
  Numbers all;
  for (const auto& q : queue) all.push_back(q.request.id);
  return all;
}

void compare_queues(const hunt::Model& m, const Scheduler& other, Comparison& c) {
  const auto& core = other.core();
  Numbers running, waiting;
  for (auto n = core.running().front(); n != impl::none;
       n = impl::SchedulerCore::Running::after(core.sequences(), n))
    running.push_back(number_in(core.ids().name(n)));
  for (const auto& rank : core.waiting())
    waiting.push_back(number_in(core.ids().name(rank.request)));
  c.same("running requests", requests_of(m.queues.running), running);
  c.same("waiting requests", requests_of(m.queues.waiting), waiting);
  c.same<std::int64_t>("free KV blocks", m.queues.kv_free, core.kv_free());
}

/// Who has no computed tokens reads all inputs in this step, and so each has an order of its own.
void compare_inputs(const hunt::Model& m, const Scheduler& other, const PassOutput& pass,
                    Comparison& c) {
  std::vector<Numbers> model, impl;
  for (const auto& e : m.queues.in_flight.back().scheduled)
    for (int i = 0; e.computed == 0 && i < m.d.config.features(e.request); ++i)
      model.push_back({e.request.id, i, m.d.config.embeds(e.request, i)});
  for (const auto& o : pass.step.orders)
    impl.push_back({number_in(other.id_of(o.request)), o.input, o.embeds});
  c.same("orders [request, input, embeds]", model, impl);
}

/// Of a pass in flight what it gave each request; resets are not the scheduler's any more.
void compare_flights(const hunt::Model& m, const Scheduler& other, Comparison& c) {
  std::vector<Numbers> model, impl;
  for (const auto& flight : m.queues.in_flight) {
    if (flight.is_reset) continue;
    auto& row = model.emplace_back();
    for (const auto& e : flight.scheduled) row.insert(row.end(), {e.tokens, e.drafts});
  }
  for (const auto& flight : other.core().in_flight()) {
    auto& row = impl.emplace_back();
    for (const auto& e : flight.requests) row.insert(row.end(), {e.tokens, e.drafts});
  }
  c.same("passes in flight", model, impl);
}

/// What the worker is told. Of an encoder-decoder model the last order of a hash is what it keeps.
void compare_step(const hunt::Model& m, const Scheduler& other, const Step& step, Comparison& c) {
  const int k = m.s.issued();
  Numbers told, notices;
  std::map<std::int64_t, std::int64_t> encodes, orders;
  m.d.all_hashes([&](Hash h) {
    if (m.s.step_notices(k, h)) told.push_back(h.id);
    if (m.s.step_encodes(k, h) > 0) encodes[h.id] = comparable(m, h, m.s.step_encodes(k, h));
    return true;
  });
  for (const auto h : step.notices) notices.push_back(number_in(other.mm_hash_of(h)));
  for (const auto& o : step.orders) {
    const std::int64_t h = number_in(other.mm_hash_of(o.hash));
    c.same("ordered once", h, true, orders.count(h) == 0 || is_encoder_decoder(m));
    orders[h] = comparable(m, Hash{static_cast<int>(h)}, o.embeds);
    // Who stands for an order in the step holds what it orders.
    const Request r{number_in(other.id_of(o.request))};
    const auto i = static_cast<int>(o.input);
    c.same("the order's request holds it", r.id, true,
           m.s.held(r, i) && m.d.config.hash(r, i).id == h);
  }
  std::sort(notices.begin(), notices.end());
  c.same("notices", told, notices);
  c.same("encodes {hash: embeds}", encodes, orders);
}

}  // namespace

std::string request_name(int request) { return fmt::format("r{}", request); }
std::string hash_name(int hash) { return fmt::format("h{}", hash); }
int number_in(std::string_view name) { return std::stoi(std::string(name.substr(1))); }

std::int64_t comparable(const hunt::Model& m, Hash h, std::int64_t embeds) {
  if (!is_encoder_decoder(m)) return embeds;
  std::int64_t size = 0;
  const bool same_size = m.d.all_requests([&](Request r) {
    return m.d.all_features(r, [&](int i) {
      if (m.d.config.hash(r, i).id != h.id) return true;
      if (size == 0) size = m.d.config.embeds(r, i);
      return size == m.d.config.embeds(r, i);
    });
  });
  return same_size ? embeds : std::min<std::int64_t>(embeds, 1);
}

void compare_states(const hunt::Model& m, const Scheduler& other, Comparison& c) {
  const auto* inputs = other.core().inputs();
  c.same("encoder-decoder", is_encoder_decoder(m), inputs != nullptr);
  if (inputs != nullptr)
    compare_slots(m, other, *inputs, c);
  else
    compare_entries(m, other, c);
  for (const auto& q : m.queues.running) compare_request(m, other, q, true, c);
  for (const auto& q : m.queues.waiting) compare_request(m, other, q, false, c);
  compare_queues(m, other, c);
  compare_flights(m, other, c);
}

void compare_passes(const hunt::Model& m, const Scheduler& other, const PassOutput& pass,
                    Comparison& c) {
  std::vector<Numbers> model, impl;
  for (const auto& e : m.queues.in_flight.back().scheduled)
    model.push_back({e.request.id, e.computed, e.tokens, e.drafts, e.placeholders, e.samples});
  for (const auto& e : pass.scheduled)
    impl.push_back({number_in(other.id_of(e.request)), e.computed, e.tokens, e.drafts,
                    e.placeholders, e.samples});
  c.same("scheduled [request, computed, tokens, drafts, placeholders, samples]", model, impl);

  if (is_encoder_decoder(m)) compare_inputs(m, other, pass, c);
  compare_step(m, other, pass.step, c);
}

}  // namespace holdfast::verify::diff
