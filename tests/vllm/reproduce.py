#!/usr/bin/env python3
"""Runs the driving events of recorded traces through the real vLLM and compares every byte.

reproduce.py TRACE...   plain or .gz; exit status 0 the same, 1 one differs, 77 no testbed
"""

import gzip
import itertools
import json
import sys
import tempfile
from pathlib import Path

import config as configs
import testbed
from drive import ScenarioDrive
from recorder import Recorder, Trace


def main():
    testbed.enter()
    sim = testbed.load_sim()
    failed = False
    for path in map(Path, sys.argv[1:]):
        reading = gzip.open if path.suffix == ".gz" else open
        with reading(path, "rt", encoding="utf-8") as file:
            recorded = file.read().splitlines()
        events = [json.loads(line) for line in recorded]
        with tempfile.TemporaryDirectory() as folder:
            again = Path(folder) / "again.jsonl"
            with Trace(again) as trace:
                ScenarioDrive(Recorder(sim, configs.of_header(events[0]), trace), events).run()
            lines = again.read_text(encoding="utf-8").splitlines()
        pairs = itertools.zip_longest(recorded, lines, fillvalue="(the end)")
        differ = next(((n, *pair) for n, pair in enumerate(pairs, 1) if pair[0] != pair[1]), None)
        print(f"{path.name}: {len(lines)} events, {'the same' if not differ else 'different'}")
        if differ:
            failed = True
            print(f"  line {differ[0]}\n  recorded {differ[1][:400]}\n  again    {differ[2][:400]}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
