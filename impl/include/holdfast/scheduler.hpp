// The scheduler's side of multimodal encoder caching, as profile `holdfast` has it: whole passes
// with all budgets. It stands for vLLM's `Scheduler` with its `EncoderCacheManager`, or, of
// encoder-decoder models such as Whisper, its `EncoderDecoderCacheManager`.
//
// Threads: one thread calls it. The step of a pass is plain data and may go to another thread.
// Errors: what a caller can cause is an `Error`, and nothing has changed then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "holdfast/mask.hpp"
#include "holdfast/step.hpp"
#include "holdfast/step_observer.hpp"
#include "holdfast/types.hpp"

namespace holdfast {

namespace impl {
class SchedulerCore;
}

/// Whose turn comes first, and who gives KV blocks back (`SchedulerConfig.policy`).
enum class Policy : std::uint8_t {
  fcfs,      ///< in the order of arrival; the last of the running ones
  priority,  ///< the more urgent, then the earlier; the least urgent, then the latest
};

/// Blocks of the KV cache, where the host counts them (`KVCacheManager`).
class KvBlocks {
 public:
  virtual ~KvBlocks() = default;
  /// Whether a request could have blocks for `tokens` if it were alone.
  [[nodiscard]] virtual bool could_ever_hold(Tokens tokens) const = 0;
  /// Blocks for the first `tokens` tokens of the request, if `spare` more stay free
  /// (`allocate_slots`). False, and nothing is taken, if there are too few.
  virtual bool allocate_slots(RequestHandle request, Tokens tokens, std::int64_t spare) = 0;
  /// All blocks of the request are free again.
  virtual void free(RequestHandle request) = 0;
};

/// What never changes. Sizes are 1 to `largest_size` where not said otherwise; and
/// `pipeline_depth * num_speculative_tokens`, the drafts in flight, is no larger either.
struct SchedulerConfig {
  Embeds encoder_cache_size = 0;            ///< slots (`encoder_cache_size`)
  Embeds max_num_encoder_input_tokens = 0;  ///< embeds that one pass may order
  Tokens max_num_batched_tokens = 0;        ///< tokens that one pass may schedule
  Tokens num_lookahead = 0;          ///< positions past the window that a drafter reads; from 0
  Tokens num_prefill_lookahead = 0;  ///< no chunk ends closer to the last known token; from 0
  bool disable_chunked_mm_input = false;    ///< items must not be split
  std::int64_t pipeline_depth = 1;          ///< passes in flight; more than 1: async scheduling
  Tokens num_speculative_tokens = 0;        ///< drafts of a step; from 0
  std::int64_t num_gpu_blocks = 0;          ///< usable ones, where the library counts them
  Tokens block_size = 0;                    ///< tokens of a block
  std::int64_t watermark_blocks = 0;        ///< stay free when somebody is admitted; from 0
  Tokens long_prefill_token_threshold = 0;  ///< most tokens of a turn beside others; 0: no limit
  std::int64_t max_num_seqs = 0;            ///< most running requests
  Tokens max_model_len = 0;                 ///< most tokens of a request
  Policy policy = Policy::fcfs;
  /// The model's kind (`ModelConfig.is_encoder_decoder`). If so, nothing is shared or looked up: a
  /// request takes the slots of all its features in the pass of its first token, in which they are
  /// encoded and read, and gives them back once, when that token is computed; the worker is told to
  /// drop them one pass later. Features do not lie in the prompt: `disable_chunked_mm_input` says
  /// nothing then, and `num_lookahead` no more than how far its drafter reads.
  bool is_encoder_decoder = false;
};

/// A feature of a request that arrives (`MultiModalFeatureSpec`).
struct FeatureSpec {
  std::string_view mm_hash;  ///< any bytes
  Mask positions;            ///< in the prompt; `is_encoder_decoder`: in the encoder's input
};

/// A request that arrives (`Request`).
struct RequestSpec {
  std::string_view id;        ///< any bytes
  Tokens prompt = 0;          ///< tokens
  Tokens max_tokens = 1;      ///< outputs after which it is done
  std::int64_t priority = 0;  ///< the smaller, the more urgent
  /// Tokens that the prefix cache has of it, whenever it is admitted. With `is_encoder_decoder`,
  /// what it has read of its features is among them, and nothing is encoded for it.
  Tokens cached = 0;
  std::span<const FeatureSpec> features;  ///< by their first positions
};

/// What a pass gives a request, in the order of their turns.
struct Allotment {
  RequestHandle request;
  Tokens computed = 0;      ///< before the pass (`num_computed_tokens`)
  Tokens tokens = 0;        ///< `num_scheduled_tokens`
  Tokens drafts = 0;        ///< the last of them
  Tokens placeholders = 0;  ///< the request's, after the pass (`num_output_placeholders`)
  bool samples = false;     ///< it computes the last known token, so that a token comes of it
  bool operator==(const Allotment&) const = default;
};

/// An order that another request now stands for, as the one that gave it was taken back.
struct HandedOver {
  HashHandle hash;
  RequestHandle from;
  bool operator==(const HandedOver&) const = default;
};

/// A request that ended in a pass, as an entry of a hash of its has another size.
struct Refused {
  RequestHandle request;  ///< what was its handle
  std::string id;
};

/// What came of a pass (`SchedulerOutput`). It is the scheduler's, until its next call.
struct PassOutput {
  Step step;                         ///< for the worker
  std::vector<Allotment> scheduled;  ///< as `step.scheduled`, and more
  /// The orders say who stands for them now. None with `is_encoder_decoder`.
  std::vector<HandedOver> hand_overs;
  std::vector<RequestHandle> preempted;  ///< their KV blocks are free, they wait again
  std::vector<Refused> refused;          ///< ended with an error, alone
};

/// What came of a request in a step.
struct Output {
  Tokens generated = 0;  ///< tokens, the accepted drafts among them
  Tokens rejected = 0;   ///< drafts
};

class Scheduler {
 public:
  /// Without `blocks` the library counts KV blocks itself. Requires: `blocks` outlives it.
  /// Errors: size_out_of_range.
  [[nodiscard]] static Result<std::unique_ptr<Scheduler>> create(const SchedulerConfig& config,
                                                                 KvBlocks* blocks = nullptr);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // -- requests --

