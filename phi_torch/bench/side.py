"""What a side of a comparison does, whatever its library: inputs from NumPy, and a loop that is timed.

Paddle's process runs this file as well, so it needs NumPy and the standard library alone.
"""

from __future__ import annotations

import gc
import itertools
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

Clock = Callable[[], float]
Run = Callable[[int], float]  # seconds that so many calls take
WITH_GRADIENT = "normal"
LISTS = ("tensors", "zeros")

_LOOP = """\
def make({names}):
    {setup}
    def run(calls):
        start = clock()
        for _ in repeat(None, calls):
            {body}
        return clock() - start
    return run, lambda: {value}
"""


def arrays(inputs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The inputs {name, kind, shape, below} as arrays, lists of arrays, or lists of integers; equal on all sides."""
    return {i["name"]: _array(np.random.default_rng(zlib.crc32(i["name"].encode())), **i) for i in inputs}


def _array(random: np.random.Generator, name: str, kind: str, shape: list[int], below: int | None) -> Any:
    if kind == "shape":
        return list(shape)
    if kind in LISTS:
        return list(random.standard_normal(shape, np.float32) if kind == "tensors" else np.zeros(shape, np.float32))
    if kind == "bool":
        return random.random(shape, np.float32) < 0.5
    if below is not None:
        return random.integers(0, below, shape, np.int64)
    values = random.standard_normal(shape, np.float32)
    return np.abs(values) + 0.5 if kind == "positive" else values


def clock(threads: int) -> Clock:
    """One thread is timed by the CPU time of the process, which other processes on the core do not add to."""
    return time.process_time if threads == 1 else time.perf_counter


def body(call: str, direction: str, leaves: Sequence[str], accumulate: bool, several: bool) -> str:
    """The statements of the loop. Backward adds to the gradients of `leaves`, or with `accumulate` false makes new ones."""
    if direction != "forward+backward":
        return call
    clear = "" if accumulate else "".join(f"{name}.grad = None; " for name in leaves)
    return f"{clear}out = {call}; " + ("backward(out, seed)" if several else "out.backward(seed)")


def loop(statements: str, setup: str, names: Mapping[str, Any], clock: Clock, value: str = "None") -> tuple[Run, Callable[[], Any]]:
    """The timed loop over `statements`, which see `names` and what `setup` assigns, and a function for `value`."""
    text = _LOOP.format(names=", ".join(names), setup=setup or "pass", body=statements, value=value)
    scope: dict[str, Any] = {"clock": clock, "repeat": itertools.repeat}
    exec(text, scope)
    made: tuple[Run, Callable[[], Any]] = scope["make"](**names)
    return made


def calls_within(run: Run, seconds: float) -> int:
    """How many calls take about `seconds`; at least one. The first call is a warm-up."""
    run(1)
    calls = 1
    while (taken := run(calls)) < seconds / 4 and calls < 1_000_000:
        calls = max(calls * 2, min(calls * 100, int(calls * seconds / 3 / max(taken, 1e-7))))
    return max(1, round(calls * seconds / taken))


def in_turns(sides: Mapping[str, Run], seconds: float, rounds: int) -> list[dict[str, float]]:
    """For each round the seconds of one call of each side; about `seconds` in all. The order of the sides alternates."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        calls = {name: calls_within(run, seconds / rounds / len(sides)) for name, run in sides.items()}
        found = []
        for number in range(rounds):
            order = sorted(sides, key=list(sides).index, reverse=number % 2 == 0)
            times = {}
            for name in order:
                sides[name](1)  # what the other side left in the caches is not this side's affair
                times[name] = sides[name](calls[name]) / calls[name]
            found.append(times)
        return found
    finally:
        if collecting:
            gc.enable()
