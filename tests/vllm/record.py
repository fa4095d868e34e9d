#!/usr/bin/env python3
"""Records a holdfast trace from the real vLLM 0.33.0: its scheduler, cache manager and gather.

record.py --seed N --passes N --out FILE [--config NAME=VALUE ...] [--random-config]
record.py --scenario FILE --out FILE
record.py --seed N --passes N --runs N --step N --out FOLDER   many runs, one JSON line each
"""

import argparse
import dataclasses
import json
import sys
import time
from pathlib import Path

import config as configs
import testbed
from drive import RandomDrive, ScenarioDrive, read_events
from load import Load
from recorder import Recorder, Trace


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--out", required=True, help="the trace; with --runs a folder")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--passes", type=int, default=120)
    p.add_argument("--config", nargs="+", default=[], metavar="NAME=VALUE", action="extend")
    p.add_argument("--random-config", action="store_true", help="draw it from the seed")
    p.add_argument("--impossible", action="store_true", help="also what can never run")
    p.add_argument("--scenario", help="run the driving events of this file instead")
    p.add_argument("--runs", type=int, help="that many seeds from --seed on")
    p.add_argument("--step", type=int, default=1, help="from one seed to the next")
    return p.parse_args()


def config_of(options, seed):
    c = configs.draw(seed, options.impossible) if options.random_config else configs.Config()
    for setting in options.config:
        name, found, text = setting.partition("=")
        if not found:
            raise ValueError(f"--config {setting}: expected NAME=VALUE")
        setattr(c, name, configs.read(name, text))
    return c


def record_random(sim, options, seed, path):
    c = config_of(options, seed)
    began = time.perf_counter()
    if c.prefix_caching:
        raise ValueError("prefix_caching: random runs are recorded without it")
    with Trace(path) as trace:
        recorder = Recorder(sim, c, trace)
        drive = RandomDrive(recorder, Load(c, seed, options.impossible))
        result = drive.run(options.passes)
    return result | {
        "stuck": drive.stuck,
        "seed": seed,
        "trace": str(path),
        "events": trace.counts,
        "retractions": recorder.retractions,
        "seconds": time.perf_counter() - began,
        "config": dataclasses.asdict(c),
    }


def record_scenario(sim, options):
    events = read_events(options.scenario)
    if not events or events[0].get("event") != "header":
        raise ValueError(f"{options.scenario}: expected a header first")
    with Trace(options.out) as trace:
        recorder = Recorder(sim, configs.of_header(events[0]), trace)
        return ScenarioDrive(recorder, events).run()


def main():
    options = arguments()
    config_of(options, options.seed)  # a wrong setting is told before the seconds of the import
    testbed.enter()
    sim = testbed.load_sim()
    if options.scenario:
        results = [record_scenario(sim, options)]
    elif options.runs is None:
        results = [record_random(sim, options, options.seed, options.out)]
    else:
        seeds = [options.seed + n * options.step for n in range(options.runs)]
        results = (record_random(sim, options, s, Path(options.out) / f"{s}.jsonl") for s in seeds)
    for result in results:
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError) as error:
        print(f"record: {error}", file=sys.stderr)
        raise SystemExit(2) from None
