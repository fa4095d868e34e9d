// Every error that a caller can cause, and that nothing has changed then; sizes at their limit;
// names of any bytes; a host's own KV blocks.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/impl/scheduler_fixture.hpp"

namespace holdfast::impl {
namespace {

using namespace std::string_view_literals;

using Size = std::int64_t SchedulerConfig::*;
constexpr std::array sizes_from_1{
    &SchedulerConfig::encoder_cache_size,     &SchedulerConfig::max_num_encoder_input_tokens,
    &SchedulerConfig::max_num_batched_tokens, &SchedulerConfig::pipeline_depth,
    &SchedulerConfig::max_num_seqs,           &SchedulerConfig::max_model_len,
    &SchedulerConfig::num_gpu_blocks,         &SchedulerConfig::block_size};
constexpr std::array sizes_from_0{
    &SchedulerConfig::num_lookahead, &SchedulerConfig::num_prefill_lookahead,
    &SchedulerConfig::num_speculative_tokens, &SchedulerConfig::watermark_blocks,
    &SchedulerConfig::long_prefill_token_threshold};

class SchedulerErrorsTest : public SchedulerTest {
 protected:
  static Error created_with(Size size, std::int64_t value) {
    auto config = roomy();
    config.*size = value;
    return Scheduler::create(config).error;
  }
  void expect_refused(Error expected, const RequestSpec& request) {
    const auto before = counts();
    const auto answer = scheduler->add_request(request);
    EXPECT_EQ(answer.error, expected) << to_string(answer.error);
    EXPECT_EQ(counts(), before);
    EXPECT_EQ(scheduler->find(request.id).error, Error::unknown_request);
  }
  /// Alone it could never run.
  void expect_too_large(Size size, std::int64_t value, std::vector<FeatureSpec> features = {}) {
    auto config = roomy();
    config.disable_chunked_mm_input = true;
    config.*size = value;
    begin(config);
    expect_refused(Error::too_large, {"a", 40, 1, 0, 0, features});
  }
};

TEST_F(SchedulerErrorsTest, CreateTakesSizesInTheirRange) {
  for (const Size size : sizes_from_1) {
    EXPECT_EQ(created_with(size, 0), Error::size_out_of_range);
    EXPECT_EQ(created_with(size, 1), Error::none);
  }
  for (const Size size : sizes_from_0) EXPECT_EQ(created_with(size, 0), Error::none);
  for (const auto& sizes : {std::vector<Size>(sizes_from_1.begin(), sizes_from_1.end()),
                            std::vector<Size>(sizes_from_0.begin(), sizes_from_0.end())})
    for (const Size size : sizes) {
      EXPECT_EQ(created_with(size, -1), Error::size_out_of_range);
      EXPECT_EQ(created_with(size, largest_size), Error::none);
      EXPECT_EQ(created_with(size, largest_size + 1), Error::size_out_of_range);
    }
}

TEST_F(SchedulerErrorsTest, TheDraftsOfAllPassesInFlightAreASizeToo) {
  auto config = roomy();
  config.pipeline_depth = config.num_speculative_tokens = largest_size;
  EXPECT_EQ(Scheduler::create(config).error, Error::size_out_of_range);
  config.pipeline_depth = 2;
  config.num_speculative_tokens = largest_size / 2 + 1;
  EXPECT_EQ(Scheduler::create(config).error, Error::size_out_of_range);
  config.num_speculative_tokens = largest_size / 2;
  EXPECT_EQ(Scheduler::create(config).error, Error::none);
}

TEST_F(SchedulerErrorsTest, AddRequestTakesSizesInTheirRange) {
  begin(roomy());
  const std::int64_t above = largest_size + 1;
  for (const RequestSpec& request :
       {RequestSpec{"a", 0, 1, 0, 0, {}}, RequestSpec{"a", -1, 1, 0, 0, {}},
        RequestSpec{"a", above, 1, 0, 0, {}}, RequestSpec{"a", 9, 0, 0, 0, {}},
        RequestSpec{"a", 9, above, 0, 0, {}}, RequestSpec{"a", 9, 1, above, 0, {}},
        RequestSpec{"a", 9, 1, -above, 0, {}}, RequestSpec{"a", 9, 1, 0, -1, {}},
        RequestSpec{"a", 9, 1, 0, above, {}}})
    expect_refused(Error::size_out_of_range, request);
}

TEST_F(SchedulerErrorsTest, AnIdIsThereOnce) {
  begin(roomy());
  const RequestHandle a = add("a", 40, {{"h", 0, 20}});
  const auto before = counts();
  EXPECT_EQ(try_add("a", 10).error, Error::duplicate_request);
  EXPECT_EQ(counts(), before);
  EXPECT_EQ(scheduler->find("a").value, a);
  EXPECT_EQ(pass(), "a 0+40");
}

TEST_F(SchedulerErrorsTest, FeaturesAreInOrderInThePromptAndNotEmpty) {
  begin(roomy());
  const FeatureSpec first{"h", Mask::whole(0, 10).value}, second{"i", Mask::whole(20, 30).value};
  const std::array out_of_order{second, first}, past_the_end{first, second};
  const std::array empty{FeatureSpec{"h", Mask()}};
  expect_refused(Error::bad_feature, {"a", 40, 1, 0, 0, out_of_order});
  expect_refused(Error::bad_feature, {"a", 29, 1, 0, 0, past_the_end});
  expect_refused(Error::bad_feature, {"a", 40, 1, 0, 0, empty});
}

TEST_F(SchedulerErrorsTest, WhatCouldNeverRunIsTooLarge) {
  const std::vector<FeatureSpec> one{{"h", Mask::whole(0, 20).value}};
  const std::vector<FeatureSpec> group{{"h", Mask::whole(0, 15).value},
                                       {"i", Mask::whole(10, 15).value}};
  expect_too_large(&SchedulerConfig::encoder_cache_size, 19, one);
  expect_too_large(&SchedulerConfig::encoder_cache_size, 19, group);
  expect_too_large(&SchedulerConfig::max_num_encoder_input_tokens, 19, one);
  expect_too_large(&SchedulerConfig::max_num_batched_tokens, 19, one);
  expect_too_large(&SchedulerConfig::max_model_len, 40);
  expect_too_large(&SchedulerConfig::num_gpu_blocks, 4);  // 42 tokens with the output in flight
  // The last chunk may not be shorter than 101.
  auto config = roomy();
  config.num_prefill_lookahead = 101;
  begin(config);
  expect_refused(Error::too_large, {"a", 100, 1, 0, 0, {}});
}

TEST_F(SchedulerErrorsTest, OneMoreIsNotTooLarge) {
  auto config = roomy();
  config.disable_chunked_mm_input = true;
  config.encoder_cache_size = config.max_num_encoder_input_tokens = 20;
  config.max_num_batched_tokens = config.num_prefill_lookahead = 40;
  config.max_model_len = 41;
  config.num_gpu_blocks = 5;
  begin(config);
  add("a", 40, {{"h", 0, 20}});
  EXPECT_EQ(pass(), "a 0+40");
}

TEST_F(SchedulerErrorsTest, AHandleOfWhoIsGoneIsRefused) {
  begin(roomy());
  const RequestHandle gone = add("a", 40, {{"h", 0, 20}});
  EXPECT_EQ(scheduler->abort_request(gone), Error::none);
  const RequestHandle b = add("b", 40, {{"i", 0, 20}});
  EXPECT_EQ(b.index, gone.index);  // the same number
  const auto before = counts();
  for (const RequestHandle stale : {gone, RequestHandle{}}) {
    EXPECT_EQ(scheduler->abort_request(stale), Error::unknown_request);
    EXPECT_EQ(scheduler->preempt_request(stale), Error::unknown_request);
    EXPECT_EQ(scheduler->update_draft_tokens(stale, 0), Error::unknown_request);
    EXPECT_EQ(scheduler->hash_of(stale, 0).error, Error::unknown_request);
  }
  EXPECT_EQ(scheduler->hash_of(b, 1).error, Error::unknown_input);
  EXPECT_EQ(scheduler->preempt_request(b), Error::wrong_time);  // it does not run
  EXPECT_EQ(scheduler->update_draft_tokens(b, -1), Error::size_out_of_range);
  EXPECT_EQ(scheduler->update_draft_tokens(b, 1), Error::size_out_of_range);  // none are proposed
  EXPECT_EQ(counts(), before);
  EXPECT_EQ(pass(), "b 0+40");
}

TEST_F(SchedulerErrorsTest, OutputsComeInOrderAndAreComplete) {
  auto config = roomy();
  config.pipeline_depth = 2;
  config.num_speculative_tokens = 2;
  begin(config);
  EXPECT_EQ(scheduler->update_from_output(0, {}), Error::wrong_time);
  EXPECT_EQ(scheduler->update_from_output(1, {}), Error::wrong_time);
  add("a", 10, {{"h", 0, 10}}, {.max_tokens = 9});
  EXPECT_EQ(pass(), "a 0+10");
  EXPECT_EQ(pass(), "a 10+3/2");
  EXPECT_EQ(scheduler->schedule().error, Error::pipeline_full);
  const auto before = counts();
  const std::vector<Output> fine{{1, 0}}, two{{1, 0}, {1, 0}}, rejected{{1, 1}}, negative{{-1, 0}},
      below{{1, -1}}, above{{largest_size + 1, 0}};
  EXPECT_EQ(scheduler->update_from_output(2, fine), Error::wrong_time);
  EXPECT_EQ(scheduler->update_from_output(1, {}), Error::size_out_of_range);
  for (const auto& outputs : {two, rejected, negative, below, above})
    EXPECT_EQ(scheduler->update_from_output(1, outputs), Error::size_out_of_range);
  EXPECT_EQ(counts(), before);
  deliver(fine);
  EXPECT_EQ(scheduler->update_from_output(1, fine), Error::wrong_time);
  EXPECT_EQ(scheduler->update_from_output(2, std::vector<Output>{{1, 3}}),
            Error::size_out_of_range);
  deliver({{.generated = 1, .rejected = 2}});
  EXPECT_EQ(pass(), "a 11+3/2");
}

TEST_F(SchedulerErrorsTest, NothingOverflowsAtTheLargestSizes) {
  SchedulerConfig config;
  for (const Size size : sizes_from_1) config.*size = largest_size;
  config.pipeline_depth = 2;
  config.block_size = 1;
  config.num_lookahead = config.watermark_blocks = largest_size;
  begin(config);
  const Tokens prompt = largest_size - 1;
  const std::string all = "a 0+" + std::to_string(prompt);
  const RequestHandle a = add("a", prompt, {{"h", 0, prompt}},
                              {.max_tokens = largest_size, .priority = -largest_size, .cached = 0});
  EXPECT_EQ(pass(), all);
  EXPECT_EQ(orders(), "h for a");
  EXPECT_EQ(scheduler->num_freeable_slots(), 1);
  deliver({{.generated = largest_size, .rejected = 0}});
  EXPECT_EQ(scheduler->ended().size(), 1U);
  EXPECT_EQ(scheduler->abort_request(a), Error::unknown_request);
  EXPECT_EQ(counts(), (std::vector<std::int64_t>{0, 0, 1, largest_size}));
  add("b", prompt, {}, {.max_tokens = largest_size, .cached = largest_size});
  EXPECT_EQ(pass(), "b " + std::to_string(prompt - 1) + "+1");
}

TEST_F(SchedulerErrorsTest, IdsAndHashesAreAnyBytes) {
  begin(roomy());
  const std::array names{""sv, "\0"sv, "\0\0"sv, "\xff\xfe"sv, "a\0b"sv, "a\0c"sv};
  std::vector<RequestHandle> requests;
  for (const auto name : names) requests.push_back(add(name, 10, {{name, 0, 10}}));
  const auto made = scheduler->schedule();
  ASSERT_EQ((*made)->step.orders.size(), names.size());
  for (std::size_t n = 0; n < names.size(); ++n) {
    EXPECT_EQ(scheduler->find(names[n]).value, requests[n]);
    EXPECT_EQ(scheduler->id_of(requests[n]), names[n]);
    EXPECT_EQ(scheduler->mm_hash_of((*made)->step.orders[n].hash), names[n]);
    EXPECT_EQ((*made)->step.orders[n].hash, scheduler->hash_of(requests[n], 0).value);
  }
}

// -- a host that has its own blocks --

struct HostBlocks final : KvBlocks {
  Tokens most = 1000;
  bool refuses = false;
  std::vector<std::int64_t> taken{}, spares{};
  std::vector<RequestHandle> freed{};

