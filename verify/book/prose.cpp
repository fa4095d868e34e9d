#include "verify/book/prose.hpp"

#include "spec/catalogue.hpp"

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
`k` a step, `n` tokens, `c` tokens of a prefix hit, `d` drafts, `p` placeholders, `x` rejected
drafts, `a` a position. Two shorthands are used throughout: `confirmed(r)` is
`computed(r) - placeholders(r)`, and `cached(h)` is `weight(h) > 0`; longer ones have a
[chapter](#shorthands) of their own. The [field map](field-map.md) says which key of a trace each
variable is.
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
    {"group",
     "features of a request whose spans overlap, such as the audio in a video; a feature on its "
     "own "
     "is a group of one",
     ""},
    {"item", "a group, seen as what must not be split where `whole_items` is set", ""},
    {"entry", "the encoder's output for one hash, as the scheduler counts it", "`cached[mm_hash]`"},
    {"slot", "room for one embedding; the cache's unit of size", "`num_embeds`"},
    {"freeable", "of an entry: cached, but no request references it; the oldest is evicted first",
     "`freeable`"},
    {"pass", "one call of the scheduler; it may schedule many requests", "`schedule()`"},
    {"turn",
     "a request's part of a pass: its encoder inputs are planned, then it is scheduled or not", ""},
    {"chunk", "the tokens that a turn gives a request", "`num_new_tokens`"},
    {"prefix hit", "tokens of a waiting request whose KV is in the prefix cache",
     "`num_new_local_computed_tokens`"},
    {"chosen",
     "of a feature: to be encoded if KV blocks are found; its slots are promised until then",
     "`encoder_inputs_to_schedule`"},
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

const std::string_view shorthands =
    R"(Some questions are asked by many rules. They have a name.
)";

const std::vector<Shorthand> shorthand_words = {
    {"tokens_left", "what the pass has not given away of its token budget"},
    {"needed", "n tokens for r can't do without feature i: it is no boundary feature"},
    {"window_end",
     "where the planning window of n tokens ends for feature i: the drafter reads the look-ahead "
     "further, and a window that reaches into a group reaches to its end"},
    {"wanted", "n tokens for r need an embedding of feature i"},
    {"cut", "items must not be split, and n tokens for r would end inside that of feature i"},
    {"in_reach",
     "the entry of feature i is cached, or its slots are promised in this turn already"},
    {"no_room",
     "r lacks feature i, and what its group still needs exceeds the compute budget or the slots "
     "that "
     "could be reclaimed, beside those promised; of a group, the first feature that r lacks "
     "answers "
     "for the rest, hit or not"},
    {"whole_end",
     "where a chunk may end that computes the whole item of feature i: behind it, or at the "
     "prompt's "
     "end if the tail allows no end in between"},
    {"fits_alone",
     "with nobody else around, r could run: every item of it fits the cache, a pass's compute "
     "budget "
     "and, where items must not be split, its token budget"},
    {"nothing_moves",
     "nothing is in flight, nobody is scheduled in this pass, and nobody lacked KV blocks in it"},
    {"open", "the turn has taken something of feature i's group"},
    {"another_holds", "somebody else runs, has had no turn in this pass, and holds something"},
    {"end_turn", "the turn is over; what was chosen and not allocated is given up"},
};

const std::string_view life_of_an_entry =
    R"(`EncoderCacheManager` moves every entry through four states. The functions that do it have no
chapter of their own: they are called by the rules below, and printed there.

