#include "verify/replay/driven/scenario.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "spec/catalogue.hpp"
#include "verify/readings/dynamic_machine.hpp"
#include "verify/replay/driven/scale.hpp"
#include "verify/trace/form.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify {
namespace {

using dynamic::Hash;
using dynamic::Int;
using dynamic::Request;
using D = dynamic::Reading;

/// Runs the run, and writes down before each rule what it is in a file.
class Writer {
 public:
  Writer(const Run& run, const spec::Profile& profile, const std::string& source)
      : run_(run),
        scale_(scale_of(run.workload)),
        machine_(profile),
        d_(machine_.d),
        s_(machine_.s) {
    const auto& w = run.workload;
    if (w.whole_items && w.tail != (w.lookahead > 1 ? w.lookahead : 0))
      throw std::invalid_argument("scenario: a file cannot say the tail");
    machine_.start({.capacity = w.capacity,
                    .encoder_budget = w.encoder_budget,
                    .lookahead = w.lookahead,
                    .depth = w.depth,
                    .token_budget = w.token_budget,
                    .tail = w.tail,
                    .whole_items = w.whole_items,
                    .inputs_at_once = w.manager == spec::Manager::encoder_decoder});
    for (int h = 0; h < w.hashes; ++h) machine_.new_hash();
    for (const auto& request : w.requests) {
      std::vector<dynamic::FeatureConfig> features;
      for (const auto& f : request.features) {
        auto& to = features.emplace_back(
            dynamic::FeatureConfig{Hash{f.hash}, f.start, f.end, f.embeds, {}});
        for (const auto& [first, count] : f.mask) to.mask.push_back({first, count});
      }
      machine_.new_request(request.prompt, request.limit, features, request.priority);
    }
    write_header(source);
  }

  std::vector<trace::Event> write() {
    for (now_ = 0; now_ < run_.actions.size(); ++now_) {
      const auto& action = run_.actions[now_];
      describe(action.rule, action.arguments);
      if (!take(action))
        throw std::invalid_argument("scenario: step " + std::to_string(now_ + 1) + ", " +
                                    action.rule + ", cannot be taken");
    }
    if (s_.draining()) write_free_request();
    if (s_.in_pass()) write_end_pass();
    if (s_.half_done()) write_execute();
    return std::move(events_);
  }

 private:
  using Arguments = std::vector<int>;

  static std::string name(Request r) { return "r" + std::to_string(r.id); }
  Int positions(Int n) const { return n * scale_.positions; }
  Int slots(Int n) const { return n * scale_.slots; }

  // -- taking a rule by its name --

  bool take(const Action& action) {
    return run_.workload.manager == spec::Manager::decoder_only
               ? take_in<spec::DecoderOnly::Rules>(action)
               : take_in<spec::EncoderDecoder::Rules>(action);
  }
  template <class Rules>
  bool take_in(const Action& action) {
    bool taken = false;
    Rules::each([&]<class Rule>() {
      if (Rule::info.name == action.rule)
        taken = take_rule<Rule>(typename Rule::Parameters{}, action.arguments);
    });
    return taken;
  }
  template <class Rule, spec::Role... R>
  bool take_rule(spec::Roles<R...>, const Arguments& arguments) {
    if (arguments.size() != sizeof...(R)) return false;
    return [&]<std::size_t... N>(std::index_sequence<N...>) {
      if (!Rule::template guard<D>(d_, s_, spec::as_argument<D, R>(arguments[N])...)) return false;
      Rule::template effect<D>(d_, s_, spec::as_argument<D, R>(arguments[N])...);
      return true;
    }(std::make_index_sequence<sizeof...(R)>{});
  }

  // -- what each rule is in a file; the state is the one before it --

