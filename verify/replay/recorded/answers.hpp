// What a recorded file says after each event that drives, compared with what the reference pass
// does, answer by answer and in their order.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "spec/schedule_steps.hpp"
#include "verify/replay/divergence.hpp"
#include "verify/replay/model.hpp"
#include "verify/trace/events.hpp"

namespace holdfast::verify {

/// An observer of the reference: every step of it that shows in a file takes the file's next
/// answer, and throws Divergence where that is another. `m.s.missed` is cleared after each gather,
/// so that every miss of a file is one.
class Answers : public spec::Unobserved<D> {
 public:
  Answers(Model& m, const spec::Queues<D>& queues) : m_(m), queues_(queues) {}

  // -- the file --

  /// The next answer, to what was driven last or is driven next.
  void read(trace::Event event, std::uint64_t line) { read_.push_back({std::move(event), line}); }
  /// Behind the answers read so far, the file goes on with `event`. Before that it may end.
  void close(const trace::Event& event, std::uint64_t line);
  /// What is driven next stands on that line.
  void drive(const trace::Event& event, std::uint64_t line);
  /// What was driven has taken its answers. Those left over are the next one's, if it has any
  /// before it.
  void settle();
  /// None is left over.
  void expect_all_taken();
  /// The same where the file ends: what an abort frees stands before it.
  void expect_all_taken_at_end();
  /// The file ends where an answer was due. Thrown.
  struct EndOfFile {};

  /// Compared so far, by the event's place in trace::Event; what drives is counted too.
  using Counts = std::array<std::uint64_t, std::variant_size_v<trace::Event>>;
  [[nodiscard]] const Counts& compared() const { return compared_; }
  [[nodiscard]] Place place(std::string about = {}) const {
    return {line_, rule_, std::move(about)};
  }

  // -- what is driven, beyond the rules --

  /// Requests may finish by themselves until the delivery ends; then they are told of, in any
  /// order.
  void begin_delivery() { finishing_ = true; }
  void end_delivery();
  /// A reset: what was evicted is never told of.
  void forget_evictions() { told_.clear(); }
  /// The pass that the worker executes next.
  void executing(std::int64_t pass) { pass_ = pass; }

  // -- of the observer --

  template <class Rule, class... Arguments>
  void before(Arguments... arguments);
  template <class Rule, class... Arguments>
  void after(Arguments... arguments);
  void arrange(Request r, std::vector<Int>& inputs);
  void passed_over(Request r) { passed_over_.push_back(r); }
  void issued(const spec::Flight<D>& flight);
  void before_gather(const spec::Scheduled<D>& entry, Int lookahead);
  void after_gather(const spec::Scheduled<D>& entry, Int lookahead);

 private:
  struct Read {
    trace::Event event;
    std::uint64_t line;
  };
  using Inputs = std::vector<std::pair<Request, Int>>;

  /// The next answer, which must be an E that `same` agrees with; `expected()` says what the model
  /// expects.
  template <class E, class Text, class Same>
  const E& take(const Text& expected, const Same& same);
  /// The same of r, or of its input i.
  template <class E, class Text>
  const E& take_of(const Text& expected, Request r, Int i = -1);
  const trace::Event* peek();
  [[noreturn]] void differ(const std::function<std::string()>& expected);
  [[nodiscard]] std::optional<std::pair<std::string_view, std::string>> explain(
      const trace::Event& event) const;

