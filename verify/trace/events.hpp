// The events of a trace (trace-format.md), one struct each, with the format's names as field names.
//
// What drives is a plain field and required. What the model can answer itself (a hit, an eviction,
// a slot count) is a std::optional: a scenario may leave it out, and then nothing is compared. What
// holdfast writes itself also names the rules that an event stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast::verify::trace {

enum class Manager { decoder_only, encoder_decoder };
enum class SchedulingPolicy { fcfs, priority };
enum class FinishReason { stopped, aborted };

/// A JSON object from ids to values, in the order of the file.
template <class Value>
using ById = std::vector<std::pair<std::string, Value>>;

/// A rule of the spec that was taken, its arguments by what they are. Which of them it has follows
/// from the rule (rule_form.hpp).
struct Taken {
  static constexpr std::string_view name = "rule";
  std::string rule;
  std::optional<std::string> request = {};
  std::optional<std::int64_t> input = {};
  std::optional<std::string> hash = {};
  std::optional<std::int64_t> pass = {};
  std::optional<std::int64_t> tokens = {};
  std::optional<std::int64_t> hit = {};       ///< tokens that the prefix cache has
  std::optional<std::int64_t> drafts = {};    ///< of the tokens
  std::optional<std::int64_t> owed = {};      ///< placeholders that are added
  std::optional<std::int64_t> rejected = {};  ///< drafts
  std::optional<std::int64_t> start = {};     ///< position
  bool operator==(const Taken&) const = default;
};

/// In their order; absent: the file does not say.
using Rules = std::optional<std::vector<Taken>>;

struct Header {
  static constexpr std::string_view name = "header";
  std::string format;
  std::int64_t version = 0;
  std::string source;
  Manager manager = Manager::decoder_only;
  std::optional<SchedulingPolicy> scheduling_policy;
  std::int64_t pipeline_depth = 0;
  std::int64_t capacity = 0;
  std::int64_t encoder_budget = 0;
  std::optional<std::int64_t> token_budget;
  std::int64_t lookahead = 0;
  std::optional<std::int64_t> draft_tokens;
  std::optional<bool> chunked_mm_input;
  std::optional<std::int64_t> kv_blocks;
  std::optional<std::int64_t> kv_block_size;
  std::optional<std::int64_t> kv_watermark_blocks;
  std::optional<std::int64_t> long_prefill_threshold;
  std::optional<std::int64_t> max_num_seqs;
  std::optional<std::int64_t> max_model_len;
  std::optional<bool> prefix_caching;
  bool operator==(const Header&) const = default;
};

/// `count` embedding positions, starting `first` tokens into the feature.
struct MaskRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const MaskRun&) const = default;
};

struct Feature {
  static constexpr std::string_view name = "feature";
  std::string hash;
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::int64_t embeds = 0;
  std::optional<std::vector<MaskRun>> mask;  ///< absent: every position carries an embedding
  bool operator==(const Feature&) const = default;
};

struct AddRequest {
  static constexpr std::string_view name = "add_request";
  std::string request;
  std::int64_t prompt_tokens = 0;
  std::int64_t max_tokens = 0;
  std::int64_t priority = 0;
  std::vector<Feature> features;
  std::optional<std::int64_t> prefix_hit =
      {};  ///< of a hunt's scenario: tokens that the prefix cache has of it
  Rules rules = {};
  bool operator==(const AddRequest&) const = default;
};

struct BeginPass {
  static constexpr std::string_view name = "begin_pass";
  std::int64_t pass = 0;
  Rules rules = {};
  bool operator==(const BeginPass&) const = default;
};

struct Check {
  static constexpr std::string_view name = "check";
  std::string request;
  std::int64_t input = 0;
  std::optional<bool> hit;
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> reclaimable;
  Rules rules = {};
  bool operator==(const Check&) const = default;
};

struct CanAllocate {
  static constexpr std::string_view name = "can_allocate";
  std::string request;
  std::int64_t input = 0;
  std::int64_t compute_budget = 0;
  std::int64_t scheduled_embeds = 0;
  std::optional<bool> ok;
  std::optional<std::vector<std::string>> evicted;
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> reclaimable;
  Rules rules = {};
  bool operator==(const CanAllocate&) const = default;
};

struct Allocate {
  static constexpr std::string_view name = "allocate";
  std::string request;
  std::int64_t input = 0;
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> reclaimable;
  Rules rules = {};
  bool operator==(const Allocate&) const = default;
};

