#include "impl/include/holdfast/worker.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/impl/allocations.hpp"
#include "tests/impl/random_features.hpp"
#include "tests/random_rounds.hpp"

namespace holdfast::impl {
namespace {

using testing::ElementsAre;
using testing::IsNull;
using testing::Pointee;

/// An output that only moves, and says in which step it was encoded.
using Tensor = std::unique_ptr<StepNumber>;

HashHandle hash(std::uint32_t n, std::uint32_t generation = 1) { return {n, generation}; }

struct WorkerTest : testing::Test {
  Worker<Tensor> worker;
  GatherPlan plan;
  std::vector<HashHandle> encoded;

  Error apply(const Step& step) {
    const Error error = worker.apply(step, [&](const EncodeOrder& order) {
      EXPECT_EQ(worker.find(order.hash), nullptr) << "the old output is gone before the new one is";
      encoded.push_back(order.hash);
      return std::make_unique<StepNumber>(step.number);
    });
    EXPECT_TRUE(worker.check_invariants());
    return error;
  }
  RequestFeatures one_feature() {
    return RequestFeatures::of({{hash(0), Mask::whole(4, 8).value}}).value;
  }
};

TEST_F(WorkerTest, DropsFirstAndThenEncodesInOrder) {
  ASSERT_EQ(apply({.number = 1, .orders = {{hash(2), 5}, {hash(0), 3}}}), Error::none);
  EXPECT_THAT(encoded, ElementsAre(hash(2), hash(0)));
  EXPECT_EQ(worker.embeds(), 8);
  ASSERT_EQ(apply({.number = 2, .notices = {hash(0), hash(2)}, .orders = {{hash(2), 5}}}),
            Error::none);
  EXPECT_THAT(worker.find(hash(0)), IsNull());
  EXPECT_THAT(worker.find(hash(2)), Pointee(Pointee(2)));
  EXPECT_EQ(worker.embeds(), 5);
  EXPECT_EQ(worker.entries(), 1u);
  ASSERT_EQ(apply({.number = 3, .notices = {hash(7)}}), Error::none) << "it is not there";
  ASSERT_EQ(apply({.number = 4, .orders = {{hash(2), 6}}}), Error::none) << "encoded anew";
  EXPECT_EQ(worker.embeds(), 6);
}

TEST_F(WorkerTest, AResetDropsEverything) {
  ASSERT_EQ(apply({.number = 1, .orders = {{hash(2), 5}, {hash(0), 3}}}), Error::none);
  ASSERT_EQ(apply({.number = 2, .is_reset = true}), Error::none);
  EXPECT_EQ(worker.entries(), 0u);
  EXPECT_EQ(worker.embeds(), 0);
  EXPECT_EQ(worker.executed(), 2);
  EXPECT_EQ(apply({.number = 3, .orders = {{hash(2, 3), 5}}}), Error::none) << "a new name";
  EXPECT_THAT(worker.find(hash(2)), IsNull());
  EXPECT_THAT(worker.find(hash(2, 3)), Pointee(Pointee(3)));
}

TEST_F(WorkerTest, StepsComeInOrder) {
  EXPECT_EQ(apply({.number = 2}), Error::wrong_time);
  EXPECT_EQ(apply({.number = 0}), Error::wrong_time);
  ASSERT_EQ(apply({.number = 1}), Error::none);
  EXPECT_EQ(apply({.number = 1}), Error::wrong_time);
}

TEST_F(WorkerTest, ARefusedStepChangesNothing) {
  ASSERT_EQ(apply({.number = 1, .orders = {{hash(2), 5}}}), Error::none);
  EXPECT_EQ(apply({.number = 2, .notices = {hash(2, 3)}}), Error::wrong_time);
  EXPECT_EQ(apply({.number = 2, .orders = {{hash(1), 1}, {hash(2, 3), 5}}}), Error::wrong_time);
  EXPECT_EQ(apply({.number = 2, .notices = {hash(2)}, .orders = {{hash(1), 0}}}),
            Error::size_out_of_range);
  EXPECT_EQ(apply({.number = 2, .notices = {hash(2)}, .orders = {{hash(1), largest_size + 1}}}),
            Error::size_out_of_range);
  EXPECT_EQ(apply({.number = 2, .notices = {hash(2), HashHandle{}}}), Error::not_cached);
  EXPECT_EQ(apply({.number = 2, .orders = {{HashHandle{}, 1}}}), Error::not_cached);
  EXPECT_THAT(worker.find(hash(2)), Pointee(Pointee(1)));
  EXPECT_THAT(encoded, ElementsAre(hash(2)));
  EXPECT_EQ(worker.executed(), 1);
}

TEST_F(WorkerTest, AStepWhoseEncodeThrowsCanBeAppliedAgain) {
  const Step step{.number = 1, .orders = {{hash(2), 5}, {hash(0), 3}}};
  int calls = 0;
  EXPECT_THROW((void)worker.apply(step,
                                  [&](const EncodeOrder&) -> Tensor {
                                    if (++calls == 2) throw std::runtime_error("no memory");
                                    return std::make_unique<StepNumber>(0);
                                  }),
               std::runtime_error);
  EXPECT_TRUE(worker.check_invariants());
  EXPECT_EQ(worker.executed(), 0);
  ASSERT_EQ(apply(step), Error::none);
  EXPECT_EQ(worker.embeds(), 8);
}

TEST_F(WorkerTest, RequestsComeAndGo) {
  EXPECT_EQ(worker.add_request({}, {}), Error::unknown_request);
  EXPECT_EQ(worker.remove_request({4, 1}), Error::unknown_request);
  ASSERT_EQ(worker.add_request({4, 1}, one_feature()), Error::none);
  EXPECT_EQ(worker.add_request({4, 1}, {}), Error::duplicate_request);
  EXPECT_EQ(worker.add_request({4, 3}, {}), Error::duplicate_request);
  EXPECT_EQ(worker.remove_request({4, 3}), Error::unknown_request);
  EXPECT_EQ(worker.features_of({4, 1})->size(), 1u);
  ASSERT_EQ(worker.remove_request({4, 1}), Error::none);
  EXPECT_EQ(worker.features_of({4, 1}), nullptr);
  EXPECT_EQ(worker.add_request({4, 3}, {}), Error::none);
}

TEST_F(WorkerTest, PlansTheStepThatWasAppliedLast) {
  ASSERT_EQ(worker.add_request({0, 1}, {}), Error::none);
  ASSERT_EQ(worker.add_request({1, 1}, one_feature()), Error::none);
  const Step step{.number = 1,
                  .orders = {{hash(0), 4, {1, 1}, 0}},
                  .scheduled = {{{0, 1}, 20, 3}, {{1, 1}, 5, 2}}};
  const std::vector<Tokens> starts{20, 4};
  EXPECT_EQ(worker.plan(step, starts, 0, plan).error, Error::wrong_time) << "not applied yet";
  ASSERT_EQ(apply(step), Error::none);
  ASSERT_TRUE(worker.plan(step, starts, 0, plan).ok());
  EXPECT_THAT(plan.runs, ElementsAre(GatherRun{hash(0), 0, 3, 2})) << "a draft was rejected";
  ASSERT_TRUE(worker.plan(step, starts, 3, plan).ok());
  EXPECT_THAT(plan.runs, ElementsAre(GatherRun{hash(0), 3, 3, 1}));
  EXPECT_EQ(plan.tokens, 5);

  EXPECT_EQ(worker.plan(step, std::vector<Tokens>{20}, 0, plan).error, Error::size_out_of_range);
  EXPECT_EQ(worker.plan(step, std::vector<Tokens>{20, 6}, 0, plan).error, Error::size_out_of_range);
  EXPECT_EQ(worker.plan(step, std::vector<Tokens>{20, -1}, 0, plan).error,
            Error::size_out_of_range);
  ASSERT_EQ(worker.remove_request({0, 1}), Error::none);
  EXPECT_EQ(worker.plan(step, starts, 0, plan),
            (GatherError{.error = Error::unknown_request, .step = 1, .request = {0, 1}}));
  EXPECT_EQ(plan.tokens, 0);

  ASSERT_EQ(worker.add_request({0, 1}, {}), Error::none);
  Step next = step;
  next.number = 2;
  next.notices = {hash(0)};
  next.orders.clear();
  ASSERT_EQ(apply(next), Error::none);
  EXPECT_EQ(worker.plan(next, starts, 0, plan),
            (GatherError{Error::not_cached, 2, {1, 1}, 0, hash(0), false}));
}

/// What a random step asks of a plain map, and of the worker.
TEST(WorkerModel, AgreesWithAMap) {
  const tests::RandomRounds random(1, 300);
  Dice dice{std::mt19937_64(random.seed)};
  for (std::uint64_t round = 0; round < random.rounds; ++round) {
    Worker<std::vector<StepNumber>> worker;
    std::map<HashHandle, std::pair<StepNumber, Embeds>> model;
    for (StepNumber number = 1; number <= 50; ++number) {
      Step step{.number = number, .is_reset = dice.one_in(20)};
      const std::int64_t notices = dice.in(0, 4), orders = dice.in(0, 4);
      for (std::int64_t n = 0; n < notices; ++n)
        step.notices.push_back(hash(static_cast<std::uint32_t>(dice.in(0, 9))));
      for (std::int64_t n = 0; n < orders; ++n)
        step.orders.push_back({hash(static_cast<std::uint32_t>(dice.in(0, 9))), dice.in(1, 9)});
      if (step.is_reset) model.clear();
      for (const HashHandle h : step.notices) model.erase(h);
      for (const EncodeOrder& order : step.orders) model[order.hash] = {number, order.embeds};
      ASSERT_EQ(worker.apply(step, [&](const EncodeOrder&) { return std::vector{number}; }),
                Error::none);
      ASSERT_TRUE(worker.check_invariants());
      ASSERT_EQ(worker.entries(), model.size());
      for (std::uint32_t n = 0; n < 10; ++n) {
        const auto* found = worker.find(hash(n));
        const auto expected = model.find(hash(n));
        ASSERT_EQ(found != nullptr, expected != model.end());
        if (found == nullptr) continue;
        ASSERT_EQ(found->front(), expected->second.first);
        ASSERT_EQ(worker.stored()[n].embeds, expected->second.second);
      }
    }
  }
}

TEST(WorkerAllocations, NoneInTheSteadyState) {
  Worker<int> worker;
  Dice dice{std::mt19937_64(1)};
  Step step{.number = 0};
  std::vector<Tokens> starts;
  for (std::uint32_t r = 0; r < 8; ++r) {
    PlainFeature plain{hash(r), 3, Bits(20, true)};
    plain.bits[5] = plain.bits[9] = false;
    ASSERT_EQ(
        worker.add_request({r, 1}, RequestFeatures::of({{plain.hash, mask_of(dice, plain)}}).value),
        Error::none);
    step.orders.push_back({plain.hash, 18, {r, 1}, 0});
    step.notices.push_back(plain.hash);
    step.scheduled.push_back({{r, 1}, 0, 30});
    starts.push_back(0);
  }
  GatherPlan plan;
  std::size_t before = 0;
  for (int round = 0; round < 10; ++round) {
    if (round == 1) before = allocations();
    ++step.number;
    step.is_reset = round == 5;
    const Error error =
        worker.apply(step, [](const EncodeOrder& order) { return int(order.input); });
    const bool planned =
        worker.plan(step, starts, 0, plan).ok() && worker.plan(step, starts, 2, plan).ok();
    if (error != Error::none || !planned) FAIL() << to_string(error);
  }
  EXPECT_EQ(allocations(), before);
  EXPECT_GT(before, 0u) << "allocations are counted";
  EXPECT_EQ(plan.runs.size(), 24u);
}

/// Steps by value, in order, from the scheduler's thread to the worker's.
class Queue {
 public:
  void push(Step step) {
    const std::scoped_lock lock(mutex_);
    steps_.push_back(std::move(step));
    filled_.notify_one();
  }
  Step pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !steps_.empty(); });
    Step step = std::move(steps_.front());
    steps_.pop_front();
    return step;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Step> steps_;
};

TEST(WorkerThreads, StepsAreHandedOverByValue) {
  constexpr StepNumber last = 500;
  Queue queue;
  Embeds held = 0;
  std::thread thread([&] {
    Worker<Tensor> worker;
    for (StepNumber n = 1; n <= last; ++n) {
      const Step step = queue.pop();
      const Error error = worker.apply(
          step, [&](const EncodeOrder&) { return std::make_unique<StepNumber>(step.number); });
      EXPECT_EQ(error, Error::none);
    }
    held = worker.embeds();
  });
  for (StepNumber n = 1; n <= last; ++n) {
    Step step{.number = n, .orders = {{hash(static_cast<std::uint32_t>(n % 5)), n}}};
    if (n > 2) step.notices = {hash(static_cast<std::uint32_t>((n - 2) % 5))};
    queue.push(std::move(step));
  }
  thread.join();
  EXPECT_EQ(held, last + last - 1);
}

}  // namespace
}  // namespace holdfast::impl
