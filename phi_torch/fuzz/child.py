"""One forked process: some calls of one operator, under limits. What it finds it writes to a file."""

from __future__ import annotations

import gc
import json
import logging
import mmap
import os
import random
import resource
import signal
from pathlib import Path
from typing import NamedTuple

import torch

from .checks import check
from .mutate import random_call
from .recipes import Call
from .seeds import Seeds, overloads

CPU_SECONDS, SECONDS = 10, 300  # of one call; the second for one that waits for what does not come
MEMORY = 2 << 30  # beyond what the process has at its start
NOTE = 1 << 18  # bytes of the text of the call that runs


class Task(NamedTuple):
    """The calls `first` to `last` of one operator."""

    op: str
    first: int
    last: int
    seed: int


class Board:
    """What a child is about to do: memory that outlives it. The number of the call, and its text."""

    def __init__(self) -> None:
        self._map = mmap.mmap(-1, NOTE)

    def write(self, number: int, text: str) -> None:
        data = text.encode("utf-8", "surrogatepass")[: NOTE - 16]
        self._map[:16] = number.to_bytes(8, "little", signed=True) + len(data).to_bytes(8, "little")
        self._map[16 : 16 + len(data)] = data

    def read(self) -> tuple[int, str]:
        number, size = int.from_bytes(self._map[:8], "little", signed=True), int.from_bytes(self._map[8:16], "little")
        return number, self._map[16 : 16 + size].decode("utf-8", "surrogatepass")


def calls(op: str, seeds: list[Call], task: Task) -> object:
    """The calls of a task: each follows from the seed, the operator and its number alone."""
    types = {}
    for overload in overloads(op):
        found = {a.name: str(a.real_type) for a in overload._schema.arguments}
        types[overload._schema.name.split("::")[1]] = found

    def types_of(function: str) -> dict[str, str]:
        parts = function.split(".")
        return types[parts[3] if parts[:2] == ["torch", "ops"] else parts[-1]]

    for number in range(task.first, task.last):
        yield number, random_call(seeds, types_of, random.Random(f"{task.seed} {op} {number}")).source()


def main(task: Task, samples: str | None, board: Board, found: Path, errors: Path) -> None:
    """Runs a task; ends the process where a call does."""
    descriptor = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    limit = _size() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    torch.set_num_threads(1)
    logging.disable()
    board.write(-1, task.op)
    signal.setitimer(signal.ITIMER_PROF, 6 * CPU_SECONDS)
    seeds = Seeds(samples, lambda text: board.write(-1, text)).of(task.op)
    gc.disable()
    gc.freeze()
    with found.open("w", buffering=1) as out:
        for number, source in calls(task.op, seeds, task):  # type: ignore[attr-defined]
            board.write(number, source)
            signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            for problem in check(source):
                out.write(json.dumps([number, problem, source]) + "\n")
            if number % 256 == 0:
                gc.collect()
    board.write(task.last, "")
    os._exit(0)


def _size() -> int:
    """The bytes of this process' address space."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
