#!/usr/bin/env python3
"""Counts the events of the recorded traces, for counts.inc. Knows only JSON and gzip."""

import collections
import glob
import gzip
import json
import os
import sys

folder = sys.argv[1]
for path in sorted(glob.glob(os.path.join(folder, "*.jsonl.gz"))):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        counts = collections.Counter(json.loads(line)["event"] for line in lines)
    name = os.path.basename(path).removesuffix(".jsonl.gz")
    print('    {"%s",' % name)
    print("     {%s}}," % ",\n      ".join('{"%s", %d}' % item for item in sorted(counts.items())))
