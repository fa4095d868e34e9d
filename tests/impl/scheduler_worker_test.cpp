// Scheduler and worker together: what the one hands over is what the other reads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "impl/include/holdfast/scheduler.hpp"
#include "impl/include/holdfast/worker.hpp"
#include "impl/scheduler_core.hpp"
#include "tests/impl/random_features.hpp"
#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

SchedulerConfig random_config(Dice& dice) {
  SchedulerConfig config;
  config.encoder_cache_size = dice.in(16, 60);
  config.max_num_encoder_input_tokens = dice.in(16, 60);
  config.max_num_batched_tokens = dice.in(16, 60);
  config.num_lookahead = dice.in(0, 4);
  config.num_prefill_lookahead = config.num_lookahead;
  config.pipeline_depth = dice.in(1, 3);
  config.num_gpu_blocks = dice.in(20, 60);
  config.block_size = 4;
  config.max_num_seqs = dice.in(1, 5);
  config.max_model_len = 400;
  config.policy = dice.one_in(2) ? Policy::fcfs : Policy::priority;
  return config;
}

/// An engine: the scheduler, and behind a queue the worker, which reads all that it needs.
struct Engine {
  Dice& dice;
  SchedulerConfig config = random_config(dice);
  std::unique_ptr<Scheduler> scheduler = std::move(Scheduler::create(config).value);
  Worker<int> worker;
  std::deque<std::function<void()>> queue;  ///< to the worker
  std::deque<std::pair<StepNumber, std::vector<Allotment>>> in_flight;
  std::vector<RequestHandle> requests;
  std::map<std::string, int>& seen;
  int arrived = 0;

  Engine(Dice& some, std::map<std::string, int>& counts) : dice(some), seen(counts) {}

  void add() {
    auto plain = random_plain_features(dice, dice.in(0, 20), 8);
    std::vector<FeatureSpec> specs;
    std::vector<std::string> names;
    for (PlainFeature& f : plain) {  // a hash always has the same mask
      Dice own{std::mt19937_64(f.hash.index)};
      do f.bits = random_bits(own, static_cast<std::size_t>(own.in(1, 15)));
      while (!f.touches(f.start, f.end()));
      names.push_back("hash " + std::to_string(f.hash.index));
    }
    Tokens prompt = dice.in(1, 30);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      specs.push_back({names[i], mask_of(dice, plain[i])});
      prompt = std::max(prompt, plain[i].end() + dice.in(0, 9));
    }
    RequestSpec request{.id = {}, .prompt = prompt, .max_tokens = dice.in(1, 6)};
    const std::string id = "request " + std::to_string(++arrived);
    request.id = id;
    request.priority = dice.in(0, 2);
    request.features = specs;
    const auto handle = scheduler->add_request(request);
    if (!handle) return;
    requests.push_back(*handle);
    std::vector<MaskedFeature> features;
    const Entries& entries = scheduler->core().entries();
    for (InputId i = 0; i < specs.size(); ++i)
      features.push_back(
          {entries.hashes().handle(entries.entry_of(handle->index, i)), specs[i].positions});
    queue.push_back([this, h = *handle, made = RequestFeatures::of(features).value] {
      EXPECT_EQ(worker.add_request(h, made), Error::none);
    });
  }
  void gone(RequestHandle request) {
    std::erase(requests, request);
    queue.push_back([this, request] { EXPECT_EQ(worker.remove_request(request), Error::none); });
  }
  void abort() {
    if (requests.empty()) return;
    const RequestHandle victim =
        requests[static_cast<std::size_t>(dice.in(0, std::ssize(requests) - 1))];
    if (scheduler->abort_request(victim) == Error::none) gone(victim);
  }
  void hand_over(Step step) {
    queue.push_back([this, s = std::move(step)] { execute(s); });
  }
  void schedule() {
    const auto output = scheduler->schedule();
    if (!output) return;
    const PassOutput& pass = **output;
    ASSERT_TRUE(pass.refused.empty());
    in_flight.emplace_back(pass.step.number, pass.scheduled);
    seen["preempted"] += static_cast<int>(pass.preempted.size());
    hand_over(pass.step);
  }
  void execute(const Step& step) {
    ASSERT_EQ(worker.apply(step, [](const EncodeOrder&) { return 0; }), Error::none);
    ASSERT_TRUE(worker.check_invariants());
    ASSERT_LE(worker.embeds(), config.encoder_cache_size);
    std::vector<Tokens> starts;
    for (const ScheduledRequest& scheduled : step.scheduled) starts.push_back(scheduled.first);
    GatherPlan plan;
    for (const Tokens lookahead : {Tokens{0}, config.num_lookahead}) {
      const GatherError error = worker.plan(step, starts, lookahead, plan);
      ASSERT_TRUE(error.ok()) << to_string(error);
      seen["runs"] += static_cast<int>(plan.runs.size());
      seen["boundary misses"] += static_cast<int>(plan.boundary_misses.size());
    }
    seen["encodes"] += static_cast<int>(step.orders.size());
    seen["notices"] += static_cast<int>(step.notices.size());
  }
  void work(StepNumber at_least) {
    while (!queue.empty() && (worker.executed() < at_least || dice.one_in(2))) {
      queue.front()();
      queue.pop_front();
    }
  }
  void deliver() {
    if (in_flight.empty()) return;
    const auto [number, scheduled] = std::move(in_flight.front());
    in_flight.pop_front();
    work(number);
    std::vector<Output> outputs;
    for (const Allotment& a : scheduled) outputs.push_back({a.samples ? 1 : 0, 0});
    ASSERT_EQ(scheduler->update_from_output(number, outputs), Error::none);
    for (const RequestHandle request : scheduler->ended()) gone(request);
  }
  void act() {
    switch (dice.in(0, 11)) {
      case 0:
      case 1: return add();
      case 2: return dice.one_in(3) ? abort() : void();
      case 3: return dice.one_in(8) ? hand_over(scheduler->reset_encoder_cache()) : void();
      case 4:
      case 5: return work(0);
      case 6:
      case 7:
      case 8: return deliver();
      default: return schedule();
    }
  }
};

TEST(SchedulerAndWorker, TheWorkerHasAllThatItReads) {
  const tests::RandomRounds random(1, 150);
  Dice dice{std::mt19937_64(random.seed)};
  std::map<std::string, int> seen;
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    Engine engine(dice, seen);
    ASSERT_NE(engine.scheduler, nullptr);
    for (int n = 0; n < 300 && !testing::Test::HasFailure(); ++n) engine.act();
    ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
  }
  for (const auto* what : {"runs", "encodes", "notices", "preempted", "boundary misses"})
    EXPECT_GT(seen[what], 0) << what;
}

}  // namespace
}  // namespace holdfast::impl