  /// A request arrives and waits (`add_request`). O(features log features).
  /// Errors: size_out_of_range, duplicate_request, bad_feature (out of order, empty, or, unless
  /// `is_encoder_decoder`, past the prompt's end), too_large (it could never run, however empty the
  /// engine).
  Result<RequestHandle> add_request(const RequestSpec& request);
  /// It is given up (`finish_requests`); what is still to come of it does not count. O(features).
  /// Errors: unknown_request.
  Error abort_request(RequestHandle request);
  /// A running request gives its KV blocks back and waits again; its outputs in flight bring no
  /// tokens (`reset_prefix_cache`). Errors: unknown_request; wrong_time if it does not run.
  Error preempt_request(RequestHandle request);
  /// The manager forgets every entry; the worker is told by a step of its own, which is returned
  /// and comes before that of the next pass (`reset_encoder_cache`). O(entries + features).
  Step reset_encoder_cache();

  // -- passes --

  /// One pass (`schedule`). O(running requests + features in their windows + who waits and is
  /// looked at). Errors: pipeline_full.
  Result<const PassOutput*> schedule();
  /// The outputs of the oldest pass in flight, one for each of its `scheduled`, in their order;
  /// what is said of a request that has ended does not count (`update_from_output`). The requests
  /// that are done with it have ended: see `ended`.
  /// Errors: wrong_time if `pass` is not the oldest in flight; size_out_of_range if an output is
  /// missing, negative, or rejects more drafts than there were.
  Error update_from_output(StepNumber pass, std::span<const Output> outputs);
  /// Drafts for the next step of a request, none where its prompt is not through
  /// (`update_draft_token_ids`). Errors: unknown_request; size_out_of_range.
  Error update_draft_tokens(RequestHandle request, Tokens drafts);

  // -- what there is --

  /// From here on it is told of every step; null: nobody is. Requires: it outlives the scheduler,
  /// or another takes its place.
  void observe(StepObserver* observer);

  [[nodiscard]] Result<RequestHandle> find(std::string_view id) const;
  /// Valid as long as the handle. Requires: it is valid.
  [[nodiscard]] std::string_view id_of(RequestHandle request) const;
  [[nodiscard]] std::string_view mm_hash_of(HashHandle hash) const;
  /// The handle of a feature's hash, for the worker. Errors: unknown_request, unknown_input.
  [[nodiscard]] Result<HashHandle> hash_of(RequestHandle request, InputId input) const;
  [[nodiscard]] std::size_t num_running() const;
  [[nodiscard]] std::size_t num_waiting() const;
  [[nodiscard]] Embeds num_free_slots() const;
  /// Free or freeable; the free ones with `is_encoder_decoder`, as nothing is kept.
  [[nodiscard]] Embeds num_freeable_slots() const;
  /// Requests that the last `update_from_output` ended, by what were their handles.
  [[nodiscard]] std::span<const RequestHandle> ended() const;

  /// Aborts the program with what is broken, if anything is. O(everything).
  void check_invariants() const;
  /// For the refinement map of verify/, which holds it against the model.
  [[nodiscard]] const impl::SchedulerCore& core() const { return *core_; }

 private:
  explicit Scheduler(std::unique_ptr<impl::SchedulerCore> core);
  std::unique_ptr<impl::SchedulerCore> core_;
};

}  // namespace holdfast
