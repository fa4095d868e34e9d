// The state of the machine, and what never changes while it runs.
#pragma once

#include <string_view>

#include "spec/domain.hpp"
#include "spec/variables.hpp"

namespace holdfast::spec {

enum class Manager : std::int8_t { decoder_only, encoder_decoder };

/// What never changes: the budgets and the requests that may come. Sizes in embeds (slots),
/// positions in tokens. Spans are sorted (assumption `sorted-spans`); features whose spans overlap,
/// such as the audio in a video, form a *group*. A feature on its own is a group of one.
template <class D>
struct Config {
  BEGIN_VARIABLES();
  Var<D, IntSort> VARIABLE(capacity, "slots of the encoder cache, C");
  Var<D, IntSort> VARIABLE(encoder_budget, "embeds that one pass may order, E");
  Var<D, IntSort> VARIABLE(token_budget, "tokens that one pass may schedule, B");
  Var<D, IntSort> VARIABLE(lookahead, "positions past the target's window that a drafter reads, L");
  Var<D, IntSort> VARIABLE(tail, "no chunk may end closer to the prompt's end, unless it ends it");
  Var<D, BoolSort> VARIABLE(whole_items, "items must not be split");
  Var<D, IntSort> VARIABLE(depth, "passes that may be in flight");
  Map<D, IntSort, RequestSort> VARIABLE(features, "number of features of r");
  Map<D, IntSort, RequestSort> VARIABLE(prompt, "tokens of r's prompt");
  Map<D, IntSort, RequestSort> VARIABLE(limit, "most tokens r may ever compute");
  Map<D, IntSort, RequestSort> VARIABLE(priority, "of r: the smaller, the more urgent");
  Map<D, IntSort, RequestSort, FeatureSort> VARIABLE(start, "first position of feature i of r");
  Map<D, IntSort, RequestSort, FeatureSort> VARIABLE(
      end, "position after the last one of feature i of r");
  Map<D, IntSort, RequestSort, FeatureSort> VARIABLE(embeds, "slots that feature i of r needs");
  Map<D, HashSort, RequestSort, FeatureSort> VARIABLE(hash, "hash of feature i of r");
  Map<D, BoolSort, RequestSort, FeatureSort> VARIABLE(
      grouped, "the span of feature i of r overlaps another's");
  Map<D, IntSort, RequestSort, FeatureSort> VARIABLE(group_start, "first position of that group");
  Map<D, IntSort, RequestSort, FeatureSort> VARIABLE(group_end,
                                                     "position after the last one of that group");
  Map<D, IntSort, RequestSort, FeatureSort> VARIABLE(
      group_embeds, "slots that feature i of r and those after it in its group need");
  END_VARIABLES();
};

/// Everything that changes. Of variables that end together (a pass, a turn, a leaving request) the
/// section is reset as a whole.
template <class D>
struct State {
  BEGIN_VARIABLES();
  /// What the cache manager knows of entries, and a reset makes it forget.
  SECTION(entries);
  SlotMap<D, HashSort> VARIABLE(weight, "slots of entry h, 0 where it is not cached");
  Map<D, BoolSort, HashSort, RequestSort> VARIABLE(refs, "request r references entry h");
  Map<D, BoolSort, RequestSort, FeatureSort> VARIABLE(
      held, "feature i of r is one of the occurrences behind r's reference");
  SlotMap<D, HashSort> VARIABLE(freeable, "slots of entry h if nobody references it, else 0");
  Map<D, IntSort, HashSort> VARIABLE(order, "when entry h became freeable: the smaller, the older");
  Var<D, IntSort> VARIABLE(clock, "next value of order");
  Map<D, BoolSort, HashSort> VARIABLE(
      evicted, "evicted since the last notice; encoder-decoder: to be told in this pass");

  /// Its counters of slots.
  SECTION(slots);
  Var<D, IntSort> VARIABLE(free, "slots that hold nothing");
  Var<D, IntSort> VARIABLE(reclaimable, "slots free or freeable");
  SlotMap<D, RequestSort, FeatureSort> VARIABLE(
      charged, "encoder-decoder: slots that feature i of r occupies until it is credited");

  SECTION(requests);
  Map<D, IntSort, RequestSort> VARIABLE(status, "absent, waiting, running or finished");
  Map<D, IntSort, RequestSort> VARIABLE(computed,
                                        "tokens scheduled so far, in-flight ones included");
  Map<D, IntSort, RequestSort> VARIABLE(placeholders,
                                        "tokens in flight whose acceptance is unknown");
  Map<D, IntSort, RequestSort> VARIABLE(
      epoch, "how often r was preempted or ended: outputs of an older epoch are stale");
  Map<D, BoolSort, RequestSort> VARIABLE(forgotten,
                                         "a reset took r's references since r was last planned");
  Map<D, IntSort, RequestSort> VARIABLE(
      credited, "tokens that r's last output added, where releases come before them");

