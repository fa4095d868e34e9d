// Every event's fields: name, kind and order in the file, said once. The form check reads by it and
// the writer writes by it. Whether a field may be absent follows from its type (std::optional).
//
// An `Io` offers: id, text, flag, choice, count (from 0), positive (from 1), integer (signed), ids,
// counts, objects, runs, miss, count_by_id, counts_by_id, ids_by_id; each as io.kind(name, member).
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include "verify/trace/events.hpp"

namespace holdfast::verify::trace {

template <class E, class Event>
concept Is = std::same_as<std::remove_const_t<E>, Event>;

template <class Choice>
struct Choices;

template <>
struct Choices<Manager> {
  static constexpr std::array<std::string_view, 2> names = {"decoder_only", "encoder_decoder"};
};
template <>
struct Choices<SchedulingPolicy> {
  static constexpr std::array<std::string_view, 2> names = {"fcfs", "priority"};
};
template <>
struct Choices<FinishReason> {
  static constexpr std::array<std::string_view, 2> names = {"stopped", "aborted"};
};

template <class Io>
void slots(Io& io, auto& e) {
  io.count("free", e.free);
  io.count("reclaimable", e.reclaimable);
}

template <class Io, Is<Taken> E>
void fields(Io& io, E& e) {
  io.id("rule", e.rule);
  io.id("request", e.request);
  io.count("input", e.input);
  io.id("hash", e.hash);
  io.positive("pass", e.pass);
  io.count("tokens", e.tokens);
  io.count("hit", e.hit);
  io.count("drafts", e.drafts);
  io.count("owed", e.owed);
  io.count("rejected", e.rejected);
  io.count("start", e.start);
}

template <class Io>
void rules(Io& io, auto& e) {
  io.objects("rules", e.rules);
}

template <class Io, Is<Header> E>
void fields(Io& io, E& e) {
  io.text("format", e.format);
  io.count("version", e.version);
  io.text("source", e.source);
  io.choice("manager", e.manager);
  io.choice("scheduling_policy", e.scheduling_policy);
  io.positive("pipeline_depth", e.pipeline_depth);
  io.positive("capacity", e.capacity);
  io.positive("encoder_budget", e.encoder_budget);
  io.positive("token_budget", e.token_budget);
  io.count("lookahead", e.lookahead);
  io.count("draft_tokens", e.draft_tokens);
  io.flag("chunked_mm_input", e.chunked_mm_input);
  io.positive("kv_blocks", e.kv_blocks);
  io.positive("kv_block_size", e.kv_block_size);
  io.count("kv_watermark_blocks", e.kv_watermark_blocks);
  io.count("long_prefill_threshold", e.long_prefill_threshold);  // 0: off
  io.positive("max_num_seqs", e.max_num_seqs);
  io.positive("max_model_len", e.max_model_len);
  io.flag("prefix_caching", e.prefix_caching);
}

template <class Io, Is<Feature> E>
void fields(Io& io, E& e) {
  io.id("hash", e.hash);
  io.count("offset", e.offset);
  io.positive("length", e.length);
  io.positive("embeds", e.embeds);
  io.runs("mask", e.mask);
}

template <class Io, Is<AddRequest> E>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  io.positive("prompt_tokens", e.prompt_tokens);
  io.positive("max_tokens", e.max_tokens);
  io.integer("priority", e.priority);
  io.objects("features", e.features);
  io.count("prefix_hit", e.prefix_hit);
  rules(io, e);
}

template <class Io, Is<BeginPass> E>
void fields(Io& io, E& e) {
  io.positive("pass", e.pass);
  rules(io, e);
}

template <class Io, Is<Check> E>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  io.count("input", e.input);
  io.flag("hit", e.hit);
  slots(io, e);
  rules(io, e);
}

template <class Io, Is<CanAllocate> E>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  io.count("input", e.input);
  io.count("compute_budget", e.compute_budget);
  io.count("scheduled_embeds", e.scheduled_embeds);
  io.flag("ok", e.ok);
  io.ids("evicted", e.evicted);
  slots(io, e);
  rules(io, e);
}

template <class Io, class E>
  requires Is<E, Allocate> || Is<E, FreeInput>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  io.count("input", e.input);
  slots(io, e);
  rules(io, e);
}

template <class Io, Is<FreeRequest> E>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  io.counts("held", e.held);
  slots(io, e);
  rules(io, e);
}

template <class Io, Is<TakeFreed> E>
void fields(Io& io, E& e) {
  io.ids("hashes", e.hashes);
  slots(io, e);
  rules(io, e);
}

template <class Io, Is<Reset> E>
void fields(Io& io, E& e) {
  slots(io, e);
  rules(io, e);
}

template <class Io, Is<WorkerReset> E>
void fields(Io& io, E& e) {
  rules(io, e);
}

template <class Io, Is<Preempt> E>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  rules(io, e);
}

template <class Io, Is<Scheduled> E>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  io.count("computed", e.computed);
  io.positive("tokens", e.tokens);
  io.count("drafts", e.drafts);
  io.count("placeholders", e.placeholders);
}

template <class Io, Is<EndPass> E>
void fields(Io& io, E& e) {
  io.positive("pass", e.pass);
  io.objects("scheduled", e.scheduled);
  io.counts_by_id("encode", e.encode);
  io.ids("notices", e.notices);
  io.count("kv_free", e.kv_free);
  rules(io, e);
}

template <class Io, Is<Execute> E>
void fields(Io& io, E& e) {
  io.positive("pass", e.pass);
  rules(io, e);
}

template <class Io, Is<Gather> E>
void fields(Io& io, E& e) {
  io.positive("pass", e.pass);
  io.id("request", e.request);
  io.count("start", e.start);
  io.positive("tokens", e.tokens);
  io.count("lookahead", e.lookahead);
  io.count("rows", e.rows);
  io.miss("miss", e.miss);
  rules(io, e);
}

template <class Io, Is<Output> E>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  io.count("generated", e.generated);
  io.count("rejected", e.rejected);
  io.flag("stale", e.stale);
}

template <class Io, Is<Deliver> E>
void fields(Io& io, E& e) {
  io.positive("pass", e.pass);
  io.objects("outputs", e.outputs);
  rules(io, e);
}

template <class Io, Is<Draft> E>
void fields(Io& io, E& e) {
  io.count_by_id("proposed", e.proposed);
}

template <class Io, Is<Finish> E>
void fields(Io& io, E& e) {
  io.id("request", e.request);
  io.choice("reason", e.reason);
  rules(io, e);
}

template <class Io, Is<State> E>
void fields(Io& io, E& e) {
  io.ids_by_id("cached", e.cached);
  io.ids("lru", e.lru);
  slots(io, e);
  rules(io, e);
}

}  // namespace holdfast::verify::trace
