"""An encoder cache of plain dicts behind a pipe, as docs/conformance.md asks for.

`--stale` plants the fault that vLLM had first: what was evicted and is cached again in the same
pass is told to the worker as gone.
"""

import json
import sys


class DictCache:
    def __init__(self, capacity):
        self.free = self.reclaimable = self.capacity = capacity
        self.inputs = {}  # request -> [(hash, embeds)]
        self.users = {}  # cached hash -> its uses, (request, input)
        self.size = {}  # cached hash -> embeds
        self.unused = {}  # cached and used by nobody, oldest first
        self.evicted, self.ordered = [], set()  # in this pass

    def add_request(self, e):
        self.inputs[e["request"]] = [(f["hash"], f["embeds"]) for f in e["features"]]

    def check(self, e, h, embeds):
        if h not in self.users:
            return {"hit": False}
        if h in self.unused:
            self.reclaimable -= self.unused.pop(h)
        self.users[h].add((e["request"], e["input"]))
        return {"hit": True}

    def can_allocate(self, e, h, embeds):
        needs, evicted = embeds + e["scheduled_embeds"], []
        if embeds > e["compute_budget"] or needs > self.reclaimable:
            return {"ok": False, "evicted": []}
        while needs > self.free:
            evicted.append(next(iter(self.unused)))
            self.free += self.unused.pop(evicted[-1])
            del self.users[evicted[-1]]
        self.evicted += evicted
        return {"ok": True, "evicted": evicted}

    def allocate(self, e, h, embeds):
        self.users[h], self.size[h] = {(e["request"], e["input"])}, embeds
        self.free, self.reclaimable = self.free - embeds, self.reclaimable - embeds
        self.ordered.add(h)

    def free_input(self, e, h, embeds):
        self.users[h].discard((e["request"], e["input"]))
        if self.users[h]:
            return
        self.reclaimable += self.size[h]
        if h in self.ordered:  # it was never encoded: as if it had not been asked for
            self.ordered.remove(h)
            del self.users[h]
            self.free += self.size[h]
        else:
            self.unused[h] = self.size[h]

    def free_request(self, e):
        for i in e["held"]:
            self.free_input({"request": e["request"], "input": i}, *self.inputs[e["request"]][i])

    def take_freed(self, e):
        told = [h for h in self.evicted if "--stale" in sys.argv or h not in self.users]
        self.evicted = []
        return {"hashes": told}

    def end_pass(self, e):
        self.ordered = set()

    def reset(self, e):
        inputs = self.inputs
        self.__init__(self.capacity)
        self.inputs = inputs

    def state(self, e):
        cached = {h: sorted({r for r, i in uses}) for h, uses in self.users.items()}
        return {"cached": cached, "lru": list(self.unused)}


marks = {"header", "add_request", "begin_pass", "preempt", "end_pass", "finish"}
for line in sys.stdin:
    event = json.loads(line)
    kind, answer = event["event"], {}
    if kind == "header":
        cache = DictCache(event["capacity"])
    elif hasattr(cache, kind):
        at = cache.inputs[event["request"]][event["input"]] if "input" in event else ()
        answer = getattr(cache, kind)(event, *at) or {}
    if kind not in marks:
        answer.update(free=cache.free, reclaimable=cache.reclaimable)
    print(json.dumps(answer), flush=True)
