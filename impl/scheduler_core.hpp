// What `Scheduler` is made of. Its functions stand in the files of the model's nouns: a turn in
// turn.cpp, a pass in pass.cpp, outputs in outputs.cpp, the ways in from outside in scheduler.cpp.
//
// Two managers under one pass: of decoder-only models it has `entries_`; of encoder-decoder ones
// `inputs_`, and `entries_` stays empty. Where they part, `inputs_` is asked for.
//
// Representation. A request is absent, waiting (in `waiting_`, by rank), or running (in the list
// `running_`, in the order of admission). What is asked of every request in each pass of the model
// is kept as one number here: the most urgent of those that could not get in (`tried_`), and for
// each request how many steps owe it an output, and how many of those are stale. `first_live` and
// `first_held` only skip features that have nothing to say. See `check_invariants()`.
#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <memory_resource>
#include <set>
#include <string>
#include <vector>

#include "holdfast/scheduler.hpp"
#include "impl/entries.hpp"
#include "impl/input_slots.hpp"
#include "impl/interner.hpp"
#include "impl/sequence.hpp"

namespace holdfast::impl {

/// What planning a turn came to [spec: Turn].
enum class Turn : std::uint8_t { planned, nothing, gone };

class SchedulerCore {
 public:
  using Waiting = std::pmr::set<Rank>;
  using Running = IndexList<Sequence, &Sequence::running>;

  SchedulerCore(const SchedulerConfig& config, KvBlocks* blocks);

  // scheduler.cpp
  Result<RequestHandle> add_request(const RequestSpec& request);
  Error abort_request(RequestHandle request);
  Error preempt_request(RequestHandle request);
  Step reset_encoder_cache();
  // pass.cpp
  Result<const PassOutput*> schedule();
  // outputs.cpp
  Error update_from_output(StepNumber pass, std::span<const Output> outputs);
  Error update_draft_tokens(RequestHandle request, Tokens drafts);

  void observe(StepObserver* observer) { observer_ = observer; }

  void check_invariants() const;

  // What there is, for reading.
  [[nodiscard]] const SchedulerConfig& config() const { return config_; }
  [[nodiscard]] const Interner<RequestHandle>& ids() const { return ids_; }
  [[nodiscard]] const Entries& entries() const { return entries_; }
  /// Null of decoder-only models.
  [[nodiscard]] const InputSlots* inputs() const { return inputs_.get(); }
  // Of either manager.
  [[nodiscard]] const Interner<HashHandle>& hashes() const;
  [[nodiscard]] Embeds free_slots() const;
  [[nodiscard]] Embeds freeable_slots() const;
  [[nodiscard]] std::size_t num_features(Index n) const { return sequences_[n].places.size(); }
  [[nodiscard]] Index entry_of(Index n, InputId i) const;
  [[nodiscard]] const Sequence& sequence(Index n) const { return sequences_[n]; }
  [[nodiscard]] const std::vector<Sequence>& sequences() const { return sequences_; }
  [[nodiscard]] const Waiting& waiting() const { return waiting_; }
  [[nodiscard]] const Running& running() const { return running_; }
  [[nodiscard]] std::span<const Flight> in_flight() const {
    return std::span(flights_).subspan(0, num_in_flight_);
  }
  [[nodiscard]] std::span<const RequestHandle> ended() const { return ended_; }
  [[nodiscard]] std::int64_t kv_free() const { return kv_free_; }

 private:
  // scheduler.cpp
  [[nodiscard]] Error check_features(const RequestSpec& request) const;
  [[nodiscard]] bool fits_alone(const Sequence& q) const;
  void enqueue(Index n, bool in_front);
  void end_request(Index n);
  void leave_queues(Index n);
  void forget(Index n);
  /// Whether who frees nothing is told of.
  enum class Freed : std::uint8_t { told, told_unless_nothing };
  void drop_features(Index n, Freed freed = Freed::told);
  [[nodiscard]] bool is_async() const { return config_.pipeline_depth > 1; }

