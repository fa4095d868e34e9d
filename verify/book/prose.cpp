#include "verify/book/prose.hpp"

namespace holdfast::verify::book::prose {

const std::string_view introduction =
    R"(vLLM keeps the outputs of the multimodal encoder in a cache that two sides share without
talking much. The scheduler decides what is in it: it counts slots, orders encodes, and tells the
worker what to drop. The worker holds the tensors and does as it is told, up to several steps later.
Nothing checks that the two agree. Where they do not, a gather finds nothing and the engine stops,
or an output stays in GPU memory for ever, or no request can be scheduled again.

This book says what each side does, as a state machine: a state, and small rules that change it. The
rules are ordinary C++ templates in `spec/`. `holdfast prove` turns them into Z3 terms and proves
the properties at the end of this book for any number of requests, entries and steps;
`holdfast explore` and `holdfast replay` run them with numbers; `holdfast spec` prints them, and
this is what it printed. So the book can't be out of date: a test compares it with the source.
)";

const std::string_view notation =
    R"(A rule may be taken whenever every line under **When** is true. It then does what **Then**
lists, from top to bottom: a line reads what the lines above it wrote. Rules of the scheduler and of
the worker interleave in any order that their conditions allow; nothing else is assumed about time.

| written | means |
|---|---|
| `x := e` | x becomes e; everything else stays as it is |
| `a if c else b` | a where c is true, otherwise b |
| `a <= b < c` | a <= b and b < c |
| `sum(m)` | the sum of `m` over all its keys; `sum(m(k))` of its row k |
| `for every feature i of r` | for `0 <= i < features(r)` |
| `nobody` | the value of a request variable that names no request |
| *Let* r = ... | r is short for that value as it is when the rule begins |

Letters say what a thing is: `r`, `q` are requests, `i`, `j` features of a request, `h`, `g` hashes,
`k` a step, `n` tokens, `d` drafts, `p` placeholders, `x` rejected drafts, `a` a position. Two
shorthands are used throughout: `confirmed(r)` is `computed(r) - placeholders(r)`, and `cached(h)`
is `weight(h) > 0`. The [field map](field-map.md) says which attribute of vLLM and which key of a
trace each variable is.
)";

const std::vector<Word> words = {
    {"request", "one sequence: a prompt with features in it, and the tokens computed so far",
     "`Request`"},
    {"feature",
     "feature i of request r: one image, video or audio clip, at the positions `start` to `end` of "
     "the prompt",
     "`MultiModalFeatureSpec`, `PlaceholderRange`"},
    {"hash",
     "names the content of a feature; two features with the same content have the same hash",
     "`mm_hash`, `identifier`"},
    {"occurrence", "a feature seen as one of perhaps several in a request that have the same hash",
     "`request_cached_ids`"},
    {"entry", "the encoder's output for one hash, as the scheduler counts it", "`cached[mm_hash]`"},
    {"slot", "room for one embedding; the cache's unit of size", "`num_embeds`"},
    {"freeable", "of an entry: cached, but no request references it; the oldest is evicted first",
     "`freeable`"},
    {"pass", "one call of the scheduler; it may schedule many requests", "`schedule()`"},
    {"turn",
     "a request's part of a pass: its encoder inputs are planned, then it is scheduled or not", ""},
    {"step", "what the worker does with the output of one pass", "`execute_model()`"},
    {"notice", "a hash in a pass's output that the worker shall drop", "`free_encoder_mm_hashes`"},
    {"computed", "tokens scheduled so far, those in flight included", "`num_computed_tokens`"},
    {"placeholders", "tokens in flight of which nobody knows yet whether they will be accepted",
     "`num_output_placeholders`"},
    {"confirmed", "computed less placeholders: what no rejection can take back", ""},
    {"stale", "of an output: its request was preempted or ended after the step was issued", ""},
    {"look-ahead", "how many positions past the target model's window the drafter reads",
     "`num_prefill_lookahead`"},
    {"boundary feature",
     "one that begins where the target's window ends or later; only the drafter reads it", ""},
    {"drain", "to drop a request's references one by one, when it leaves or is put back",
     "`free()`"},
    {"ghost", "of a variable: no program stores it, it is there to say a property", ""},
};

const std::string_view windows =
    R"(`touches(r, i, lo, hi)` says whether the positions from `lo` up to, not including, `hi` hold
an embedding of feature i of r (`get_embeds_indices_in_range`). A mask may leave positions of a
feature without an embedding, so the proofs take no more for granted than that

- what touches a window overlaps it: `lo < hi`, `start(r, i) < hi` and `lo < end(r, i)`;
- what touches a window touches every larger one;
- what touches a window touches one part or the other, wherever it is cut in two.
)";

const std::string_view life_of_an_entry =
    R"(`EncoderCacheManager` moves every entry through four states. The functions that do it have no
chapter of their own: they are called by the rules below, and printed there.

