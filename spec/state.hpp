// The state of the machine, and what never changes while it runs.
#pragma once

#include <string_view>

#include "spec/domain.hpp"

namespace holdfast::spec {

enum class Manager : std::int8_t { decoder_only, encoder_decoder };

/// What never changes: the budgets and the requests that may come. Sizes in embeds (slots),
/// positions in tokens. Spans are sorted (assumption `sorted-spans`); features whose spans overlap,
/// such as the audio in a video, form a *group*. A feature on its own is a group of one.
template <class D>
struct Config {
  Var<D, IntSort> capacity;        ///< C
  Var<D, IntSort> encoder_budget;  ///< E, per pass
  Var<D, IntSort> token_budget;    ///< B, per pass
  Var<D, IntSort> lookahead;       ///< L
  Var<D, IntSort> tail;          ///< no chunk may end closer to the prompt's end, unless it ends it
  Var<D, BoolSort> whole_items;  ///< items must not be split
  Var<D, IntSort> depth;         ///< passes that may be in flight; 1 without async scheduling
  Map<D, IntSort, RequestSort> features;
  Map<D, IntSort, RequestSort> prompt;
  Map<D, IntSort, RequestSort> limit;     ///< most tokens it may ever compute
  Map<D, IntSort, RequestSort> priority;  ///< the smaller, the more urgent
  Map<D, IntSort, RequestSort, FeatureSort> start;
  Map<D, IntSort, RequestSort, FeatureSort> end;
  Map<D, IntSort, RequestSort, FeatureSort> embeds;
  Map<D, HashSort, RequestSort, FeatureSort> hash;
  Map<D, BoolSort, RequestSort, FeatureSort> grouped;     ///< its span overlaps another's
  Map<D, IntSort, RequestSort, FeatureSort> group_start;  ///< first position of its group
  Map<D, IntSort, RequestSort, FeatureSort> group_end;    ///< position after the last of its group
  Map<D, IntSort, RequestSort, FeatureSort>
      group_embeds;  ///< slots of it and those after it in its group

  template <class Self, class F>
  static void visit(Self& c, F&& f) {
    f("capacity", c.capacity, "slots of the encoder cache, C");
    f("encoder_budget", c.encoder_budget, "embeds that one pass may order, E");
    f("token_budget", c.token_budget, "tokens that one pass may schedule, B");
    f("lookahead", c.lookahead, "positions past the target's window that a drafter reads, L");
    f("tail", c.tail, "no chunk may end closer to the prompt's end, unless it ends it");
    f("whole_items", c.whole_items, "items must not be split");
    f("depth", c.depth, "passes that may be in flight");
    f("features", c.features, "number of features of r");
    f("prompt", c.prompt, "tokens of r's prompt");
    f("limit", c.limit, "most tokens r may ever compute");
    f("priority", c.priority, "of r: the smaller, the more urgent");
    f("start", c.start, "first position of feature i of r");
    f("end", c.end, "position after the last one of feature i of r");
    f("embeds", c.embeds, "slots that feature i of r needs");
    f("hash", c.hash, "hash of feature i of r");
    f("grouped", c.grouped, "the span of feature i of r overlaps another's");
    f("group_start", c.group_start, "first position of that group");
    f("group_end", c.group_end, "position after the last one of that group");
    f("group_embeds", c.group_embeds,
      "slots that feature i of r and those after it in its group need");
  }
};

template <class D>
struct State {
  // The cache manager.
  SlotMap<D, HashSort> weight;
  Map<D, BoolSort, HashSort, RequestSort> refs;
  Map<D, BoolSort, RequestSort, FeatureSort> held;
  SlotMap<D, HashSort> freeable;
  Map<D, IntSort, HashSort> order;
  Var<D, IntSort> clock;
  Var<D, IntSort> free;
  Var<D, IntSort> reclaimable;
  Map<D, BoolSort, HashSort> evicted;
  SlotMap<D, RequestSort, FeatureSort> charged;

