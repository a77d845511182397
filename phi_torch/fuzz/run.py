"""Shares the calls among forked processes, and collects what they find."""

from __future__ import annotations

import json
import multiprocessing
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

from . import child, values
from .child import Board, Task

PART = 2000  # calls of one process


class Finding(NamedTuple):
    """One call that went wrong."""

    op: str
    problem: str
    source: str


def fuzz(ops: Sequence[str], number: int, seed: int, jobs: int, samples: str | None) -> tuple[list[Finding], int]:
    """`number` calls of each operator, in `jobs` processes: all that is wrong with them, and how many were made, which
    are fewer if SIGINT or SIGTERM ends the run.
    """
    tasks = [Task(op, first, min(first + PART, number), seed) for first in range(0, number, PART) for op in ops]
    with tempfile.TemporaryDirectory() as folder:
        run = _Run(tasks[::-1], jobs, samples, Path(folder))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: run.stop())
        run.finish()
        return run.found, run.done


class _Run:
    def __init__(self, tasks: list[Task], jobs: int, samples: str | None, folder: Path) -> None:
        self._tasks, self._jobs, self._samples, self._folder = tasks, jobs, samples, folder
        self._total = sum(t.last - t.first for t in tasks)
        self._running: dict[Any, tuple[Any, Task, Board, Path, Path]] = {}
        self._started, self._said = 0, time.monotonic()
        self.found: list[Finding] = []
        self.done = 0
        self._stopped = False

    def finish(self) -> None:
        while self._tasks or self._running:
            while self._tasks and len(self._running) < self._jobs:
                self._start(self._tasks.pop())
            for sentinel in wait(list(self._running)):
                self._finish(*self._running.pop(sentinel))
            self._progress()

    def _start(self, task: Task) -> None:
        self._started += 1
        board = Board()
        found, errors = (self._folder / f"{self._started}.{kind}" for kind in ("found", "errors"))
        process = multiprocessing.get_context("fork").Process(target=child.main, args=(task, self._samples, board, found, errors))
        process.start()
        self._running[process.sentinel] = process, task, board, found, errors

    def _finish(self, process: Any, task: Task, board: Board, found: Path, errors: Path) -> None:
        process.join()
        for line in found.read_text().splitlines() if found.exists() else ():
            _, problem, source = json.loads(line)
            self.found.append(Finding(task.op, problem, source))
        number, source = board.read()
        self.done += max(number, task.first) - task.first
        if process.exitcode and not self._stopped:
            said = errors.read_text(errors="replace").strip().splitlines() if errors.exists() else []
            if not (values.HUGE in source and _is_too_much(process.exitcode, said)):
                self.found.append(Finding(task.op, _death(process.exitcode, said), source))
            self.done += number >= task.first
            if task.first <= number < task.last - 1:
                self._tasks.append(task._replace(first=number + 1))
        for file in (found, errors):
            file.unlink(missing_ok=True)

    def stop(self) -> None:
        """Ends the run in the middle of its calls. Not by an exception, which may be lost where the process forks."""
        self._tasks.clear()
        self._stopped = True
        for process, *_ in list(self._running.values()):
            process.kill()

    def _progress(self) -> None:
        if time.monotonic() - self._said > 5 or not (self._tasks or self._running):
            self._said = time.monotonic()
            print(f"fuzz: {self.done} of {self._total} calls, {len(self.found)} failures", file=sys.stderr, flush=True)


def _is_too_much(code: int, said: list[str]) -> bool:
    """Whether there was more to do, or to hold, than the limits allow. A sanitizer ends what finds no memory."""
    return code == -signal.SIGPROF or any("AddressSanitizer: out-of-memory" in line for line in said)


def _death(code: int, said: list[str]) -> str:
    if code > 0:
        return f"ends the process: {said[-1] if said else ''}"
    if -code == signal.SIGPROF:
        return f"takes more than {child.CPU_SECONDS} s"
    if -code == signal.SIGALRM:
        return f"waits for more than {child.SECONDS} s"
    what = [
        line
        for line in said
        if "what():" in line or "terminate" in line or "malloc" in line or "corrupt" in line or "free()" in line
    ]
    return f"ends the process with {signal.Signals(-code).name} {' '.join(what[-2:])}".rstrip()
