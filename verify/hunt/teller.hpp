// Tells a run: pass by pass for people, and as the events that drive a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spec/schedule/scheduler.hpp"
#include "verify/hunt/names.hpp"
#include "verify/hunt/outcome.hpp"
#include "verify/hunt/script.hpp"
#include "verify/hunt/story_events.hpp"
#include "verify/liveness/progress_monitor.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify::hunt {

template <class D>
class Teller {
 public:
  using Request = spec::Request<D>;
  using Hash = spec::Hash<D>;
  using Int = spec::Int<D>;

  Teller(const Script& script, const D& d, const spec::State<D>& s, spec::Queues<D>& queues,
         const Names& names, Story& story)
      : script_(script), d_(d), s_(s), queues_(queues), names_(names), story_(story) {
    story_.events.emplace_back(header_of(script, story.source));
  }

  // -- the environment, each before it happens --

  void arrives(Request r) {
    story_.events.emplace_back(add_event(script_, static_cast<std::size_t>(r.id), name(r)));
    note(name(r) + " arrives");
  }
  void aborts(Request r) {
    story_.events.emplace_back(trace::Finish{name(r), trace::FinishReason::aborted});
    note(name(r) + " is aborted");
  }
  void preempts(Request r) { story_.events.emplace_back(trace::Preempt{name(r)}); }
  void resets() {
    story_.events.emplace_back(trace::Reset{});
    in_flight_.push_back(0);
    note("the encoder cache is reset");
  }
  void executes() {
    const auto pass = in_flight_.at(executed_++);
    if (pass == 0)
      story_.events.emplace_back(trace::WorkerReset{});
    else
      story_.events.emplace_back(trace::Execute{pass});
  }
  void delivers(const spec::Flight<D>& flight, const std::vector<spec::Output<D>>& outputs) {
    trace::Deliver e{flight.pass, {}};
    for (std::size_t n = 0; n < outputs.size(); ++n) {
      const Request r = flight.scheduled[n].request;
      e.outputs.push_back({name(r), outputs[n].generated, outputs[n].rejected, {}});
      if (outputs[n].rejected > 0)
        note(fmt::format("{} of {}'s drafts rejected", outputs[n].rejected, name(r)));
    }
    story_.events.emplace_back(std::move(e));
  }
  void proposes(const std::vector<std::pair<Request, int>>& proposed) {
    trace::Draft e;
    for (const auto& [r, n] : proposed) e.proposed.emplace_back(name(r), n);
    if (!e.proposed.empty()) story_.events.emplace_back(std::move(e));
  }
  void tick_ends() { write_line(); }

  // -- of the observer --

  void passed_over(Request r) { note(name(r) + " is passed over"); }
  void issued(const spec::Flight<D>& flight) {
    is_open_ = false;
    in_flight_.push_back(flight.pass);
    story_.events.emplace_back(trace::EndPass{flight.pass, {}, {}, {}, {}});
    if (flight.scheduled.empty()) note("no token is scheduled");
  }

  template <class Rule, class... Arguments>
  void before(Arguments... arguments) {
    using namespace spec;
    const Request turn = s_.plan_request();
    if constexpr (std::is_same_v<Rule, BeginPass>) begin_pass();
    if constexpr (std::is_same_v<Rule, Plan>) turn_notes_.clear();
    if constexpr (std::is_same_v<Rule, Touch>)
      if (!s_.held(turn, s_.cursor())) turn_notes_.push_back("takes " + name(wanted()));
    if constexpr (std::is_same_v<Rule, Evict>) turn_note_with("evicts ", arguments...);
    if constexpr (std::is_same_v<Rule, EncdecAllocate>)
      turn_notes_.push_back("encodes " + name(wanted()));
    if constexpr (std::is_same_v<Rule, Allocate>) allocated(arguments...);
    if constexpr (std::is_same_v<Rule, Clip> || std::is_same_v<Rule, RollBack>)
      turn_notes_.push_back("ends before " + why());
    if constexpr (std::is_same_v<Rule, Grow>)
      turn_notes_.push_back("grows to the end of " + name(wanted()));
    if constexpr (std::is_same_v<Rule, Abandon> || std::is_same_v<Rule, EncdecAbandon>)
      end_turn(turn,
               "none: " + (spec::planned(d_, s_) ? "the prompt's tail is not to be cut" : why()));
    if constexpr (std::is_same_v<Rule, PutBack>) end_turn(turn, "none: no KV blocks");
    if constexpr (std::is_same_v<Rule, Refuse>)
      end_turn(turn, "refused: " + name(wanted()) + " has another size");
    if constexpr (std::is_same_v<Rule, Commit>) commit(turn);
    if constexpr (std::is_same_v<Rule, Preempt>) note_with(" is preempted", arguments...);
    if constexpr (std::is_same_v<Rule, Retract>) note_with(" is retracted", arguments...);
    if constexpr (std::is_same_v<Rule, Finish>) note_with(" ends", arguments...);
    if constexpr (std::is_same_v<Rule, Reject>)
      note_with(" can never run and is refused", arguments...);
    if constexpr (std::is_same_v<Rule, ReleaseInput> || std::is_same_v<Rule, EncdecRelease>)
      released(arguments...);
  }
  void breaks(std::string_view property) {
    if (property != spec::Progress::info.name) note(fmt::format("{} is broken", property));
  }
  void contradicts(std::string_view rule) {
    note(fmt::format("the rule {} is needed, and may not be taken", rule));
  }
  void stalls(const liveness::NoProgress<D>& found) {
    write_line();
    story_.lines.push_back(sentence(found));
    for (const auto* queue : {&queues_.running, &queues_.waiting})
      for (const auto& q : *queue) story_.lines.push_back(standing(q, queue == &queues_.running));
  }
  void end() {
    if (is_open_) story_.events.emplace_back(trace::EndPass{pass_, {}, {}, {}, {}});
    write_line();
  }

