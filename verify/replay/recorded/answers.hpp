// What a recorded file says after each event that drives, compared with what the reference pass
// does, answer by answer and in their order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "spec/schedule/steps.hpp"
#include "verify/replay/model.hpp"
#include "verify/replay/recorded/answer_queue.hpp"

namespace holdfast::verify::replay::inline recorded {

template <class Rule, class... Others>
constexpr bool is_one_of = (std::is_same_v<Rule, Others> || ...);

/// What is at stake where the model takes that rule and the file goes another way.
template <class Rule>
constexpr std::string_view stake_of() {
  using namespace spec;
  if constexpr (is_one_of<Rule, ReleaseInput, Drop, Drained, Deliver, EndDeliver, Finish,
                          AbortRequest>)
    return NoFreedWhileReferenced::info.name;
  else if constexpr (is_one_of<Rule, Touch, Share, Skip, Order, Abandon>)
    return NoHoldAndWait::info.name;
  else if constexpr (is_one_of<Rule, Evict, Allocate, EncdecAllocate, EncdecRelease, EncdecDrop>)
    return ExactSlots::info.name;
  else if constexpr (is_one_of<Rule, DropNotices, Encode, GatherTarget, GatherDraft>)
    return NoInteriorMiss::info.name;
  else if constexpr (is_one_of<Rule, Add, Reject, BeginPass, Plan, Grow, RollBack, Refuse, Clip,
                               Shorten, PutBack, Commit, Preempt, Retract, EndPass, Reset,
                               EncdecSkip, EncdecAbandon, EncdecEndPass, EncdecRead, EncdecReset>)
    return Progress::info.name;
  else
    static_assert(is_one_of<Rule>, "say what is at stake where a file does not take this rule");
}

template <class Rule>
constexpr At at_rule() {
  return {Rule::info.name, stake_of<Rule>()};
}

/// An observer of the reference: every step of it that shows in a file takes the file's next
/// answer, and throws Divergence where that is another. `m.s.missed` is cleared after each gather,
/// so that every miss of a file is one.
class Answers : public spec::Unobserved<D> {
 public:
  Answers(Model& m, const spec::Queues<D>& queues) : m_(m), queues_(queues), file_(m) {}

  [[nodiscard]] AnswerQueue& file() { return file_; }
  [[nodiscard]] const AnswerQueue& file() const { return file_; }

  /// No answer is left over.
  void expect_all_taken();
  /// The same where the file ends: what an abort frees stands before it.
  void expect_all_taken_at_end();

  // -- what is driven, beyond the rules --

  /// Requests may finish by themselves until the delivery ends; then they are told of, in any
  /// order.
  void begin_delivery() { delivery_.emplace(); }
  void end_delivery();
  /// A reset: what was evicted is never told of.
  void forget_evictions() { told_.clear(); }
  /// The pass that the worker executes next.
  void executing(std::int64_t pass) { step_ = {pass, {}}; }

  // -- of the observer --

  template <class Rule, class... Arguments>
  void before(Arguments... arguments);
  template <class Rule, class... Arguments>
  void after(Arguments... arguments);
  void arrange(Request r, std::vector<Int>& inputs);
  void passed_over(Request r) { pass_.passed_over.push_back(r); }
  void issued(const spec::Flight<D>& flight);
  void before_gather(const spec::Scheduled<D>& entry, Int lookahead);
  void after_gather(const spec::Scheduled<D>& entry, Int lookahead);

 private:
  using Inputs = std::vector<std::pair<Request, Int>>;

  // What is remembered, by how long it is.

