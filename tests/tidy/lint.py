#!/usr/bin/env python3
"""Format and lint, by the tools and the versions that pyproject.toml pins in its group `lint`.

lint.py               clang-format, ruff, bash -n, and shellcheck where it is installed
lint.py --fix         formats in place, and mends what ruff can
lint.py --tidy BUILD  clang-tidy over everything that was configured in BUILD; minutes

Exit status: 0 all in order, 1 a fault or a tool that is missing, 77 a tool that `make setup` could
not install here (build/lint-unavailable names it): what it would have checked is skipped.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIP = 77

_SOURCES = ("*.cpp", "*.hpp", "*.cu", "*.cuh")


class MissingTool(Exception):
    pass


def pins():
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return dict(pin.split("==") for pin in groups["dependency-groups"]["lint"])


def tool(name):
    """The program of the pinned version: that of build/venv, or the PATH's."""
    version = pins()[name]
    for place in (ROOT / "build/venv/bin" / name, shutil.which(name)):
        if place and Path(place).exists():
            said = subprocess.run([place, "--version"], capture_output=True, text=True, check=False)
            if re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])", said.stdout):
                return str(place)
    raise MissingTool(f"{name}=={version} is not installed; `make setup` does it")


def files(*patterns):
    """What git tracks or would."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    done = subprocess.run(
        [*command, *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return sorted({f for f in done.stdout.split("\0") if f and (ROOT / f).is_file()})


def passes(*command):
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def clang_format(fix):
    how = ["-i"] if fix else ["--dry-run", "--Werror"]
    return passes(tool("clang-format"), "--style=file", *how, *files(*_SOURCES))


def ruff(fix):
    ruff, python = tool("ruff"), files("*.py")
    check = passes(ruff, "check", "--no-cache", "--quiet", *["--fix"] * fix, *python)
    how = [] if fix else ["--diff"]
    return passes(ruff, "format", "--no-cache", "--quiet", *how, *python) and check


def shell(fix):
    del fix  # there is nothing that does it
    scripts = files("*.sh", ".ci/run")
    unread = [script for script in scripts if not passes("bash", "-n", script)]
    found = shutil.which("shellcheck")
    return not unread and (not found or passes(found, *scripts))


def check(fix=False):
    faults, skipped = False, False
    for part in (clang_format, ruff, shell):
        try:
            good, said = part(fix), f"{part.__name__} finds faults"
        except MissingTool as missing:
            good, said = False, str(missing)
            if (ROOT / "build/lint-unavailable").exists():
                print(f"lint: skipped: {missing}", file=sys.stderr)
                skipped = True
                continue
        if not good:
            print(f"lint: {said}", file=sys.stderr)
            faults = True
    return 1 if faults else SKIP if skipped else 0


def clang_tidy(build):
    """Everything that is compiled, each file once, and the headers that it includes."""
    program = tool("clang-tidy")
    compiled = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    units = sorted({entry["file"] for entry in compiled if "cmake_pch" not in entry["file"]})

    def run(unit):
        command = [program, "-p", str(build), "--quiet", unit]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    seen = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(run, units):
            for report in re.split(r"(?m)^(?=/\S+:\d+:\d+: (?:warning|error))", done.stdout):
                if report.strip() and report not in seen:
                    seen.add(report)
                    print(report, end="")
            if done.returncode and not done.stdout:
                seen.add(done.stderr)
                print(done.stderr, end="")
    print(f"lint: clang-tidy: {len(units)} files, {len(seen)} faults")
    return 1 if seen else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    how = p.add_mutually_exclusive_group()
    how.add_argument("--fix", action="store_true")
    how.add_argument("--tidy", metavar="BUILD", type=Path)
    options = p.parse_args()
    try:
        return clang_tidy(options.tidy.resolve()) if options.tidy else check(options.fix)
    except MissingTool as missing:
        print(f"lint: {missing}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(main())
