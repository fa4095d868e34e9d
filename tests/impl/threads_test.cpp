// The thread rule: one scheduler thread, one worker thread, and steps handed over in order. Preset
// tsan is what sees a breach of it; what is compared here is that each side did all of its part.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "impl/include/holdfast/scheduler.hpp"
#include "impl/include/holdfast/worker.hpp"
#include "tests/impl/random_features.hpp"
#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool has_thread_sanitizer = true;
#elif defined(__has_feature)
constexpr bool has_thread_sanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool has_thread_sanitizer = false;
#endif

/// From one thread to another, in order. With `relaxed` it is no handover: nothing makes what one
/// wrote before `put` come before what the other does after `take`.
template <class Message, std::memory_order publish, std::memory_order look>
class Handover {
 public:
  void put(Message message) {
    const std::size_t n = written_.load(std::memory_order_relaxed);
    while (n - read_.load(look) == places_.size()) std::this_thread::yield();
    places_[n % places_.size()] = std::move(message);
    written_.store(n + 1, publish);
  }
  Message take() {
    const std::size_t n = read_.load(std::memory_order_relaxed);
    while (written_.load(look) == n) std::this_thread::yield();
    Message message = std::move(places_[n % places_.size()]);
    read_.store(n + 1, publish);
    return message;
  }

 private:
  std::array<Message, 4> places_;
  std::atomic<std::size_t> written_ = 0, read_ = 0;
};

struct Arrival {
  RequestHandle request;
  RequestFeatures features;
};
/// To the worker. Number 0: nothing more comes.
struct Work {
  std::vector<RequestHandle> gone;  ///< who comes may have the number of one of them
  std::vector<Arrival> come;
  Step step;
};
struct Done {
  StepNumber number = 0;
  std::size_t rows = 0;  ///< gathered
};

/// What both sides count.
struct Counts {
  std::size_t steps = 0, encodes = 0, notices = 0;
  bool operator==(const Counts&) const = default;
};
void count(Counts& counts, const Step& step) {
  ++counts.steps;
  counts.encodes += step.orders.size();
  counts.notices += step.notices.size();
}

/// On its own thread, as `work`, and nobody else's: a worker whose outputs are rows of numbers.
class WorkerSide {
 public:
  Counts counts;

  Done execute(Work work) {
    for (const RequestHandle request : work.gone)
      must(worker_.remove_request(request) == Error::none);
    for (auto& [request, features] : work.come)
      must(worker_.add_request(request, std::move(features)) == Error::none);
    const auto encode = [](const EncodeOrder& order) {
      return std::make_unique<std::vector<int>>(static_cast<std::size_t>(order.embeds), 1);
    };
    must(worker_.apply(work.step, encode) == Error::none);
    std::vector<Tokens> starts;
    for (const auto& scheduled : work.step.scheduled) starts.push_back(scheduled.first);
    must(worker_.plan(work.step, starts, 0, plan_).ok());
    Done done{work.step.number, 0};
    for (const GatherRun& run : plan_.runs)
      for (Embeds row = run.first_row; row < run.first_row + run.rows; ++row)
        done.rows += static_cast<std::size_t>(
            (**worker_.find(run.source)).at(static_cast<std::size_t>(row)));
    count(counts, work.step);
    return done;
  }

 private:
  // Not of GoogleTest, whose own locks would order what nothing else does.
  static void must(bool holds) {
    if (!holds) std::abort();
  }
  Worker<std::unique_ptr<std::vector<int>>> worker_;
  GatherPlan plan_;
};

/// On its own thread, as `work`: a scheduler with two passes in flight.
class SchedulerSide {
 public:
  Counts counts;
  std::size_t rows = 0;

  explicit SchedulerSide(std::uint64_t seed) : dice_{std::mt19937_64(seed)} {
    SchedulerConfig config;
    config.encoder_cache_size = config.max_num_encoder_input_tokens = 40;
    config.max_num_batched_tokens = 60;
    config.pipeline_depth = 2;
    config.num_gpu_blocks = 60;
    config.block_size = 4;
    config.max_num_seqs = 4;
    config.max_model_len = 400;
    scheduler_ = std::move(Scheduler::create(config).value);
  }