  // turn.cpp
  Turn plan_turn(Index n, Tokens tokens, Tokens hit);
  enum class Look : std::uint8_t { next, stop, give_up, refuse };
  Look look_at_feature(Index n, InputId i, Tokens& tokens);
  Look look_at_cut(const Sequence& q, const Place& place, Tokens& tokens) const;
  Look get_in(Index n, InputId i, Tokens& tokens);
  Look allocate_inputs(Index n);
  void give_up_turn(Index n);
  [[nodiscard]] Tokens whole_end(const Sequence& q, const Place& place) const;
  [[nodiscard]] Tokens out_of_tail(const Sequence& q, Tokens computed, Tokens tokens) const;
  [[nodiscard]] Tokens tokens_to_plan(const Sequence& q, Tokens computed, Tokens tokens) const;
  [[nodiscard]] bool cuts_an_item(const Sequence& q, Tokens tokens) const;
  void skip_dead(Sequence& q) const;
  void allocate_chosen(Index n);
  void schedule_turn(Index n, Tokens drafts);

  // pass.cpp
  void begin_pass();
  void schedule_running();
  void schedule_waiting();
  void issue();
  void issue_tokens(Flight& flight, Step& step);
  void issue_orders(Flight& flight, Step& step);
  void issue_inputs(Flight& flight, Step& step);
  void preempt(Index n, bool drop);
  bool find_blocks(Index n);
  [[nodiscard]] Index victim() const;
  [[nodiscard]] Tokens under_threshold(Tokens tokens) const;
  [[nodiscard]] Tokens running_tokens(const Sequence& q) const;
  [[nodiscard]] Tokens padding(Tokens hit, Tokens tokens) const;
  [[nodiscard]] bool may_be_admitted(const Sequence& q) const;

  // KV blocks, counted here or by the host.
  [[nodiscard]] std::int64_t blocks_for(Tokens tokens) const;
  bool allocate_slots(Index n, Tokens tokens, std::int64_t spare);
  void free_blocks(Index n);

  // outputs.cpp
  void deliver(const InFlight& entry, const Output& output);
  void free_encoder_inputs(Index n);
  void release_inputs(Index n);
  bool append_outputs(Sequence& q, Tokens generated) const;
  void land();

  // Observation: `tell` is given what tells an observer, which costs a look for one where there is
  // none.
  template <class Tell>
  void tell(Tell&& what) const {
    if (observer_ != nullptr) [[unlikely]]
      what(*observer_);
  }
  [[nodiscard]] StepObserver::Slots slots() const { return {free_slots(), freeable_slots()}; }
  void tell_look_up(Index n, InputId i, bool hit) const {
    tell([&](StepObserver& o) { o.check(ids_.name(n), i, hit, slots()); });
  }
  // observation.cpp
  void tell_room(Index n, InputId i, bool ok) const;
  void tell_delivered(std::span<const Output> outputs);
  void allocate_chosen_and_tell(Index n);
  void tell_inputs(Index n) const;
  [[nodiscard]] Embeds embeds_before(Index n, InputId i) const;
  void drop_features_and_tell(Index n, Freed freed);

  std::pmr::unsynchronized_pool_resource nodes_;  ///< of the sets below, which it outlives

  SchedulerConfig config_;
  KvBlocks* host_blocks_;
  StepObserver* observer_ = nullptr;
  Entries entries_;
  std::unique_ptr<InputSlots> inputs_;
  Interner<RequestHandle> ids_;
  std::vector<Sequence> sequences_;
  Running running_;
  Waiting waiting_{&nodes_};
  Waiting running_by_rank_{&nodes_};  ///< policy `priority` only: victims from the back
  std::int64_t arrivals_ = 0;
  std::int64_t front_ = 0, back_ = 0;  ///< of the queue, first come first served
  std::int64_t kv_free_ = 0;

  // The pass.
  PassOutput out_;
  std::vector<Tokens> owed_;  ///< placeholders that it adds, of each allotment
  Tokens tokens_left_ = 0;
  Tokens threshold_ = 0;
  Tokens planned_ = 0;  ///< tokens of the turn
  Index planning_ = none;
  Index running_after_ = none;  ///< whose turn comes next
  static constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
  std::int64_t tried_ = nobody;  ///< the most urgent priority of those that could not get in
  std::size_t scheduled_running_ = 0;
  bool somebody_preempted_ = false, has_chunks_ = false;

  // The pipeline.
  StepNumber issued_ = 0;
  std::vector<Flight> flights_;  ///< the first `num_in_flight_` are in flight, oldest first
  std::size_t num_in_flight_ = 0;
  std::vector<RequestHandle> ended_;
  std::vector<std::string> told_ended_;  ///< by name, where somebody observes
};

}  // namespace holdfast::impl
