#include "verify/replay/driven/scenario.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "spec/schedule/steps.hpp"
#include "verify/replay/driven/named_rule.hpp"
#include "verify/replay/driven/workload_events.hpp"
#include "verify/trace/writer.hpp"

namespace holdfast::verify::replay::inline driven {
namespace {

/// An event that several rules in a row may stand for.
enum class Open { none, room, leaving, step, gather, delivery };

template <class Rule>
struct Of {};

template <class E>
constexpr bool is_about_a_step =
    std::is_same_v<E, trace::Execute> || std::is_same_v<E, trace::WorkerReset> ||
    std::is_same_v<E, trace::Gather> || std::is_same_v<E, trace::Deliver>;

/// Takes the run's rules in the model that its file describes, and writes down each before it is
/// taken: the event that shows it, if there is one, and its name.
class Writer {
 public:
  Writer(const explore::Run& run, const spec::Profile& profile, const std::string& source)
      : run_(run),
        scale_(scale_of(run.workload)),
        header_(header_for(run.workload, source, scale_)),
        m_(profile, header_),
        d_(m_.d),
        s_(m_.s) {
    const auto& w = run.workload;
    if (w.whole_items && w.tail != (w.lookahead > 1 ? w.lookahead : 0))
      throw std::invalid_argument("scenario: a file cannot say the tail");
    events_.emplace_back(header_);
  }

  std::vector<trace::Event> write() {
    for (now_ = 0; now_ < run_.actions.size(); ++now_) {
      const auto& action = run_.actions[now_];
      const auto taken = named(action);
      if (!taken || !take_named(m_, steps_, *taken, [&]<class Rule>(auto... arguments) {
            return write<Rule>(*taken, arguments...);
          }))
        throw std::invalid_argument("scenario: step " + std::to_string(now_ + 1) + ", " +
                                    action.rule + ", cannot be taken");
    }
    if (!rules_.empty()) show(trace::State{});
    return std::move(events_);
  }

 private:
  static trace::Header header_for(const Workload& w, const std::string& source,
                                  const Scale& scale) {
    auto h = header_of(w, source, scale);
    const bool ranked = std::any_of(w.requests.begin(), w.requests.end(),
                                    [](const auto& r) { return r.priority != 0; });
    h.scheduling_policy =
        ranked ? trace::SchedulingPolicy::priority : trace::SchedulingPolicy::fcfs;
    return h;
  }

  static std::string name(int request) { return "r" + std::to_string(request); }
  const std::string& name(Request r) const { return m_.text(r); }

  // -- rules by name --

  /// The action in the file's words and sizes. A request is new to the model when it comes.
  std::optional<trace::Taken> named(const explore::Action& action) {
    std::optional<trace::Taken> taken;
    const auto look = [&]<class Rule>() {
      taken = named<Rule>(typename Rule::Parameters{}, action.arguments);
    };
    if (m_.is_decoder_only())
      spec::with_rule<spec::DecoderOnly::Rules>(action.rule, look);
    else
      spec::with_rule<spec::EncoderDecoder::Rules>(action.rule, look);
    return taken;
  }
  template <class Rule, spec::Role... R>
  std::optional<trace::Taken> named(spec::Roles<R...>, const std::vector<int>& arguments) {
    if (arguments.size() != sizeof...(R)) return std::nullopt;
    trace::Taken taken{std::string(Rule::info.name)};
    std::size_t n = 0;
    (set<R>(taken, arguments[n++]), ...);
    if constexpr (std::is_same_v<Rule, spec::Add> || std::is_same_v<Rule, spec::Reject>)
      if (!m_.find(*taken.request)) m_.define(add_event_of(arguments[0]));
    return taken;
  }
  template <spec::Role R>
  void set(trace::Taken& taken, int x) const {
    using enum spec::Role;
    auto& to = trace::argument<R>(taken);
    if constexpr (R == request)
      to = name(x);
    else if constexpr (R == hash)
      to = "h" + std::to_string(x);
    else if constexpr (R == step)
      to = steps_.pass_of(x);
    else if constexpr (R == tokens || R == hit || R == position)
      to = x * scale_.positions;
    else
      to = x;
    if constexpr (R == drafts || R == owed)
      if (scale_.positions > 1 && x > 0)
        throw std::invalid_argument("scenario: drafts and placeholders cannot be multiplied");
  }

