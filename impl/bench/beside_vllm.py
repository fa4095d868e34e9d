#!/usr/bin/env python3
"""The library beside vLLM 0.33.0, in one run on one machine: what each does, and the ratio.

    . DIR/env.sh; $PY beside_vllm.py --benches BIN [--scheduler SCRIPT] TRACE...

DIR is what setup.sh of vllm-testbed has made, BIN holds the benches of impl/bench. Each TRACE is
one of encoder_cache_bench.cpp: vLLM's EncoderCacheManager makes the same calls, and its answers
are compared too. SCRIPT is bench_scheduler.py of vllm-testbed. Rounds take turns, so that what
else the machine does meets both. It only makes them slower: of calls, the best replay of each is
told, and the median beside it; of passes, medians. Exit status 0; 2: bad input, or an answer
differs.
"""

import argparse
import gc
import json
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROUNDS = 12


class BadInput(Exception):
    pass


@dataclass
class Trace:
    capacity: int = 0
    embeds: dict[int, int] = field(default_factory=dict)
    requests: list = field(default_factory=list)
    calls: list[tuple] = field(default_factory=list)  # method, arguments
    answers: list = field(default_factory=list)


def hash_name(number: int) -> str:
    return f"{number:064x}"


def make_request(name: str, hashes: list[int], embeds: dict[int, int]):
    # Imported here: without vLLM, --help and bad input still get their answer.
    from vllm.multimodal.inputs import MultiModalFeatureSpec, PlaceholderRange
    from vllm.sampling_params import SamplingParams
    from vllm.v1.request import Request

    features, at = [], 0
    for h in hashes:
        place = PlaceholderRange(offset=at, length=embeds[h])
        features.append(
            MultiModalFeatureSpec(
                data=None, modality="image", identifier=hash_name(h), mm_position=place
            )
        )
        at += embeds[h]
    return Request(name, [0] * (at + 1), SamplingParams(max_tokens=1), None, mm_features=features)


def read_trace(path: Path) -> Trace:
    trace = Trace()
    methods = {
        "C": "check_and_update_cache",
        "A": "can_allocate",
        "L": "allocate",
        "F": "free_encoder_input",
        "G": "get_freed_mm_hashes",
    }
    for line in path.read_text().splitlines():
        told, _, answer = line.partition("->")
        kind, *words = told.split()
        numbers = [int(w) for w in words]
        if kind == "capacity":
            trace.capacity = numbers[0]
        elif kind == "H":
            trace.embeds[numbers[0]] = numbers[1]
        elif kind == "R":
            trace.requests.append(make_request(f"r{numbers[0]}", numbers[2:], trace.embeds))
        elif kind in methods:
            request = [trace.requests[numbers[0]]] if numbers else []
            trace.calls.append((methods[kind], (*request, *numbers[1:])))
            said = [int(w) for w in answer.split()]
            freed = [hash_name(h) for h in said[1:]]
            trace.answers.append(freed if kind == "G" else bool(said[0]) if said else None)
        else:
            raise BadInput(f"{path}: what is {kind}?")
    return trace


def manager_of(trace: Trace):
    from vllm.v1.core.encoder_cache_manager import EncoderCacheManager

    manager = EncoderCacheManager(cache_size=trace.capacity)
    return [(getattr(manager, method), arguments) for method, arguments in trace.calls]


def vllm_calls_a_second(trace: Trace) -> float:
    calls = manager_of(trace)
    gc.collect()
    start = time.perf_counter()
    for call, arguments in calls:
        call(*arguments)
    return len(calls) / (time.perf_counter() - start)


def run(*command: str) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise BadInput(f"{' '.join(command)}: {ran.stderr[-2000:]}")
    return ran.stdout


def benchmarks(bench: Path, *options: str) -> list[dict]:
    out = run(str(bench), *options, "--benchmark_format=json")
    return json.loads(out[out.index("{\n") :])["benchmarks"]


def table(head: list[str], rows: list[list[str]]) -> None:
    for row in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(row) + " |", flush=True)


def millions(calls: float) -> str:
    return f"{calls / 1e6:.2f}"


def compare_managers(bench: Path, paths: list[Path]) -> None:
    rows = []
    for path in paths:
        trace = read_trace(path)
        if [call(*arguments) for call, arguments in manager_of(trace)] != trace.answers:
            raise BadInput(f"{path}: vLLM answers otherwise")
        vllm, ours, best = [], {"string": [], "handle": []}, {"string": 0, "handle": 0}
        for _ in range(ROUNDS):
            vllm += [vllm_calls_a_second(trace) for _ in range(10)]
            for row in benchmarks(bench, str(path), "--benchmark_min_time=0.1"):
                by = "handle" if "by handle" in row["name"] else "string"
                ours[by].append(row["calls/s"])
                best[by] = max(best[by], row["best"])
        medians = {by: statistics.median(calls) for by, calls in ours.items()}
        for name, base, here in (
            ("best", max(vllm), best),
            ("median", statistics.median(vllm), medians),
        ):
            cells = [path.name, name, millions(base)]
            for calls in here.values():
                cells += [millions(calls), f"{calls / base:.0f}"]
            rows.append(cells)
    head = ["trace", "", "vLLM, million calls/s", "by string", "ratio", "by handle", "ratio"]
    table(head, rows)


def vllm_passes(script: Path) -> dict[tuple[str, int], float]:
    """Milliseconds of `schedule` and `update_from_output`, by phase and images a request."""
    found, images = {}, 0
    for line in run(sys.executable, str(script)).splitlines():
        if said := re.match(r"images/request=(\d+)", line):
            images = int(said[1])
        elif said := re.match(r" +(prefill|decode) .* both ([\d.]+) ms", line):
            found[said[1], images] = float(said[2])
    return found


def compare_schedulers(bench: Path, script: Path) -> None:
    vllm = vllm_passes(script)
    # `scheduler/prefill/images/8/manual_time`
    only = "--benchmark_filter=(prefill|decode)/images"
    ours = {}
    for _ in range(ROUNDS):
        for row in benchmarks(bench, only, "--benchmark_min_time=0.2"):
            _, phase, _, images, _ = row["name"].split("/")
            ours.setdefault((phase, int(images)), []).append(row["ns_per_pass"] / 1e3)
    rows = []
    for (phase, images), milliseconds in sorted(vllm.items(), key=lambda row: -row[0][1]):
        here = statistics.median(ours[phase, images])
        ratio = f"{milliseconds * 1e3 / here:.0f}"
        rows.append([phase, str(images), f"{milliseconds * 1e3:.0f}", f"{here:.1f}", ratio])
    table(["pass", "images a request", "vLLM, microseconds", "here", "ratio"], rows)


def main() -> int:
    parser = argparse.ArgumentParser(description="the library beside vLLM")
    parser.add_argument("--benches", type=Path, required=True, metavar="BIN")
    parser.add_argument("--scheduler", type=Path, metavar="SCRIPT")
    parser.add_argument("traces", nargs="*", type=Path, metavar="TRACE")
    asked = parser.parse_args()
    for path in [asked.benches, *asked.traces, *([asked.scheduler] if asked.scheduler else [])]:
        if not path.exists():
            raise BadInput(f"{path}: there is no such file")
    if asked.traces:
        compare_managers(asked.benches / "holdfast_encoder_cache_bench", asked.traces)
    if asked.scheduler:
        compare_schedulers(asked.benches / "holdfast_scheduler_bench", asked.scheduler)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadInput as bad:
        print(f"beside_vllm: {bad}", file=sys.stderr)
        sys.exit(2)
