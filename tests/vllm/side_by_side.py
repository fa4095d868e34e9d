#!/usr/bin/env python3
"""The model beside the real vLLM: random runs are recorded and then replayed by holdfast.

side_by_side.py --holdfast PATH [--runs N] [--passes N] [--seed N] [--profile NAME] [--jobs N]

Exit status: 0 all agree, 1 one diverges, 2 wrong use, 77 no testbed (see testbed.py).
"""

import argparse
import collections
import concurrent.futures
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import testbed

_RECORD = Path(__file__).with_name("record.py")


class WrongUse(Exception):
    pass


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--holdfast", required=True, help="the program")
    p.add_argument("--runs", type=int, default=200)
    p.add_argument("--passes", type=int, default=100)
    p.add_argument("--seed", type=int, default=1, help="of the first run; the next has the next")
    p.add_argument("--profile", default="vllm-0.33.0")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--keep", help="folder for the traces that diverge")
    p.add_argument("--config", nargs="+", default=[], metavar="NAME=VALUE", action="extend")
    p.add_argument("--impossible", action="store_true", help="also requests that can never run")
    return p.parse_args()


def recordings(options, job, folder):
    """What record.py says of each run of one job, as soon as it is done."""
    count = len(range(job, options.runs, options.jobs))
    command = [
        sys.executable,
        str(_RECORD),
        "--seed",
        str(options.seed + job),
        "--runs",
        str(count),
        "--step",
        str(options.jobs),
        "--passes",
        str(options.passes),
        "--random-config",
        "--out",
        str(folder),
    ]
    command += ["--impossible"] * options.impossible
    command += [word for setting in options.config for word in ("--config", setting)]
    log = folder / f"job{job}.log"
    with (
        open(log, "w", encoding="utf-8") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        done = 0
        for line in process.stdout:
            done += 1
            yield json.loads(line)
    if process.returncode or done < count:
        tail = log.read_text(encoding="utf-8").splitlines()[-1:]
        raise WrongUse(f"record.py ended with {process.returncode}: {' '.join(tail)}")


def replay(options, trace):
    """None, or how model and recording part: (line, what is said of it)."""
    done = subprocess.run(
        [options.holdfast, "replay", trace, "--profile", options.profile, "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise WrongUse(done.stderr.strip() or f"{options.holdfast} ended with {done.returncode}")
    if done.returncode == 0:
        return None
    said = json.loads(done.stdout)["results"][0]
    text = "\n".join(
        f"  {name:9} {said[name]}"
        for name in ("rule", "property", "expected", "observed")
        if said[name]
    )
    return said["line"], text


def line_of(trace, number):
    with open(trace, encoding="utf-8") as lines:
        for n, line in enumerate(lines, 1):
            if n == number:
                return line.rstrip("\n")
    return ""


def run_job(options, job, folder):
    """[(the recording, how it parts)] and counts of one job."""
    parted, figures = [], collections.Counter()
    for run in recordings(options, job, folder):
        events = run["events"]
        figures.update(
            runs=1,
            passes=run["passes"],
            events=sum(events.values()),
            requests=events.get("add_request", 0),
            preemptions=events.get("preempt", 0),
            retractions=run["retractions"],
            misses=len(run["misses"]),
            stuck=run["stuck"],
        )
        difference = replay(options, run["trace"])
        if run["error"]:
            difference = difference or (0, "")
        if difference is None:
            Path(run["trace"]).unlink()
        else:
            parted.append((run, *difference))
            print(report(*parted[-1]), flush=True)
    return parted, figures


def report(run, line, text):
    settings = " ".join(f"{name}={value}" for name, value in run["config"].items())
    out = [f"seed {run['seed']} diverges, pass {run['passes']}: {settings}"]
    if run["error"]:
        out.append(f"  vLLM failed: {run['error']}")
    if line:
        out += [text, f"  line {line:4} {line_of(run['trace'], line)[:400]}"]
    return "\n".join(out)


def run_all(options, folder):
    began = time.perf_counter()
    parted, figures = [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(run_job, options, job, folder) for job in range(options.jobs)]
        for job in jobs:
            differences, counts = job.result()
            parted += differences
            figures.update(counts)
    seconds = time.perf_counter() - began
    counted = ", ".join(f"{count:,} {name}" for name, count in figures.items())
    print(
        f"{counted} in {seconds:.1f} s ({figures['events'] / seconds:,.0f} events/s), "
        f"{len(parted)} diverge under {options.profile}"
    )
    return parted


def main():
    options = arguments()
    absent = testbed.what_is_absent()
    if absent:
        print(f"skipped: {absent}")
        return testbed.SKIP
    options.jobs = max(1, min(options.jobs, options.runs))
    with tempfile.TemporaryDirectory(prefix="side-by-side-") as folder:
        try:
            parted = run_all(options, Path(folder))
        except (WrongUse, OSError) as error:
            print(f"side_by_side: {error}", file=sys.stderr)
            return 2
        if options.keep:
            Path(options.keep).mkdir(parents=True, exist_ok=True)
            for run, *_ in parted:
                trace = Path(run["trace"])
                (Path(options.keep) / trace.name).write_bytes(trace.read_bytes())
    return 1 if parted else 0


if __name__ == "__main__":
    raise SystemExit(main())