  // What shows in a file; of the other rules nothing does.
  template <class Rule>
  struct Before {};
  template <class Rule>
  struct After {};
  void on(Before<spec::BeginPass>);
  void on(After<spec::Touch>) { look_up(m_.s.cursor() - 1, true); }
  void on(Before<spec::Skip>);
  void on(Before<spec::Evict>, Hash h);
  void on(Before<spec::Order>) { make_room(true); }
  void on(Before<spec::Clip>) { make_room(false); }
  void on(Before<spec::Abandon>);
  void on(After<spec::Abandon>) { abandoned_ = m_.s.draining(); }
  void on(Before<spec::Allocate>, Int i);
  void on(After<spec::Allocate>, Int i);
  void on(Before<spec::Preempt>, Request r) { preempted(r, false); }
  void on(Before<spec::Retract>, Request r) { preempted(r, true); }
  void on(Before<spec::Drop>, Int i);
  void on(After<spec::Drop>, Int i);
  void on(Before<spec::Drained>) { leaving_ = m_.s.drain_request(); }
  void on(After<spec::Drained>);
  void on(Before<spec::EndPass>);
  void on(Before<spec::GatherTarget>, Request r, Int i, Int) { gathered(r, i); }
  void on(Before<spec::GatherDraft>, Request r, Int i, Int) { gathered(r, i); }
  void on(After<spec::ReleaseInput>, Request r, Int i);
  void on(Before<spec::Finish>, Request r) { finished(r); }
  void on(Before<spec::AbortRequest>, Request r) { finished(r); }
  void on(Before<spec::Reject>, Request r);
  // Of encoder-decoder models. Upstream allocates only when KV blocks are found.
  void on(Before<spec::EncdecAllocate>);
  void on(Before<spec::EncdecAbandon>);
  void on(After<spec::EncdecAbandon>) { abandoned_ = m_.s.draining(); }
  void on(Before<spec::PutBack>);
  void on(Before<spec::Commit>, Int drafts, Int owed);
  void on(After<spec::EncdecDrop>, Int i);
  void on(After<spec::EncdecRelease>, Request r, Int i) { on(After<spec::ReleaseInput>{}, r, i); }
  void on(Before<spec::EncdecEndPass>);

  void look_up(Int i, bool hit);
  void miss();
  void make_room(bool ok);
  void expect_room(bool ok, Int budget, Int planned);
  void expect_free(Int model, const std::optional<std::int64_t>& file) const;
  void preempted(Request r, bool retracted);
  void finished(Request r);
  void gathered(Request r, Int i);
  void expect_pass_ends();
  void expect_scheduled(const trace::EndPass& e, const spec::Flight<D>& flight) const;
  void expect_encodes(const trace::EndPass& e) const;

  Model& m_;
  const spec::Queues<D>& queues_;
  std::vector<Read> read_;
  std::size_t next_ = 0;                                          // of read_
  std::optional<std::pair<std::string, std::uint64_t>> follows_;  // the event behind them, its line
  Counts compared_{};
  std::uint64_t line_ = 0;
  std::string_view rule_ = "initial";

  // Of the pass.
  bool in_pass_ = false;
  std::vector<Request> passed_over_;
  Inputs skipped_;
  Inputs ordered_;  // oldest first
  /// Since the last notices, oldest first: evicted; of an encoder-decoder model, ordered by the
  /// pass before.
  std::vector<Hash> told_;
  std::vector<Hash> noticed_;

  // Of the turn.
  bool asked_ = false;  // the feature at the cursor was looked up in vain
  std::vector<Hash> evicted_;
  bool was_cached_ = false;  // before an allocation or a drop
  std::vector<Int> turn_;    // encoder-decoder: the inputs that it orders
  Int turn_embeds_ = 0;

  // Of the request that is leaving.
  Request leaving_;
  std::vector<Int> dropped_;
  std::vector<Hash> withdrawn_;
  bool retracted_ = false;
  bool abandoned_ = false;  // its turn; if it is an encoder-decoder model's, no file tells

  bool finishing_ = false;             // in a delivery
  std::vector<std::string> finished_;  // in it, by name

  // Of the worker's step: what is gathered is [from, end).
  std::int64_t pass_ = 0;
  Int gather_from_ = 0;
  Int gather_end_ = 0;
  Int rows_ = 0;
  Hash missed_;
};

template <class Rule, class... Arguments>
void Answers::before(Arguments... arguments) {
  rule_ = Rule::info.name;
  if constexpr (requires { on(Before<Rule>{}, arguments...); }) on(Before<Rule>{}, arguments...);
}

template <class Rule, class... Arguments>
void Answers::after(Arguments... arguments) {
  if constexpr (requires { on(After<Rule>{}, arguments...); }) on(After<Rule>{}, arguments...);
}

template <class E, class Text, class Same>
const E& Answers::take(const Text& expected, const Same& same) {
  const auto* event = peek();
  const auto* e = event != nullptr ? std::get_if<E>(event) : nullptr;
  if (e == nullptr || !same(*e)) differ(expected);
  line_ = read_[next_++].line;
  ++compared_[event->index()];
  return *e;
}

template <class E, class Text>
const E& Answers::take_of(const Text& expected, Request r, Int i) {
  return take<E>(expected, [&](const E& e) {
    if constexpr (requires { e.input; })
      if (e.input != i) return false;
    return e.request == m_.text(r);
  });
}

}  // namespace holdfast::verify