  template <class Rule, class... Arguments>
  bool write(const trace::Taken& taken, Arguments... arguments) {
    if (!Rule::template guard<D>(d_, s_, arguments...)) return false;
    if (rules_.empty() && goes_on(Of<Rule>{}, arguments...)) {
      rules_of(events_.back()).push_back(taken);
    } else {
      const auto shown = events_.size();
      open_ = Open::none;
      if constexpr (requires { on(Of<Rule>{}, arguments...); }) on(Of<Rule>{}, arguments...);
      (events_.size() > shown ? rules_of(events_.back()) : rules_).push_back(taken);
    }
    Rule::template effect<D>(d_, s_, arguments...);
    return true;
  }

  static std::vector<trace::Taken>& rules_of(trace::Event& event) {
    return std::visit(
        [](auto& e) -> std::vector<trace::Taken>& {
          if constexpr (requires { e.rules; })
            return e.rules ? *e.rules : e.rules.emplace();
          else
            throw std::logic_error("scenario: this event stands for no rule");
        },
        event);
  }
  /// The event also stands for the rules before it that show in none. Where it is about a step, the
  /// worker must have come to that: then they stand before it.
  template <class E>
  void show(E e, Open open = Open::none) {
    if constexpr (is_about_a_step<E>)
      if (!rules_.empty()) show(trace::State{});
    if (!rules_.empty()) e.rules = std::exchange(rules_, {});
    events_.emplace_back(std::move(e));
    open_ = open;
  }

  // -- what shows a rule in a file; the state is the one before it --

  void on(Of<spec::Add>, Request r) { show(add_event_of(number_of(r))); }
  void on(Of<spec::Reject>, Request r) { show(add_event_of(number_of(r))); }
  void on(Of<spec::BeginPass>) { show(trace::BeginPass{++pass_}); }
  void on(Of<spec::Touch>) { show_check(); }
  void on(Of<spec::Share>) { show_check(); }
  void on(Of<spec::Refuse>) { show_check(); }
  void on(Of<spec::Evict>, Hash) { show_miss(Open::room); }
  void on(Of<spec::Order>) { show_miss(); }
  void on(Of<spec::Clip>) { show_miss(); }
  void on(Of<spec::Abandon>) {
    if (spec::looking_at_feature<D>(d_, s_) && spec::cannot_get_in<D>(d_, s_)) show_miss();
  }
  void on(Of<spec::Allocate>, Int i) { show(trace::Allocate{name(s_.plan_request()), i, {}, {}}); }
  void on(Of<spec::EncdecAllocate>) {
    show_room();
    show(trace::Allocate{name(s_.plan_request()), s_.cursor(), {}, {}});
  }
  void on(Of<spec::EncdecAbandon>) { show_room(); }
  void on(Of<spec::Commit>, Int drafts, Int owed) {
    const Request r = s_.plan_request();
    scheduled_.push_back(
        {name(r), s_.computed(r), s_.plan_tokens(), drafts, s_.placeholders(r) + owed});
  }
  void on(Of<spec::Preempt>, Request r) { show_preempt(r); }
  void on(Of<spec::Retract>, Request r) { show_preempt(r); }
  void on(Of<spec::Drop>, Int) { show_free_request(); }
  void on(Of<spec::EncdecDrop>, Int) { show_free_request(); }
  void on(Of<spec::EndPass>) { show_end_pass(); }
  void on(Of<spec::EncdecEndPass>) { show_end_pass(); }
  void on(Of<spec::DropNotices>) { show_step(); }
  void on(Of<spec::Encode>) { show_step(); }
  void on(Of<spec::GatherTarget>, Request r, Int, Int a) { show_gather(r, a, 0); }
  void on(Of<spec::GatherDraft>, Request r, Int, Int a) {
    show_gather(r, a, d_.config.lookahead());
  }
  void on(Of<spec::EncdecRead>, Request r, Int) {
    show_gather(r, s_.step_computed(s_.executed(), r), 0);
  }
  void on(Of<spec::Deliver>, Int k, Request, Int) { show_delivery(k); }
  void on(Of<spec::EndDeliver>) { show_delivery(s_.delivered() + 1); }
  void on(Of<spec::ReleaseInput>, Request r, Int i) { show(trace::FreeInput{name(r), i, {}, {}}); }
  void on(Of<spec::EncdecRelease>, Request r, Int i) { on(Of<spec::ReleaseInput>{}, r, i); }
  void on(Of<spec::Finish>, Request r) {
    show(trace::Finish{name(r), trace::FinishReason::stopped});
  }
  void on(Of<spec::AbortRequest>, Request r) {
    show(trace::Finish{name(r), trace::FinishReason::aborted});
  }
  void on(Of<spec::Reset>) { show_reset(); }
  void on(Of<spec::EncdecReset>) { show_reset(); }

