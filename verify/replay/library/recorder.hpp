// Records what the library does as a trace, event by event: what a scheduler reports of itself, and
// what its worker says it gathers. Such a file is a recorded one as any other: `holdfast replay`
// holds every step in it against the model.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "holdfast/scheduler.hpp"
#include "holdfast/worker.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::replay::inline library {

class Recorder : public StepObserver {
 public:
  /// Observes `scheduler` until it ends. Requires: `config` is that of `scheduler`, which lives
  /// longer and has done nothing yet; it counts KV blocks itself, and no request brings a prefix
  /// hit, which the format does not have.
  Recorder(Scheduler& scheduler, const SchedulerConfig& config);
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The worker has applied that step; `gathered` says what it then reads, first for the target.
  void executed(const Step& step);
  /// What the plan of one request's window came to. Nothing is said of one that reads nothing.
  void gathered(const GatherWindow& window, Tokens lookahead, const GatherError& error,
                Embeds rows);

  [[nodiscard]] const std::vector<trace::Event>& events() const { return events_; }

  void add_request(const RequestSpec& request) override;
  void preempt(std::string_view request) override;
  void finish(std::string_view request, bool is_aborted) override;
  void draft(std::string_view request, Tokens drafts) override;
  void begin_pass() override;
  void check(std::string_view request, InputId input, bool hit, Slots now) override;
  void evict(std::string_view mm_hash) override;
  void can_allocate(std::string_view request, InputId input, Embeds compute_budget,
                    Embeds scheduled_embeds, bool ok, Slots now) override;
  void allocate(std::string_view request, InputId input, Slots now) override;
  void take_freed(std::span<const HashHandle> notices, Slots now) override;
  void end_pass(const PassOutput& pass, std::int64_t kv_free) override;
  void free_input(std::string_view request, InputId input, Slots now) override;
  void free_request(std::string_view request, std::span<const InputId> held, Slots now) override;
  void reset(StepNumber step, Slots now) override;
  void deliver(StepNumber step, std::span<const Delivered> outputs) override;

 private:
  struct Allocated {
    std::string request, hash;
    InputId input = 0;
  };
  /// A step, until it is delivered.
  struct Issued {
    StepNumber step = 0;
    std::int64_t pass = 0;
    std::vector<std::string> requests;
  };

  /// Slots after an event; of an encoder-decoder model the free ones are all there are.
  template <class E>
  void slots_of(E& event, Slots now) const;
  [[nodiscard]] trace::ById<std::vector<std::int64_t>> encodes(const PassOutput& pass) const;
  [[nodiscard]] const Issued& issued(StepNumber step) const;

  Scheduler& scheduler_;
  const bool is_encoder_decoder_;
  std::vector<trace::Event> events_;
  std::int64_t passes_ = 0;
  std::vector<std::string> evicted_;
  std::vector<std::string> notices_;
  std::vector<Allocated> allocated_;  ///< by this pass
  std::deque<Issued> issued_;
  std::map<RequestHandle, std::string> names_;  ///< of who may be gathered for
};

}  // namespace holdfast::verify::replay::inline library
