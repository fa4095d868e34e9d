// The answers of a pass, from its first look-up to what it schedules.
#include <algorithm>

#include "verify/replay/recorded/answers.hpp"

namespace holdfast::verify::replay::inline recorded {

void Answers::on(Before<spec::BeginPass>) {
  pass_ = {};
  pass_.is_open = true;
}

// -- a turn --

void Answers::look_up(Int i, bool hit) {
  const Request r = m_.s.plan_request();
  const auto text = [&] { return "check of " + m_.text(r, i); };
  const auto& e = take_of<trace::Check>(text, r, i);
  if (e.hit && *e.hit != hit) m_.expect_hit(place(text()), e.hit, hit);
  m_.expect_slots(place(), e.free, e.reclaimable);
}

void Answers::on(Before<spec::Skip>) {
  if (spec::wants_feature<D>(m_.d, m_.s))
    make_room(true);
  else
    pass_.skipped.emplace_back(m_.s.plan_request(), m_.s.cursor());
}

void Answers::on(Before<spec::Abandon>) {
  if (spec::looking_at_feature<D>(m_.d, m_.s) && spec::cannot_get_in<D>(m_.d, m_.s))
    make_room(false);
}

void Answers::on(Before<spec::Evict>, Hash h) {
  miss();
  look_up_.evicted.push_back(h);
  told_.push_back(h);
}

void Answers::miss() {
  if (!std::exchange(look_up_.is_miss, true)) look_up(m_.s.cursor(), false);
}

void Answers::make_room(bool ok) {
  miss();
  look_up_.is_miss = false;
  expect_room(ok, m_.s.compute() - m_.s.promised.sum(), m_.s.promised.sum());
}

void Answers::expect_room(bool ok, Int budget, Int planned) {
  const Request r = m_.s.plan_request();
  const Int i = m_.s.cursor();
  const auto text = [&] { return "can_allocate of " + m_.text(r, i); };
  const auto& e = take_of<trace::CanAllocate>(text, r, i);
  const auto amounts = [](Int left, Int promised) {
    return "compute budget " + std::to_string(left) + ", planned " + std::to_string(promised);
  };
  if (e.compute_budget != budget || e.scheduled_embeds != planned)
    diverge(place(text()), spec::ExactBudget::info.name, amounts(budget, planned),
            amounts(e.compute_budget, e.scheduled_embeds));
  m_.expect_room(place(), e, {ok, std::exchange(look_up_.evicted, {})});
  if (m_.is_decoder_only())
    m_.expect_slots(place(), e.free, e.reclaimable);
  else
    expect_free(m_.s.free() + turn_.embeds, e.free);
}

void Answers::on(Before<spec::Allocate>, Int i) {
  was_cached_ = spec::is_cached<D>(m_.s, m_.d.config.hash(m_.s.plan_request(), i));
}

void Answers::on(After<spec::Allocate>, Int i) {
  const Request r = m_.s.plan_request();
  if (was_cached_) return look_up(i, true);
  const auto& e = take_of<trace::Allocate>([&] { return "allocate of " + m_.text(r, i); }, r, i);
  m_.expect_slots(place(), e.free, e.reclaimable);
  pass_.ordered.emplace_back(r, i);
}

void Answers::preempted(Request r, bool retracted) {
  leaving_.is_retracted = retracted;
  if (retracted && !m_.is_decoder_only())
    std::erase_if(pass_.ordered, [&](const auto& order) { return order.first == r; });
  if (pass_.is_open) take_of<trace::Preempt>([&] { return "preempt of " + m_.text(r); }, r);
}

// -- a turn of an encoder-decoder model --

void Answers::on(Before<spec::EncdecAllocate>) {
  expect_room(true, m_.s.compute(), turn_.embeds);
  turn_.inputs.push_back(m_.s.cursor());
  turn_.embeds += spec::input_embeds<D>(m_.d, m_.s);
}

void Answers::on(Before<spec::EncdecAbandon>) {
  expect_room(false, m_.s.compute(), turn_.embeds);
  on(Before<spec::PutBack>{});
}

void Answers::on(Before<spec::PutBack>) { turn_ = {}; }

void Answers::on(Before<spec::Commit>, Int, Int) {
  const Request r = m_.s.plan_request();
  for (const auto i : std::exchange(turn_.inputs, {})) {
    const auto& e = take_of<trace::Allocate>([&] { return "allocate of " + m_.text(r, i); }, r, i);
    turn_.embeds -= m_.d.config.embeds(r, i);
    expect_free(m_.s.free() + turn_.embeds, e.free);
    pass_.ordered.emplace_back(r, i);
  }
}

void Answers::on(After<spec::EncdecDrop>, Int i) {
  auto& dropped = leaving_.dropped;
  if (std::find(dropped.begin(), dropped.end(), i) == dropped.end()) dropped.push_back(i);
}

void Answers::expect_free(Int model, const std::optional<std::int64_t>& file) const {
  if (file && *file != model)
    diverge(place(), spec::ExactSlots::info.name, "free " + std::to_string(model),
            "free " + std::to_string(*file));
}

// -- the end --

void Answers::on(Before<spec::EndPass>) {
  pass_.noticed.clear();
  for (const auto h : told_)
    if (spec::is_noticed<D>(m_.d, m_.s, h)) pass_.noticed.push_back(h);
  told_.clear();
  std::erase_if(pass_.ordered, [&](const auto& order) {
    const Hash h = m_.d.config.hash(order.first, order.second);
    return m_.s.pending(h) == 0 || m_.s.ordered_by(h) != order.first;
  });
  expect_pass_ends();
}

void Answers::on(Before<spec::EncdecEndPass>) {
  const auto notice = m_.d.profile.encdec_notice;
  pass_.noticed.clear();
  for (const auto h : told_)
    if (notice == spec::EncdecNotice::next_pass_all || m_.s.pending(h) == 0)
      pass_.noticed.push_back(h);
  told_.clear();
  for (const auto& [r, i] : pass_.ordered)
    if (const Hash h = m_.d.config.hash(r, i); m_.s.pending(h) > 0) told_.push_back(h);
  if (notice == spec::EncdecNotice::same_pass) pass_.noticed = std::exchange(told_, {});
  expect_pass_ends();
}

void Answers::expect_pass_ends() {
  const auto& e =
      take<trace::TakeFreed>([] { return "the pass ends"; }, [](const auto&) { return true; });
  m_.expect_notices_in_order(place(), e.hashes, pass_.noticed);
  m_.expect_slots(place(), e.free, e.reclaimable);
}

void Answers::issued(const spec::Flight<D>& flight) {
  const auto& e = take<trace::EndPass>([] { return "end_pass"; }, [](const auto&) { return true; });
  expect_scheduled(e, flight);
  expect_encodes(e);
  m_.expect_notices_in_order(place(), e.notices, pass_.noticed);
  const auto blocks = [](Int n) { return std::to_string(n) + " KV blocks free"; };
  if (e.kv_free && *e.kv_free != queues_.kv_free)
    diverge(place("end_pass"), spec::Progress::info.name, blocks(queues_.kv_free),
            blocks(*e.kv_free));
  pass_.is_open = false;
}

void Answers::expect_scheduled(const trace::EndPass& e, const spec::Flight<D>& flight) const {
  const auto text = [](const std::optional<trace::Scheduled>& entry) {
    if (!entry) return std::string("nobody else is scheduled");
    return entry->request + ": " + std::to_string(entry->tokens) + " tokens from " +
           std::to_string(entry->computed) + " on, " + std::to_string(entry->drafts) + " drafts, " +
           std::to_string(entry->placeholders) + " placeholders";
  };
  for (std::size_t n = 0; n < std::max(flight.scheduled.size(), e.scheduled.size()); ++n) {
    std::optional<trace::Scheduled> model;
    std::optional<trace::Scheduled> file;
    if (n < e.scheduled.size()) file = e.scheduled[n];
    if (n < flight.scheduled.size()) {
      const auto& entry = flight.scheduled[n];
      model = {m_.text(entry.request), entry.computed, entry.tokens, entry.drafts,
               entry.placeholders};
    }
    if (model == file) continue;
    auto here = place("end_pass");
    for (const auto r : pass_.passed_over)
      if (file && file->request == m_.text(r)) here.rule = spec::Plan::info.name;
    diverge(here, spec::Progress::info.name, text(model), text(file));
  }
}

void Answers::expect_encodes(const trace::EndPass& e) const {
  if (!e.encode) return;
  trace::ById<std::vector<std::int64_t>> model;
  for (const auto& [r, i] : pass_.ordered) {
    if (model.empty() || model.back().first != m_.text(r))
      model.emplace_back(m_.text(r), std::vector<std::int64_t>{});
    model.back().second.push_back(i);
  }
  if (model == *e.encode) return;
  const auto text = [](const trace::ById<std::vector<std::int64_t>>& orders) {
    std::string all = "the step encodes [";
    for (const auto& [request, inputs] : orders)
      for (const auto i : inputs)
        all += (all.back() == '[' ? "input " : ", input ") + std::to_string(i) + " of " + request;
    return all + "]";
  };
  diverge(place("end_pass"), spec::ExactBudget::info.name, text(model), text(*e.encode));
}

}  // namespace holdfast::verify::replay::inline recorded
