#!/usr/bin/env python3
"""The canary of `holdfast diff`: mutants of the implementation, each to be seen as a difference.

    canary.py [NAME...] [--seed N] [--steps N] [--docs FILE]

Works in a scratch copy of the tree, build/canary/tree: applies one mutant of mutants.toml at a
time, compiles impl/ and links tests/verify/diff/canary_driver.cpp, which does what `holdfast diff`
does. What compares is compiled once, of the original headers. Rows are kept in
build/canary/rows.json, and who has one does not run again, but for the NAMEs. Exit status 0:
every mutant is killed, or marked `equivalent`; 1: one survives or has no row; 2: bad input.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRATCH = ROOT / "build" / "canary"
TREE = SCRATCH / "tree"
BUILD = TREE / "build"
ROWS = SCRATCH / "rows.json"
TABLE = ROOT / "tests" / "impl" / "mutants.toml"
FOLDERS = ("impl/", "spec/", "verify/", "tests/verify/diff/canary", "CMake")
LONGEST = 300  # seconds of a run: longer ones hang


class BadInput(Exception):
    pass


@dataclass
class Mutant:
    name: str
    file: str
    old: str
    new: str
    says: str
    equivalent: str = ""


@dataclass
class Row:
    """What became of a mutant, run so."""

    name: str
    asked: str  # the mutant, seed and steps: a row of others is of no use
    result: str = "SURVIVED"
    steps: str = ""
    shrunk: str = ""
    what: str = ""


def read_mutants() -> list[Mutant]:
    mutants = []
    for row in tomllib.loads(TABLE.read_text())["mutant"]:
        mutant = Mutant(says=row.pop("is"), **row)
        count = (ROOT / mutant.file).read_text().count(mutant.old)
        if count != 1:
            raise BadInput(f"{mutant.name}: its text is {count} times in {mutant.file}")
        mutants.append(mutant)
    if len({m.name for m in mutants}) != len(mutants):
        raise BadInput("two mutants have one name")
    return mutants


def call(*command: str) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise BadInput(f"{shlex.join(command)}:\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}")
    return ran.stdout


def write(path: Path, text: str) -> None:
    """Leaves a file alone that is so already, so that nothing is built anew for it."""
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def prepare() -> None:
    """The scratch copy as the tree is, built."""
    listed = call("git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard")
    for name in listed.splitlines():
        if name.startswith(FOLDERS) and (ROOT / name).is_file():
            text = (ROOT / name).read_text()
            if name == "CMakeLists.txt":
                text += (ROOT / "tests/verify/diff/canary_driver.cmake").read_text()
            write(TREE / name, text)
            shutil.copymode(ROOT / name, TREE / name)
    write(TREE / "pyproject.toml", (ROOT / "pyproject.toml").read_text())
    options = ["-DHOLDFAST_BOTH_Z3=OFF", "-DBUILD_TESTING=OFF"]
    call("cmake", "--preset", "release", "-S", str(TREE), *options)
    call("ninja", "-C", str(BUILD), "-j1", "canary")


def link() -> None:
    """With the objects that there are: what compares reads the state by the original headers."""
    call("ninja", "-C", str(BUILD), "-j1", "canary_impl")
    command = call("ninja", "-C", str(BUILD), "-t", "commands", "canary").splitlines()[-1]
    call("bash", "-c", f"cd {shlex.quote(str(BUILD))} && {command}")


def first_line(what: str) -> str:
    """`after schedule: free: model 3, implementation 4` and no more."""
    lines = [line.strip() for line in what.strip().splitlines()]
    return " ".join(lines[:2])


def judge(row: Row, seed: int, steps: int) -> None:
    command = [str(BUILD / "bin" / "canary"), str(steps), str(seed)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        row.result, row.what = "killed: hangs", f"no end in {LONGEST} s"
        return
    said = dict(re.findall(r"^(steps|broken|shrunk): (.*)$", ran.stdout, re.MULTILINE))
    if ran.returncode in (0, 1):
        row.steps = said["steps"]
        if said.get("broken"):
            raise BadInput(f"the model breaks {said['broken']}: nothing was compared")
    if ran.returncode == 1:
        row.result, row.shrunk = "killed", said["shrunk"]
        row.what = first_line(ran.stdout.split("what: ", 1)[1])
    elif ran.returncode != 0:
        assertion = re.search(r"broken: (.*) \[", ran.stderr)
        told = re.search(r"after (\d+) steps", ran.stderr)
        row.result = "killed: assertion" if assertion else "killed: crash"
        row.steps = f">= {told[1]}" if told else ""
        last = (ran.stderr.strip().splitlines() or [f"status {ran.returncode}"])[-1]
        row.what = assertion[1] if assertion else last


def run(mutant: Mutant, asked: str, seed: int, steps: int) -> Row:
    row = Row(mutant.name, asked)
    original = (ROOT / mutant.file).read_text()
    try:
        write(TREE / mutant.file, original.replace(mutant.old, mutant.new))
        link()
        judge(row, seed, steps)
    finally:
        write(TREE / mutant.file, original)
    return row


def page(mutants: list[Mutant], rows: dict[str, Row], seed: int, steps: int) -> str:
    killed = sum(m.name in rows and rows[m.name].result != "SURVIVED" for m in mutants)
    equivalent = sum(bool(m.equivalent) for m in mutants)
    lines = [
        "# The canary of `holdfast diff`",
        "",
        "Each row is one fault put into the implementation. `holdfast diff` must see it.",
        f"Generated by `tests/impl/canary.py --docs` on {date.today()}: seed {seed}, "
        f"at most {steps:,} small steps, one job.",
        f"{len(mutants)} mutants: {killed} killed, {equivalent} equivalent.",
        "",
        "*Steps* are the small steps of the model in the whole run, up to the difference; *shrunk*",
        "those of the smallest script that still shows one, and *differs first* is what that one",
        "shows. A crash or a broken assertion ends the program: it has no shrunk script, and its",
        "steps are those told before, or 0.",
        "",
        "| mutant | file | what it is | result | steps | shrunk | differs first |",
        "|---|---|---|---|---|---|---|",
    ]
    for m in mutants:
        row = rows.get(m.name, Row(m.name, "", "not run"))
        result = "equivalent" if m.equivalent else row.result
        what = (m.equivalent or row.what).replace("|", "\\|")
        cells = [f"`{m.name}`", f"`{m.file}`", m.says, result, row.steps, row.shrunk, what]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="kills mutants of impl/ with `holdfast diff`")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=20_000_000)
    parser.add_argument("--docs", type=Path, metavar="FILE", help="writes the matrix there")
    parser.add_argument("--no-run", action="store_true", help="only what rows there are")
    asked = parser.parse_args()
    mutants = read_mutants()
    if unknown := set(asked.names) - {m.name for m in mutants}:
        raise BadInput(f"no such mutant: {', '.join(sorted(unknown))}")
    words = {m.name: f"{m.file}|{m.old}|{m.new}|{asked.seed}|{asked.steps}" for m in mutants}
    kept = [Row(**r) for r in json.loads(ROWS.read_text())] if ROWS.exists() else []
    rows = {r.name: r for r in kept if words.get(r.name) == r.asked}
    if not asked.no_run:
        prepare()
        for m in mutants:
            if m.name not in asked.names if asked.names else m.name in rows:
                continue
            rows[m.name] = row = run(m, words[m.name], asked.seed, asked.steps)
            ROWS.write_text(json.dumps([asdict(r) for r in rows.values()], indent=1))
            print(f"{m.name:24} {row.result:18} {row.steps:>10} {row.shrunk:>5}  {row.what}")
            sys.stdout.flush()
    if asked.docs:
        asked.docs.write_text(page(mutants, rows, asked.seed, asked.steps))
    fine = [m.equivalent or rows[m.name].result != "SURVIVED" for m in mutants if m.name in rows]
    return 0 if all(fine) and (asked.names or len(fine) == len(mutants)) else 1


if __name__ == "__main__":
    os.nice(8)
    try:
        sys.exit(main())
    except BadInput as e:
        print(f"canary.py: {e}", file=sys.stderr)
        sys.exit(2)