  // Requests.
  Map<D, IntSort, RequestSort> status;
  Map<D, IntSort, RequestSort> computed;
  Map<D, IntSort, RequestSort> placeholders;
  Map<D, IntSort, RequestSort> epoch;
  Map<D, BoolSort, RequestSort> forgotten;
  Map<D, IntSort, RequestSort> credited;

  // The pass.
  Var<D, BoolSort> in_pass;
  Var<D, IntSort> compute;
  SlotMap<D, HashSort> pending;
  Map<D, RequestSort, HashSort> ordered_by;
  Map<D, BoolSort, RequestSort> tried;
  Var<D, BoolSort> held_back;
  Map<D, BoolSort, RequestSort> scheduled;
  SlotMap<D, RequestSort> tokens;
  Map<D, IntSort, RequestSort> drafts;
  Map<D, IntSort, RequestSort> owed;
  Var<D, BoolSort> planning;
  Var<D, RequestSort> plan_request;
  Var<D, IntSort> plan_tokens;
  Var<D, IntSort> cursor;
  Map<D, BoolSort, RequestSort, FeatureSort> chosen;
  SlotMap<D, HashSort> promised;
  Var<D, IntSort> opened;
  Var<D, BoolSort> granted;
  Var<D, BoolSort> draining;
  Var<D, RequestSort> drain_request;
  Var<D, BoolSort> retracting;

  // The pipeline.
  Var<D, IntSort> issued;
  Var<D, IntSort> executed;
  Var<D, IntSort> delivered;
  Var<D, IntSort> reset_step;
  Map<D, BoolSort, StepSort, HashSort> step_notices;
  SlotMap<D, StepSort, HashSort> step_encodes;
  SlotMap<D, StepSort, HashSort> available;
  Map<D, IntSort, StepSort, RequestSort> step_confirmed;
  Map<D, IntSort, StepSort, RequestSort> step_computed;
  Map<D, IntSort, StepSort, RequestSort> step_tokens;
  Map<D, IntSort, StepSort, RequestSort> step_drafts;
  Map<D, IntSort, StepSort, RequestSort> step_owed;
  Map<D, IntSort, StepSort, RequestSort> step_epoch;

  // The worker.
  SlotMap<D, HashSort> worker;
  Var<D, BoolSort> half_done;
  Var<D, BoolSort> missed;

