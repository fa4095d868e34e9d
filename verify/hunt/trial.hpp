// One run of a script under a profile: the whole scheduler, in the compact reading.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "spec/schedule/scheduler.hpp"
#include "verify/explore/canonical.hpp"
#include "verify/hunt/cause.hpp"
#include "verify/hunt/checks.hpp"
#include "verify/hunt/companion.hpp"
#include "verify/hunt/manager_calls.hpp"
#include "verify/hunt/names.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/hunt/teller.hpp"
#include "verify/liveness/progress_monitor.hpp"
#include "verify/readings/compact.hpp"

namespace holdfast::verify::hunt {

/// Where a run ends that does not repeat itself.
inline constexpr int most_ticks = 60;

template <class D>
class Trial : public spec::Unobserved<D> {
 public:
  Trial(const Script& script, const spec::Profile& profile, Watch& watch)
      : script_(script),
        watch_(watch),
        d_(workload_of(script), profile, {}),
        queues_(sizes_of<D>(script)),
        x_{d_, s_, queues_, *this},
        names_(script.requests.size()),
        seen_(script.requests.size()),
        expects_turns_(watch.expects_turns || spec::variants_in(profile).empty()) {
    spec::initialise(d_, s_);
    if (watch.story != nullptr) teller_.emplace(script, d_, s_, queues_, names_, *watch.story);
    if (watch.on_call) calls_.emplace(script, d_, s_, names_, watch.on_call);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  Outcome run() {
    try {
      beside([&](Companion& c) { c.begins(script_); });
      if (calls_) calls_->begins();
      while (!done_ && now_ < most_ticks) tick();
    } catch (const spec::Refused& refused) {
      // What is broken already may well lead to it.
      if (out_.broken.empty())
        out_.broken.push_back({spec::Progress::info.name, out_.steps, refused.rule, true});
      if (teller_) teller_->contradicts(refused.rule);
    } catch (const compact::Overflow&) {
      out_.overflows = true;
    } catch (const Differs& differs) {
      out_.differs = differs.what;
    } catch (const Ended&) {
    }
    if (teller_) teller_->end();
    return std::move(out_);
  }

  // Of the observer.
  template <class Rule, class... Arguments>
  void before(Arguments... arguments) {
    d_.path = 1;
    if constexpr (std::is_same_v<Rule, spec::EndPass>) expect_turns();
    if (teller_) teller_->template before<Rule>(arguments...);
    if (calls_) calls_->template before<Rule>(arguments...);
  }
  template <class Rule, class... Arguments>
  void after(Arguments... arguments) {
    ++out_.steps;
    rule_ = Rule::info.name;
    if (watch_.coverage != nullptr && watch_.coverage->add(situation_of<Rule>(d_, s_, queues_)))
      watch_.covers_more = true;
    checks_.check(d_, s_, queues_.sizes.manager,
                  [this](std::string_view property) { breaks(property); });
    if (calls_) calls_->template after<Rule>(arguments...);
  }
  void passed_over(spec::Request<D> r) {
    if (teller_) teller_->passed_over(r);
  }
  void issued(const spec::Flight<D>& flight) {
    ++out_.passes;
    gave_tokens_ = !flight.scheduled.empty();
    monitor_.issued(d_, queues_, flight);
    if (teller_) teller_->issued(flight);
  }

 private:
  using Request = spec::Request<D>;
  struct Ended {};

  struct Seen {
    bool came = false;
    bool lives = false;
    int outputs = 0;  ///< of the copy that lives, with drafts
  };

  /// What the theorem of progress takes for granted of the pass: where nothing moves, every running
  /// request has had its turn, or, where none runs, a waiting one. Of other profiles a stall says
  /// it.
  void expect_turns() {
    if (!expects_turns_ || !spec::nothing_moves<D>(d_, s_)) return;
    bool any_runs = false, any_waits = false, all_tried = true, any_tried = false;
    for (const auto* queue : {&queues_.running, &queues_.waiting})
      for (const auto& q : *queue) {
        const bool runs = queue == &queues_.running;
        (runs ? any_runs : any_waits) = true;
        any_tried |= s_.tried(q.request);
        if (runs) all_tried &= s_.tried(q.request);
      }
    if (any_runs ? !all_tried : any_waits && !any_tried) breaks(spec::Progress::info.name);
  }

  /// Calls f(companion), if there is one.
  template <class F>
  void beside(F&& f) {
    if (watch_.companion != nullptr) f(*watch_.companion);
  }
  [[nodiscard]] Model model() const { return {d_, s_, queues_}; }

  // -- the environment --

  void tick() {
    ++now_;
    events();
    if (lives()) {
      while (static_cast<int>(queues_.passes_in_flight()) >= script_.workload.depth) deliver();
      if (!spec::schedule_pass(x_, static_cast<int>(out_.passes) + 1))
        throw spec::Refused{spec::BeginPass::info.name};
      beside([&](Companion& c) { c.passes(model()); });
      if (!script_.executes_late)
        while (s_.executed() < s_.issued()) execute();
      const int left = gave_tokens_ ? in_turn(script_.left_in_flight, now_) : 0;
      while (static_cast<int>(queues_.passes_in_flight()) > left) deliver();
    }
    if (!lives()) drain();
    explore::CanonicalForm<D>::settle(d_, s_);
    if (teller_) teller_->tick_ends();
    look_ahead();
  }

  void events() {
    for (std::size_t r = 0; r < seen_.size(); ++r) {
      const auto& q = script_.requests[r];
      const Request request{static_cast<int>(r)};
      if (q.aborted == now_ && seen_[r].lives) {
        if (teller_) teller_->aborts(request);
        if (spec::abort_request(x_, request))
          beside([&](Companion& c) { c.aborts(model(), request); });
      }
    }
    notice_ends();
    while (script_.preempt_all == now_ && !queues_.running.empty()) {
      const Request last = queues_.running.back().request;
      if (teller_) teller_->preempts(last);
      spec::preempt_between_passes(x_, last);
      beside([&](Companion& c) { c.preempts(model(), last); });
    }
    if (script_.reset == now_) {
      if (teller_) teller_->resets();
      const bool taken = spec::reset_encoder_cache(x_);
      beside([&](Companion& c) { c.resets(model(), taken); });
    }
    for (std::size_t r = 0; r < seen_.size(); ++r)
      if (script_.requests[r].arrives == now_ || is_due(r)) arrive(r);
  }

  /// A fresh copy can come: what the one before left behind is gone.
  [[nodiscard]] bool is_due(std::size_t r) const {
    if (!script_.requests[r].again || !seen_[r].came || seen_[r].lives) return false;
    const Request request{static_cast<int>(r)};
    for (const auto& flight : queues_.in_flight)
      for (const auto& entry : flight.scheduled)
        if (entry.request == request) return false;
    for (int i = 0; i < d_.config.features(request); ++i)
      if (s_.held(request, i) || s_.charged(request, i) > 0 ||
          s_.refs(d_.config.hash(request, i), request))
        return false;
    return true;
  }

  void arrive(std::size_t r) {
    const Request request{static_cast<int>(r)};
    s_.status.set(request, static_cast<int>(spec::Status::absent));
    s_.epoch.set(request, 0);
    s_.forgotten.set(request, false);
    s_.credited.set(request, 0);
    names_.comes(request.id);
    if (teller_) teller_->arrives(request);
    const bool taken = spec::add_request(
        x_, spec::Arrival<D>{request, script_.requests[r].max_tokens, script_.requests[r].hit});
    beside([&](Companion& c) { c.adds(model(), request, taken); });
    seen_[r] = {true, taken, 0};
    // Whoever is refused is not sent again.
    if (!taken) seen_[r].came = false;
  }

  [[nodiscard]] bool lives() const { return !queues_.running.empty() || !queues_.waiting.empty(); }

  void notice_ends() {
    for (std::size_t r = 0; r < seen_.size(); ++r)
      seen_[r].lives = seen_[r].lives && queues_.find(Request{static_cast<int>(r)}) != nullptr;
  }

  static int in_turn(const std::vector<int>& values, int n) {
    return values[static_cast<std::size_t>(n) % values.size()];
  }

  /// The oldest pass's outputs, and drafts for the next.
  void deliver() {
    while (s_.executed() == s_.delivered()) execute();
    if (queues_.in_flight.front().is_reset) return;
    const auto flight = queues_.in_flight.front();
    std::vector<spec::Output<D>> outputs;
    for (const auto& entry : flight.scheduled) outputs.push_back(output_of(entry));
    if (teller_) teller_->delivers(flight, outputs);
    spec::update_from_output(x_, outputs);
    beside([&](Companion& c) { c.delivers(model(), outputs); });
    notice_ends();
    if (!x_.is_async() && script_.draft_tokens > 0) propose(flight);
    explore::CanonicalForm<D>::settle(d_, s_);
  }

  void execute() {
    if (teller_) teller_->executes();
    spec::execute_model(x_);
    beside([&](Companion& c) { c.executes(model()); });
  }

  spec::Output<D> output_of(const spec::Scheduled<D>& entry) {
    const auto r = static_cast<std::size_t>(entry.request.id);
    if (!entry.samples || !seen_[r].lives) return {};
    int accepted = 0;
    if (entry.drafts > 0)
      accepted = std::min(entry.drafts, in_turn(script_.requests[r].accepted, seen_[r].outputs++));
    return {1 + accepted, entry.drafts - accepted};
  }

  void propose(const spec::Flight<D>& flight) {
    std::vector<std::pair<Request, int>> proposed;
    for (const auto& entry : flight.scheduled) {
      const auto r = static_cast<std::size_t>(entry.request.id);
      if (seen_[r].lives)
        proposed.emplace_back(entry.request, in_turn(script_.requests[r].proposed, now_));
    }
    if (teller_) teller_->proposes(proposed);
    for (const auto& [r, n] : proposed) {
      spec::update_draft_tokens(x_, r, n);
      beside([&, r = r, n = n](Companion& c) { c.proposes(model(), r, n); });
    }
  }

  void drain() {
    while (s_.executed() < s_.issued()) execute();
    while (!queues_.in_flight.empty()) deliver();
  }

  /// Whether it goes on, and if not, whether it should.
  void look_ahead() {
    if (now_ < script_.last_tick()) return;
    bool due = false;
    std::vector<std::int64_t> environment;
    for (std::size_t r = 0; r < seen_.size(); ++r) {
      due |= is_due(r);
      environment.push_back(seen_[r].lives);
      environment.push_back(seen_[r].outputs %
                            static_cast<int>(script_.requests[r].accepted.size()));
      environment.push_back(now_ % static_cast<int>(script_.requests[r].proposed.size()));
    }
    environment.push_back(now_ % static_cast<int>(script_.left_in_flight.size()));
    if (!lives() && !due) {
      done_ = true;
      return;
    }
    const auto verdict = monitor_.remember(d_, s_, queues_, environment);
    done_ = verdict.repeats;
    if (!verdict.found) return;
    if (teller_) teller_->stalls(*verdict.found);
    breaks(spec::Progress::info.name);
  }

  void breaks(std::string_view property) {
    out_.broken.push_back({property, out_.steps, rule_});
    if (teller_) teller_->breaks(property);
    if (watch_.until == property) throw Ended{};
  }

  const Script& script_;
  Watch& watch_;
  D d_;
  spec::State<D> s_;
  spec::Queues<D> queues_;
  spec::Scheduler<D, Trial> x_;
  liveness::ProgressMonitor<D> monitor_;
  Names names_;
  std::optional<Teller<D>> teller_;
  std::optional<ManagerCalls<D>> calls_;

  std::vector<Seen> seen_;
  const bool expects_turns_;
  int now_ = 0;
  bool done_ = false;
  bool gave_tokens_ = false;
  std::string_view rule_;
  PropertyChecks<D> checks_;
  Outcome out_;
};

}  // namespace holdfast::verify::hunt
