"""Finds the real vLLM: the folder with sim.py, and the Python that has vLLM's dependencies."""

import contextlib
import importlib
import importlib.metadata
import os
import sys
from pathlib import Path

SKIP = 77

_ROOT = Path(__file__).resolve().parents[2]
_ENTERED = "HOLDFAST_VLLM_ENTERED"


def scripts():
    return Path(os.environ.get("HOLDFAST_VLLM_TESTBED", _ROOT.parent / "shared" / "vllm-testbed"))


def what_is_absent():
    """None, or one line on what has to be set up first."""
    if not (scripts() / "sim.py").is_file():
        return "no sim.py; HOLDFAST_VLLM_TESTBED must name the testbed's folder"
    if os.environ.get("VLLM_SRC"):
        return None
    installed = os.environ.get("HOLDFAST_VLLM_ENV")
    if not installed:
        return "no vLLM; HOLDFAST_VLLM_ENV must name the folder that the testbed's setup.sh filled"
    if not (Path(installed) / "env.sh").is_file():
        return f"no env.sh in HOLDFAST_VLLM_ENV ({installed})"
    return None


def enter():
    """Goes on only in the testbed's Python: starts the program again there, or skips."""
    absent = what_is_absent()
    if absent:
        print(f"skipped: {absent}", file=sys.stderr)
        raise SystemExit(SKIP)
    if os.environ.get("VLLM_SRC") or os.environ.get(_ENTERED):
        return
    os.environ[_ENTERED] = "1"
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    os.environ["PYTHONHASHSEED"] = "0"  # the scheduler iterates over sets of names
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    start = '. "$1/env.sh" && shift && exec "$PY" "$@"'
    installed = os.environ["HOLDFAST_VLLM_ENV"]
    os.execvp("bash", ["bash", "-c", start, "enter", installed, *sys.argv])


def load_sim():
    """The testbed's sim.py. Takes seconds: it imports vLLM."""
    sys.path.insert(0, str(scripts()))
    with contextlib.redirect_stdout(sys.stderr):
        output = importlib.import_module("vllm.v1.core.sched.output").SchedulerOutput
        # New in 0.33.0; of 0.32.0 the simulated worker is told of none.
        if "encoder_input_updates" not in output.__dataclass_fields__:
            output.encoder_input_updates = {}
        return importlib.import_module("sim")


def release():
    """The vLLM that runs here, as traces name it: "vllm 0.33.0"."""
    return "vllm " + importlib.metadata.version("vllm").partition("+")[0]
