"""Ninja files: the text of a rule, the escapes, and the run."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from .toolchain import BuildError


def rule(name: str, command: str, description: str, depfile: bool = False) -> list[str]:
    dependencies = ["  depfile = $out.d", "  deps = gcc"] if depfile else []
    return [f"rule {name}", f"  command = {command.strip()}", f"  description = {description}", *dependencies]


def quote(flags: Iterable[str]) -> str:
    """Flags as one ninja value: `$` escaped for ninja, and single quotes for the shell where they are needed."""
    return " ".join(f"'{flag}'" if set(flag) & set("$ ;'()\"") else flag for flag in flags).replace("$", "$$")


def edge(
    output: Path | str, rule: str, inputs: Iterable[Path | str], needs: Iterable[Path | str] = (), **variables: Path | str
) -> list[str]:
    """A build statement: `needs` are files that must be up to date before, but are no inputs of the command."""
    needed = " ".join(map(escape, needs))
    head = f"build {escape(output)}: {rule} {' '.join(map(escape, inputs))}{' | ' * bool(needed)}{needed}"
    return [head, *(f"  {name} = {value}" for name, value in variables.items())]


def escape(path: Path | str) -> str:
    return str(path).replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def _find_ninja() -> str:
    """The package's, however this interpreter is called: an older one on PATH would forget what was built, and do it again."""
    if importlib.util.find_spec("ninja") is not None:
        import ninja

        return str(Path(ninja.BIN_DIR) / "ninja")
    if found := shutil.which("ninja"):
        return found
    raise BuildError("ninja was not found: pip install ninja")


def run_ninja(ninja_file: Path, *arguments: str, show: Callable[[str], str] | None = None) -> None:
    """Runs ninja with its progress on stdout; `show` may change each line of it.

    Raises:
        BuildError: ninja is missing, or a command failed (the compiler's message is above).
    """
    command = [_find_ninja(), "-C", str(ninja_file.parent), "-f", ninja_file.name, "-j", str(max_jobs()), *arguments]
    sys.stdout.flush()
    # so that another checkout finds this one's results; of precompiled headers ccache cannot see the macros, and none of
    # our sources uses those of the time
    cache = {"CCACHE_BASEDIR": str(Path(__file__).resolve().parents[2]), "CCACHE_NOHASHDIR": "1"}
    cache["CCACHE_SLOPPINESS"] = "pch_defines,time_macros"
    with (ninja_file.parent / ".lock").open("w") as lock:  # ninja itself does not notice a second one
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting for the build that another process runs in {ninja_file.parent}", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(command, env={**cache, **os.environ}, stdout=subprocess.PIPE if show else None, text=True) as process:
            for line in process.stdout or ():
                print(show(line.rstrip("\n")) if show else line, flush=True)
            status = process.wait()
    if status != 0:
        raise BuildError("the build failed; the first error is above (`FAILED:`)")


def max_jobs() -> int:
    """Parallel compilers: MAX_JOBS, else one per core as far as there are 2 GiB of free memory for each."""
    if jobs := os.environ.get("MAX_JOBS"):
        return max(1, int(jobs))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        available = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable"))
        return max(1, min(cores, int(available.split()[1]) // (2 << 20)))
    except (OSError, StopIteration):
        return cores


def write_if_changed(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
