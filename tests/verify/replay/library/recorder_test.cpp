// What the library reports of itself, step by step, is what the model does.
#include "verify/replay/library/recorder.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/random_rounds.hpp"
#include "tests/verify/replay/library/library_fixture.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::replay::inline library {
namespace {

using Draw = std::mt19937_64;

std::int64_t in(Draw& draw, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(draw);
}

/// Small, so that every budget is felt.
SchedulerConfig random_config(Draw& draw) {
  SchedulerConfig c;
  c.encoder_cache_size = in(draw, 16, 48);
  c.max_num_encoder_input_tokens = in(draw, 16, 48);
  c.max_num_batched_tokens = in(draw, 20, 60);
  c.num_lookahead = in(draw, 0, 3);
  c.num_prefill_lookahead = c.num_lookahead;
  c.disable_chunked_mm_input = in(draw, 0, 3) == 0;
  c.pipeline_depth = in(draw, 1, 2);
  c.num_speculative_tokens = in(draw, 0, 2);
  c.num_gpu_blocks = in(draw, 24, 50);
  c.block_size = 4;
  c.watermark_blocks = in(draw, 0, 2);
  c.long_prefill_token_threshold = in(draw, 0, 1) * in(draw, 8, 20);
  c.max_num_seqs = in(draw, 1, 5);
  c.max_model_len = 90;
  c.policy = in(draw, 0, 1) == 0 ? Policy::fcfs : Policy::priority;
  c.is_encoder_decoder = in(draw, 0, 4) == 0;
  return c;
}

/// An engine under random load, every step of it recorded.
class RecordedEngine {
 public:
  RecordedEngine(Draw& draw, const SchedulerConfig& config) : draw_(draw), config_(config) {}

  void run(int actions) {
    while (actions-- > 0) act();
    while (!in_flight_.empty()) deliver();
  }
  [[nodiscard]] const std::vector<trace::Event>& events() const { return recorder_.events(); }

 private:
  struct Issued {
    StepNumber number = 0;
    std::vector<Allotment> scheduled;
  };

  void act() {
    switch (in(draw_, 0, 15)) {
      case 0:
      case 1:
      case 2: return arrive();
      case 3: return abort();
      case 4: return in(draw_, 0, 3) == 0 ? reset() : void();
      case 5: return in(draw_, 0, 1) == 0 ? preempt() : void();
      case 6:
      case 7:
      case 8:
      case 9: return deliver();
      default: return schedule();
    }
  }
  void arrive() {
    std::vector<std::string> hashes;
    std::vector<FeatureSpec> specs;
    const std::int64_t most = config_.is_encoder_decoder ? 2 : 4;
    // Nothing is shared in an encoder-decoder model; a notice of two that have one hash is told
    // once by the library, and as vLLM tells it, twice, by what reads a file.
    for (std::int64_t n = in(draw_, 0, most); n > 0; --n)
      hashes.push_back(
          "h" + std::to_string(config_.is_encoder_decoder ? 10 * arrived_ + n : in(draw_, 1, 8)));
    Tokens at = in(draw_, 0, 4);
    for (const auto& hash : hashes) {
      // A hash has always the same mask. Its last position has no embedding, so that spans may
      // overlap there: the library writes a row once, the model counts it for each.
      const Tokens embeds = 4 + hash.back() % 5, holes = hash.back() % 3;
      const std::vector<MaskRun> runs{{0, 2}, {2 + holes, embeds - 2}};
      specs.push_back({hash, Mask::of_runs(at, at + embeds + holes + 1, runs).value});
      at += embeds + holes + in(draw_, 0, 5);
    }
    const std::string id = "r" + std::to_string(++arrived_);
    // Read from a file, first come first served has no priorities.
    const std::int64_t priority = config_.policy == Policy::priority ? in(draw_, 0, 2) : 0;
    const auto added =
        scheduler_->add_request({id, at + in(draw_, 1, 12), in(draw_, 1, 6), priority, 0, specs});
    if (!added) return;
    std::vector<MaskedFeature> features;
    for (InputId i = 0; i < specs.size(); ++i)
      features.push_back({*scheduler_->hash_of(*added, i), specs[i].positions});
    features_[*added] = RequestFeatures::of(std::move(features)).value;
    live_.push_back(*added);
  }
  RequestHandle somebody() {
    return live_[static_cast<std::size_t>(in(draw_, 0, std::ssize(live_) - 1))];
  }
  void abort() {
    if (live_.empty() || in(draw_, 0, 2) > 0) return;
    const RequestHandle victim = somebody();
    ASSERT_EQ(scheduler_->abort_request(victim), Error::none);
    std::erase(live_, victim);
  }
  void preempt() {
    if (!live_.empty()) std::ignore = scheduler_->preempt_request(somebody());
  }
  void reset() { execute(scheduler_->reset_encoder_cache()); }
  void schedule() {
    const auto pass = scheduler_->schedule();
    if (!pass) return;
    in_flight_.push_back({(*pass)->step.number, (*pass)->scheduled});
    for (const auto& refused : (*pass)->refused) std::erase(live_, refused.request);
    execute((*pass)->step);
  }
  void execute(const Step& step) {
    ASSERT_EQ(worker_.apply(step, [](const EncodeOrder&) { return 0; }), Error::none);
    recorder_.executed(step);
    if (config_.is_encoder_decoder) return;
    std::vector<Tokens> lookaheads{0};
    if (config_.num_lookahead > 0) lookaheads.push_back(config_.num_lookahead);
    for (const Tokens lookahead : lookaheads)
      for (const auto& s : step.scheduled) {
        const std::vector<GatherWindow> windows{
            {s.request, &features_.at(s.request), s.first, s.tokens}};
        const GatherError error =
            plan_gather({step.number, lookahead, windows, worker_.stored()}, plan_);
        recorder_.gathered(windows[0], lookahead,
                           {error.error, step.number, s.request, {}, error.hash}, plan_.rows);
      }
  }
  void deliver() {
    if (in_flight_.empty()) return;
    const auto issued = std::move(in_flight_.front());
    in_flight_.pop_front();
    std::vector<Output> outputs;
    for (const Allotment& a : issued.scheduled) {
      const Tokens rejected = in(draw_, 0, a.drafts);
      outputs.push_back({a.samples ? 1 + a.drafts - rejected : 0, rejected});
    }
    ASSERT_EQ(scheduler_->update_from_output(issued.number, outputs), Error::none);
    for (const RequestHandle r : scheduler_->ended()) std::erase(live_, r);
    if (config_.pipeline_depth > 1 || config_.num_speculative_tokens == 0) return;
    for (const Allotment& a : issued.scheduled)
      std::ignore = scheduler_->update_draft_tokens(a.request, config_.num_speculative_tokens);
  }

