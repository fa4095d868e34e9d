#include "verify/diff/driving.hpp"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/explore/canonical.hpp"

namespace holdfast::verify::diff {
namespace {

using Model = hunt::Reading;
using ModelRequest = spec::Request<Model>;

/// Every event of `some`, with each of `ways` to go on.
template <class Way, class Add>
std::vector<Driving> each_with(const std::vector<Driving>& some, const std::vector<Way>& ways,
                               const Add& add) {
  std::vector<Driving> all;
  for (const auto& event : some)
    for (const auto& way : ways) add(all.emplace_back(event), way);
  return all;
}

}  // namespace

std::string text_of(const Driving& event) {
  switch (event.kind) {
    case Driving::Kind::add: return fmt::format("add r{}", event.request);
    case Driving::Kind::abort: return fmt::format("abort r{}", event.request);
    case Driving::Kind::preempt: return fmt::format("preempt r{}", event.request);
    case Driving::Kind::reset: return "reset the encoder cache";
    case Driving::Kind::pass: return "a pass";
    case Driving::Kind::execute: return "execute a step";
    case Driving::Kind::deliver: break;
  }
  std::vector<std::string> words;
  for (const auto& o : event.outputs)
    words.push_back(fmt::format("{} generated, {} rejected", o.generated, o.rejected));
  for (const auto& [r, n] : event.drafts) words.push_back(fmt::format("{} drafts for r{}", n, r));
  return fmt::format("deliver [{}]", fmt::join(words, "; "));
}

Machine::Machine(const hunt::Script& script, const spec::Profile& profile)
    : script_(script), d_(hunt::workload_of(script), profile, {}) {}

Standing Machine::initial() {
  Standing at{{}, spec::Queues<Model>(hunt::sizes_of<Model>(script_)), 0};
  spec::initialise(d_, at.s);
  settle(at);
  return at;
}

std::vector<Driving> Machine::enabled(const Standing& at) const {
  using enum Driving::Kind;
  std::vector<Driving> all;
  for (int r = 0; r < static_cast<int>(script_.requests.size()); ++r)
    if ((at.came >> r & 1U) == 0) all.push_back({add, r});
  for (const auto& q : at.queues.running) {
    all.push_back({abort, q.request.id});
    all.push_back({preempt, q.request.id});
  }
  for (const auto& q : at.queues.waiting) all.push_back({abort, q.request.id});
  const auto& in_flight = at.queues.in_flight;
  if (std::none_of(in_flight.begin(), in_flight.end(), [](const auto& f) { return f.is_reset; }))
    all.push_back({reset});
  if (static_cast<int>(at.queues.passes_in_flight()) < script_.workload.depth)
    all.push_back({pass});
  if (at.s.executed() < at.s.issued()) all.push_back({execute});
  if (!in_flight.empty() && !in_flight.front().is_reset && at.s.executed() > at.s.delivered())
    for (auto& delivery : deliveries(at)) all.push_back(std::move(delivery));
  return all;
}

/// Every number of accepted drafts, and without async scheduling every number of new ones.
std::vector<Driving> Machine::deliveries(const Standing& at) const {
  std::vector<Driving> all{{Driving::Kind::deliver}};
  const bool proposes = script_.workload.depth == 1 && script_.draft_tokens > 0;
  for (const auto& entry : at.queues.in_flight.front().scheduled) {
    const auto lives = [&](const auto& queue) {
      return std::any_of(queue.begin(), queue.end(),
                         [&](const auto& q) { return q.request == entry.request; });
    };
    const bool is_there = lives(at.queues.running) || lives(at.queues.waiting);
    std::vector<spec::Output<Model>> outputs;
    if (!entry.samples || !is_there) outputs.push_back({});
    for (int accepted = 0;
         outputs.empty() || (entry.samples && is_there && accepted <= entry.drafts); ++accepted)
      outputs.push_back({1 + accepted, entry.drafts - accepted});
    all = each_with(all, outputs, [](Driving& e, const auto& o) { e.outputs.push_back(o); });
    if (!proposes || !is_there) continue;
    std::vector<int> drafts;
    for (int n = 0; n <= script_.draft_tokens; ++n) drafts.push_back(n);
    all = each_with(all, drafts,
                    [&](Driving& e, int n) { e.drafts.emplace_back(entry.request.id, n); });
  }
  return all;
}

std::uint64_t Machine::take(Standing& at, Driving& event, hunt::Companion& companion) {
  steps_ = 0;
  s_ = &at.s;
  spec::Scheduler<Model, Machine> x{d_, at.s, at.queues, *this};
  const ModelRequest r{event.request};
  switch (event.kind) {
    case Driving::Kind::add: {
      at.came |= 1U << event.request;
      const auto& asked = script_.requests[static_cast<std::size_t>(event.request)];
      event.taken = spec::add_request(x, {r, asked.max_tokens, asked.hit});
      break;
    }
    case Driving::Kind::abort: event.taken = spec::abort_request(x, r); break;
    case Driving::Kind::preempt: event.taken = spec::preempt_between_passes(x, r); break;
    case Driving::Kind::reset: event.taken = spec::reset_encoder_cache(x); break;
    case Driving::Kind::pass: event.taken = spec::schedule_pass(x, 1); break;
    case Driving::Kind::execute: spec::execute_model(x); break;
    case Driving::Kind::deliver:
      event.taken = spec::update_from_output(x, event.outputs);
      companion.delivers({d_, at.s, at.queues}, event.outputs);
      std::erase_if(event.drafts, [&](const auto& proposed) {
        return at.queues.find(ModelRequest{proposed.first}) == nullptr;  // it has ended
      });
      for (const auto& [request, n] : event.drafts) {
        spec::update_draft_tokens(x, ModelRequest{request}, n);
        companion.proposes({d_, at.s, at.queues}, ModelRequest{request}, n);
      }
      return steps_;
  }
  tell(companion, event, at);
  return steps_;
}

void Machine::tell(hunt::Companion& companion, const Driving& event, const Standing& now) const {
  const hunt::Model model{d_, now.s, now.queues};
  const ModelRequest r{event.request};
  switch (event.kind) {
    case Driving::Kind::add: return companion.adds(model, r, event.taken);
    case Driving::Kind::abort: return companion.aborts(model, r);
    case Driving::Kind::preempt: return companion.preempts(model, r);
    case Driving::Kind::reset: return companion.resets(model, event.taken);
    case Driving::Kind::pass: return companion.passes(model);
    case Driving::Kind::execute: return companion.executes(model);
    case Driving::Kind::deliver:
      companion.delivers(model, event.outputs);
      for (const auto& [request, n] : event.drafts)
        companion.proposes(model, ModelRequest{request}, n);
  }
}

void Machine::settle(Standing& at) const { explore::CanonicalForm<Model>::settle(d_, at.s); }

std::string Machine::key(const Standing& settled) const {
  static_assert(std::is_trivially_copyable_v<spec::State<Model>>);
  std::string key(reinterpret_cast<const char*>(&settled.s), sizeof settled.s);
  const auto add = [&key](auto... values) {
    ((key += static_cast<char>(static_cast<signed char>(values))), ...);
  };
  std::vector<int> arrivals;
  for (const auto* queue : {&settled.queues.running, &settled.queues.waiting})
    for (const auto& q : *queue) arrivals.push_back(q.arrival);
  for (const auto* queue : {&settled.queues.running, &settled.queues.waiting}) {
    add(queue->size());
    for (const auto& q : *queue)
      add(q.request.id,
          std::count_if(arrivals.begin(), arrivals.end(), [&](int a) { return a < q.arrival; }),
          q.known, q.drafts, q.placeholders, q.blocks, q.is_chunk, q.drops_stale);
  }
  add(settled.queues.kv_free, settled.came);
  for (const auto& flight : settled.queues.in_flight) {
    add(flight.is_reset, flight.scheduled.size());
    for (const auto& e : flight.scheduled)
      add(e.request.id, e.computed, e.tokens, e.drafts, e.placeholders, e.samples);
  }
  return key;
}

}  // namespace holdfast::verify::diff
