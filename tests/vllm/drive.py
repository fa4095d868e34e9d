"""What happens next: drawn at random, or read from a scenario."""

import json
import sys

IDLE_PASSES = 4  # passes without a token until a run counts as stuck


def summary(recorder, scheduled_tokens, error):
    return {
        "passes": recorder.passes,
        "scheduled_tokens": scheduled_tokens,
        "misses": recorder.misses,
        "unfinished": list(recorder.alive),
        "error": error,
    }


def _failed(error):
    """What upstream raises ends the run; the trace so far is kept."""
    text = f"{type(error).__name__}: {error}"
    print(f"record: the scheduler failed: {text}", file=sys.stderr)
    return text


class RandomDrive:
    def __init__(self, recorder, load):
        self.recorder = recorder
        self.load = load
        self.config = recorder.config
        self.tokens = []
        self.stuck = False

    def run(self, passes):
        self.recorder.trace.write(self.recorder.header)
        try:
            while len(self.tokens) < passes and not self.stuck:
                self._one_pass()
            while self.recorder.in_flight:
                self._deliver()
        except Exception as error:  # noqa: BLE001
            return summary(self.recorder, self.tokens, _failed(error))
        return summary(self.recorder, self.tokens, None)

    def _one_pass(self):
        r, c, load = self.recorder, self.config, self.load
        while len(r.alive) < c.alive:
            r.add(load.request())
        if load.chance(c.aborts):
            r.abort(load.rng.choice(list(r.alive)))
        if load.chance(c.resets / 2):
            self._reset()
        self.tokens.append(r.schedule())
        if load.chance(c.resets / 2):
            self._reset()
        if len(r.in_flight) == c.pipeline_depth:
            self._deliver()
        last = self.tokens[-(IDLE_PASSES + c.pipeline_depth) :]
        if len(last) == IDLE_PASSES + c.pipeline_depth and not any(last):
            print(
                f"record: stuck after pass {r.passes}: no token scheduled, unfinished are "
                f"{', '.join(r.alive)}",
                file=sys.stderr,
            )
            self.stuck = True

    def _reset(self):
        """The worker hears of it behind the steps that were handed to it before."""
        self.recorder.reset()
        while any(not p.executed for p in self.recorder.in_flight):
            self.recorder.execute()
        self.recorder.worker_reset()

    def _deliver(self):
        r = self.recorder
        if not r.in_flight[0].executed:
            r.execute()
        going_on = r.deliver(self._answer)
        if self.config.draft_tokens and self.config.pipeline_depth == 1:
            r.draft({request: self._drafts() for request in going_on})
        r.state()

    def _drafts(self):
        most, load = self.config.draft_tokens, self.load
        return load.rng.randint(0, most) if load.chance(self.config.fewer_drafts) else most

    def _answer(self, part):
        if not part.samples:
            return int(self.config.eager_replay and part.past_prompt), 0
        accepted = self.load.rng.randint(0, part.drafts)
        return 1 + accepted, part.drafts - accepted


class ScenarioError(Exception):
    pass


def read_events(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


class ScenarioDrive:
    """Only what drives is read; what the file says of the answers is for others to compare."""

    def __init__(self, recorder, events):
        self.recorder = recorder
        self.events = events
        self.tokens = []
        self.number = {}  # the file's passes -> ours

    def run(self):
        self.recorder.trace.write(self.recorder.header)
        owes_state = False
        try:
            for event in self.events[1:]:
                take = getattr(self, "_" + event["event"], None)
                if take is None or event.get("reason") == "stopped":
                    continue
                if owes_state and event["event"] != "draft":
                    self.recorder.state()
                    owes_state = False
                take(event)
                owes_state |= event["event"] == "deliver"
        except ScenarioError as error:
            return summary(self.recorder, self.tokens, str(error))
        except Exception as error:  # noqa: BLE001
            return summary(self.recorder, self.tokens, _failed(error))
        if owes_state:
            self.recorder.state()
        return summary(self.recorder, self.tokens, None)

    def _add_request(self, event):
        self.recorder.add(event)

    def _begin_pass(self, event):
        self.tokens.append(self.recorder.schedule())
        self.number[event["pass"]] = self.recorder.passes

    def _expect(self, event, step):
        ours = self.number.get(event["pass"])
        if step is None or step.number != ours:
            next_is = step.number if step else "none"
            raise ScenarioError(f"{event['event']} of pass {event['pass']}: the next is {next_is}")

    def _execute(self, event):
        waiting = [p for p in self.recorder.in_flight if not p.executed]
        self._expect(event, waiting[0] if waiting else None)
        self.recorder.execute()

    def _deliver(self, event):
        waiting = self.recorder.in_flight
        self._expect(event, waiting[0] if waiting and waiting[0].executed else None)
        self._outputs = {o["request"]: o for o in event["outputs"]}
        self.recorder.deliver(self._answer)

    def _answer(self, part):
        """What the file says, as far as a worker could: one token and the drafts that came true."""
        says = self._outputs.get(part.request, {"generated": 0, "rejected": part.drafts})
        if not part.samples:
            return says["generated"], 0
        accepted = part.drafts - says["rejected"]
        if says["generated"]:
            accepted = says["generated"] - 1
        accepted = max(0, min(part.drafts, accepted))
        return 1 + accepted, part.drafts - accepted

    def _draft(self, event):
        alive = self.recorder.alive
        self.recorder.draft({r: n for r, n in event["proposed"].items() if r in alive})

    def _finish(self, event):
        if event["request"] in self.recorder.alive:
            self.recorder.abort(event["request"])
        else:
            print(f"record: {event['request']} has finished, not aborted", file=sys.stderr)

    def _reset(self, _):
        self.recorder.reset()

    def _worker_reset(self, _):
        self.recorder.worker_reset()
