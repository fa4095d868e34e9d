#include "verify/trace/field_map.hpp"

#include <array>
#include <vector>

namespace holdfast::verify::trace {

namespace {

constexpr std::array configuration = {
    Field{"capacity", "EncoderCacheManager.cache_size", "header.capacity"},
    Field{"encoder_budget", "Scheduler.max_num_encoder_input_tokens", "header.encoder_budget"},
    Field{"token_budget", "SchedulerConfig.max_num_batched_tokens", "header.token_budget"},
    Field{"lookahead", "Scheduler.num_prefill_lookahead", "header.lookahead"},
    Field{"tail", "Scheduler.num_prefill_lookahead", "header.lookahead"},
    Field{"whole_items", "SchedulerConfig.disable_chunked_mm_input", "header.chunked_mm_input"},
    Field{"depth", "Executor.max_concurrent_batches", "header.pipeline_depth"},
    Field{"features", "len(Request.mm_features)", "add_request.features"},
    Field{"prompt", "Request.num_prompt_tokens", "add_request.prompt_tokens"},
    Field{"limit", "Request.num_prompt_tokens + Request.max_tokens", "add_request.max_tokens"},
    Field{"priority", "Request.priority", "add_request.priority"},
    Field{"start", "PlaceholderRange.offset", "add_request.features.offset"},
    Field{"end", "PlaceholderRange.offset + PlaceholderRange.length",
          "add_request.features.length"},
    Field{"embeds", "PlaceholderRange.get_num_embeds()", "add_request.features.embeds"},
    Field{"hash", "MultiModalFeatureSpec.identifier", "add_request.features.hash"},
    Field{"grouped", "", "add_request.features.offset, add_request.features.length"},
    Field{"group_start", "", "add_request.features.offset, add_request.features.length"},
    Field{"group_end", "", "add_request.features.offset, add_request.features.length"},
    Field{"group_embeds", "", "add_request.features.embeds"},
};

constexpr std::array state = {
    Field{"weight", "EncoderCacheManager.cached, num_embeds_by_hash", "state.cached"},
    Field{"refs", "EncoderCacheManager.cached[mm_hash]", "state.cached"},
    Field{"held", "EncoderCacheManager.request_cached_ids", "free_request.held"},
    Field{"freeable", "EncoderCacheManager.freeable", "state.lru"},
    Field{"order", "the order of EncoderCacheManager.freeable", "state.lru"},
    Field{"clock", "", ""},
    Field{"evicted", "EncoderCacheManager.freed, EncoderDecoderCacheManager.to_free",
          "can_allocate.evicted, take_freed.hashes"},
    Field{"free", "EncoderCacheManager.num_free_slots", "*.free"},
    Field{"reclaimable", "EncoderCacheManager.num_freeable_slots", "*.reclaimable"},
    Field{"charged", "", ""},
    Field{"status", "Request.status", "add_request.request, preempt.request, finish.request"},
    Field{"computed", "Request.num_computed_tokens", "end_pass.scheduled.computed"},
    Field{"placeholders", "Request.num_output_placeholders", "end_pass.scheduled.placeholders"},
    Field{"epoch", "", "deliver.outputs.stale"},
    Field{"forgotten", "", ""},
    Field{"credited", "", ""},
    Field{"in_pass", "", "begin_pass.pass"},
    Field{"compute", "encoder_compute_budget in Scheduler.schedule", "can_allocate.compute_budget"},
    Field{"pending", "scheduled_encoder_inputs in Scheduler.schedule", "end_pass.encode"},
    Field{"ordered_by", "scheduled_encoder_inputs in Scheduler.schedule", "end_pass.encode"},
    Field{"tried", "", ""},
    Field{"held_back", "", "preempt.request"},
    Field{"scheduled", "num_scheduled_tokens in Scheduler.schedule", "end_pass.scheduled.request"},
    Field{"tokens", "num_scheduled_tokens in Scheduler.schedule", "end_pass.scheduled.tokens"},
    Field{"drafts", "scheduled_spec_decode_tokens in Scheduler.schedule",
          "end_pass.scheduled.drafts"},
    Field{"owed", "", "end_pass.scheduled.placeholders"},
    Field{"planning", "", ""},
    Field{"plan_request", "request in Scheduler.schedule",
          "check.request, can_allocate.request, allocate.request"},
    Field{"plan_tokens", "num_new_tokens in Scheduler.schedule", ""},
    Field{"cursor", "i in Scheduler._try_schedule_encoder_inputs",
          "check.input, can_allocate.input, allocate.input"},
    Field{"chosen", "encoder_inputs_to_schedule in Scheduler._try_schedule_encoder_inputs", ""},
    Field{"promised", "num_embeds_to_schedule in Scheduler._try_schedule_encoder_inputs",
          "can_allocate.scheduled_embeds"},
    Field{"opened", "", ""},
    Field{"granted", "", ""},
    Field{"draining", "", ""},
    Field{"drain_request", "request in EncoderCacheManager.free", "free_request.request"},
    Field{"retracting", "", ""},
    Field{"issued", "", "end_pass.pass"},
    Field{"executed", "", "execute.pass"},
    Field{"delivered", "", "deliver.pass"},
    Field{"reset_step", "", ""},
    Field{"step_notices", "SchedulerOutput.free_encoder_mm_hashes", "end_pass.notices"},
    Field{"step_encodes", "SchedulerOutput.scheduled_encoder_inputs", "end_pass.encode"},
    Field{"available", "", ""},
    Field{"step_confirmed", "", ""},
    Field{"step_computed", "CachedRequestData.num_computed_tokens", "end_pass.scheduled.computed"},
    Field{"step_tokens", "SchedulerOutput.num_scheduled_tokens",
          "end_pass.scheduled.tokens, gather.tokens"},
    Field{"step_drafts", "SchedulerOutput.scheduled_spec_decode_tokens",
          "end_pass.scheduled.drafts"},
    Field{"step_owed", "", "end_pass.scheduled.placeholders"},
    Field{"step_epoch", "", "deliver.outputs.stale"},
    Field{"worker", "GPUModelRunner.encoder_cache, EncoderCache", "gather.rows, gather.miss"},
    Field{"half_done", "", ""},
    Field{"missed", "the error that gather_mm_embeddings raises", "gather.miss"},
};

constexpr std::array others = {
    OtherKey{"header.format", "what kind of file this is"},
    OtherKey{"header.version", "what kind of file this is"},
    OtherKey{"header.source", "where the trace comes from"},
    OtherKey{"header.manager", "which manager's rules and properties apply"},
    OtherKey{"header.scheduling_policy", "of the scheduler, whose queues no rule reads"},
    OtherKey{"header.draft_tokens", "of the scheduler, whose queues no rule reads"},
    OtherKey{"header.kv_blocks", "of the scheduler, whose queues no rule reads"},
    OtherKey{"header.kv_block_size", "of the scheduler, whose queues no rule reads"},
    OtherKey{"header.kv_watermark_blocks", "of the scheduler, whose queues no rule reads"},
    OtherKey{"header.long_prefill_threshold", "of the scheduler, whose queues no rule reads"},
    OtherKey{"header.max_num_seqs", "of the scheduler, whose queues no rule reads"},
    OtherKey{"header.max_model_len", "of the scheduler, whose queues no rule reads"},
    OtherKey{"header.prefix_caching", "of the scheduler, whose queues no rule reads"},
    OtherKey{"add_request.prefix_hit", "a parameter of plan"},
    OtherKey{"add_request.prefix_hit", "a scenario's; the reference pass goes by it"},
    OtherKey{"add_request.features.mask", "which positions touches() finds an embedding at"},
    OtherKey{"check.hit", "the answer: whether touch or share may be taken"},
    OtherKey{"can_allocate.ok", "the answer: whether order may be taken, after evictions"},
    OtherKey{"free_input.request", "a parameter of release"},
    OtherKey{"free_input.input", "a parameter of release"},
    OtherKey{"end_pass.kv_free", "of the scheduler, whose queues no rule reads"},
    OtherKey{"gather.pass", "the step whose gather it is"},
    OtherKey{"gather.request", "a parameter of the gather rules"},
    OtherKey{"gather.start", "a parameter of the gather rules"},
    OtherKey{"gather.lookahead", "0 for gather_target, else gather_draft"},
    OtherKey{"deliver.outputs.request", "a parameter of deliver"},
    OtherKey{"deliver.outputs.rejected", "a parameter of deliver"},
    OtherKey{"deliver.outputs.generated", "of the scheduler, whose queues no rule reads"},
    OtherKey{"draft.proposed", "of the scheduler, whose queues no rule reads"},
    OtherKey{"*.rules.rule", "a rule that the event stands for, in what holdfast writes"},
    OtherKey{"*.rules.request", "an argument of that rule"},
    OtherKey{"*.rules.input", "an argument of that rule"},
    OtherKey{"*.rules.hash", "an argument of that rule"},
    OtherKey{"*.rules.pass", "an argument of that rule: the step"},
    OtherKey{"*.rules.tokens", "an argument of that rule: tokens in view"},
    OtherKey{"*.rules.hit", "an argument of that rule: tokens from the prefix cache"},
    OtherKey{"*.rules.drafts", "an argument of that rule: drafts among the tokens"},
    OtherKey{"*.rules.owed", "an argument of that rule: placeholders that it adds"},
    OtherKey{"*.rules.rejected", "an argument of that rule: drafts"},
    OtherKey{"*.rules.start", "an argument of that rule: the position it starts at"},
    OtherKey{"finish.reason", "whether the rule is finish or abort"},
};

std::string code(std::string_view text) {
  return text.empty() ? std::string() : "`" + std::string(text) + "`";
}

std::string rows(std::span<const Field> fields) {
  std::string text = "| spec | vLLM | trace |\n|---|---|---|\n";
  for (const auto& field : fields)
    text += "| " + code(field.variable) + " | " + as_code(field.vllm) + " | " +
            as_code(field.trace) + " |\n";
  return text + "\n";
}

}  // namespace

std::span<const Field> configuration_fields() { return configuration; }
std::span<const Field> state_fields() { return state; }
std::span<const OtherKey> other_keys() { return others; }

/// A list with each part as code; words such as "in" and "the order of" stay words.
std::string as_code(std::string_view list) {
  std::string text;
  while (!list.empty()) {
    const auto comma = list.find(", ");
    auto part = list.substr(0, comma);
    text += text.empty() ? "" : ", ";
    for (const std::string_view words : {"the order of ", "the error that "})
      if (part.starts_with(words)) {
        text += words;
        part.remove_prefix(words.size());
      }
    const auto in = part.find(" in ");
    const auto raises = part.find(" raises");
    if (in != std::string_view::npos)
      text += code(part.substr(0, in)) + " in " + code(part.substr(in + 4));
    else
      text += code(part.substr(0, raises)) + (raises == std::string_view::npos ? "" : " raises");
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 2);
  }
  return text;
}

std::string field_map_page() {
  std::string text =
      "<!-- Generated from verify/trace/field_map.cpp. Do not edit. -->\n\n# The field map\n\n"
      "What each variable of the [spec](spec.md) is called in vLLM and in a trace. An empty cell: "
      "no program stores\n"
      "it, or no event says it. `*` stands for every event of the manager. The members of the "
      "implementation join\n"
      "the table with `impl/`.\n\n## What never changes\n\n";
  text += rows(configuration) + "## State\n\n" + rows(state);
  text +=
      "## Other keys of a trace\n\nThey drive the rules, or are answers that follow from the "
      "state.\n\n";
  text += "| trace | is |\n|---|---|\n";
  for (const auto& key : others)
    text += "| " + code(key.trace) + " | " + std::string(key.is) + " |\n";
  return text;
}

}  // namespace holdfast::verify::trace
