#!/usr/bin/env python3
"""What is too long for every landing, and one table of what came out.

    nightly.py [STAGE...]        all, or those: release dev asan tsan seeds bmc hunt diff fuzz

HUNT_SECONDS (3600), HUNT_SEED, DIFF_STEPS (1000000000), DIFF_SEED, FUZZ_ROUNDS (50: times the work
of the fuzz tests), FUZZ_SEED and FUZZ_SECONDS (600: of each libFuzzer target) come from the
environment; the seeds are the date if not said. A stage that fails does not stop the others. Logs
and the table are in build/nightly: STAGE.log and result.md. What ran before and is not asked for
again keeps its row. Exit status 1 if a row of the table says failed.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "nightly"
JOBS = str(os.cpu_count() or 1)
SOLVER_SEEDS = [0, 1, 2, 3, 5, 8, 13, 77, 1234, 4294967295]
FUZZ_TESTS = ["trace_fuzz_test", "replay_driven_test", "explore_walks_test"]
FUZZERS = ["encoder_cache", "exec_answer", "trace_reader", "replay", "script"]
TODAY = date.today().strftime("%Y%m%d")


def setting(name: str, otherwise: str) -> str:
    return os.environ.get(name) or otherwise


class Failed(Exception):
    pass


@dataclass
class Stage:
    """One row of the table, while it runs: commands go to its log, numbers to its row."""

    name: str
    result: str = "passed"
    seconds: int = 0
    commit: str = ""
    day: str = ""
    numbers: list[str] = field(default_factory=list)

    def run(self, *command: str, status: int = 0, **environment: str) -> str:
        """Its output. Anything but `status` fails the stage."""
        said = " ".join([f"{k}={v}" for k, v in environment.items()] + list(command))
        with (OUT / f"{self.name}.log").open("a") as log:
            log.write(f"$ {said}\n")
            log.flush()
            ran = subprocess.run(
                command,
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                env={**os.environ, **environment},
                check=False,
            )
            log.write(ran.stdout)
        if ran.returncode != status:
            raise Failed(f"status {ran.returncode} of `{said}`")
        return ran.stdout

    def report(self, *command: str) -> dict:
        """What a command of holdfast says as JSON."""
        file = OUT / f"{self.name}.json"
        self.run(*command, "--format", "json", "-o", str(file))
        return json.loads(file.read_text())


def folder(preset: str) -> Path:
    return ROOT / ("build" if preset == "release" else f"build-{preset}")


def build(stage: Stage, preset: str, *targets: str) -> Path:
    # What `make test` leaves out of the sanitizers, to be in time, is not left out here.
    whole = ["-DHOLDFAST_SANITIZE_NOT="] if preset == "asan" else []
    stage.run("cmake", "--preset", preset, "--log-level=NOTICE", *whole)
    chosen = ["--target", *targets] if targets else []
    stage.run("cmake", "--build", "--preset", preset, "-j", JOBS, *chosen)
    return folder(preset)


def test_all(stage: Stage, preset: str) -> None:
    build(stage, preset)
    output = stage.run("ctest", "--preset", preset, "-j", JOBS)
    stage.numbers += [line for line in output.splitlines() if " tests passed" in line]


def release(stage: Stage) -> None:
    test_all(stage, "release")


def dev(stage: Stage) -> None:
    test_all(stage, "dev")
    # Of this build, as it has no precompiled headers, which clang-tidy cannot read.
    stage.run(sys.executable, "tests/tidy/lint.py", "--tidy", str(folder("dev")))


def asan(stage: Stage) -> None:
    test_all(stage, "asan")


def tsan(stage: Stage) -> None:
    test_all(stage, "tsan")


def commands(stage: Stage) -> list[str]:
    """The command, and the one with the other Z3 where both are installed."""
    bin_folder = build(stage, "release", "holdfast") / "bin"
    targets = stage.run("cmake", "--build", "--preset", "release", "--target", "help")
    names = ["holdfast"]
    for name in ("holdfast-z3-wheel", "holdfast-z3-system"):
        if f"{name}:" in targets:
            build(stage, "release", name)
            names.append(name)
    return [str(bin_folder / name) for name in names]


def seeds(stage: Stage) -> None:
    for command in commands(stage):
        proved = set()
        for seed in SOLVER_SEEDS:
            report = stage.report(command, "prove", "--seed", str(seed))
            proved.add(report["summary"]["proved"])
        if len(proved) != 1:
            raise Failed(f"{command} proves {sorted(proved)} obligations, which the seed decides")
        stage.numbers.append(
            f"{report['solver']}: {proved.pop():,} obligations by each of {len(SOLVER_SEEDS)} seeds"
        )


def bmc(stage: Stage) -> None:
    command = str(build(stage, "release", "holdfast") / "bin" / "holdfast")
    report = stage.report(command, "refute", "all", "--bmc", "--scenarios", str(OUT / "scenarios"))
    minimal = sum(r["bmc"] == "confirmed, minimal" for r in report["results"])
    for r in report["results"]:
        if r["bmc"] not in ("confirmed, minimal", "confirmed; none within 10 steps"):
            raise Failed(f"{r['fault']}: {r['bmc']}")
    stage.numbers.append(f"{report['summary']['refuted']} refuted, {minimal} shown minimal")


def hunt(stage: Stage) -> None:
    seconds = setting("HUNT_SECONDS", "3600")
    command = str(build(stage, "release", "holdfast") / "bin" / "holdfast")
    report = stage.report(
        command,
        "hunt",
        "--profile",
        "holdfast",
        "--time",
        seconds,
        "--jobs",
        JOBS,
        "--seed",
        setting("HUNT_SEED", TODAY),
        "--scenarios",
        str(OUT / "scenarios"),
    )
    for r in report["results"]:
        if r["kind"] == "hunt":
            stage.numbers.append(
                f"{r['seconds']:,.0f} s on {JOBS} cores from seed {r['seed']}: no finding in "
                f"{r['scripts']:,} scripts, {r['passes']:,} passes, {r['steps']:,} small steps; "
                f"every script up to size {r['exhausted']}"
            )


def diff(stage: Stage) -> None:
    command = str(build(stage, "release", "holdfast") / "bin" / "holdfast")
    steps, seed = setting("DIFF_STEPS", "1000000000"), setting("DIFF_SEED", TODAY)
    scenarios = str(OUT / "scenarios")
    limits = ("--steps", steps, "--time", "0", "--jobs", JOBS, "--seed", seed)
    report = stage.report(command, "diff", *limits, "--scenarios", scenarios)
    everything = stage.report(command, "diff", "--exhaustive", "--jobs", JOBS)["results"]
    states, events = (sum(r[key] for r in everything) for key in ("states", "events"))
    stage.numbers.append(
        f"every state at {len(everything)} sizes: {states:,} states, {events:,} events"
    )
    for r in report["results"]:
        stage.numbers.append(
            f"{r['steps']:,} small steps, {r['events']:,} events, {r['passes']:,} passes from seed "
            f"{r['seed']}: no difference from the model"
        )


def fuzz(stage: Stage) -> None:
    rounds, seed = setting("FUZZ_ROUNDS", "50"), setting("FUZZ_SEED", TODAY)
    bin_folder = build(stage, "asan", *FUZZ_TESTS) / "tests" / "bin"
    for test in FUZZ_TESTS:
        stage.run(str(bin_folder / test), HOLDFAST_FUZZ_ROUNDS=rounds, HOLDFAST_SEED=seed)
    stage.numbers.append(
        f"{', '.join(FUZZ_TESTS)}: {rounds} times their work from seed {seed}, with asan and ubsan"
    )
    if shutil.which("clang++") is None:
        raise Failed("the fuzzers need clang++, of the package clang")
    seconds = setting("FUZZ_SECONDS", "600")
    fuzzers = build(stage, "fuzz", *(f"fuzz_{name}" for name in FUZZERS)) / "bin"
    for name in FUZZERS:
        found = OUT / "corpus" / name
        found.mkdir(parents=True, exist_ok=True)
        limits = [f"-max_total_time={seconds}", "-max_len=6000", "-timeout=20"]
        kept = [str(found), str(ROOT / "tests" / "fuzz" / "corpus" / name)]
        stage.run(str(fuzzers / f"fuzz_{name}"), *limits, f"-artifact_prefix={OUT}/", *kept)
    stage.numbers.append(f"libFuzzer on {', '.join(FUZZERS)}: {seconds} s each, nothing found")


STAGES = {f.__name__: f for f in (release, dev, asan, tsan, seeds, bmc, hunt, diff, fuzz)}


def run_stage(name: str, commit: str) -> Stage:
    stage = Stage(name, commit=commit, day=date.today().isoformat())
    (OUT / f"{name}.log").unlink(missing_ok=True)
    print(f"nightly: {name} ...", flush=True)
    start = time.monotonic()
    try:
        STAGES[name](stage)
    except (Failed, OSError, ValueError, KeyError) as error:
        stage.result = "failed"
        stage.numbers.append(f"{error}; see build/nightly/{name}.log")
    stage.seconds = round(time.monotonic() - start)
    (OUT / f"{name}.row.json").write_text(json.dumps(asdict(stage)))
    return stage


def table() -> tuple[str, bool]:
    """Every stage that ever ran here, and whether all of them passed."""
    rows = ["| stage | result | seconds | what | commit | day |", "|---|---|---|---|---|---|"]
    passed = True
    for name in STAGES:
        file = OUT / f"{name}.row.json"
        if not file.exists():
            rows.append(f"| {name} | not run | | | | |")
            continue
        row = Stage(**json.loads(file.read_text()))
        passed = passed and row.result == "passed"
        what = "; ".join(row.numbers)
        rows.append(
            f"| {name} | {row.result} | {row.seconds:,} | {what} | {row.commit} | {row.day} |"
        )
    return "\n".join(rows) + "\n", passed


def main(chosen: list[str]) -> int:
    if unknown := [name for name in chosen if name not in STAGES]:
        print(f"nightly: no stage {unknown[0]}; there are {' '.join(STAGES)}", file=sys.stderr)
        return 2
    OUT.mkdir(parents=True, exist_ok=True)
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        check=False,
    )
    for name in chosen or STAGES:
        stage = run_stage(name, described.stdout.strip())
        print(f"nightly: {name} {stage.result} in {stage.seconds} s", flush=True)
    result, passed = table()
    (OUT / "result.md").write_text(result)
    print(result, end="")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