  void describe(const std::string& rule, const Arguments& a) {
    if (rule == "add" || rule == "reject") write_add(Request{a.at(0)});
    if (rule == "begin_pass") events_.push_back(trace::BeginPass{++pass_});
    if (rule == "plan") room_made_ = false;
    if (rule == "touch" || rule == "share" || rule == "refuse") write_check();
    if (rule == "evict" || rule == "order" || rule == "clip" || rule == "abandon" ||
        rule == "encdec_allocate" || rule == "encdec_abandon")
      write_can_allocate();
    if (rule == "order" || rule == "skip") room_made_ = false;
    if (rule == "allocate") write_allocate(a.at(0));
    if (rule == "encdec_allocate") write_allocate(s_.cursor());
    if (rule == "commit") write_commit(a.at(0), a.at(1));
    if (rule == "preempt" || rule == "retract") write_preempt(Request{a.at(0)});
    if (rule == "drop" || rule == "encdec_drop") dropped_.push_back(a.at(0));
    if (rule == "drained") write_free_request();
    if (rule == "end_pass" || rule == "encdec_end_pass") write_end_pass();
    if (rule == "encode") write_execute();
    if (is_gather(rule)) write_gather(now_);
    if (rule == "deliver") write_deliver(a.at(0));
    if (rule == "end_deliver") write_deliver(s_.delivered() + 1);
    if (rule == "release" || rule == "encdec_release")
      events_.push_back(trace::FreeInput{name(Request{a.at(0)}), a.at(1), {}, {}});
    if (rule == "finish")
      events_.push_back(trace::Finish{name(Request{a.at(0)}), trace::FinishReason::stopped});
    if (rule == "abort")
      events_.push_back(trace::Finish{name(Request{a.at(0)}), trace::FinishReason::aborted});
    if (rule == "reset" || rule == "encdec_reset") {
      resets_.insert(s_.issued() + 1);
      events_.push_back(trace::Reset{});
    }
  }

  void write_header(const std::string& source) {
    const auto& w = run_.workload;
    trace::Header h;
    h.format = trace::format_name;
    h.version = trace::format_version;
    h.source = source;
    h.manager = w.manager == spec::Manager::decoder_only ? trace::Manager::decoder_only
                                                         : trace::Manager::encoder_decoder;
    h.pipeline_depth = w.depth;
    h.capacity = slots(w.capacity);
    h.encoder_budget = slots(w.encoder_budget);
    h.lookahead = positions(w.lookahead);
    h.token_budget = positions(w.token_budget);
    h.chunked_mm_input = !w.whole_items;
    const bool ranked = std::any_of(w.requests.begin(), w.requests.end(),
                                    [](const auto& r) { return r.priority != 0; });
    h.scheduling_policy =
        ranked ? trace::SchedulingPolicy::priority : trace::SchedulingPolicy::fcfs;
    events_.push_back(h);
  }

  void write_add(Request r) {
    const auto& from = run_.workload.requests.at(static_cast<std::size_t>(r.id));
    trace::AddRequest e;
    e.request = name(r);
    e.priority = from.priority;
    Int last = std::max(1, from.prompt);
    for (const auto& f : from.features) {
      e.features.push_back(scaled_feature(f, scale_));
      if (run_.workload.manager == spec::Manager::decoder_only) last = std::max<Int>(last, f.end);
    }
    // A file's features lie in the prompt.
    e.prompt_tokens = positions(last);
    e.max_tokens = std::max<Int>(1, positions(from.limit) - e.prompt_tokens);
    events_.push_back(e);
  }

  void write_check() {
    events_.push_back(trace::Check{name(s_.plan_request()), s_.cursor(), {}, {}, {}});
    room_made_ = false;
  }
  void write_can_allocate() {
    if (s_.cursor() >= d_.config.features(s_.plan_request()) || std::exchange(room_made_, true))
      return;
    const auto r = name(s_.plan_request());
    // An item that would be cut is not looked up.
    if (!spec::is_cut<D>(d_, s_, s_.plan_request(), s_.cursor(), s_.plan_tokens()))
      events_.push_back(trace::Check{r, s_.cursor(), {}, {}, {}});
    const Int promised = s_.promised.sum();
    events_.push_back(trace::CanAllocate{
        r, s_.cursor(), slots(s_.compute() - promised), slots(promised), {}, {}, {}, {}});
  }
  void write_allocate(Int i) {
    events_.push_back(trace::Allocate{name(s_.plan_request()), i, {}, {}});
    room_made_ = false;
  }

  void write_commit(Int drafts, Int owed) {
    if (scale_.positions > 1 && (drafts > 0 || owed > 0))
      throw std::invalid_argument("scenario: drafts and placeholders cannot be multiplied");
    const Request r = s_.plan_request();
    scheduled_.push_back({name(r), positions(s_.computed(r)), positions(s_.plan_tokens()), drafts,
                          s_.placeholders(r) + owed});
  }

