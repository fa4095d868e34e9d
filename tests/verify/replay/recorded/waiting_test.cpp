// Thousands of requests that wait cost a pass nothing: all are added first, then served one by one.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/verify/replay/replay_fixture.hpp"
#include "verify/replay/recorded/scheduler_replay.hpp"
#include "verify/trace/form.hpp"

namespace holdfast::verify::replay::inline recorded {
namespace {

using namespace trace;
using Events = std::vector<Event>;

constexpr std::int64_t image = 4;  // tokens and slots: the cache has room for one

Header header(SchedulingPolicy policy) {
  Header h;
  h.format = format_name;
  h.version = format_version;
  h.source = "vllm 0.33.0";
  h.scheduling_policy = policy;
  h.pipeline_depth = 1;
  h.capacity = image;
  h.encoder_budget = image;
  h.token_budget = 64;
  h.draft_tokens = 0;
  h.chunked_mm_input = true;
  h.kv_blocks = 100;
  h.kv_block_size = 4;
  h.kv_watermark_blocks = 0;
  h.long_prefill_threshold = 0;
  h.max_num_seqs = 1;
  h.max_model_len = 100;
  h.prefix_caching = false;
  return h;
}

std::string name(char kind, int n) { return kind + std::to_string(n); }

/// Its image takes the place of the one before it, and it is done in one pass.
void append_pass(Events& events, std::int64_t pass, int n,
                 const std::vector<std::string>& evicted) {
  const auto r = name('r', n);
  events.insert(
      events.end(),
      {BeginPass{pass}, Check{r, 0, false, {}, {}},
       CanAllocate{r, 0, image, 0, true, evicted, {}, {}}, Allocate{r, 0, 0, {}},
       TakeFreed{evicted, {}, {}},
       EndPass{pass, {{r, 0, image, 0, 0}}, ById<std::vector<std::int64_t>>{{r, {0}}}, evicted, {}},
       Execute{pass}, Gather{pass, r, 0, image, 0, image, Miss{}}, Deliver{pass, {{r, 1, 0, {}}}},
       FreeInput{r, 0, {}, {}}, FreeRequest{r, std::vector<std::int64_t>{}, {}, {}},
       Finish{r, FinishReason::stopped}});
}

/// n requests, the later the more urgent, served in the policy's order.
Events one_by_one(int n, SchedulingPolicy policy) {
  Events events{header(policy)};
  std::vector<int> order;
  for (int k = 0; k < n; ++k) {
    events.emplace_back(
        AddRequest{name('r', k), image, 1, -k, {{name('h', k), 0, image, image, {}}}});
    order.push_back(k);
  }
  if (policy == SchedulingPolicy::priority) std::reverse(order.begin(), order.end());
  std::vector<std::string> evicted;
  for (std::size_t k = 0; k < order.size(); ++k) {
    append_pass(events, static_cast<std::int64_t>(k) + 1, order[k], evicted);
    evicted = {name('h', order[k])};
  }
  return events;
}

class WaitingTest : public ::testing::TestWithParam<SchedulingPolicy> {};

TEST_P(WaitingTest, EveryAnswerConforms) {
  for (const auto* under : {"vllm-0.33.0", "holdfast"}) {
    const auto result = replay_events(one_by_one(100, GetParam()), profile(under));
    expect_conforms(result);
    EXPECT_EQ(result.events, 1 + 100 * 13U);
  }
}

/// Names that quantifiers and bulk updates walk over in a whole run.
std::uint64_t work(int n, SchedulingPolicy policy) {
  const auto events = one_by_one(n, policy);
  SchedulerReplay replay(profile("vllm-0.33.0"), std::get<Header>(events.front()));
  for (std::size_t k = 1; k < events.size(); ++k) replay.take(events[k], k + 1);
  replay.finish();
  return replay.model().d.universe.walked;
}

/// Four times the requests are four times the work. It would be sixteen times if each pass, or each
/// request that comes or goes, cost what all that wait do.
TEST_P(WaitingTest, WorkIsLinear) {
  const auto few = work(250, GetParam());
  const auto many = work(1000, GetParam());
  EXPECT_GT(few, 250U);  // something is counted
  EXPECT_LT(many, 5 * few);
}

INSTANTIATE_TEST_SUITE_P(Policies, WaitingTest,
                         ::testing::Values(SchedulingPolicy::fcfs, SchedulingPolicy::priority),
                         [](const auto& test) {
                           return std::string(test.param == SchedulingPolicy::fcfs ? "fcfs"
                                                                                   : "priority");
                         });

}  // namespace
}  // namespace holdfast::verify::replay::inline recorded
