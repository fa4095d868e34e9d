#!/usr/bin/env python3
"""Counts the events of the recorded traces, for counts.inc. Knows only JSON and gzip."""

import collections
import gzip
import json
import sys
from pathlib import Path

folder = Path(sys.argv[1])
for path in sorted(folder.glob("*.jsonl.gz")):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        counts = collections.Counter(json.loads(line)["event"] for line in lines)
    rows = ",\n      ".join(f'{{"{event}", {count}}}' for event, count in sorted(counts.items()))
    print(f'    {{"{path.name.removesuffix(".jsonl.gz")}",')
    print(f"     {{{rows}}}}},")