| an entry is | when | and then |
|---|---|---|
| not cached | `weight(h) = 0` | [`order`](#rule-order) promises slots, [`allocate`](#rule-allocate) takes them and orders its encode |
| ordered | `pending(h) > 0` | [`touch`](#rule-touch) adds references; [`end_pass`](#rule-end_pass) sends the order to the worker; if the last reference goes before, [`drop`](#rule-drop) withdraws it, and it is not cached |
| referenced | `cached(h)`, and some `refs(h, r)` | [`touch`](#rule-touch) adds references; with the last one gone, by [`release`](#rule-release) or [`drop`](#rule-drop), it is freeable |
| freeable | `freeable(h) > 0` | [`touch`](#rule-touch) references it again; [`evict`](#rule-evict) takes its slots, oldest first, and it is not cached |

Two counters go with it: `free` slots hold nothing, `reclaimable` ones hold nothing or a freeable
entry. The worker learns of an eviction at the end of the pass, and only if the entry is not cached
again by then.
)";

const std::vector<Chapter> chapters = {
    {"The pass",
     R"(`schedule()` gives requests their turns, one after the other. A turn begins with
[`plan`](#rule-plan): so many tokens are in view, and a waiting request may have some of its prompt
from the prefix cache. The planning loop of the next chapter then looks at the request's features;
what is cached is referenced at once, what is to be encoded is only chosen. Now KV blocks are
sought. If they are found, [`allocate`](#rule-allocate) takes the slots of what was chosen, and
[`commit`](#rule-commit) schedules the request. If not, a victim is preempted, or retracted where
this very pass had scheduled it; or the request gives up itself, by [`preempt`](#rule-preempt) if it
was running, by [`put_back`](#rule-put_back) if it was waiting. Whoever leaves is then drained, one
rule per reference, before anything else happens.

Which request comes next, how many tokens it gets, and whether KV blocks suffice is left open:
whatever a scheduling policy decides is a choice among these rules. One thing is not left to it.
When a request could not get in, no waiting one overtakes it in the same pass, unless it is more
urgent or takes nothing that the other needs; so nobody is passed by for ever.
)",
     spec::names<spec::BeginPass, spec::Plan, spec::Commit, spec::PutBack, spec::Preempt,
                 spec::Retract, spec::Drop, spec::Drained, spec::EndPass>},
    {"Planning the encoder inputs",
     R"(`_try_schedule_encoder_inputs` as a loop of small steps. A cursor walks over the features of
the request whose turn it is. Exactly one of the rules of this chapter and the next fits each
feature: it is skipped, or referenced, or chosen; or it can't get in, or would be split, and then
the chunk changes. Eviction is a step of its own, repeated until the feature fits.

The window that is planned begins at the confirmed tokens, not at the computed ones: a rejection may
send the worker back there. It ends with the look-ahead, because the drafter reads that far.

Features whose spans overlap get in together or not at all. A request that held only the first of
them could compute none of their common tokens, and might wait for slots that it holds itself.
)",
     spec::names<spec::Skip, spec::Touch, spec::Share, spec::Refuse, spec::Evict, spec::Order,
                 spec::Allocate>},
    {"The length of the chunk",
     R"(How many tokens a turn gives may change while features are looked at. Before a feature that
can't get in the chunk ends; if it would begin there, there is no chunk, and the turn was had in
vain. The drafter falls back to token embeddings for what lies in the look-ahead, so the chunk may
end right where the feature starts: it need not stay the look-ahead away from it, and a request that
does may deadlock with what it holds itself.

Where items must not be split (`disable_chunked_mm_input`), a chunk that would end inside an item
grows to the item's end, or, if the pass has too few tokens left for that, ends where the item
starts. With nobody else scheduled a pass has all its tokens left, so an item that fits one pass is
computed at last.

Multi-module MTP wants no chunk to end within `tail` tokens of the prompt's end. How a scheduler cuts
the chunk for that, or for any reason of its own, is [`shorten`](#rule-shorten).
)",
     spec::names<spec::Grow, spec::RollBack, spec::Clip, spec::Abandon, spec::Shorten>},
    {"Between passes",
     R"(Requests come and go, outputs arrive, inputs are released. A request that could never run is
refused when it arrives, not queued: nothing that others give back would ever let it in. Outputs
arrive in the order of the steps, with up to `depth` passes in flight, so an output may be stale when
it is processed. Rejected drafts lower `computed`; placeholders are settled.
)",
     spec::names<spec::Add, spec::Reject, spec::Deliver, spec::EndDeliver, spec::ReleaseInput,
                 spec::Finish, spec::AbortRequest, spec::Reset>},
    {"The worker",
     R"(The worker takes the steps in the order of issue. For each it drops, then encodes, then
gathers: for the target model, and with a look-ahead for the drafter too. It knows of rejections
before the scheduler does, so where a step of r truly starts, `a`, is anywhere from the confirmed to
the computed tokens at issue. The gather rules only look: they change nothing unless something is
missing.
)",
     spec::names<spec::DropNotices, spec::Encode, spec::GatherTarget, spec::GatherDraft>},
    {"Encoder-decoder models",
     R"(Models such as Whisper use `EncoderDecoderCacheManager`. Cross-attention reads an encoder
output once, in the step that encodes it, and keeps KV of its own. So nothing is shared or kept for
later: slots are given back as soon as a token was computed, and the worker is told to drop an
output in the pass after the one that ordered it. `refs(h, r)` here means that r counts for an order
of this pass, `evicted(h)` that h will be told in the next notice. Slots are taken while the inputs
are planned, before KV blocks are sought.

These rules take the place of planning, dropping, ending a pass, releasing and gathering. Everything
else is shared with the chapters before.
)",
     spec::names<spec::EncdecSkip, spec::EncdecAllocate, spec::EncdecAbandon, spec::EncdecDrop,
                 spec::EncdecEndPass, spec::EncdecRelease, spec::EncdecRead, spec::EncdecReset>},
};

const std::vector<Group> groups = {
    {"The cache manager", "weight"}, {"Requests", "status"},   {"The pass", "in_pass"},
    {"The pipeline", "issued"},      {"The worker", "worker"},
};

const std::string_view properties =
    R"(What holds in every state that the rules can reach. `holdfast prove` proves each by
induction: it holds when nothing has happened yet, and no rule breaks it, whatever the sizes.
Properties marked *derived* need no induction: they follow in every single state from those that are
proved so. Properties marked *explored* are not proved; they are checked in every state at small
sizes by `holdfast explore`. What is not marked otherwise speaks of decoder-only models.
)";

const std::string_view rankings =
    R"(What every step keeps between the state before it and the state after it, written with a mark:
`computed'(r)` is `computed(r)` after the step. `holdfast prove` proves these of every rule.

`progress` says that a pass with nothing in flight schedules a token; these say that it is not for
ever somebody else's. Let a running request be unable to get in. While it is, only a more urgent one
is admitted, or one that needs nothing of the cache (`nobody-overtakes`). But for those, what the
running requests have left to compute only falls (`left-only-falls`), and it falls with every output
(`output-counts`). So it comes to an end, and then nobody else holds what the request waits for.
)";

const std::string_view lemmas =
    R"(A property alone is rarely inductive: a rule could break it from a state that is never
reached. Lemmas exclude those states. They are proved with the properties, all at once, and each may
rely on every other in the state before a rule. What makes the cache safe is written here, more than
in the properties. The last ones lead to `progress`: a request that could not get in while nothing
moves holds nothing itself, so another one that runs holds what it needs, and that one has its turn
still to come; of those that run, somebody comes last.
)";

const std::string_view profiles =
    R"(A profile chooses one variant of each guard that has several. The rules of this book are those
of `holdfast`. A release of vLLM is a profile that differs from it as marked.
)";

const std::string_view variants =
    R"(What differs is shown as a change of a rule's text, or of a shorthand's: lines with `-` are
holdfast's, lines with `+` the variant's.
)";

const std::string_view faults =
    R"(Each fault is a profile that differs from `holdfast` in one variant. All come from vLLM's
public history, or were reproduced on its releases. `holdfast refute` finds the shortest run that
breaks the property named, so none of the properties holds for want of an opponent.
)";

const std::string_view assumptions =
    R"(What is taken for granted, by name, so that it can be switched off.
)";

}  // namespace holdfast::verify::book::prose