  /// Every variable once: its name, itself, what it is. What vLLM calls it is in the field map.
  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("weight", s.weight, "slots of entry h, 0 where it is not cached");
    f("refs", s.refs, "request r references entry h");
    f("held", s.held, "feature i of r is one of the occurrences behind r's reference");
    f("freeable", s.freeable, "slots of entry h if nobody references it, else 0");
    f("order", s.order, "when entry h became freeable: the smaller, the older");
    f("clock", s.clock, "next value of order");
    f("free", s.free, "slots that hold nothing");
    f("reclaimable", s.reclaimable, "slots free or freeable");
    f("evicted", s.evicted,
      "evicted since the last notice; encoder-decoder: to be told in this pass");
    f("charged", s.charged,
      "encoder-decoder: slots that feature i of r occupies until it is credited");
    f("status", s.status, "absent, waiting, running or finished");
    f("computed", s.computed, "tokens scheduled so far, in-flight ones included");
    f("placeholders", s.placeholders, "tokens in flight whose acceptance is unknown");
    f("epoch", s.epoch, "how often r was preempted or ended: outputs of an older epoch are stale");
    f("forgotten", s.forgotten, "a reset took r's references since r was last planned");
    f("credited", s.credited, "tokens that r's last output added, where releases come before them");
    f("in_pass", s.in_pass, "a pass is being made (`schedule()` runs)");
    f("compute", s.compute, "encoder compute budget left in this pass");
    f("pending", s.pending,
      "slots of entry h if its encode was ordered in this pass and not withdrawn, else 0");
    f("ordered_by", s.ordered_by, "the request whose planning ordered the pending encode of h");
    f("tried", s.tried, "r had its turn in this pass and can't get in: no tokens");
    f("held_back", s.held_back,
      "in this pass somebody was preempted or put back for want of KV blocks, or refused");
    f("scheduled", s.scheduled, "r got tokens in this pass");
    f("tokens", s.tokens, "how many tokens the pass gave r");
    f("drafts", s.drafts, "how many of them are drafts that may be rejected");
    f("owed", s.owed, "placeholders that this pass adds to r");
    f("planning", s.planning, "the encoder inputs of a request are being planned");
    f("plan_request", s.plan_request, "that request");
    f("plan_tokens", s.plan_tokens, "tokens planned for it so far");
    f("cursor", s.cursor, "next feature to look at");
    f("chosen", s.chosen, "feature i of r is to be allocated once KV blocks are found");
    f("promised", s.promised, "slots of entry h if that will allocate it, else 0");
    f("opened", s.opened, "ghost: 1 + the feature that this turn last took anew; 0: none");
    f("granted", s.granted, "KV blocks are found for it: something chosen is allocated");
    f("draining", s.draining, "the references of a request are being dropped, one by one");
    f("drain_request", s.drain_request, "that request");
    f("retracting", s.retracting, "it had been scheduled in this pass");
    f("issued", s.issued, "number of the last pass that was ended");
    f("executed", s.executed,
      "number of the last step that the worker has dropped and encoded for");
    f("delivered", s.delivered, "number of the last step whose outputs are all processed");
    f("reset_step", s.reset_step, "number of the last step that is a reset");
    f("step_notices", s.step_notices, "step k tells the worker to drop entry h");
    f("step_encodes", s.step_encodes, "slots of entry h if step k encodes it, else 0");
    f("available", s.available,
      "ghost: what the worker should hold right after step k dropped and encoded");
    f("step_confirmed", s.step_confirmed, "confirmed tokens of r when step k was issued");
    f("step_computed", s.step_computed, "computed tokens of r before step k");
    f("step_tokens", s.step_tokens, "tokens of r in step k; 0: none, or its output is processed");
    f("step_drafts", s.step_drafts, "drafts among them");
    f("step_owed", s.step_owed, "placeholders that step k added to r");
    f("step_epoch", s.step_epoch, "epoch of r when step k was issued");
    f("worker", s.worker, "slots of entry h in the worker's store, 0 where absent");
    f("half_done", s.half_done,
      "the worker has applied the notices of the next step, not yet its encodes");
    f("missed", s.missed, "a gather raised \"Encoder cache miss\"");
  }
};

// Shorthands of the rules.

/// What no rejection can take back.
template <class D>
Int<D> confirmed(const State<D>& s, Request<D> r) {
  return s.computed(r) - s.placeholders(r);
}

/// The same, of counters from any time. Where features lie in the prompt, drafts lie behind it, and
/// no rejection takes a request back into its prompt (assumption `prompt-only-features`).
template <class D>
Int<D> settled_at(const D& d, Request<D> r, Int<D> confirmed_then, Int<D> computed_then) {
  if (!d.assumptions.prompt_only_features) return confirmed_then;
  const Int<D> in_prompt = d.min(computed_then, d.config.prompt(r));
  return d.ite(confirmed_then < in_prompt, in_prompt, confirmed_then);
}
template <class D>
Int<D> settled(const D& d, const State<D>& s, Request<D> r) {
  return settled_at<D>(d, r, confirmed(s, r), s.computed(r));
}

template <class D>
Bool<D> has_status(const State<D>& s, Request<D> r, Status status) {
  return s.status(r) == static_cast<int>(status);
}

/// Nothing is being planned or drained: the next thing may begin.
template <class D>
Bool<D> at_rest(const State<D>& s) {
  return !s.planning() && !s.draining();
}

template <class D>
Bool<D> is_feature(const D& d, Request<D> r, Feature<D> i) {
  return 0 <= i && i < d.config.features(r);
}

/// Every slot free, no request yet, nothing in flight.
template <Domain D>
void initialise(D& d, State<D>& s) {
  State<D>::visit(s, [](std::string_view, auto& variable, std::string_view) { variable.reset(); });
  s.free.set(d.config.capacity());
  s.reclaimable.set(d.config.capacity());
}

}  // namespace holdfast::spec