| an entry is | when | and then |
|---|---|---|
| not cached | `weight(h) = 0` | [`allocate`](#rule-allocate) takes slots and orders its encode |
| ordered | `pending(h) > 0` | [`share`](#rule-share) adds references; [`end_pass`](#rule-end_pass) sends the order to the worker; if the last reference goes before, [`drop`](#rule-drop) withdraws it, and it is not cached |
| referenced | `cached(h)`, and some `refs(h, r)` | [`touch`](#rule-touch) adds references; with the last one gone, by [`release`](#rule-release) or [`drop`](#rule-drop), it is freeable |
| freeable | `freeable(h) > 0` | [`touch`](#rule-touch) references it again; [`evict`](#rule-evict) takes its slots, oldest first, and it is not cached |

Two counters go with it: `free` slots hold nothing, `reclaimable` ones hold nothing or a freeable
entry. The worker learns of an eviction at the end of the pass, and only if the entry is not cached
again by then.
)";

const std::vector<Chapter> chapters = {
    {"The pass",
     R"(`schedule()` gives requests their turns, one after the other. A turn begins with
[`plan`](#rule-plan), goes through the planning loop of the next chapter, and ends with
[`commit`](#rule-commit), or without tokens. Which request comes next, how many tokens it gets, and
whether KV blocks suffice is left open: whatever a scheduling policy decides is a choice among these
rules. When blocks are missing, a victim is preempted; one that this very pass had scheduled is
retracted. Either way its references are then drained, one rule per reference, before anything else
happens.
)",
     {"begin_pass", "plan", "commit", "put_back", "preempt", "retract", "drop", "drained",
      "end_pass"}},
    {"Planning the encoder inputs",
     R"(`_try_schedule_encoder_inputs` as a loop of small steps. A cursor walks over the features of
the request whose turn it is. Exactly one of the rules below fits each feature: it is skipped, or
referenced, or gets slots, or it can't get in. Then the tokens end before it, or the turn is over.
Eviction is a step of its own, repeated until the feature fits.

The window that is planned begins at the confirmed tokens, not at the computed ones: a rejection may
send the worker back there. It ends with the look-ahead, because the drafter reads that far.
)",
     {"skip", "touch", "share", "refuse", "evict", "allocate", "clip", "abandon"}},
    {"Between passes",
     R"(Requests come and go, outputs arrive, inputs are released. Outputs arrive in the order of the
steps, with up to `depth` of them in flight, so an output may be stale when it is processed.
Rejected drafts lower `computed`; placeholders are settled.
)",
     {"add", "deliver", "end_deliver", "release", "finish", "abort", "reset"}},
    {"The worker",
     R"(The worker takes the steps in the order of issue. For each it drops, then encodes, then
gathers: for the target model, and with a look-ahead for the drafter too. It knows of rejections
before the scheduler does, so where a step of r truly starts, `a`, is anywhere from the confirmed to
the computed tokens at issue. The gather rules only look: they change nothing unless something is
missing.
)",
     {"drop_notices", "encode", "gather_target", "gather_draft"}},
    {"Encoder-decoder models",
     R"(Models such as Whisper use `EncoderDecoderCacheManager`. Cross-attention reads an encoder
output once, in the step that encodes it, and keeps KV of its own. So nothing is shared or kept for
later: slots are given back as soon as a token was computed, and the worker is told to drop an
output in the pass after the one that ordered it. `refs(h, r)` here means that r counts for an order
of this pass, `evicted(h)` that h will be told in the next notice.

These rules take the place of planning, dropping, ending a pass, releasing and gathering. Everything
else is shared with the chapters before.
)",
     {"encdec_skip", "encdec_allocate", "encdec_abandon", "encdec_drop", "encdec_end_pass",
      "encdec_release", "encdec_read", "encdec_reset"}},
};

const std::vector<Group> groups = {
    {"The cache manager", "weight"}, {"Requests", "status"},   {"The pass", "in_pass"},
    {"The pipeline", "issued"},      {"The worker", "worker"},
};

const std::string_view properties =
    R"(What holds in every state that the rules can reach. `holdfast prove` proves each by
induction: it holds when nothing has happened yet, and no rule breaks it, whatever the sizes.
Properties marked *explored* are not inductive; they are checked in every state at small sizes by
`holdfast explore`. What is not marked otherwise speaks of decoder-only models.
)";

const std::string_view lemmas =
    R"(A property alone is rarely inductive: a rule could break it from a state that is never
reached. Lemmas exclude those states. They are proved with the properties, all at once, and each may
rely on every other in the state before a rule. What makes the cache safe is written here, more than
in the properties.
)";

const std::string_view profiles =
    R"(A profile chooses one variant of each rule that has several. The rules of this book are those
of `holdfast`.
)";

const std::string_view faults =
    R"(Each fault is a profile that differs from `holdfast` in one variant. All come from vLLM's
public history, or were reproduced on its releases. `holdfast refute` finds the shortest run that
breaks the property named, so none of the properties holds for want of an opponent. What differs is
shown as a change of the rule's text: lines with `-` are holdfast's, lines with `+` the fault's.
)";

const std::string_view assumptions =
    R"(What is taken for granted, by name, so that it can be switched off.
)";

}  // namespace holdfast::verify::book::prose
