"""The real scheduler, manager and gather, with every call and every step written down."""

import collections
import dataclasses
import functools
import json

import config as configs
import testbed

# What upstream asks the manager, and what it is called in a trace.
_ASKED = (
    "check_and_update_cache",
    "can_allocate",
    "allocate",
    "free_encoder_input",
    "free",
    "get_freed_mm_hashes",
)


class Trace:
    """A file of events, one a line, and how many there are of each kind."""

    def __init__(self, path):
        self._file = open(path, "w", encoding="utf-8")  # noqa: SIM115 (closed below)
        self.counts = collections.Counter()

    def write(self, event):
        self._file.write(json.dumps(event, separators=(",", ":")) + "\n")
        self.counts[event["event"]] += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()


def embeds_mask(feature):
    """A feature's runs as one flag a position, or None."""
    if "mask" not in feature:
        return None
    flags = [False] * feature["length"]
    for first, count in feature["mask"]:
        flags[first : first + count] = [True] * count
    return flags


@dataclasses.dataclass
class Part:
    """What a step does for a request."""

    request: str
    drafts: int
    samples: bool  # its last known token is computed: a worker samples then, and only then
    past_prompt: bool


@dataclasses.dataclass
class Step:
    """What was scheduled in a pass and has not been delivered."""

    number: int
    output: object
    parts: list
    executed: bool = False