 private:
  [[nodiscard]] std::string name(Request r) const { return names_.request(r.id); }
  static std::string name(Hash h) { return Names::hash(h.id); }
  [[nodiscard]] Hash wanted() const { return d_.config.hash(s_.plan_request(), s_.cursor()); }

  void note(std::string text) { notes_.push_back(std::move(text)); }
  void note_with(std::string_view text, Request r) { note(name(r) + std::string(text)); }
  void turn_note_with(std::string_view text, Hash h) {
    turn_notes_.push_back(std::string(text) + name(h));
  }

  void begin_pass() {
    is_open_ = true;
    story_.events.emplace_back(trace::BeginPass{++pass_});
  }
  void allocated(Int i) {
    const Hash h = d_.config.hash(s_.plan_request(), i);
    if (s_.weight(h) == 0) turn_notes_.push_back("encodes " + name(h));
  }
  void commit(Request r) {
    const Int from = s_.computed(r), n = s_.plan_tokens();
    end_turn(r, fmt::format("[{}, {})", from, from + n));
  }
  void end_turn(Request r, std::string what) {
    if (!turn_notes_.empty()) what += fmt::format(" ({})", fmt::join(turn_notes_, ", "));
    turn_notes_.clear();
    note(name(r) + " " + what);
  }
  void released(Request r, Int i) {
    note(fmt::format("{} releases {}", name(r), name(d_.config.hash(r, i))));
  }

  /// Why the feature at the cursor stops the turn.
  [[nodiscard]] std::string why() const {
    const Request r = s_.plan_request();
    const Int i = s_.cursor();
    const bool is_encdec = queues_.sizes.manager == spec::Manager::encoder_decoder;
    const auto item = fmt::format("{} at [{}, {})", name(wanted()), spec::item_start(d_, r, i),
                                  spec::item_end(d_, r, i));
    if (!is_encdec && spec::cuts_item(d_, s_))
      return fmt::format("{}, not to be cut at {}", item, s_.computed(r) + s_.plan_tokens());
    const Int needs = is_encdec ? d_.config.embeds(r, i) : spec::item_embeds(d_, r, i);
    const Int promised = s_.promised.sum();
    return fmt::format("{}: needs {}{}, {} {}, compute budget {}", item, needs,
                       promised > 0 ? fmt::format(" beside {} promised", promised) : "",
                       is_encdec ? s_.free() : s_.reclaimable(), is_encdec ? "free" : "reclaimable",
                       s_.compute());
  }

  [[nodiscard]] std::string sentence(const liveness::NoProgress<D>& found) const {
    return liveness::text_of(found, [this](Request r) { return name(r); });
  }
  [[nodiscard]] std::string standing(const spec::Sequence<D>& q, bool runs) const {
    const Request r = q.request;
    std::vector<std::string> held;
    for (Int i = 0; i < d_.config.features(r); ++i)
      if (s_.held(r, i)) held.push_back(name(d_.config.hash(r, i)));
    return fmt::format("{} {} at {} of {}{}", name(r), runs ? "runs" : "waits", s_.computed(r),
                       q.known,
                       held.empty() ? "" : fmt::format(", holds {}", fmt::join(held, " and ")));
  }

  void write_line() {
    if (notes_.empty()) return;
    const auto pass = pass_ > told_ ? fmt::format("pass {}: ", pass_) : std::string("meanwhile: ");
    story_.lines.push_back(fmt::format("{}{}", pass, fmt::join(notes_, "; ")));
    told_ = pass_;
    notes_.clear();
  }

  const Script& script_;
  const D& d_;
  const spec::State<D>& s_;
  spec::Queues<D>& queues_;
  const Names& names_;
  Story& story_;
  std::int64_t pass_ = 0;
  std::int64_t told_ = 0;
  bool is_open_ = false;
  std::vector<std::int64_t> in_flight_;  // all that were issued; 0: a reset
  std::size_t executed_ = 0;
  std::vector<std::string> notes_;
  std::vector<std::string> turn_notes_;
};

}  // namespace holdfast::verify::hunt
