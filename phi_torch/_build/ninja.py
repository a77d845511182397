"""Ninja files, written with ninja's own `ninja_syntax`: the writer, the quotes of the shell, and the run."""

from __future__ import annotations

import fcntl
import importlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from .toolchain import BuildError, cpp_extension

_SPECIAL = "$ ;'()\""  # to the shell
DEPENDENCIES = {"depfile": "$out.d", "deps": "gcc"}  # of a rule whose command has `-MD -MF $out.d`


def _package(module: str = "ninja") -> ModuleType:
    """A module of the package that brings ninja and its writer.

    Raises:
        BuildError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise BuildError("ninja was not found: pip install ninja") from None


def put_on_path() -> None:
    """Puts ninja where torch looks for it."""
    os.environ["PATH"] = os.pathsep.join([_package().BIN_DIR, os.environ.get("PATH", "")])


def new_writer() -> Any:
    """A `ninja_syntax.Writer` of lines of any length; `writer.output.getvalue()` is the text."""
    return _package("ninja.ninja_syntax").Writer(io.StringIO(), width=1 << 30)


def quote(flags: Iterable[str]) -> str:
    """Flags as one ninja value: `$` escaped for ninja, and single quotes for the shell where they are needed."""
    return " ".join(f"'{flag}'" if set(flag) & set(_SPECIAL) else flag for flag in flags).replace("$", "$$")


def portable(text: str, folder: Path, root: Path) -> str:
    """The text of a ninja file in `folder` with all that is below `root` named from there, where ninja runs the commands: the
    two may be moved or copied together, and nothing is compiled again. Unchanged if the folder is not below the root.
    """
    if not folder.is_relative_to(root):
        return text
    # where a path may begin; not after `-rpath,`, which the running program reads
    begin = r"(?:(?<=[\s='])|(?<=-I)|(?<=-L)|(?<=-isystem)|(?<=-rpath-link,))"
    for parent in (folder, *(parent for parent in folder.parents if parent.is_relative_to(root))):
        names = "|".join({re.escape(str(parent)), re.escape(_package("ninja.ninja_syntax").escape_path(str(parent)))})
        text = re.sub(rf"{begin}(?:{names})/", f"{os.path.relpath(parent, folder)}/".removeprefix("./"), text)
    return re.sub(rf"'([^{_SPECIAL}]*)'", r"\1", text)  # quotes that only the name of the root needed


def _program() -> str:
    # the package's: an older one on PATH would forget what was built, and do it again
    return str(Path(_package().BIN_DIR) / "ninja")


def is_current(ninja_file: Path) -> bool:
    """Whether nothing would be compiled: no file has changed since the last build."""
    command = [_program(), "-C", str(ninja_file.parent), "-f", ninja_file.name, "-n"]
    return "no work to do" in subprocess.run(command, capture_output=True, text=True, check=False).stdout


def run_ninja(ninja_file: Path, *arguments: str, show: Callable[[str], str] | None = None) -> None:
    """Runs ninja with its progress on stdout; `show` may change each line of it.

    Raises:
        BuildError: ninja is missing, or a command failed (the compiler's message is above).
    """
    command = [_program(), "-C", str(ninja_file.parent), "-f", ninja_file.name, "-j", str(max_jobs()), *arguments]
    sys.stdout.flush()
    # another checkout, where the paths are the same, finds this one's results, and so does a build that takes warnings for
    # errors; of precompiled headers ccache cannot see the macros, and none of our sources uses those of the time
    cache = {
        "CCACHE_NOHASHDIR": "1",
        "CCACHE_SLOPPINESS": "pch_defines,time_macros",
        "CCACHE_IGNOREOPTIONS": "-Werror -Wno-error=*",
    }
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
    if jobs := cpp_extension()._get_num_workers(verbose=False):
        return int(jobs)
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