  Draw& draw_;
  SchedulerConfig config_;
  std::unique_ptr<Scheduler> scheduler_ = std::move(Scheduler::create(config_).value);
  Recorder recorder_{*scheduler_, config_};
  holdfast::Worker<int> worker_;
  GatherPlan plan_;
  std::deque<Issued> in_flight_;
  std::vector<RequestHandle> live_;
  std::map<RequestHandle, RequestFeatures> features_;
  int arrived_ = 0;
};

std::vector<trace::Event> recorded(Draw& draw, const SchedulerConfig& config, int actions) {
  RecordedEngine engine(draw, config);
  engine.run(actions);
  return engine.events();
}

TEST(Recorder, WhatTheLibraryReportsIsWhatTheModelDoes) {
  const tests::RandomRounds random(1, 150);
  Draw draw(random.seed);
  std::map<std::string_view, int> seen;
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    const auto events = recorded(draw, random_config(draw), 200);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "round " << round;
    expect_conforms(replay_events(events, profile("holdfast")));
    ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    for (const auto& e : events) ++seen[trace::name_of(e)];
  }
  for (const auto* name : {"check", "can_allocate", "allocate", "free_input", "free_request",
                           "preempt", "reset", "gather", "draft", "finish"})
    EXPECT_GT(seen[name], 100) << name;
}

/// That of a round of the test above in which much happens.
SchedulerConfig busy_config() {
  SchedulerConfig c;
  c.encoder_cache_size = c.max_num_encoder_input_tokens = 30;
  c.max_num_batched_tokens = 40;
  c.num_lookahead = c.num_prefill_lookahead = 2;
  c.num_gpu_blocks = 30;
  c.block_size = 4;
  c.max_num_seqs = 4;
  c.max_model_len = 90;
  return c;
}

// Of each kind of report: one that is not what was done is found where it stands.
TEST(Recorder, AWrongReportIsFound) {
  const tests::RandomRounds random(1, 1);
  Draw draw(random.seed);
  auto events = recorded(draw, busy_config(), 400);
  expect_conforms(replay_events(events, profile("holdfast")));
  std::size_t found = 0;
  for (const auto* kinds : {&recorded::manager_kinds(), &recorded::pass_kinds()})
    for (const auto& kind : *kinds) {
      std::vector<std::size_t> places;
      for (std::size_t n = 0; n < events.size(); ++n)
        if (auto copy = events[n]; kind.corrupt(copy)) places.push_back(n);
      if (places.empty()) continue;
      const auto n = places[draw() % places.size()];
      SCOPED_TRACE(std::string(kind.name) + " on line " + std::to_string(n + 1));
      const auto sound = events[n];
      kind.corrupt(events[n]);
      const auto result = replay_events(events, profile("holdfast"));
      expect_diverges(result, n + 1, kind.property.empty() ? result.property : kind.property);
      events[n] = sound;
      ++found;
    }
  EXPECT_GT(found, 25U);
}

// One that is left out, or told twice, is found too.
TEST(Recorder, AReportTooFewOrTooManyIsFound) {
  const tests::RandomRounds random(1, 40);
  Draw draw(random.seed);
  const auto events = recorded(draw, busy_config(), 400);
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    const auto n = static_cast<std::ptrdiff_t>(1 + draw() % (events.size() - 1));
    const auto& event = events[static_cast<std::size_t>(n)];
    // What drives is no report: to leave it out is another run.
    if (std::holds_alternative<trace::AddRequest>(event) ||
        std::holds_alternative<trace::Draft>(event) ||
        std::holds_alternative<trace::WorkerReset>(event) ||
        std::holds_alternative<trace::Reset>(event))
      continue;
    SCOPED_TRACE(trace::to_line(event));
    auto fewer = events, more = events;
    fewer.erase(fewer.begin() + n);
    more.insert(more.begin() + n, event);
    for (const auto* changed : {&fewer, &more})
      EXPECT_EQ(replay_events(*changed, profile("holdfast")).status,
                report::ReplayStatus::diverges);
  }
}

}  // namespace
}  // namespace holdfast::verify::replay::inline library