  Work next() {
    while (scheduler_->num_running() + scheduler_->num_waiting() < 6) arrive();
    const PassOutput& pass = **scheduler_->schedule();
    flights_.push_back(pass.scheduled);
    count(counts, pass.step);
    return {std::exchange(gone_, {}), std::exchange(come_, {}), pass.step};
  }
  void deliver(const Done& done) {
    rows += done.rows;
    std::vector<Output> outputs;
    for (const Allotment& a : flights_.front()) outputs.push_back({a.samples ? 1 : 0, 0});
    flights_.erase(flights_.begin());
    if (scheduler_->update_from_output(done.number, outputs) != Error::none) std::abort();
    gone_.insert(gone_.end(), scheduler_->ended().begin(), scheduler_->ended().end());
  }

 private:
  Dice dice_;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<std::vector<Allotment>> flights_;
  std::vector<Arrival> come_;
  std::vector<RequestHandle> gone_;
  int arrived_ = 0;

  void arrive() {
    const std::string id = "request " + std::to_string(++arrived_);
    std::vector<std::string> names;
    for (std::int64_t n = dice_.in(0, 4); n > 0; --n)
      names.push_back("hash " + std::to_string(dice_.in(1, 9)));
    std::vector<FeatureSpec> specs;
    for (const auto& name : names) {
      const auto start = static_cast<Tokens>(specs.size()) * 12;
      specs.push_back({name, Mask::whole(start, start + 8).value});
    }
    const auto prompt = static_cast<Tokens>(specs.size()) * 12 + 5;
    const auto request = scheduler_->add_request({id, prompt, dice_.in(1, 6), 0, 0, specs});
    std::vector<MaskedFeature> features;
    for (InputId i = 0; i < specs.size(); ++i)
      features.push_back({scheduler_->hash_of(*request, i).value, specs[i].positions});
    come_.push_back({*request, RequestFeatures::of(features).value});
  }
};

/// An engine of two threads, of which this is the scheduler's.
template <std::memory_order publish, std::memory_order look>
void run_engine(std::uint64_t seed, std::uint64_t passes) {
  Handover<Work, publish, look> to_worker;
  Handover<Done, publish, look> back;
  WorkerSide worker_side;
  std::thread worker([&] {
    for (Work work = to_worker.take(); work.step.number != 0; work = to_worker.take())
      back.put(worker_side.execute(std::move(work)));
  });
  SchedulerSide scheduler_side(seed);
  to_worker.put(scheduler_side.next());
  for (std::uint64_t pass = 1; pass < passes; ++pass) {
    to_worker.put(scheduler_side.next());
    scheduler_side.deliver(back.take());
  }
  scheduler_side.deliver(back.take());
  to_worker.put({});
  worker.join();
  EXPECT_EQ(worker_side.counts, scheduler_side.counts);
  EXPECT_GT(worker_side.counts.encodes, passes / 10);
  EXPECT_GT(worker_side.counts.notices, passes / 10);
  EXPECT_GT(scheduler_side.rows, passes);
}

constexpr auto release = std::memory_order_release, acquire = std::memory_order_acquire;

TEST(Threads, ASchedulerAndAWorkerShareNothingButTheStepsHandedOver) {
  const tests::RandomRounds random(1, 2'000);
  run_engine<release, acquire>(random.seed, random.rounds);
}

TEST(Threads, EnginesShareNothing) {
  const tests::RandomRounds random(2, 500);
  std::thread other([&] { run_engine<release, acquire>(random.seed + 1, random.rounds); });
  run_engine<release, acquire>(random.seed, random.rounds);
  other.join();
}

// That the sanitizer would see it: the same engine, but nothing is handed over properly.
TEST(ThreadsDeathTest, AHandoverThatOrdersNothingIsARace) {
  if (!has_thread_sanitizer) GTEST_SKIP() << "only preset tsan sees a race";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto broken = [] {
    run_engine<std::memory_order_relaxed, std::memory_order_relaxed>(1, 500);
    std::exit(0);  // which the sanitizer makes another, if it has seen a race
  };
  EXPECT_EXIT(broken(), testing::ExitedWithCode(66), "data race");
}

}  // namespace
}  // namespace holdfast::impl