  void write_preempt(Request r) {
    std::erase_if(scheduled_,
                  [&](const trace::Scheduled& entry) { return entry.request == name(r); });
    events_.push_back(trace::Preempt{name(r)});
  }

  /// A replay drops in the order of the inputs, if the event does not say another.
  void write_free_request() {
    if (dropped_.empty()) return;
    trace::FreeRequest e;
    e.request = name(s_.drain_request());
    if (!std::is_sorted(dropped_.begin(), dropped_.end()))
      e.held.emplace(dropped_.begin(), dropped_.end());
    events_.push_back(e);
    dropped_.clear();
  }

  void write_end_pass() {
    pass_of_[s_.issued() + 1] = pass_;
    events_.push_back(trace::EndPass{pass_, std::move(scheduled_), {}, {}, {}});
    scheduled_.clear();
  }

  void write_execute() {
    const Int k = s_.executed() + 1;
    if (resets_.contains(k))
      events_.push_back(trace::WorkerReset{});
    else
      events_.push_back(trace::Execute{pass_of_.at(k)});
  }

  static bool is_gather(const std::string& rule) {
    return rule == "gather_target" || rule == "gather_draft" || rule == "encdec_read";
  }
  /// Action n of the run, a gather of the step that was executed last.
  void write_gather(std::size_t n) {
    const auto& action = run_.actions[n];
    const Int k = s_.executed();
    if (resets_.contains(k) || !gathered_.insert(n).second) return;
    const Request r{action.arguments.at(0)};
    const bool has_position = action.rule != "encdec_read";
    trace::Gather e;
    e.pass = pass_of_.at(k);
    e.request = name(r);
    e.start = has_position ? positions(action.arguments.at(2)) : positions(s_.step_computed(k, r));
    e.tokens = positions(s_.step_tokens(k, r));
    e.lookahead = action.rule == "gather_draft" ? positions(d_.config.lookahead()) : 0;
    events_.push_back(e);
  }

  /// A file delivers a step's outputs at once, after its gathers: here all that the run will ever
  /// gather and deliver of it. The scheduler and the worker do not hear of each other in between.
  void write_deliver(Int k) {
    if (resets_.contains(k) || !delivered_.insert(k).second) return;
    for (auto n = now_; k == s_.executed() && !s_.half_done() && n < run_.actions.size(); ++n) {
      if (run_.actions[n].rule == "drop_notices") break;
      if (is_gather(run_.actions[n].rule)) write_gather(n);
    }
    trace::Deliver e;
    e.pass = pass_of_.at(k);
    for (auto n = now_; n < run_.actions.size(); ++n) {
      const auto& action = run_.actions[n];
      if (action.rule != "deliver" || action.arguments.at(0) != k) continue;
      const Request r{action.arguments.at(1)};
      const Int rejected = action.arguments.at(2);
      const Int owed = s_.step_owed(k, r);
      e.outputs.push_back({name(r), std::max<Int>(0, owed - rejected), rejected, {}});
    }
    events_.push_back(e);
  }

  const Run& run_;
  Scale scale_;
  dynamic::Machine machine_;
  D& d_;
  dynamic::State& s_;
  std::vector<trace::Event> events_;
  std::size_t now_ = 0;

  std::int64_t pass_ = 0;
  std::map<Int, std::int64_t> pass_of_;  // by step
  std::set<Int> resets_;                 // steps
  std::set<Int> delivered_;              // steps
  std::set<std::size_t> gathered_;       // actions
  std::vector<trace::Scheduled> scheduled_;
  std::vector<Int> dropped_;
  bool room_made_ = false;  // for the input at the cursor
};

}  // namespace

std::vector<trace::Event> scenario_of(const Run& run, const spec::Profile& profile,
                                      const std::string& source) {
  return Writer(run, profile,
                source.empty() ? "holdfast refute " + std::string(profile.name) : source)
      .write();
}

std::string scenario_text(const Run& run, const spec::Profile& profile) {
  return trace::to_lines(scenario_of(run, profile));
}

}  // namespace holdfast::verify