struct FreeInput {
  static constexpr std::string_view name = "free_input";
  std::string request;
  std::int64_t input = 0;
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> reclaimable;
  Rules rules = {};
  bool operator==(const FreeInput&) const = default;
};

struct FreeRequest {
  static constexpr std::string_view name = "free_request";
  std::string request;
  std::optional<std::vector<std::int64_t>> held;
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> reclaimable;
  Rules rules = {};
  bool operator==(const FreeRequest&) const = default;
};

struct TakeFreed {
  static constexpr std::string_view name = "take_freed";
  std::optional<std::vector<std::string>> hashes;
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> reclaimable;
  Rules rules = {};
  bool operator==(const TakeFreed&) const = default;
};

struct Reset {
  static constexpr std::string_view name = "reset";
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> reclaimable;
  Rules rules = {};
  bool operator==(const Reset&) const = default;
};

struct WorkerReset {
  static constexpr std::string_view name = "worker_reset";
  Rules rules = {};
  bool operator==(const WorkerReset&) const = default;
};

struct Preempt {
  static constexpr std::string_view name = "preempt";
  std::string request;
  Rules rules = {};
  bool operator==(const Preempt&) const = default;
};

struct Scheduled {
  static constexpr std::string_view name = "scheduled";
  std::string request;
  std::int64_t computed = 0;  ///< before the pass
  std::int64_t tokens = 0;
  std::int64_t drafts = 0;
  std::int64_t placeholders = 0;  ///< after the pass
  bool operator==(const Scheduled&) const = default;
};

struct EndPass {
  static constexpr std::string_view name = "end_pass";
  std::int64_t pass = 0;
  std::vector<Scheduled> scheduled;
  std::optional<ById<std::vector<std::int64_t>>> encode;  ///< request -> inputs
  std::optional<std::vector<std::string>> notices;
  std::optional<std::int64_t> kv_free;
  Rules rules = {};
  bool operator==(const EndPass&) const = default;
};

struct Execute {
  static constexpr std::string_view name = "execute";
  std::int64_t pass = 0;
  Rules rules = {};
  bool operator==(const Execute&) const = default;
};

/// What a gather missed: a hash, or nothing (null in the file).
struct Miss {
  std::optional<std::string> hash;
  bool operator==(const Miss&) const = default;
};

struct Gather {
  static constexpr std::string_view name = "gather";
  std::int64_t pass = 0;
  std::string request;
  std::int64_t start = 0;
  std::int64_t tokens = 0;
  std::int64_t lookahead = 0;
  std::optional<std::int64_t> rows;
  std::optional<Miss> miss;  ///< no value: the file does not say
  Rules rules = {};
  bool operator==(const Gather&) const = default;
};

struct Output {
  static constexpr std::string_view name = "output";
  std::string request;
  std::int64_t generated = 0;
  std::int64_t rejected = 0;
  std::optional<bool> stale;
  bool operator==(const Output&) const = default;
};

struct Deliver {
  static constexpr std::string_view name = "deliver";
  std::int64_t pass = 0;
  std::vector<Output> outputs;
  Rules rules = {};
  bool operator==(const Deliver&) const = default;
};

struct Draft {
  static constexpr std::string_view name = "draft";
  ById<std::int64_t> proposed;  ///< request -> drafts
  bool operator==(const Draft&) const = default;
};

struct Finish {
  static constexpr std::string_view name = "finish";
  std::string request;
  FinishReason reason = FinishReason::stopped;
  Rules rules = {};
  bool operator==(const Finish&) const = default;
};

struct State {
  static constexpr std::string_view name = "state";
  std::optional<ById<std::vector<std::string>>> cached;  ///< hash -> requests that reference it
  std::optional<std::vector<std::string>> lru;           ///< oldest freeable first
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> reclaimable;
  Rules rules = {};
  bool operator==(const State&) const = default;
};

using Event = std::variant<Header, AddRequest, BeginPass, Check, CanAllocate, Allocate, FreeInput,
                           FreeRequest, TakeFreed, Reset, WorkerReset, Preempt, EndPass, Execute,
                           Gather, Deliver, Draft, Finish, State>;

/// The event's name in the format.
constexpr std::string_view name_of(const Event& event) {
  return std::visit([](const auto& e) { return e.name; }, event);
}

}  // namespace holdfast::verify::trace
