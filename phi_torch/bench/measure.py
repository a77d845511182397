"""The process that measures: one number of threads, one list of rows; reads a job and writes rows, as JSON lines."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from .._op_table import OPS
from . import side
from .paddle_side import Paddle, PaddleMiss
from .rows import Row, summarise
from .shapes import Case, Shapes, load
from .torch_side import Side, copy, difference


@dataclass(frozen=True)
class Job:
    """What a process is to measure. `paddle` is an interpreter, or "" for none."""

    shapes: str
    cases: Sequence[Case]
    seconds: float
    rounds: int
    compiled: bool
    paddle: str


def measure(shapes: Shapes, case: Case, job: Job, paddle: Paddle | None) -> Row:
    """One row. What could not be measured is said in its note."""
    if case.operator not in OPS:
        return Row(**vars(case), note=f"phi_torch has no op '{case.operator}'")
    sides: dict[str, Side] = {}
    for who in ("ours", "aten"):
        try:
            sides[who] = Side(shapes, case, who)
        except Exception as error:
            return Row(**vars(case), note=f"{who}: {_reason(error)}")
    ours, dtype = sides["ours"], getattr(torch, case.dtype)
    if ours.result is not None and case.size in ("tiny", "small"):
        if found := difference(ours.result, sides["aten"].result, dtype):
            return Row(**vars(case), note=f"ours and ATen disagree: {found}")
    notes = []
    runs = {who: s.run for who, s in sides.items()}
    if ours.moved and case.size == shapes.sizes[-1]:
        runs["copy"] = copy(ours.moved, case.threads)
    if job.compiled and case.size in shapes.compiled and shapes.ops[case.op].get("compiled", True):
        try:
            for who in ("ours", "aten"):
                runs[f"compiled {who}"] = Side(shapes, case, who, compiled=True).run
        except Exception as error:
            notes.append(f"compiled: {_reason(error)}")
    if paddle and case.entry == "call" and shapes.call(case, "paddle"):
        try:
            value = paddle.prepare(shapes, case)
            if found := _differs(ours.result, value, dtype) if case.size == "tiny" else "":
                raise PaddleMiss(f"ours and Paddle disagree: {found}")
            runs["paddle"] = paddle.run
        except PaddleMiss as miss:
            notes.append(f"Paddle: {miss}")
    seconds = job.seconds * len(runs) / 2
    try:
        rounds = side.in_turns(runs, seconds, job.rounds)
    except PaddleMiss as miss:
        notes.append(f"Paddle: {miss}")
        del runs["paddle"]
        rounds = side.in_turns(runs, seconds, job.rounds)
    return summarise(case, rounds, ours.moved if "copy" in runs else None, "; ".join(notes))


def _differs(ours: Any, value: Any, dtype: torch.dtype) -> str:
    if ours is None or value is None:
        return ""
    several = isinstance(ours, (list, tuple))
    return difference(
        ours[: len(value)] if several else ours, [torch.tensor(v) for v in value] if several else torch.tensor(value), dtype
    )


def _reason(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0].strip() if lines else ''}"[:160]


def idlest_core() -> int:
    """Of the cores that we may use, the one that idled most in a short while."""

    def idle() -> dict[int, int]:
        found = re.findall(r"^cpu(\d+) \d+ \d+ \d+ (\d+)", Path("/proc/stat").read_text(), re.MULTILINE)
        return {int(core): int(ticks) for core, ticks in found}

    before = idle()
    time.sleep(0.3)
    after = idle()
    return max(os.sched_getaffinity(0), key=lambda core: after.get(core, 0) - before.get(core, 0))


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print is no row
    description = json.loads(sys.stdin.read())
    job = Job(**description | {"cases": [Case(**case) for case in description["cases"]]})
    warnings.simplefilter("ignore")
    threads = job.cases[0].threads
    if threads == 1:
        os.sched_setaffinity(0, {idlest_core()})
    torch.set_num_threads(threads)
    shapes = load(Path(job.shapes))
    paddle = Paddle(job.paddle, threads) if job.paddle else None
    try:
        for case in job.cases:
            answers.write(json.dumps(vars(measure(shapes, case, job, paddle))) + "\n")
            torch.compiler.reset()
    finally:
        if paddle:
            paddle.close()
