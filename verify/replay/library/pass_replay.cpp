#include "verify/replay/library/pass_replay.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "impl/scheduler_core.hpp"
#include "spec/claims/properties.hpp"
#include "verify/base/errors.hpp"
#include "verify/replay/library/state.hpp"
#include "verify/replay/model.hpp"

namespace holdfast::verify::replay::inline library {
namespace {

SchedulerConfig config_of(const trace::Header& h) {
  return {.encoder_cache_size = h.capacity,
          .max_num_encoder_input_tokens = h.encoder_budget,
          .max_num_batched_tokens = h.token_budget.value_or(0),
          .num_lookahead = h.lookahead,
          .num_prefill_lookahead = tail_of(h),
          .disable_chunked_mm_input = !h.chunked_mm_input.value_or(true),
          .pipeline_depth = h.pipeline_depth,
          .num_speculative_tokens = h.draft_tokens.value_or(0),
          .num_gpu_blocks = h.kv_blocks.value_or(0),
          .block_size = h.kv_block_size.value_or(0),
          .watermark_blocks = h.kv_watermark_blocks.value_or(0),
          .long_prefill_token_threshold = h.long_prefill_threshold.value_or(0),
          .max_num_seqs = h.max_num_seqs.value_or(0),
          .max_model_len = h.max_model_len.value_or(0),
          .policy = h.scheduling_policy == trace::SchedulingPolicy::priority ? Policy::priority
                                                                             : Policy::fcfs,
          .is_encoder_decoder = h.manager == trace::Manager::encoder_decoder};
}

Result<Mask> mask_of(const trace::Feature& f) {
  if (!f.mask) return Mask::whole(f.offset, f.offset + f.length);
  std::vector<MaskRun> runs;
  for (const auto& run : *f.mask) runs.push_back({run.first, run.count});
  return Mask::of_runs(f.offset, f.offset + f.length, runs);
}

template <class Words>
std::string listed(const Words& words) {
  return fmt::format("[{}]", fmt::join(words, ", "));
}

/// In the order of the alphabet: of what has no order of its own.
std::vector<std::string> sorted(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace

PassReplay::PassReplay(const std::string& file, const trace::Header& header)
    : lookahead_(header.lookahead), in_turn_(header.pipeline_depth == 1) {
  auto made = Scheduler::create(config_of(header));
  if (!made)
    throw InputError(
        file, 1, fmt::format("header: the library refuses the sizes: {}", to_string(made.error)));
  scheduler_ = std::move(made.value);
}

void PassReplay::take(const trace::Event& event, std::uint64_t line) {
  line_ = line;
  event_ = trace::name_of(event);
  if (!std::holds_alternative<trace::Gather>(event)) expect_gathered();
  if (std::holds_alternative<trace::State>(event) ||
      std::holds_alternative<trace::BeginPass>(event))
    expect_ended();
  std::visit([this](const auto& e) { on(e); }, event);
}

void PassReplay::expect_taken(std::string about, std::string_view property, Error error) const {
  if (error != Error::none)
    diverge(place(std::move(about)), property, fmt::format("refused: {}", to_string(error)),
            "done");
}

RequestHandle PassReplay::handle(const std::string& request) const {
  const auto found = scheduler_->find(request);
  expect_taken(request, spec::AllReturned::info.name, found.error);
  return *found;
}

void PassReplay::on(const trace::AddRequest& e) {
  auto known = std::make_shared<Known>(Known{e.request, {}, {}});
  std::vector<FeatureSpec> specs;
  std::vector<MaskedFeature> masked;
  for (const auto& f : e.features) {
    auto mask = mask_of(f);
    expect_taken(e.request + ", a mask", spec::RefusesImpossible::info.name, mask.error);
    specs.push_back({f.hash, std::move(mask.value)});
    known->hashes.push_back(f.hash);
  }
  const auto added = scheduler_->add_request({.id = e.request,
                                              .prompt = e.prompt_tokens,
                                              .max_tokens = e.max_tokens,
                                              .priority = e.priority,
                                              .cached = e.prefix_hit.value_or(0),
                                              .features = specs});
  expect_taken(e.request, spec::RefusesImpossible::info.name, added.error);
  for (std::size_t i = 0; i < specs.size(); ++i)
    masked.push_back(
        {*scheduler_->hash_of(*added, static_cast<InputId>(i)), std::move(specs[i].positions)});
  auto features = RequestFeatures::of(std::move(masked));
  expect_taken(e.request, spec::RefusesImpossible::info.name, features.error);
  known->features = std::move(features.value);
  known_[e.request] = std::move(known);
}

void PassReplay::on(const trace::BeginPass& e) {
  const auto pass = scheduler_->schedule();
  expect_taken(fmt::format("pass {}", e.pass), spec::Progress::info.name, pass.error);
  pass_ = *pass;
  preempted_.clear();
  Issued issued{pass_->step, e.pass, {}};
  Flight flight{pass_->step.number, e.pass, {}};
  for (const auto& scheduled : pass_->scheduled) {
    const std::string request(scheduler_->id_of(scheduled.request));
    issued.requests.push_back(known_.at(request));
    flight.requests.push_back(request);
  }
  steps_.push_back(std::move(issued));
  flights_.push_back(std::move(flight));
}

void PassReplay::on(const trace::Preempt& e) {
  if (pass_ != nullptr)
    preempted_.push_back(e.request);
  else
    expect_taken(e.request, spec::Progress::info.name,
                 scheduler_->preempt_request(handle(e.request)));
}

void PassReplay::on(const trace::EndPass& e) {
  expect_scheduled(e);
  expect_told(e);
  pass_ = nullptr;
}

void PassReplay::expect_scheduled(const trace::EndPass& e) const {
  std::vector<std::string> library, file, preempted;
  const auto text = [](std::string_view request, auto computed, auto tokens, auto drafts,
                       auto placeholders) {
    return fmt::format("{}: computed {}, tokens {}, drafts {}, placeholders {}", request, computed,
                       tokens, drafts, placeholders);
  };
  for (const auto& a : pass_->scheduled)
    library.push_back(
        text(scheduler_->id_of(a.request), a.computed, a.tokens, a.drafts, a.placeholders));
  for (const auto& s : e.scheduled)
    file.push_back(text(s.request, s.computed, s.tokens, s.drafts, s.placeholders));
  // The first that differs says enough of it.
  const auto [l, f] = std::mismatch(library.begin(), library.end(), file.begin(), file.end());
  if (l != library.end() || f != file.end())
    diverge(place(fmt::format("scheduled, place {}", l - library.begin())),
            spec::Progress::info.name, l == library.end() ? "nobody" : *l,
            f == file.end() ? "nobody" : *f);
  for (const auto r : pass_->preempted) preempted.emplace_back(scheduler_->id_of(r));
  if (sorted(preempted) != sorted(preempted_))
    diverge(place("preempted"), spec::Progress::info.name, listed(preempted), listed(preempted_));
  if (const auto free = scheduler_->core().kv_free(); e.kv_free && *e.kv_free != free)
    diverge(place(), spec::Progress::info.name, fmt::format("kv_free = {}", free),
            fmt::format("kv_free = {}", *e.kv_free));
}

void PassReplay::expect_told(const trace::EndPass& e) const {
  if (e.encode) {
    // By hash: an order that was handed over is another request's.
    std::vector<std::string> library, file;
    for (const auto& order : pass_->step.orders)
      library.emplace_back(scheduler_->mm_hash_of(order.hash));
    for (const auto& [request, inputs] : *e.encode)
      for (const auto i : inputs)
        if (const auto h = scheduler_->hash_of(handle(request), static_cast<InputId>(i)))
          file.emplace_back(scheduler_->mm_hash_of(*h));
    if (sorted(library) != sorted(file))
      diverge(place("encodes"), spec::ExactBudget::info.name, listed(library), listed(file));
  }
  if (!e.notices) return;
  std::vector<std::string> notices;
  for (const auto h : pass_->step.notices) notices.emplace_back(scheduler_->mm_hash_of(h));
  if (sorted(notices) != sorted(*e.notices))
    diverge(place("notices"), spec::NoStaleNotice::info.name, listed(notices), listed(*e.notices));
}

void PassReplay::on(const trace::WorkerReset&) {
  while (!steps_.empty() && steps_.front().step.is_reset) {
    execute(std::move(steps_.front()));
    steps_.pop_front();
  }
}

void PassReplay::on(const trace::Execute& e) {
  if (steps_.empty() || steps_.front().step.is_reset || steps_.front().pass != e.pass)
    diverge(place(), spec::NoInteriorMiss::info.name, "another step is next",
            fmt::format("step of pass {}", e.pass));
  execute(std::move(steps_.front()));
  steps_.pop_front();
}

void PassReplay::execute(Issued issued) {
  expect_taken({}, spec::NoInteriorMiss::info.name,
               worker_.apply(issued.step, [](const EncodeOrder&) { return 0; }));
  executed_ = std::move(issued);
  // Cross-attention reads every input at once, which is no gather.
  if (!in_turn_ || scheduler_->core().inputs() != nullptr) return;
  for (const Tokens lookahead : std::set{Tokens{0}, lookahead_})
    for (std::size_t n = 0; n < executed_.requests.size(); ++n) {
      const auto error = plan(n, executed_.step.scheduled[n].first, lookahead);
      if (!error.ok() || plan_.rows > 0) readings_.emplace(executed_.requests[n]->id, lookahead);
    }
}

/// What the n-th of the executed step reads, from `start` on.
GatherError PassReplay::plan(std::size_t n, Tokens start, Tokens lookahead) {
  const auto& scheduled = executed_.step.scheduled[n];
  const std::vector<GatherWindow> windows{
      {scheduled.request, &executed_.requests[n]->features, start, scheduled.tokens}};
  return plan_gather({executed_.step.number, lookahead, windows, worker_.stored()}, plan_);
}

/// Every gather that touches an embedding has been told of.
void PassReplay::expect_gathered() {
  if (readings_.empty()) return;
  const auto& [request, lookahead] = *readings_.begin();
  diverge(place(), spec::NoInteriorMiss::info.name,
          fmt::format("{} gathers embeddings at look-ahead {}", request, lookahead), "no gather");
}

void PassReplay::on(const trace::Gather& e) {
  const auto& scheduled = executed_.step.scheduled;
  std::size_t n = 0;
  while (n < scheduled.size() && executed_.requests[n]->id != e.request) ++n;
  if (n == scheduled.size() || executed_.pass != e.pass || scheduled[n].tokens != e.tokens ||
      e.start > scheduled[n].first || (e.lookahead != 0 && e.lookahead != lookahead_))
    diverge(place("gather of " + e.request), spec::NoInteriorMiss::info.name, "no such window",
            fmt::format("{} tokens from {}, look-ahead {}", e.tokens, e.start, e.lookahead));
  const auto error = plan(n, e.start, e.lookahead);
  const bool is_due = readings_.erase({e.request, e.lookahead}) > 0;
  if (in_turn_ && !is_due)
    diverge(place("gather of " + e.request), spec::NoInteriorMiss::info.name,
            "it reads no embedding, or has been told of",
            fmt::format("a gather at look-ahead {}", e.lookahead));
  std::string missed = "nothing";
  if (error.error == Error::not_cached) missed = executed_.requests[n]->hashes[error.input];
  if (error.error != Error::not_cached)
    expect_taken("gather of " + e.request, spec::NoInteriorMiss::info.name, error.error);
  if (e.miss)
    if (const auto file = e.miss->hash.value_or("nothing"); file != missed)
      diverge(place("gather of " + e.request), spec::NoInteriorMiss::info.name, "misses " + missed,
              "misses " + file);
  if (e.rows && error.ok() && *e.rows != plan_.rows)
    diverge(place("gather of " + e.request), spec::NoInteriorMiss::info.name,
            fmt::format("{} rows", plan_.rows), fmt::format("{} rows", *e.rows));
}

void PassReplay::on(const trace::Deliver& e) {
  const Flight none;
  const auto& flight = flights_.empty() ? none : flights_.front();
  std::vector<std::string> file;
  std::vector<Output> outputs;
  for (const auto& o : e.outputs) {
    file.push_back(o.request);
    outputs.push_back({o.generated, o.rejected});
    const auto r = scheduler_->find(o.request);
    const bool stale = r.ok() && scheduler_->core().sequence(r->index).stale > 0;
    if (o.stale && *o.stale != stale)
      diverge(place("the output of " + o.request), spec::NoFreedWhileReferenced::info.name,
              stale ? "stale" : "not stale", *o.stale ? "stale" : "not stale");
  }
  if (flight.pass != e.pass || flight.requests != file)
    diverge(place(), spec::NoFreedWhileReferenced::info.name,
            fmt::format("pass {} with outputs of {}", flight.pass, listed(flight.requests)),
            fmt::format("pass {} with outputs of {}", e.pass, listed(file)));
  std::vector<std::string> live;
  for (const auto& request : flight.requests)
    if (scheduler_->find(request)) live.push_back(request);
  expect_taken({}, spec::NoFreedWhileReferenced::info.name,
               scheduler_->update_from_output(flight.number, outputs));
  for (const auto& request : live)
    if (!scheduler_->find(request)) ended_.insert(request);
  flights_.pop_front();
}

void PassReplay::on(const trace::Draft& e) {
  for (const auto& [request, proposed] : e.proposed)
    if (const auto r = scheduler_->find(request))
      expect_taken(request, spec::Progress::info.name,
                   scheduler_->update_draft_tokens(*r, proposed));
}

void PassReplay::on(const trace::Reset&) {
  steps_.push_back({scheduler_->reset_encoder_cache(), 0, {}});
}

void PassReplay::on(const trace::Finish& e) {
  if (e.reason == trace::FinishReason::aborted)
    expect_taken(e.request, spec::AllReturned::info.name,
                 scheduler_->abort_request(handle(e.request)));
  else if (ended_.erase(e.request) == 0)
    diverge(place(e.request), spec::AllReturned::info.name, "it goes on", "it has ended");
  known_.erase(e.request);
}

/// Who ends with a delivery is told of before anything else begins.
void PassReplay::expect_ended() {
  if (!ended_.empty())
    diverge(place(), spec::AllReturned::info.name, *ended_.begin() + " has ended", "it goes on");
}

void PassReplay::on(const trace::State& e) {
  CacheState state{{scheduler_->num_free_slots(), scheduler_->num_freeable_slots()}};
  if (scheduler_->core().inputs() == nullptr) {
    const auto& entries = scheduler_->core().entries();
    auto& cached = state.cached.emplace();
    for (impl::Index n = 0; n < entries.bound(); ++n)
      if (entries.entry(n).embeds > 0) cached[std::string(entries.hashes().name(n))];
    for (const auto& [request, known] : known_)
      if (const auto r = scheduler_->find(request))
        for (const auto& f : entries.holder(r->index).all())
          if (f.is_held) cached[std::string(entries.hashes().name(f.entry))].push_back(request);
    // Occurrences of a hash in one request are one reference.
    for (auto& [hash, holders] : cached)
      holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    auto& lru = state.lru.emplace();
    for (auto n = entries.oldest(); n != impl::none; n = entries.next_oldest(n))
      lru.emplace_back(entries.hashes().name(n));
  }
  expect_same(place(), state, e);
}

}  // namespace holdfast::verify::replay::inline library
