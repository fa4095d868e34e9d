"""Random requests."""

import random

from config import longest_prompt

FIELDS = ("hash", "offset", "length", "embeds", "mask")


def mask_of(length, embeds, rng):
    """Runs [first, count] of `embeds` positions out of `length`."""
    runs = []
    for at in sorted(rng.sample(range(length), embeds)):
        if runs and sum(runs[-1]) == at:
            runs[-1][1] += 1
        else:
            runs.append([at, 1])
    return runs


class Load:
    """Everything that is drawn in a run, from one seed."""

    def __init__(self, config, seed, impossible=False):
        self.config = config
        self.rng = random.Random(f"load {seed}")
        self.impossible = impossible
        self.added = 0
        self.items = [self._draw_item(f"h{n}") for n in range(config.hashes)]

    def chance(self, probability):
        return self.rng.random() < probability

    def _draw_item(self, name):
        embeds = self.rng.choice(self.config.sizes)
        item = {"hash": name, "length": embeds, "embeds": embeds}
        if self.chance(self.config.masks):
            item["length"] = embeds + self.rng.randint(1, embeds)
            item["mask"] = mask_of(item["length"], embeds, self.rng)
        return item

    def _priority(self, number):
        if self.config.urgency == "rising":
            return self.rng.randint(0, 5) - number
        return self.rng.randint(0, 3)

    def request(self):
        """The next add_request that the configuration can run."""
        while True:
            event = self._draw_request()
            if self.impossible or self._can_run(event):
                self.added += 1
                return event

    def _draw_request(self):
        c, rng = self.config, self.rng
        items = self.items
        if not c.shared:
            items = [self._draw_item(f"h{self.added}.{n}") for n in range(c.max_features)]
        if c.manager == "encoder_decoder":
            # What is read lies before the text, not in it.
            features = [rng.choice(items) | {"offset": 0}][: rng.randint(0, 3)]
            return self._event(features, rng.randint(1, c.max_lead + 1))
        features, end = [], rng.randint(0, c.max_lead)
        for _ in range(rng.randint(0, c.max_features)):
            if features and self.chance(c.overlap):
                # The same span again, as a second modality may have it: ends stay sorted.
                features.append(features[-1] | {"hash": features[-1]["hash"] + "o"})
                continue
            again = features and self.chance(c.repeated)
            item = features[-1] if again else rng.choice(items)
            features.append(item | {"offset": end})
            end += item["length"] + rng.choice((0, rng.randint(0, c.max_gap)))
        if features:
            end = features[-1]["offset"] + features[-1]["length"]
        return self._event(features, max(1, end + rng.randint(c.min_tail, c.max_tail)))

    def _event(self, features, prompt):
        return {
            "event": "add_request",
            "request": f"r{self.added}",
            "prompt_tokens": prompt,
            "max_tokens": self.rng.randint(1, self.config.max_tokens),
            "priority": self._priority(self.added),
            "features": [{k: f[k] for k in FIELDS if k in f} for f in features],
        }

    def _can_run(self, event):
        """Alone, a request of this kind would finish."""
        c = self.config
        tokens = event["prompt_tokens"] + event["max_tokens"] + 2 * (c.draft_tokens + 1)
        blocks = -(-min(tokens, c.max_model_len) // c.kv_block_size)
        chunk = min(c.token_budget, c.long_prefill_threshold or c.token_budget)
        return (
            event["prompt_tokens"] < c.max_model_len
            and event["prompt_tokens"] <= longest_prompt(c)
            and blocks <= c.kv_blocks
            and all(
                f["embeds"] <= min(c.capacity, c.encoder_budget)
                and (c.chunked_mm_input or f["length"] <= chunk)
                for f in event["features"]
            )
        )
