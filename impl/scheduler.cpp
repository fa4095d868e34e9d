#include "holdfast/scheduler.hpp"

#include <algorithm>
#include <utility>

#include "impl/scheduler_core.hpp"

namespace holdfast {
namespace impl {
namespace {

bool is_size(std::int64_t n, std::int64_t least) { return least <= n && n <= largest_size; }

Error check_config(const SchedulerConfig& c, const KvBlocks* blocks) {
  bool fine = true;
  for (const auto n : {c.encoder_cache_size, c.max_num_encoder_input_tokens,
                       c.max_num_batched_tokens, c.pipeline_depth, c.max_num_seqs, c.max_model_len})
    fine = fine && is_size(n, 1);
  for (const auto n : {c.num_lookahead, c.num_prefill_lookahead, c.num_speculative_tokens,
                       c.watermark_blocks, c.long_prefill_token_threshold})
    fine = fine && is_size(n, 0);
  if (blocks == nullptr) fine = fine && is_size(c.num_gpu_blocks, 1) && is_size(c.block_size, 1);
  // All drafts that may be in flight: see `limit_margin`.
  fine = fine && c.num_speculative_tokens <= largest_size / c.pipeline_depth;
  return fine ? Error::none : Error::size_out_of_range;
}

/// Inputs of an encoder-decoder model are not in the prompt, where no chunk can cut them.
SchedulerConfig settled(SchedulerConfig config) {
  if (config.is_encoder_decoder) config.disable_chunked_mm_input = false;
  return config;
}

/// What a request may compute beyond its prompt and outputs: the drafts of the steps in flight.
Tokens limit_margin(const SchedulerConfig& c) {
  return c.pipeline_depth * (1 + c.num_speculative_tokens);
}

/// Where the features lie, in groups.
void find_groups(std::vector<Place>& places) {
  for (std::size_t first = 0; first < places.size();) {
    Tokens end = places[first].positions.end();
    std::size_t last = first + 1;
    for (; last < places.size() && places[last].positions.start() < end; ++last)
      end = std::max(end, places[last].positions.end());
    Embeds embeds = 0;
    for (std::size_t i = last; i-- > first;) {
      Place& p = places[i];
      p.group_start = places[first].positions.start();
      p.group_end = end;
      p.group_embeds = embeds += p.positions.embeds();
      p.is_grouped = last - first > 1;
    }
    first = last;
  }
}

/// A request of an encoder-decoder model needs its inputs all at once.
void make_one_group(std::vector<Place>& places) {
  Embeds embeds = 0;
  for (std::size_t i = places.size(); i-- > 0;)
    places[i].group_embeds = embeds += places[i].positions.embeds();
}

}  // namespace

SchedulerCore::SchedulerCore(const SchedulerConfig& config, KvBlocks* blocks)
    : config_(settled(config)),
      host_blocks_(blocks),
      entries_(config.encoder_cache_size),
      inputs_(config.is_encoder_decoder ? std::make_unique<InputSlots>(config.encoder_cache_size)
                                        : nullptr),
      kv_free_(config.num_gpu_blocks) {}

const Interner<HashHandle>& SchedulerCore::hashes() const {
  return inputs_ ? inputs_->hashes() : entries_.hashes();
}
Embeds SchedulerCore::free_slots() const { return inputs_ ? inputs_->free() : entries_.free(); }
Embeds SchedulerCore::freeable_slots() const {
  return inputs_ ? inputs_->free() : entries_.reclaimable();
}
Index SchedulerCore::entry_of(Index n, InputId i) const {
  return inputs_ ? inputs_->input(n, i).entry : entries_.entry_of(n, i);
}

Error SchedulerCore::check_features(const RequestSpec& request) const {
  Tokens before = 0;
  for (const auto& f : request.features) {
    const bool fine = f.positions.embeds() > 0 && before <= f.positions.start() &&
                      (inputs_ || f.positions.end() <= request.prompt);
    if (!fine) return Error::bad_feature;
    before = f.positions.start();
  }
  return Error::none;
}

/// [spec: fits_alone]
bool SchedulerCore::fits_alone(const Sequence& q) const {
  if (std::min(config_.num_prefill_lookahead, q.limit) > config_.max_num_batched_tokens)
    return false;
  return std::all_of(q.places.begin(), q.places.end(), [&](const Place& p) {
    const Tokens end = whole_end(q, p);
    return p.group_embeds <= config_.encoder_cache_size &&
           p.group_embeds <= config_.max_num_encoder_input_tokens &&
           (!config_.disable_chunked_mm_input ||
            (end <= p.group_start + config_.max_num_batched_tokens && end <= q.limit));
  });
}

Result<RequestHandle> SchedulerCore::add_request(const RequestSpec& request) {
  const bool sizes = is_size(request.prompt, 1) && is_size(request.max_tokens, 1) &&
                     is_size(request.cached, 0) && -largest_size <= request.priority &&
                     request.priority <= largest_size;
  if (!sizes) return Error::size_out_of_range;
  if (ids_.find(request.id) != none) return Error::duplicate_request;
  if (const Error e = check_features(request); e != Error::none) return e;

  Sequence q;
  q.prompt = q.known = request.prompt;
  q.max_tokens = request.max_tokens;
  q.cached = request.cached;
  q.limit = request.prompt + request.max_tokens + limit_margin(config_);
  q.priority = request.priority;
  for (const auto& f : request.features) q.places.push_back({f.positions});
  if (inputs_)
    make_one_group(q.places);
  else
    find_groups(q.places);
  const bool has_blocks = host_blocks_ != nullptr ? host_blocks_->could_ever_hold(q.limit)
                                                  : blocks_for(q.limit) <= config_.num_gpu_blocks;
  if (!fits_alone(q) || q.prompt >= config_.max_model_len || !has_blocks) return Error::too_large;

  const Index n = ids_.add(request.id);
  if (n >= sequences_.size()) sequences_.resize(n + 1);
  q.arrival = arrivals_++;
  struct Occurrence {
    std::string_view mm_hash;
    Embeds embeds = 0;
  };
  std::vector<Occurrence> occurrences;
  for (const auto& f : request.features) occurrences.push_back({f.mm_hash, f.positions.embeds()});
  if (inputs_)
    inputs_->add_holder(n, occurrences);
  else
    entries_.add_holder(n, occurrences);
  sequences_[n] = std::move(q);
  enqueue(n, false);
  tell([&](StepObserver& o) { o.add_request(request); });
  return ids_.handle(n);
}

/// [spec: enqueue]
void SchedulerCore::enqueue(Index n, bool in_front) {
  Sequence& q = sequences_[n];
  q.status = Status::waiting;
  if (config_.policy == Policy::priority)
    q.rank = {q.priority, q.arrival, n};
  else
    q.rank = {in_front ? --front_ : back_++, 0, n};
  waiting_.insert(q.rank);
}

/// Done, given up or refused: nothing of it is left [spec: end_sequence].
void SchedulerCore::end_request(Index n) {
  leave_queues(n);
  forget(n);
}

/// It holds nothing any more and is in no queue; its number is still its own.
void SchedulerCore::leave_queues(Index n) {
  Sequence& q = sequences_[n];
  drop_features(n);
  free_blocks(n);
  if (q.status == Status::running) {
    if (running_after_ == n) running_after_ = Running::after(sequences_, n);
    running_.remove(sequences_, n);
    if (config_.policy == Policy::priority) running_by_rank_.erase({q.priority, q.arrival, n});
  } else {
    waiting_.erase(q.rank);
  }
  q.status = Status::absent;
}

/// It holds none of its features any more [spec: Drop, EncdecDrop].
void SchedulerCore::drop_features(Index n, Freed freed) {
  if (observer_ != nullptr) [[unlikely]]
    return drop_features_and_tell(n, freed);
  if (inputs_)
    inputs_->drop_all(n);
  else
    entries_.drop_all(n);
}

void SchedulerCore::forget(Index n) {
  if (inputs_)
    inputs_->remove_holder(n);
  else
    entries_.remove_holder(n);
  sequences_[n].places.clear();
  ids_.forget(n);
}

Error SchedulerCore::abort_request(RequestHandle request) {
  if (!ids_.is_known(request)) return Error::unknown_request;
  std::string id;
  tell([&](StepObserver&) { id = ids_.name(request.index); });
  end_request(request.index);
  tell([&](StepObserver& o) { o.finish(id, true); });
  return Error::none;
}

Error SchedulerCore::preempt_request(RequestHandle request) {
  if (!ids_.is_known(request)) return Error::unknown_request;
  if (sequences_[request.index].status != Status::running) return Error::wrong_time;
  preempt(request.index, true);
  return Error::none;
}

Step SchedulerCore::reset_encoder_cache() {
  if (inputs_) {
    inputs_->reset();  // [spec: EncdecReset]
  } else {
    entries_.reset();
    for (Index n = running_.front(); n != none; n = Running::after(sequences_, n))
      sequences_[n].forgotten = true;
  }
  Step step;
  step.number = ++issued_;
  step.is_reset = true;
  tell([&](StepObserver& o) { o.reset(step.number, slots()); });
  return step;
}

}  // namespace impl

Result<std::unique_ptr<Scheduler>> Scheduler::create(const SchedulerConfig& config,
                                                     KvBlocks* blocks) {
  if (const Error e = impl::check_config(config, blocks); e != Error::none) return e;
  return std::unique_ptr<Scheduler>(
      new Scheduler(std::make_unique<impl::SchedulerCore>(config, blocks)));
}

Scheduler::Scheduler(std::unique_ptr<impl::SchedulerCore> core) : core_(std::move(core)) {}
Scheduler::~Scheduler() = default;

namespace {
/// What a call came to, the whole state looked over where that is asked for.
template <class T>
T checked(const impl::SchedulerCore& core, T result) {
  if constexpr (impl::expensive_checks) core.check_invariants();
  return result;
}
}  // namespace

Result<RequestHandle> Scheduler::add_request(const RequestSpec& request) {
  return checked(*core_, core_->add_request(request));
}
Error Scheduler::abort_request(RequestHandle request) {
  return checked(*core_, core_->abort_request(request));
}
Error Scheduler::preempt_request(RequestHandle request) {
  return checked(*core_, core_->preempt_request(request));
}
Step Scheduler::reset_encoder_cache() { return checked(*core_, core_->reset_encoder_cache()); }
Result<const PassOutput*> Scheduler::schedule() { return checked(*core_, core_->schedule()); }
Error Scheduler::update_from_output(StepNumber pass, std::span<const Output> outputs) {
  return checked(*core_, core_->update_from_output(pass, outputs));
}
Error Scheduler::update_draft_tokens(RequestHandle request, Tokens drafts) {
  return checked(*core_, core_->update_draft_tokens(request, drafts));
}

void Scheduler::observe(StepObserver* observer) { core_->observe(observer); }

Result<RequestHandle> Scheduler::find(std::string_view id) const {
  const impl::Index n = core_->ids().find(id);
  if (n == impl::none) return Error::unknown_request;
  return core_->ids().handle(n);
}
std::string_view Scheduler::id_of(RequestHandle request) const {
  return core_->ids().name(request.index);
}
std::string_view Scheduler::mm_hash_of(HashHandle hash) const {
  return core_->hashes().name(hash.index);
}
Result<HashHandle> Scheduler::hash_of(RequestHandle request, InputId input) const {
  if (!core_->ids().is_known(request)) return Error::unknown_request;
  if (input >= core_->num_features(request.index)) return Error::unknown_input;
  return core_->hashes().handle(core_->entry_of(request.index, input));
}
std::size_t Scheduler::num_running() const { return core_->running().size(); }
std::size_t Scheduler::num_waiting() const { return core_->waiting().size(); }
Embeds Scheduler::num_free_slots() const { return core_->free_slots(); }
Embeds Scheduler::num_freeable_slots() const { return core_->freeable_slots(); }
std::span<const RequestHandle> Scheduler::ended() const { return core_->ended(); }
void Scheduler::check_invariants() const { core_->check_invariants(); }

}  // namespace holdfast
