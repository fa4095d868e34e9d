// A scheduler, and what its passes come to in words.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "impl/include/holdfast/scheduler.hpp"

namespace holdfast::impl {

/// A feature that has an embedding at every position of [start, end).
struct Image {
  std::string_view hash;
  Tokens start = 0, end = 0;
};

/// What a request is beside its name, its prompt and its images.
struct Wishes {
  Tokens max_tokens = 1;
  std::int64_t priority = 0;
  Tokens cached = 0;
};

class SchedulerTest : public testing::Test {
 protected:
  /// Room for everything; a story makes tight what it is about.
  static SchedulerConfig roomy() {
    SchedulerConfig config;
    config.encoder_cache_size = 100;
    config.max_num_encoder_input_tokens = 100;
    config.max_num_batched_tokens = 100;
    config.num_gpu_blocks = 100;
    config.block_size = 10;
    config.max_num_seqs = 10;
    config.max_model_len = 1000;
    return config;
  }
  void begin(const SchedulerConfig& config, KvBlocks* blocks = nullptr) {
    auto made = Scheduler::create(config, blocks);
    ASSERT_TRUE(made.ok()) << to_string(made.error);
    scheduler = std::move(made.value);
    in_flight.clear();
  }

  Result<RequestHandle> try_add(std::string_view id, Tokens prompt,
                                std::initializer_list<Image> images = {}, Wishes wishes = {}) {
    std::vector<FeatureSpec> features;
    for (const auto& [hash, start, end] : images)
      features.push_back({hash, Mask::whole(start, end).value});
    return scheduler->add_request(
        {id, prompt, wishes.max_tokens, wishes.priority, wishes.cached, features});
  }
  RequestHandle add(std::string_view id, Tokens prompt, std::initializer_list<Image> images = {},
                    Wishes wishes = {}) {
    const auto added = try_add(id, prompt, images, wishes);
    EXPECT_TRUE(added.ok()) << id << ": " << to_string(added.error);
    return added.value;
  }

  /// A pass, and who has which tokens of it: "a 0+20", and "a 0+20/2" with 2 drafts.
  std::string pass() {
    const auto made = scheduler->schedule();
    EXPECT_TRUE(made.ok()) << to_string(made.error);
    if (!made.ok()) return "none";
    last = *made;
    in_flight.emplace_back(last->step.number, last->scheduled);
    std::string text;
    for (const Allotment& a : last->scheduled) {
      text += text.empty() ? "" : ", ";
      text += std::string(scheduler->id_of(a.request)) + " " + std::to_string(a.computed) + "+" +
              std::to_string(a.tokens);
      if (a.drafts > 0) text += "/" + std::to_string(a.drafts);
    }
    return text;
  }
  /// The outputs of the oldest pass in flight: one token where one comes.
  void deliver() {
    std::vector<Output> outputs;
    for (const Allotment& a : in_flight.front().second) outputs.push_back({a.samples ? 1 : 0, 0});
    deliver(outputs);
  }
  void deliver(const std::vector<Output>& outputs) {
    const StepNumber number = in_flight.front().first;
    in_flight.pop_front();
    EXPECT_EQ(scheduler->update_from_output(number, outputs), Error::none);
  }
  std::string pass_and_deliver() {
    std::string text = pass();
    deliver();
    return text;
  }

  /// The orders of the last pass: "h for a".
  [[nodiscard]] std::string orders() const {
    std::string text;
    for (const EncodeOrder& o : last->step.orders) {
      text += text.empty() ? "" : ", ";
      text += std::string(scheduler->mm_hash_of(o.hash)) + " for " +
              std::string(scheduler->id_of(o.request));
    }
    return text;
  }
  /// The entries that the worker drops: "h i".
  [[nodiscard]] std::string notices() const {
    std::string text;
    for (const HashHandle h : last->step.notices) {
      text += text.empty() ? "" : " ";
      text += scheduler->mm_hash_of(h);
    }
    return text;
  }
  /// What a refused call must leave as it is.
  [[nodiscard]] std::vector<std::int64_t> counts() const {
    return {static_cast<std::int64_t>(scheduler->num_running()),
            static_cast<std::int64_t>(scheduler->num_waiting()), scheduler->num_free_slots(),
            scheduler->num_freeable_slots()};
  }

  std::unique_ptr<Scheduler> scheduler;
  const PassOutput* last = nullptr;
  std::deque<std::pair<StepNumber, std::vector<Allotment>>> in_flight;
};

}  // namespace holdfast::impl