class Recorder:
    def __init__(self, sim, config, trace):
        self.sim = sim
        self.config = config
        self.trace = trace
        self.header = configs.header(config, testbed.release())
        self.passes = 0
        self.in_flight = collections.deque()
        self.features = {}  # of every request ever added
        self.hits = {}  # what a scenario says that the prefix cache has of a request
        self.alive = {}  # in the order of arrival
        self.misses = []
        self.retractions = 0  # preemptions of what the same pass had scheduled
        self._granted = set()  # who got KV blocks in this pass
        self.scheduler = self._make_scheduler()
        self.manager = self.scheduler.encoder_cache_manager
        self.worker = sim.Worker(max_tokens=max(1 << 14, config.token_budget))
        self._gather = self.worker.runner.gather_mm_embeddings
        self.worker.runner.gather_mm_embeddings = self._gather_one_by_one
        self._executing = None
        self._inside = False  # a call from the manager to itself
        for name in _ASKED:
            self._listen(name)
        self.scheduler._preempt_request = functools.partial(
            self._preempt, self.scheduler._preempt_request
        )
        blocks = self.scheduler.kv_cache_manager
        blocks.allocate_slots = functools.partial(self._grant, blocks.allocate_slots)
        blocks.get_computed_blocks = functools.partial(self._computed, blocks.get_computed_blocks)

    # -- setting up --

    def _make_scheduler(self):
        """Made with roomy values and then narrowed: vLLM's own checks refuse such small sizes."""
        c = self.config
        s = self.sim.create_scheduler(
            model=self.sim.LLAVA,
            max_num_seqs=128,
            max_num_batched_tokens=8192,
            max_model_len=4096,
            num_blocks=c.kv_blocks + 1,  # one of them is the null block
            block_size=c.kv_block_size,
            scheduling_policy=c.scheduling_policy,
            async_scheduling=c.pipeline_depth > 1,
            use_v2_model_runner=True,
        )
        s.max_num_running_reqs = s.max_num_active_reqs = c.max_num_seqs
        s.max_num_scheduled_tokens = c.token_budget
        s.scheduler_config.max_num_batched_tokens = c.token_budget
        s.scheduler_config.long_prefill_token_threshold = c.long_prefill_threshold
        s.scheduler_config.disable_chunked_mm_input = not c.chunked_mm_input
        s.max_model_len = s.kv_cache_manager.max_model_len = c.max_model_len
        s.kv_cache_manager.watermark_blocks = c.kv_watermark_blocks
        s.scheduler_reserve_full_isl = False
        s.num_prefill_lookahead = c.lookahead
        s.num_spec_tokens = c.draft_tokens
        s.max_num_encoder_input_tokens = c.encoder_budget
        if c.manager == "encoder_decoder":
            from vllm.v1.core.encoder_cache_manager import EncoderDecoderCacheManager

            s.is_encoder_decoder = True
            s.encoder_cache_manager = EncoderDecoderCacheManager(c.capacity)
        else:
            m = s.encoder_cache_manager
            m.cache_size = m.num_free_slots = m.num_freeable_slots = c.capacity
        return s

    def _slots(self):
        free = self.manager.num_free_slots
        return {"free": free, "reclaimable": getattr(self.manager, "num_freeable_slots", free)}

    def _kv_free(self):
        return self.scheduler.kv_cache_manager.block_pool.get_num_free_blocks()

    # -- what the scheduler asks the manager --

    def _listen(self, name):
        real = getattr(self.manager, name)

        def asked(*arguments):
            if self._inside:
                return real(*arguments)
            self._inside = True
            try:
                event, answer = getattr(self, "_hear_" + name)(real, *arguments)
            finally:
                self._inside = False
            if event:
                self.trace.write(event | self._slots())
            return answer

        setattr(self.manager, name, asked)

    def _hear_check_and_update_cache(self, real, request, i):
        hit = real(request, i)
        return {"event": "check", "request": request.request_id, "input": i, "hit": hit}, hit

    def _hear_can_allocate(self, real, request, i, budget, embeds):
        freed = getattr(self.manager, "freed", [])
        before = len(freed)
        ok = real(request, i, budget, embeds)
        return {
            "event": "can_allocate",
            "request": request.request_id,
            "input": i,
            "compute_budget": budget,
            "scheduled_embeds": embeds,
            "ok": ok,
            "evicted": freed[before:],
        }, ok

    def _hear_allocate(self, real, request, i):
        real(request, i)
        return {"event": "allocate", "request": request.request_id, "input": i}, None

    def _hear_free_encoder_input(self, real, request, i):
        real(request, i)
        return {"event": "free_input", "request": request.request_id, "input": i}, None

    def _hear_free(self, real, request):
        held = list(self.manager.get_cached_input_ids(request))
        real(request)
        if not request.mm_features:
            return None, None
        return {"event": "free_request", "request": request.request_id, "held": held}, None

    def _hear_get_freed_mm_hashes(self, real):
        hashes = real()
        return {"event": "take_freed", "hashes": list(hashes)}, hashes

    def _computed(self, ask, request, *args, **named):
        """Hits are the scenario's: the scheduler is told of them, and the blocks are fresh ones."""
        blocks, computed, *more = ask(request, *args, **named)
        hit = min(self.hits[request.request_id], request.num_tokens - 1)
        return (blocks, max(computed, hit), *more)

    def _grant(self, real, request, *arguments, **named):
        blocks = real(request, *arguments, **named)
        if blocks is not None:
            self._granted.add(request.request_id)
        return blocks

    def _preempt(self, real, request, *arguments, **named):
        self.trace.write({"event": "preempt", "request": request.request_id})
        self.retractions += request.request_id in self._granted
        real(request, *arguments, **named)

    # -- the events that drive --

    def add(self, event):
        r = event["request"]
        images = [(f["hash"], f["offset"], f["length"], embeds_mask(f)) for f in event["features"]]
        request = self.sim.make_request(
            r,
            event["prompt_tokens"],
            images,
            priority=event["priority"],
            arrival=float(len(self.features)),
            max_tokens=event["max_tokens"],
            block_size=self.config.kv_block_size,
        )
        self.features[r] = event["features"]
        self.hits[r] = event.get("prefix_hit", 0)
        self.alive[r] = request
        self.trace.write(event)
        self.scheduler.add_request(request)

    def schedule(self):
        """begin_pass to end_pass. Returns how many tokens were scheduled."""
        self.passes += 1
        self.trace.write({"event": "begin_pass", "pass": self.passes})
        self._granted.clear()
        output = self.scheduler.schedule()
        computed = self.sim.computed_of(output)
        scheduled, parts = [], []
        for r, tokens in output.num_scheduled_tokens.items():
            request = self.alive[r]
            drafts = len(output.scheduled_spec_decode_tokens.get(r, ()))
            scheduled.append(
                {
                    "request": r,
                    "computed": computed[r],
                    "tokens": tokens,
                    "drafts": drafts,
                    "placeholders": request.num_output_placeholders,
                }
            )
            parts.append(
                Part(
                    r,
                    drafts,
                    not request.is_prefill_chunk,
                    computed[r] + tokens >= request.num_prompt_tokens,
                )
            )
        self.trace.write(
            {
                "event": "end_pass",
                "pass": self.passes,
                "scheduled": scheduled,
                "encode": output.scheduled_encoder_inputs,
                "notices": list(output.free_encoder_mm_hashes),
                "kv_free": self._kv_free(),
            }
        )
        self.in_flight.append(Step(self.passes, output, parts))
        return output.total_num_scheduled_tokens

    def execute(self):
        """The oldest step that was not executed."""
        step = next(p for p in self.in_flight if not p.executed)
        self.trace.write({"event": "execute", "pass": step.number})
        step.executed = True
        self._executing = step.number
        self.worker.execute(step.output)
        return step.number

    def deliver(self, answer):
        """The oldest step. answer(part): how many tokens came of it, how many drafts did not.

        Returns the requests in it that go on.
        """
        step = self.in_flight.popleft()
        outputs, tokens = [], []
        for part in step.parts:
            request = self.alive.get(part.request)
            generated, rejected = answer(part) if request else (0, 0)
            stale = bool(request and request.num_stale_output_tokens > 0)
            outputs.append(
                {
                    "request": part.request,
                    "generated": generated,
                    "rejected": rejected,
                    "stale": stale,
                }
            )
            tokens.append([7] * generated)
        requests = [part.request for part in step.parts]
        self.trace.write({"event": "deliver", "pass": step.number, "outputs": outputs})
        self.scheduler.update_from_output(step.output, self._model_output(requests, tokens))
        self._note_finished()
        return [r for r in requests if r in self.alive]

    def _model_output(self, requests, tokens):
        return self.sim.ModelRunnerOutput(
            req_ids=requests,
            req_id_to_index={r: n for n, r in enumerate(requests)},
            sampled_token_ids=tokens,
            logprobs=None,
            prompt_logprobs_dict={},
            pooler_output=[],
        )

    def _note_finished(self):
        for r in sorted(self.alive.keys() - self.scheduler.requests.keys()):
            # The format has no word for a refusal (an entry of another size): an abort.
            refused = self.alive[r].status.name == "FINISHED_ERROR"
            self._finish(r, "aborted" if refused else "stopped")

    def _finish(self, r, reason):
        del self.alive[r]
        self.trace.write({"event": "finish", "request": r, "reason": reason})

    def draft(self, proposed):
        """proposed: how many drafts for each request; those before their last token get none."""
        from vllm.v1.outputs import DraftTokenIds

        proposed = {r: 0 if self.alive[r].is_prefill_chunk else n for r, n in proposed.items()}
        self.scheduler.update_draft_token_ids(
            DraftTokenIds(list(proposed), [[7] * n for n in proposed.values()])
        )
        self.trace.write({"event": "draft", "proposed": proposed})

    def abort(self, r):
        from vllm.v1.request import RequestStatus

        self.scheduler.finish_requests(r, RequestStatus.FINISHED_ABORTED)
        self._finish(r, "aborted")

    def reset(self):
        self.scheduler.reset_encoder_cache()
        self.trace.write({"event": "reset"} | self._slots())

    def worker_reset(self):
        self.worker.reset_encoder_cache()
        self.trace.write({"event": "worker_reset"})

    def state(self):
        cached = {h: sorted(r) for h, r in getattr(self.manager, "cached", {}).items()}
        lru = list(getattr(self.manager, "freeable", ()))
        self.trace.write({"event": "state", "cached": cached, "lru": lru} | self._slots())

    # -- the worker --

    def _gather_one_by_one(
        self, req_ids, num_scheduled_tokens, prefill_lens, num_computed_tokens, **_
    ):
        """In place of one gather of the whole batch, so that a miss is told of its request."""
        if self.config.manager == "encoder_decoder":
            return
        for lookahead in (0, self.config.lookahead) if self.config.lookahead else (0,):
            for n, r in enumerate(req_ids):
                self._gather_of(
                    r,
                    int(num_computed_tokens[n]),
                    int(num_scheduled_tokens[n]),
                    int(prefill_lens[n]),
                    lookahead,
                )

    def _gather_of(self, r, start, tokens, prefill, lookahead):
        array = self.sim.np.array
        rows, miss = 0, None
        try:
            found, _ = self._gather(
                req_ids=[r],
                total_num_scheduled_tokens=tokens,
                num_scheduled_tokens=array([tokens]),
                query_start_loc=array([0, tokens]),
                prefill_lens=array([prefill]),
                num_computed_tokens=array([start]),
                draft_lookahead=lookahead,
            )
            rows = sum(len(f) for f in found)
        except RuntimeError as error:
            text = str(error)
            if not text.startswith("Encoder cache miss for "):
                raise
            miss = text.removeprefix("Encoder cache miss for ").removesuffix(".")
        if not rows and miss is None:
            return
        gather = {
            "pass": self._executing,
            "request": r,
            "start": start,
            "tokens": tokens,
            "lookahead": lookahead,
            "rows": rows,
            "miss": miss,
        }
        self.trace.write({"event": "gather"} | gather)
        if miss is not None:
            self.misses.append(gather)