  [[nodiscard]] bool could_ever_hold(Tokens tokens) const override { return tokens <= most; }
  bool allocate_slots(RequestHandle, Tokens tokens, std::int64_t spare) override {
    if (refuses) return false;
    taken.push_back(tokens);
    spares.push_back(spare);
    return true;
  }
  void free(RequestHandle request) override { freed.push_back(request); }
};

TEST_F(SchedulerErrorsTest, AHostCountsItsOwnBlocks) {
  HostBlocks host;
  auto config = roomy();
  config.num_gpu_blocks = config.block_size = 0;  // not looked at
  config.watermark_blocks = 7;
  begin(config, &host);
  host.most = 41;
  EXPECT_EQ(try_add("a", 40).error, Error::too_large);  // 42 with the output in flight
  host.most = 42;
  const RequestHandle a = add("a", 40, {{"h", 0, 20}}, {.max_tokens = 1});
  host.refuses = true;
  EXPECT_EQ(pass_and_deliver(), "");
  EXPECT_EQ(counts(), (std::vector<std::int64_t>{0, 1, 100, 100}));
  host.refuses = false;
  add("b", 10, {}, {.max_tokens = 2});
  EXPECT_EQ(pass(), "a 0+40, b 0+10");
  EXPECT_EQ(host.taken, (std::vector<std::int64_t>{40, 10}));
  EXPECT_EQ(host.spares, (std::vector<std::int64_t>{0, 7}));
  EXPECT_TRUE(host.freed.empty());
  deliver();
  EXPECT_EQ(host.freed, std::vector{a});
}

TEST_F(SchedulerErrorsTest, AHostThatHasNoBlockLeftGetsThoseOfTheLast) {
  HostBlocks host;
  begin(roomy(), &host);
  add("a", 10, {}, {.max_tokens = 5});
  const RequestHandle b = add("b", 10, {}, {.max_tokens = 5});
  pass_and_deliver();
  host.refuses = true;
  EXPECT_EQ(pass(), "");
  EXPECT_EQ(last->preempted, (std::vector{b, scheduler->find("a").value}));
  EXPECT_EQ(host.freed, last->preempted);
  deliver();
  EXPECT_EQ(scheduler->abort_request(b), Error::none);
}

}  // namespace
}  // namespace holdfast::impl
