"""`python -m phi_torch bench`: our operators against ATen's, interleaved in one process, as ratios of time.

Each row times ours and ATen in turns, so that what else the machine does falls on both alike, and reports the median of
the ratios with its spread. Large outputs are allocated by each call on both sides.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import platform
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from torch.utils.benchmark import Timer

import phi_torch

ROUNDS = 7
TENSORS = "xyzuvw"


@dataclass(frozen=True)
class Row:
    """One measurement; times are medians in microseconds, `ratio` is the median of ours / ATen over the rounds."""

    op: str
    size: str
    dtype: str
    direction: str
    ours_us: float
    aten_us: float
    ratio: float
    lowest: float
    highest: float


def call(expression: str, tensors: dict[str, torch.Tensor], backward: bool) -> Callable[[], Any]:
    """The expression as a function; with `backward` it also runs the gradients of all tensors."""
    function = eval(f"lambda {', '.join(tensors)}: {expression}", {"torch": torch, "phi": phi_torch})
    values = list(tensors.values())
    if not backward:
        return lambda: function(*values)
    seed = torch.ones_like(function(*values))
    return lambda: torch.autograd.grad(function(*values), values, seed)


def measure(op: str, entry: dict[str, Any], size: str, dtype: torch.dtype, backward: bool, seconds: float) -> Row:
    tensors = {n: torch.randn(s, dtype=dtype, requires_grad=backward) for n, s in zip(TENSORS, entry[size])}
    timers = [Timer("f()", globals={"f": call(entry[who], tensors, backward)}) for who in ("ours", "aten")]
    calls = [max(1, int(seconds / ROUNDS / 2 / max(timer.timeit(3).mean, 1e-7))) for timer in timers]
    rounds = [[timer.timeit(n).mean for timer, n in zip(timers, calls)] for _ in range(ROUNDS)]
    ratios = sorted(ours / aten for ours, aten in rounds)
    ours, aten = (1e6 * statistics.median(times) for times in zip(*rounds))
    direction = "forward+backward" if backward else "forward"
    name = str(dtype).removeprefix("torch.")
    return Row(op, size, name, direction, ours, aten, statistics.median(ratios), ratios[0], ratios[-1])


def rows(shapes: Path, only: str, seconds: float) -> Iterator[Row]:
    yaml: Any = importlib.import_module("yaml")  # by name: a checkout has a folder `yaml`, which hides it from mypy
    table = yaml.safe_load(shapes.read_text())
    for op, entry in table["ops"].items():
        if only not in op:
            continue
        for size in table["sizes"]:
            for dtype in (torch.float32, torch.bfloat16):
                for backward in (False, True):
                    yield measure(op, entry, size, dtype, backward, seconds)


def default_shapes() -> Path:
    return Path(__file__).resolve().parent.parent / "benchmarks" / "shapes.yaml"


def run(options: argparse.Namespace) -> int:
    """our operators against ATen's, as ratios of time"""
    torch.set_num_threads(options.threads)
    print(f"torch {torch.__version__}, {platform.machine()}, {options.threads} thread(s); ratio is ours / ATen, below 1 is faster")
    print(f"{'op':12}{'size':8}{'dtype':10}{'direction':18}{'ours, us':>10}{'ATen, us':>10}{'ratio':>8}   spread")
    found = []
    for row in rows(options.shapes or default_shapes(), options.only, options.seconds):
        found.append(row)
        times = f"{row.ours_us:10.2f}{row.aten_us:10.2f}{row.ratio:8.2f}   {row.lowest:.2f}-{row.highest:.2f}"
        print(f"{row.op:12}{row.size:8}{row.dtype:10}{row.direction:18}{times}", flush=True)
    for size in dict.fromkeys(row.size for row in found):
        mean = statistics.geometric_mean([row.ratio for row in found if row.size == size])
        print(f"geometric mean, {size}: {mean:.2f}")
    if options.csv:
        with options.csv.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["torch", "threads", *(f.name for f in fields(Row))])
            for row in found:
                values = (getattr(row, f.name) for f in fields(Row))
                writer.writerow([torch.__version__, options.threads, *(f"{v:.4g}" if isinstance(v, float) else v for v in values)])
    return 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("only", nargs="?", default="", help="part of an op's name")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.2, help="time for each row")
    parser.add_argument("--shapes", type=Path, help="what to time; default: benchmarks/shapes.yaml of the checkout")
    parser.add_argument("--csv", type=Path, help="write the rows to this file")
    parser.set_defaults(run=run)
