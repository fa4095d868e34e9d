// A pass allocates nothing once everything has been as large before.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "impl/assert.hpp"
#include "impl/include/holdfast/scheduler.hpp"
#include "tests/impl/allocations.hpp"

namespace holdfast::impl {
namespace {

/// 64 running requests with four images each, of 400; whoever ends is replaced, and some wait. The
/// cache holds 100 images: entries are evicted, and hashes forgotten, in most passes.
class BusyScheduler {
 public:
  static constexpr std::size_t running = 64, present = 72, images = 4;
  std::size_t in_schedule = 0, in_update = 0, in_add = 0, added = 0, fewest_running = running;

  explicit BusyScheduler(bool is_encoder_decoder) {
    SchedulerConfig config;
    config.is_encoder_decoder = is_encoder_decoder;
    config.encoder_cache_size = 100 * 64;
    config.max_num_encoder_input_tokens = 2048;
    config.max_num_batched_tokens = 8192;
    config.pipeline_depth = 2;
    config.num_speculative_tokens = 2;
    config.num_gpu_blocks = 10'000;
    config.block_size = 16;
    config.max_num_seqs = running;
    config.max_model_len = 4096;
    scheduler_ = std::move(Scheduler::create(config).value);
    for (std::size_t n = 0; n < present; ++n) add();
    pass();
  }
  /// Two are in flight while it is made.
  void cycle() {
    pass();
    const Waiting oldest = std::move(waiting_.front());
    std::swap(waiting_.front(), waiting_.back());
    waiting_.pop_back();
    const std::size_t before = allocations();
    if (scheduler_->update_from_output(oldest.number, oldest.outputs) != Error::none) std::abort();
    in_update += allocations() - before;
    for (std::size_t n = scheduler_->ended().size(); n > 0; --n) add();
  }
  void count_from_here() {
    in_schedule = in_update = in_add = added = 0;
    fewest_running = running;
  }

 private:
  struct Waiting {
    StepNumber number = 0;
    std::vector<Output> outputs;
  };

  void pass() {
    const std::size_t before = allocations();
    const auto made = scheduler_->schedule();
    in_schedule += allocations() - before;
    Waiting step{(*made)->step.number, {}};
    for (const Allotment& a : (*made)->scheduled)
      step.outputs.push_back({a.samples ? 1 + a.drafts / 2 : 0, a.drafts - a.drafts / 2});
    waiting_.push_back(std::move(step));
    fewest_running = std::min(fewest_running, scheduler_->num_running());
  }
  void add() {
    const std::string id = "request " + std::to_string(arrived_) + std::string(40, 'x');
    std::vector<std::string> hashes;
    for (std::size_t i = 0; i < images; ++i)
      hashes.push_back(std::string(60, 'h') + std::to_string((arrived_ * 7 + i * 131) % 400));
    std::vector<FeatureSpec> features;
    for (std::size_t i = 0; i < images; ++i) {
      const auto start = static_cast<Tokens>(i * 128);
      features.push_back({hashes[i], Mask::whole(start, start + 64).value});
    }
    const Tokens max_tokens = 20 + static_cast<Tokens>(arrived_++ % 30);
    const std::size_t before = allocations();
    if (!scheduler_->add_request({id, 512, max_tokens, 0, 0, features}).ok()) std::abort();
    in_add += allocations() - before;
    ++added;
  }

  std::unique_ptr<Scheduler> scheduler_;
  std::vector<Waiting> waiting_;
  std::size_t arrived_ = 0;
};

/// Of both managers.
class SchedulerAllocations : public testing::TestWithParam<bool> {};

TEST_P(SchedulerAllocations, APassMakesNoneInTheSteadyState) {
  BusyScheduler busy(GetParam());
  // With expensive checks on, those allocate.
  const int passes = expensive_checks ? 50 : 4'000;
  for (int n = 0; n < passes; ++n) busy.cycle();
  busy.count_from_here();
  for (int n = 0; n < passes / 4; ++n) busy.cycle();
  EXPECT_EQ(busy.fewest_running, BusyScheduler::running);
  EXPECT_GT(busy.added, static_cast<std::size_t>(passes) / 4);
  if constexpr (!expensive_checks) {
    EXPECT_EQ(busy.in_schedule, 0U);
    EXPECT_EQ(busy.in_update, 0U);
    // The request's own: where its features lie, what the manager has of them, and a list of both
    // while it is added, each as it grows.
    EXPECT_LE(busy.in_add, 12 * busy.added);
    RecordProperty("allocations_of_an_arrival", std::to_string(busy.in_add / busy.added));
  }
}

INSTANTIATE_TEST_SUITE_P(Managers, SchedulerAllocations, testing::Bool(), [](const auto& is) {
  return is.param ? "EncoderDecoder" : "DecoderOnly";
});

}  // namespace
}  // namespace holdfast::impl