  // -- whether the event before shows it too --

  template <class Rule, class... Arguments>
  bool goes_on(Of<Rule>, Arguments...) const {
    return false;
  }
  bool goes_on(Of<spec::Evict>, Hash) const { return open_ == Open::room; }
  bool goes_on(Of<spec::Order>) { return ends(Open::room); }
  bool goes_on(Of<spec::Skip>) { return ends(Open::room); }
  bool goes_on(Of<spec::Clip>) { return ends(Open::room); }
  bool goes_on(Of<spec::Abandon>) { return ends(Open::room); }
  bool goes_on(Of<spec::Drop>, Int) const { return open_ == Open::leaving; }
  bool goes_on(Of<spec::EncdecDrop>, Int) const { return open_ == Open::leaving; }
  bool goes_on(Of<spec::Drained>) { return ends(Open::leaving); }
  bool goes_on(Of<spec::DropNotices>) { return ends(Open::step); }
  bool goes_on(Of<spec::Encode>) { return ends(Open::step); }
  bool goes_on(Of<spec::GatherTarget>, Request r, Int, Int a) const { return is_read(r, a, 0); }
  bool goes_on(Of<spec::GatherDraft>, Request r, Int, Int a) const {
    return is_read(r, a, d_.config.lookahead());
  }
  bool goes_on(Of<spec::EncdecRead>, Request r, Int) const {
    return is_read(r, s_.step_computed(s_.executed(), r), 0);
  }
  bool goes_on(Of<spec::Deliver>, Int k, Request, Int) const {
    return open_ == Open::delivery &&
           std::get<trace::Deliver>(events_.back()).pass == steps_.pass_of(k);
  }
  bool goes_on(Of<spec::EndDeliver>) {
    return goes_on(Of<spec::Deliver>{}, s_.delivered() + 1, Request{}, 0) && ends(Open::delivery);
  }
  bool ends(Open open) {
    if (open_ != open) return false;
    open_ = Open::none;
    return true;
  }
  bool is_read(Request r, Int start, Int lookahead) const {
    if (open_ != Open::gather) return false;
    const auto& e = std::get<trace::Gather>(events_.back());
    return e.request == name(r) && e.start == start && e.lookahead == lookahead;
  }

  // -- events --

