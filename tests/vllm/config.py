"""What a run is made of: the trace's header, and the load."""

import dataclasses
import random


@dataclasses.dataclass
class Config:
    # The header of the trace, under its names there.
    manager: str = "decoder_only"
    scheduling_policy: str = "fcfs"
    pipeline_depth: int = 1
    capacity: int = 128
    encoder_budget: int = 128
    token_budget: int = 96
    lookahead: int = 0
    draft_tokens: int = 0
    chunked_mm_input: bool = True
    kv_blocks: int = 29
    kv_block_size: int = 16
    kv_watermark_blocks: int = 0
    long_prefill_threshold: int = 16
    max_num_seqs: int = 16
    max_model_len: int = 1024
    prefix_caching: bool = False
    # The load; probabilities where not said otherwise.
    alive: int = 6  # requests kept unfinished
    hashes: int = 12
    sizes: tuple = (4, 8, 16, 24, 32)  # embeddings of an item
    max_features: int = 5
    max_gap: int = 19  # tokens between two items
    max_lead: int = 39  # tokens before the first item
    min_tail: int = 1
    max_tail: int = 58  # tokens after the last one
    max_tokens: int = 23
    shared: bool = True  # requests draw from the same hashes
    repeated: float = 0.2  # an item is the one before it once more
    masks: float = 0.0  # an item has embeddings in some of its positions only
    overlap: float = 0.0  # an item lies on the one before it
    urgency: str = "flat"  # priorities: "flat", or "rising" with the newest the most urgent
    aborts: float = 0.0  # in a pass
    resets: float = 0.0  # in a pass
    fewer_drafts: float = 0.0  # in a pass without async scheduling, less than draft_tokens
    # A resumed request that computes its outputs again generates with each chunk past its prompt,
    # as in the recordings handed to the project. A real worker does not.
    eager_replay: bool = False


HEADER = [f.name for f in dataclasses.fields(Config)][:16]


def header(config, source):
    start = {"event": "header", "format": "holdfast-trace", "version": 1, "source": source}
    return start | {name: getattr(config, name) for name in HEADER}


def of_header(event):
    """A scenario's header may leave fields out: then nothing limits."""
    roomy = Config(
        token_budget=8192,
        kv_blocks=10000,
        long_prefill_threshold=0,
        max_num_seqs=128,
        max_model_len=4096,
    )
    return dataclasses.replace(roomy, **{k: v for k, v in event.items() if k in HEADER})


def read(name, text):
    """The value of --config NAME=TEXT."""
    example = getattr(Config(), name, None)
    if example is None:
        known = ", ".join(f.name for f in dataclasses.fields(Config))
        raise ValueError(f"no setting '{name}'; there are {known}")
    if isinstance(example, bool):
        if text not in ("true", "false"):
            raise ValueError(f"{name}: expected true or false, found '{text}'")
        return text == "true"
    if isinstance(example, tuple):
        return tuple(int(n) for n in text.split(","))
    return type(example)(text)


def draw(seed, impossible=False):
    """A configuration for random load. Small enough to be short of everything now and then."""
    rng = random.Random(f"config {seed}")
    c = Config()
    c.scheduling_policy = rng.choice(("fcfs", "priority"))
    c.pipeline_depth = rng.choice((1, 2))
    c.chunked_mm_input = rng.random() < 0.65
    c.lookahead = rng.choice((0, 0, 1, 1, 2, 3))
    c.draft_tokens = rng.choice((0, 0, 1, 2, 3))
    c.sizes = rng.choice(((4, 8, 16, 24, 32), (1, 2, 3, 5, 8), (8, 16, 32, 48), (4, 4, 8)))
    c.masks = rng.choice((0.0, 0.0, 0.5))
    c.repeated = rng.choice((0.0, 0.2, 0.5))
    c.hashes = rng.choice((4, 8, 12, 24))
    c.shared = rng.random() < 0.85
    c.max_gap = rng.choice((0, 3, 19))
    c.max_lead = rng.choice((0, 5, 39))
    c.max_tail = rng.choice((2, 20, 58))
    c.min_tail = rng.choice((0, 1))
    c.max_features = rng.choice((2, 3, 5))
    c.max_tokens = rng.choice((1, 8, 23, 40))
    c.alive = rng.choice((2, 4, 6, 9))
    c.urgency = rng.choice(("flat", "rising"))
    c.aborts = rng.choice((0.0, 0.0, 0.03, 0.1))
    c.resets = rng.choice((0.0, 0.0, 0.0, 0.04))
    c.fewer_drafts = rng.choice((0.0, 0.0, 0.3))
    c.max_num_seqs = rng.choice((2, 3, 5, 16))
    c.kv_block_size = rng.choice((4, 8, 16, 32))
    c.kv_watermark_blocks = rng.choice((0, 0, 1, 3))
    c.token_budget = rng.choice((12, 24, 48, 96, 160))
    c.long_prefill_threshold = rng.choice((0, 5, 8, 16, 32))
    _make_room(c, rng, impossible)
    return c


def largest_span(config):
    """Positions of the longest item: half of a masked one's positions are empty."""
    return 2 * max(config.sizes) if config.masks else max(config.sizes)


def longest_prompt(config):
    per_item = config.max_gap + largest_span(config)
    return config.max_lead + config.max_features * per_item + config.max_tail + 1


def _make_room(c, rng, impossible):
    """Sizes that depend on others: what is drawn must be able to run alone, unless told not to."""
    largest = max(c.sizes)
    c.capacity = int(largest * rng.choice((1, 1.5, 2, 4)))
    c.encoder_budget = int(largest * rng.choice((1, 1, 1.5, 2, 4)))
    longest = min(longest_prompt(c), rng.choice((120, 200, 400)))
    c.max_model_len = longest + rng.choice((2, c.max_tokens, c.max_tokens + 20, 600))
    whole = -(
        -min(longest + c.max_tokens + 2 * (c.draft_tokens + 1), c.max_model_len) // c.kv_block_size
    )
    c.kv_blocks = int(whole * rng.choice((1, 1, 1.3, 1.6, 2.5))) + 1
    if impossible:
        c.capacity = rng.choice((c.capacity, max(1, largest - 1)))
        c.encoder_budget = rng.choice((c.encoder_budget, max(1, largest - 1)))
        c.kv_blocks = rng.choice((c.kv_blocks, max(1, whole - 2)))
        return
    least = max(c.lookahead + 1, c.draft_tokens + 1)
    if not c.chunked_mm_input:
        # Without room for the look-ahead too, an item that follows text is never reached.
        least = max(least, largest_span(c) + (c.lookahead if rng.random() < 0.9 else 0))
    c.token_budget = max(c.token_budget, least)
    if c.long_prefill_threshold:
        c.long_prefill_threshold = max(c.long_prefill_threshold, least)