  struct Pass {
    bool is_open = false;
    std::vector<Request> passed_over;
    Inputs skipped;
    Inputs ordered;  ///< oldest first
    std::vector<Hash> noticed;
  };
  struct Turn {
    std::vector<Int> inputs;  ///< encoder-decoder: those that it orders
    Int embeds = 0;           ///< of them
  };
  /// Of the feature at the cursor.
  struct LookUp {
    bool is_miss = false;
    std::vector<Hash> evicted;
  };
  /// Of the request that is leaving.
  struct Leaving {
    Request request;
    std::vector<Int> dropped;
    std::vector<Hash> withdrawn;
    bool is_retracted = false;
    bool is_abandoned = false;  ///< its turn; if it is an encoder-decoder model's, no file tells
  };
  struct Delivery {
    std::vector<std::string> finished;  ///< by name
  };
  /// What is gathered in [from, end).
  struct Gathering {
    Int from = 0;
    Int end = 0;
    Int rows = 0;
    Hash missed;
  };
  /// The worker's.
  struct Step {
    std::int64_t pass = 0;
    Gathering gathering;
  };

  /// The next answer, which must be an E that `same` agrees with; `expected()` says what the model
  /// expects.
  template <class E, class Text, class Same>
  const E& take(const Text& expected, const Same& same);
  /// The same of r, or of its input i.
  template <class E, class Text>
  const E& take_of(const Text& expected, Request r, Int i = -1);
  [[noreturn]] void differ(const std::string& expected);
  [[nodiscard]] std::optional<std::pair<At, std::string>> explain(const trace::Event& event) const;
  [[nodiscard]] Place place(std::string about = {}) const { return file_.place(std::move(about)); }

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
  void on(After<spec::Abandon>) { leaving_.is_abandoned = m_.s.draining(); }
  void on(Before<spec::Allocate>, Int i);
  void on(After<spec::Allocate>, Int i);
  void on(Before<spec::Preempt>, Request r) { preempted(r, false); }
  void on(Before<spec::Retract>, Request r) { preempted(r, true); }
  void on(Before<spec::Drop>, Int i);
  void on(After<spec::Drop>, Int i);
  void on(Before<spec::Drained>) { leaving_.request = m_.s.drain_request(); }
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
  void on(After<spec::EncdecAbandon>) { leaving_.is_abandoned = m_.s.draining(); }
  void on(Before<spec::PutBack>);
  void on(Before<spec::Commit>, Int drafts, Int owed);
  void on(After<spec::EncdecDrop>, Int i);
  void on(After<spec::EncdecRelease>, Request r, Int i) { on(After<spec::ReleaseInput>{}, r, i); }
  void on(Before<spec::EncdecEndPass>);

  /// Something happens to it.
  void wake(Request r) { m_.machine.wake(r); }
  template <class Other>
  void wake(Other) {}

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
  AnswerQueue file_;
  /// Since the last notices, oldest first: evicted; of an encoder-decoder model, ordered by the
  /// pass before.
  std::vector<Hash> told_;
  Pass pass_;
  Turn turn_;
  LookUp look_up_;
  bool was_cached_ = false;  // before an allocation or a drop
  Leaving leaving_;
  std::optional<Delivery> delivery_;
  Step step_;
};

template <class Rule, class... Arguments>
void Answers::before(Arguments... arguments) {
  file_.at(at_rule<Rule>());
  if constexpr (!std::is_same_v<Rule, spec::Add>) (wake(arguments), ...);
  if constexpr (requires { on(Before<Rule>{}, arguments...); }) on(Before<Rule>{}, arguments...);
}

template <class Rule, class... Arguments>
void Answers::after(Arguments... arguments) {
  if constexpr (requires { on(After<Rule>{}, arguments...); }) on(After<Rule>{}, arguments...);
}

template <class E, class Text, class Same>
const E& Answers::take(const Text& expected, const Same& same) {
  const auto* event = file_.peek();
  const auto* e = event != nullptr ? std::get_if<E>(event) : nullptr;
  if (e == nullptr || !same(*e)) differ(expected());
  return file_.take<E>();
}

template <class E, class Text>
const E& Answers::take_of(const Text& expected, Request r, Int i) {
  return take<E>(expected, [&](const E& e) {
    if constexpr (requires { e.input; })
      if (e.input != i) return false;
    return e.request == m_.text(r);
  });
}

}  // namespace holdfast::verify::replay::inline recorded