  int number_of(Request r) const { return std::stoi(name(r).substr(1)); }
  trace::AddRequest add_event_of(int request) const {
    const auto& from = run_.workload.requests.at(static_cast<std::size_t>(request));
    auto e = add_event(from, name(request), scale_);
    Int last = std::max(1, from.prompt);
    if (m_.is_decoder_only())
      for (const auto& f : from.features) last = std::max<Int>(last, f.end);
    // A file's features lie in the prompt.
    e.prompt_tokens = last * scale_.positions;
    e.max_tokens = std::max<Int>(1, from.limit * scale_.positions - e.prompt_tokens);
    return e;
  }
  void show_check() { show(trace::Check{name(s_.plan_request()), s_.cursor(), {}, {}, {}}); }
  void show_miss(Open open = Open::none) {
    show_check();
    show_room(open);
  }
  void show_room(Open open = Open::none) {
    const Int promised = s_.promised.sum();
    show(trace::CanAllocate{name(s_.plan_request()),
                            s_.cursor(),
                            s_.compute() - promised,
                            promised,
                            {},
                            {},
                            {},
                            {}},
         open);
  }
  void show_preempt(Request r) {
    std::erase_if(scheduled_,
                  [&](const trace::Scheduled& entry) { return entry.request == name(r); });
    show(trace::Preempt{name(r)});
  }
  void show_free_request() {
    show(trace::FreeRequest{name(s_.drain_request()), {}, {}, {}}, Open::leaving);
  }
  void show_end_pass() {
    steps_.issue_pass(pass_, s_.issued() + 1);
    show(trace::EndPass{pass_, std::exchange(scheduled_, {}), {}, {}, {}});
  }
  void show_reset() {
    steps_.issue_reset(s_.issued() + 1);
    show(trace::Reset{});
  }
  /// At its first half, dropping or encoding.
  void show_step() {
    if (s_.half_done()) return;
    const Int k = s_.executed() + 1;
    if (steps_.is_reset(k))
      show(trace::WorkerReset{}, Open::step);
    else
      show(trace::Execute{*steps_.pass_of(k)}, Open::step);
  }
  /// A file delivers a step's outputs at once, and reads nothing of it afterwards.
  void show_gather(Request r, Int start, Int lookahead) {
    const Int k = s_.executed();
    if (shown_deliveries_.contains(k)) return;
    show(trace::Gather{*steps_.pass_of(k), name(r), start, s_.step_tokens(k, r), lookahead, {}, {}},
         Open::gather);
  }
  void show_delivery(Int k) {
    if (steps_.is_reset(k) || !shown_deliveries_.insert(k).second) return;
    trace::Deliver e;
    e.pass = *steps_.pass_of(k);
    for (auto n = now_; n < run_.actions.size(); ++n) {
      const auto& action = run_.actions[n];
      if (action.rule != spec::Deliver::info.name || action.arguments.at(0) != k) continue;
      const auto r = m_.find(name(action.arguments.at(1)));
      if (!r) continue;
      const Int rejected = action.arguments.at(2);
      const Int owed = s_.step_owed(k, *r);
      e.outputs.push_back({name(*r), std::max<Int>(0, owed - rejected), rejected, {}});
    }
    show(std::move(e), Open::delivery);
  }

  const explore::Run& run_;
  Scale scale_;
  trace::Header header_;
  Model m_;
  D& d_;
  dynamic::State& s_;
  StepNames steps_;
  std::vector<trace::Event> events_;
  std::size_t now_ = 0;
  std::vector<trace::Taken> rules_;  // taken, and shown by no event yet
  Open open_ = Open::none;

  std::int64_t pass_ = 0;
  std::set<Int> shown_deliveries_;  // steps
  std::vector<trace::Scheduled> scheduled_;
};

}  // namespace

std::vector<trace::Event> scenario_of(const explore::Run& run, const spec::Profile& profile,
                                      const std::string& source) {
  return Writer(run, profile,
                source.empty() ? "holdfast refute " + std::string(profile.name) : source)
      .write();
}

std::string scenario_text(const explore::Run& run, const spec::Profile& profile) {
  return trace::to_lines(scenario_of(run, profile));
}

}  // namespace holdfast::verify::replay::inline driven
