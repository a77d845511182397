"""`bench --programs FOLDER`: compiled programs of Paddle 3 beside Paddle Inference, and what a run costs beyond its kernels."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import torch

from .. import _oracle, ir
from .._oracle.client import Worker
from ..ir.files import is_program
from .side import clock

ROUNDS = 9
SECONDS = 300  # that Paddle may take to answer
REST = 0.25  # seconds after which the threads of a process that has done its part no longer look for more on their cores
INSTRUCTION_NS, RUN_US, PADDLE_RATIO = 25.0, 1.5, 0.6  # the most that --check lets pass


@dataclass(frozen=True)
class Timed:
    """A program on its first inputs, in microseconds."""

    name: str
    ours: float
    paddle: float  # of the better of Paddle Inference with and without oneDNN; nan without Paddle
    ratio: float  # the median of the ratios of rounds side by side
    arena: float  # of the memory of a run, to the most that lives at once


def run(folder: Path, python: str | None, threads: int, check: bool) -> int:
    """The exit status: 1 where `check` finds a figure beyond its limit."""
    torch.set_num_threads(threads)
    beyond, fixed = instruction_ns(), run_us()
    print(f"of {threads} thread{'s' if threads > 1 else ''}")
    print(f"an instruction beyond its kernel  {beyond:8.1f} ns\na run of one instruction           {fixed:8.2f} us")
    found: list[Timed] = []
    for timed in measure(folder, python, threads):
        found.append(timed)
        paddle = f"Paddle {timed.paddle:9.1f} us  ratio {timed.ratio:5.2f}"
        print(f"{timed.name:20} {timed.ours:9.1f} us  {paddle}  memory {timed.arena:.2f}", flush=True)
    ratios = [timed.ratio for timed in found if not math.isnan(timed.ratio)]
    mean = geometric_mean(ratios) if ratios else math.nan
    print(f"geometric mean of {len(ratios)} ratios  {mean:.2f}")
    wrong = [beyond > INSTRUCTION_NS, fixed > RUN_US, mean > PADDLE_RATIO, any(timed.arena > 1.1 for timed in found)]
    return int(check and any(wrong))


def check_folder(folder: Path) -> None:
    """Raises a ValueError where there is nothing to measure."""
    if not folder.is_dir():
        raise ValueError(f"--programs {folder}: there is no such folder")
    if not any(map(_is_measured, folder.iterdir())):
        raise ValueError(f"--programs {folder}: expected folders of programs with inputs beside them (io.npz), found none")


def _is_measured(path: Path) -> bool:
    return is_program(path) and (path / "io.npz").exists()


def seconds(function: Callable[[], Any], calls: int, rest: float = 0) -> float:
    """Of one call, after a rest."""
    now = clock(torch.get_num_threads())
    time.sleep(rest)
    begin = now()
    for _ in range(calls):
        function()
    return (now() - begin) / calls


def chain(length: int) -> ir.Executable:
    """`relu` of 16 numbers, one after another."""
    builder = ir.Builder()
    type = builder.program.context.dense_tensor("float32", [16])
    value = builder.create("pd_op.data", [], {"name": "x", "shape": [16], "dtype": "float32"}, [type]).results[0]
    for _ in range(length):
        value = builder.create("pd_op.relu", [value], {}, [type]).results[0]
    builder.create("pd_op.fetch", [value], {"name": "y", "col": 0}, [type])
    return ir.compile(builder.program, passes=[])


def run_us() -> float:
    one, x = chain(1), torch.randn(16)
    return min(seconds(lambda: one(x), 5000) for _ in range(ROUNDS)) * 1e6


def instruction_ns() -> float:
    """With the kernel, which takes a few nanoseconds of it."""
    one, many, x = chain(1), chain(1001), torch.randn(16)
    return min(seconds(lambda: many(x), 200) - seconds(lambda: one(x), 200) for _ in range(ROUNDS)) * 1e6


def measure(folder: Path, python: str | None, threads: int) -> Iterator[Timed]:
    """The programs of a folder that can be compiled and have inputs beside them, `io.npz`."""
    import numpy

    python = python or _oracle.python()
    file = Path(__file__).with_name("paddle_programs.py")
    worker = Worker(python, file, threads) if python and python != "no" else None
    for path in sorted(folder.iterdir()):
        if not _is_measured(path):
            continue
        try:
            compiled = ir.compile(ir.load(path))
        except NotImplementedError:
            continue
        io: Any = numpy.load(path / "io.npz")
        feed = {name: io[f"in{i}"] for i, name in enumerate(io["feed_names"].tolist())}
        yield _timed(path, compiled, feed, worker)
    if worker is not None:
        worker.close()


def _timed(path: Path, compiled: ir.Executable, feed: dict[str, Any], worker: Worker | None) -> Timed:
    call = partial(compiled, *(torch.from_numpy(feed[name]) for name, _ in compiled.inputs))
    call()
    rest = REST if worker is not None and torch.get_num_threads() > 1 else 0
    calls = max(1, int(0.02 / max(min(seconds(call, 3, rest), seconds(call, 3), seconds(call, 3)), 1e-6)))
    rounds = [(seconds(call, calls, rest), _paddle(worker, path, feed, calls, rest)) for _ in range(ROUNDS)]
    arena, live, *_ = compiled.memory(*call.args)
    ours, theirs = (median(side) * 1e6 for side in zip(*rounds))
    return Timed(path.name, ours, theirs, median(a / b for a, b in rounds), arena / max(live, 1))


def _paddle(worker: Worker | None, path: Path, feed: dict[str, Any], calls: int, rest: float) -> float:
    """Seconds of a run, with oneDNN or without, whichever takes less, after a rest."""
    if worker is None:
        return math.nan
    time.sleep(rest)
    arrays = {name: (array.tobytes(), str(array.dtype), array.shape) for name, array in feed.items()}
    answer = worker.ask({"folder": str(path), "feed": arrays, "calls": calls, "threads": torch.get_num_threads()}, SECONDS)
    if "error" in answer:
        raise RuntimeError(f"{path.name}: {answer['error']}")
    return min(answer["seconds"])