  /// The pass that is being made; its end resets them.
  SECTION(pass);
  Var<D, BoolSort> VARIABLE(in_pass, "a pass is being made (`schedule()` runs)");
  Var<D, IntSort> VARIABLE(compute, "encoder compute budget left in this pass");
  SlotMap<D, HashSort> VARIABLE(
      pending, "slots of entry h if its encode was ordered in this pass and not withdrawn, else 0");
  Map<D, RequestSort, HashSort> VARIABLE(
      ordered_by, "the request whose planning ordered the pending encode of h");
  Map<D, BoolSort, RequestSort> VARIABLE(tried,
                                         "r had its turn in this pass and can't get in: no tokens");
  Var<D, BoolSort> VARIABLE(
      held_back,
      "in this pass somebody was preempted or put back for want of KV blocks, or refused");
  Map<D, BoolSort, RequestSort> VARIABLE(scheduled, "r got tokens in this pass");
  SlotMap<D, RequestSort> VARIABLE(tokens, "how many tokens the pass gave r");
  Map<D, IntSort, RequestSort> VARIABLE(drafts, "how many of them are drafts that may be rejected");
  Map<D, IntSort, RequestSort> VARIABLE(owed, "placeholders that this pass adds to r");

  /// In the pass, the turn of one request.
  SECTION(turn);
  Var<D, BoolSort> VARIABLE(planning, "the encoder inputs of a request are being planned");
  Var<D, RequestSort> VARIABLE(plan_request, "that request");
  Var<D, IntSort> VARIABLE(plan_tokens, "tokens planned for it so far");
  Var<D, IntSort> VARIABLE(cursor, "next feature to look at");
  Map<D, BoolSort, RequestSort, FeatureSort> VARIABLE(
      chosen, "feature i of r is to be allocated once KV blocks are found");
  SlotMap<D, HashSort> VARIABLE(promised, "slots of entry h if that will allocate it, else 0");
  Var<D, IntSort> VARIABLE(opened, "ghost: 1 + the feature that this turn last took anew; 0: none");
  Var<D, BoolSort> VARIABLE(granted, "KV blocks are found for it: something chosen is allocated");

  /// The request that leaves, or loses what it holds.
  SECTION(leaving);
  Var<D, BoolSort> VARIABLE(draining, "the references of a request are being dropped, one by one");
  Var<D, RequestSort> VARIABLE(drain_request, "that request");
  Var<D, BoolSort> VARIABLE(retracting, "it had been scheduled in this pass");

  SECTION(pipeline);
  Var<D, StepSort> VARIABLE(issued, "number of the last pass that was ended");
  Var<D, StepSort> VARIABLE(executed,
                            "number of the last step that the worker has dropped and encoded for");
  Var<D, StepSort> VARIABLE(delivered, "number of the last step whose outputs are all processed");
  Var<D, StepSort> VARIABLE(reset_step, "number of the last step that is a reset");
  Map<D, BoolSort, StepSort, HashSort> VARIABLE(step_notices,
                                                "step k tells the worker to drop entry h");
  SlotMap<D, StepSort, HashSort> VARIABLE(step_encodes,
                                          "slots of entry h if step k encodes it, else 0");
  SlotMap<D, StepSort, HashSort> VARIABLE(
      available, "ghost: what the worker should hold right after step k dropped and encoded");
  Map<D, IntSort, StepSort, RequestSort> VARIABLE(step_confirmed,
                                                  "confirmed tokens of r when step k was issued");
  Map<D, IntSort, StepSort, RequestSort> VARIABLE(step_computed,
                                                  "computed tokens of r before step k");
  Map<D, IntSort, StepSort, RequestSort> VARIABLE(
      step_tokens, "tokens of r in step k; 0: none, or its output is processed");
  Map<D, IntSort, StepSort, RequestSort> VARIABLE(step_drafts, "drafts among them");
  Map<D, IntSort, StepSort, RequestSort> VARIABLE(step_owed, "placeholders that step k added to r");
  Map<D, IntSort, StepSort, RequestSort> VARIABLE(step_epoch, "epoch of r when step k was issued");

  SECTION(worker);
  SlotMap<D, HashSort> VARIABLE(worker, "slots of entry h in the worker's store, 0 where absent");
  Var<D, BoolSort> VARIABLE(
      half_done, "the worker has applied the notices of the next step, not yet its encodes");
  Var<D, BoolSort> VARIABLE(missed, "a gather raised \"Encoder cache miss\"");
  END_VARIABLES();
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
  State<D>::reset(s);
  s.free.set(d.config.capacity());
  s.reclaimable.set(d.config.capacity());
}

}  // namespace holdfast::spec

#undef BEGIN_VARIABLES
#undef VARIABLE
#undef SECTION
#undef END_VARIABLES
