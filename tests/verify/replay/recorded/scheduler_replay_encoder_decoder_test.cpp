// A recording of vLLM 0.33.0's manager of encoder-decoder models, replayed wholly: it gives the
// slots of an input back at every call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/verify/replay/replay_fixture.hpp"

namespace holdfast::verify::replay::inline recorded {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view recording =
    R"({"event":"header","format":"holdfast-trace","version":1,"source":"vllm 0.33.0","manager":"encoder_decoder","scheduling_policy":"fcfs","pipeline_depth":1,"capacity":40,"encoder_budget":40,"token_budget":64,"lookahead":0,"draft_tokens":0,"chunked_mm_input":true,"kv_blocks":3,"kv_block_size":16,"kv_watermark_blocks":0,"long_prefill_threshold":16,"max_num_seqs":16,"max_model_len":1024,"prefix_caching":false})"
    "\n"
    R"({"event":"add_request","request":"r0","prompt_tokens":1,"max_tokens":1,"priority":2,"features":[{"hash":"h1","offset":0,"length":8,"embeds":8}]})"
    "\n"
    R"({"event":"add_request","request":"r1","prompt_tokens":1,"max_tokens":1,"priority":1,"features":[]})"
    "\n"
    R"({"event":"begin_pass","pass":1})"
    "\n"
    R"({"event":"can_allocate","request":"r0","input":0,"compute_budget":40,"scheduled_embeds":0,"ok":true,"evicted":[],"free":40,"reclaimable":40})"
    "\n"
    R"({"event":"allocate","request":"r0","input":0,"free":32,"reclaimable":32})"
    "\n"
    R"({"event":"take_freed","hashes":[],"free":32,"reclaimable":32})"
    "\n"
    R"({"event":"end_pass","pass":1,"scheduled":[{"request":"r0","computed":0,"tokens":1,"drafts":0,"placeholders":0},{"request":"r1","computed":0,"tokens":1,"drafts":0,"placeholders":0}],"encode":{"r0":[0]},"notices":[],"kv_free":1})"
    "\n"
    R"({"event":"execute","pass":1})"
    "\n"
    R"({"event":"deliver","pass":1,"outputs":[{"request":"r0","generated":1,"rejected":0,"stale":false},{"request":"r1","generated":1,"rejected":0,"stale":false}]})"
    "\n"
    R"({"event":"free_input","request":"r0","input":0,"free":40,"reclaimable":40})"
    "\n"
    R"({"event":"free_request","request":"r0","held":[0],"free":48,"reclaimable":48})"
    "\n"
    R"({"event":"finish","request":"r0","reason":"stopped"})"
    "\n"
    R"({"event":"finish","request":"r1","reason":"stopped"})"
    "\n"
    R"({"event":"state","cached":{},"lru":[],"free":48,"reclaimable":48})"
    "\n"
    R"({"event":"add_request","request":"r2","prompt_tokens":1,"max_tokens":2,"priority":2,"features":[{"hash":"h0","offset":0,"length":24,"embeds":24}]})"
    "\n"
    R"({"event":"add_request","request":"r3","prompt_tokens":1,"max_tokens":1,"priority":1,"features":[{"hash":"h1","offset":0,"length":8,"embeds":8}]})"
    "\n"
    R"({"event":"begin_pass","pass":2})"
    "\n"
    R"({"event":"can_allocate","request":"r2","input":0,"compute_budget":40,"scheduled_embeds":0,"ok":true,"evicted":[],"free":48,"reclaimable":48})"
    "\n"
    R"({"event":"allocate","request":"r2","input":0,"free":24,"reclaimable":24})"
    "\n"
    R"({"event":"can_allocate","request":"r3","input":0,"compute_budget":16,"scheduled_embeds":0,"ok":true,"evicted":[],"free":24,"reclaimable":24})"
    "\n"
    R"({"event":"allocate","request":"r3","input":0,"free":16,"reclaimable":16})"
    "\n"
    R"({"event":"take_freed","hashes":["h1"],"free":16,"reclaimable":16})"
    "\n"
    R"({"event":"end_pass","pass":2,"scheduled":[{"request":"r2","computed":0,"tokens":1,"drafts":0,"placeholders":0},{"request":"r3","computed":0,"tokens":1,"drafts":0,"placeholders":0}],"encode":{"r2":[0],"r3":[0]},"notices":["h1"],"kv_free":1})"
    "\n"
    R"({"event":"execute","pass":2})"
    "\n"
    R"({"event":"deliver","pass":2,"outputs":[{"request":"r2","generated":1,"rejected":0,"stale":false},{"request":"r3","generated":1,"rejected":0,"stale":false}]})"
    "\n"
    R"({"event":"free_input","request":"r2","input":0,"free":40,"reclaimable":40})"
    "\n"
    R"({"event":"free_input","request":"r3","input":0,"free":48,"reclaimable":48})"
    "\n"
    R"({"event":"free_request","request":"r3","held":[0],"free":56,"reclaimable":56})"
    "\n"
    R"({"event":"finish","request":"r3","reason":"stopped"})"
    "\n"
    R"({"event":"state","cached":{},"lru":[],"free":56,"reclaimable":56})"
    "\n";

TEST(SchedulerReplayEncoderDecoderTest, ConformsUnderItsOwnRelease) {
  const auto result = replay_text(recording, "vllm-0.33.0");
  expect_conforms(result);
  EXPECT_EQ(result.events, 31U);
}

/// The first credit is the delivery's, the second that of the request's end.
TEST(SchedulerReplayEncoderDecoderTest, PartsFromHoldfastAtTheSecondCredit) {
  const auto result = replay_text(recording);
  expect_diverges(result, 12, "no-freed-while-referenced");
  EXPECT_THAT(result.observed, HasSubstr("r0 holds inputs [0]"));
}

TEST(SchedulerReplayEncoderDecoderTest, AnotherNoticeIsFound) {
  std::string other(recording);
  const std::string told = R"("take_freed","hashes":["h1"])";
  other.replace(other.find(told), told.size(), R"("take_freed","hashes":[])");
  expect_diverges(replay_text(other, "vllm-0.33.0"), 23, "no-stale-notice");
}

}  // namespace
}  // namespace holdfast::verify::replay::inline recorded
