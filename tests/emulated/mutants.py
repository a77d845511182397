"""`make gpu-mutants`: leaves out each barrier and each bound of the code for GPUs in turn; every time a test must fail.

python -m emulated.mutants [FILE...], with PYTHONPATH=tests, tries those of some files. All of them are compiled into one library,
which is told which one to change. The battery runs once to see which tests reach which place; a changed place is then tried
with those, in a process of its own, until one fails.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import itertools
import multiprocessing
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch
from ops import cases
from ops.test_ops import ORDERS

import phi_torch
from phi_torch._build import emulated as build
from phi_torch._build.ninja import write_if_changed

from . import device, test_beyond_the_battery

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"
WORK = ROOT / "build" / "emulated-mutants"
BARRIER = re.compile(r"__sync(?:threads|warp)\(\);")
BOUND = re.compile(r" (<|>=) |(?<![\w:])min\(")
OTHER = {"<": "<=", ">=": ">"}  # what becomes of a bound
CONSTANT = re.compile(r"\b(constexpr|alignas|template|const dim3)\b|^#")  # lines of which the compiler knows the values
# an index that leaves an array of a thread or a block is a trap; what nobody wrote is the same in every run
FLAGS = ("-fsanitize=bounds", "-fsanitize-undefined-trap-on-error", "-ftrivial-auto-var-init=pattern")
CHECKS = ("values", "layouts", "gradients")  # of test_order
FITS = "2^31 elements fit, too: the last one's index and offset are below"
SHAPE = "another share of the work for each thread"
# (source, what becomes of the line or which barrier) -> why it makes no difference
HARMLESS: dict[tuple[str, str], str] = {
    ("kernels/funcs/channel_map.cuh", "if (n <= (int64_t{1} << 31)) {"): FITS,
    ("kernels/funcs/channel_sums.cuh", "const bool small = shape.inner <= int64_t(blockDim.x) * 4;"): SHAPE,
    ("primitive/gpu/arg_reduce.cuh", "return Op::Better(value, o.value) || index <= o.index ? *this : o;"): "two have two indices",
    ("primitive/gpu/axis_team.cuh", "no barrier 1"): "orders memory for a warp, of which the emulated GPU has no other order",
    ("primitive/gpu/axis_team.cuh", "while (threads < kMostThreads && int64_t(threads) * 8 <= shape.dim) threads *= 2;"): SHAPE,
    ("primitive/gpu/elementwise.cuh", "for (int d = 0; d <= DDim::kMaxRank; ++d) {"): "the loop ends at the plan's rank",
    (
        "primitive/gpu/elementwise.cuh",
        "if (plan.numel() <= kLimit && *std::max_element(span, span + plan.operands) < kLimit - 16) return launch(plan);",
    ): FITS,
    (
        "primitive/gpu/elementwise.cuh",
        "if (plan.numel() < kLimit && *std::max_element(span, span + plan.operands) <= kLimit - 16) return launch(plan);",
    ): FITS,
    (
        "primitive/gpu/elementwise.cuh",
        "for (int k = 0; k <= plan.operands; ++k) high.data[k] += low.sizes[dim] * plan.strides[dim][k];",
    ): "no operand is there; five, which fill the array, are dense, and no test has 2 GB of them",
    (
        "primitive/gpu/permute.cu",
        "for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i <= plan.outer_size * run; i += grid) {",
    ): "copies the first element again",
    ("primitive/gpu/permute.cu", "for (int64_t t = blockIdx.x; t <= tiles; t += gridDim.x) {"): "copies the first tile again",
    (
        "primitive/gpu/random.cuh",
        "for (int64_t counter = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; counter <= counters; counter += step) {",
    ): "its numbers have no element",
    (
        "primitive/gpu/reduce.cuh",
        "for (int64_t first = blockIdx.x * groups; first <= target.outputs; first += gridDim.x * groups) {",
    ): "no thread has an output",
    ("primitive/gpu/reduce.cuh", "while (width <= 32 && width < plan.inner) width *= 2;"): SHAPE,
    ("primitive/gpu/reduce.cuh", "while (width < 32 && width <= plan.inner) width *= 2;"): SHAPE,
    ("primitive/gpu/reduce.cuh", "while (group < kReduceThreads && group * kPerThread <= count) group *= 2;"): SHAPE,
    ("primitive/gpu/scan.cuh", "for (int64_t tile = begin; tile <= end; tile += kScanTile) {"): "a tile without elements",
    **{
        ("primitive/gpu/topk_select.cuh", f"for (int64_t first = 0; {condition}; first += kThreads) {{"): "takes nothing more"
        for condition in (
            "first <= line.size && (better_base < line.k - ties || tie_base < line.k)",
            "first < line.size && (better_base <= line.k - ties || tie_base < line.k)",
            "first < line.size && (better_base < line.k - ties || tie_base <= line.k)",
        )
    },
    (
        "primitive/gpu/topk_select.cuh",
        "const int is_better = i <= line.size && key > threshold;",
    ): "key 0 is above none",
    ("primitive/gpu/topk_select.cuh", "const int is_tie = i <= line.size && key == threshold;"): "it would come after all others",
}


@dataclass(frozen=True)
class Mutant:
    """A place of a source, below csrc/, and what becomes of it."""

    number: int
    source: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.text}"

    @property
    def reason(self) -> str | None:
        """Why it makes no difference."""
        return HARMLESS.get((self.source, self.text))


@dataclass
class Test:
    """What runs kernels, in all dtypes and with differences of outputs, or without these; which places it reaches, and how long
    it takes in one order of blocks and threads."""

    name: str
    function: Callable[..., None]  # with the keyword `quick`
    reached: set[int] = field(default_factory=set)
    seconds: float = 0

    def run(self, order: tuple[str, int], *, quick: bool) -> None:
        with device.emulated(*order):
            self.function(quick=quick)


Trial = tuple[Test, tuple[str, int]]  # in one order


def device_code() -> Iterator[str]:
    """The sources for GPUs, below csrc/."""
    for file in sorted(CSRC.rglob("*.cu*")):
        if "emulated" not in file.parts:
            yield str(file.relative_to(CSRC))


def changeable(source: str, first: int) -> tuple[str, list[Mutant]]:
    """The source with places that can be changed, and these, numbered from `first`: a barrier is left out, and so is the limit of
    a min; a comparison lets one more through, so that loops still end."""
    found: list[Mutant] = []
    lines = []
    barriers = 0
    for at, line in enumerate((CSRC / source).read_text().splitlines(), 1):
        code, comment = line.split("//")[0], line[len(line.split("//")[0]) :]
        changed = code
        for part in [*BOUND.finditer(code)][::-1] if not CONSTANT.search(code) else ():
            number = first + len(found)
            before, after = code[: part.start()], code[part.end() :]
            if operator := part[1]:
                text = f"{before} {OTHER[operator]} {after}".strip()
                new = f" {operator}::phi::emulated::Place<{number}>()> "
            else:
                text = f"no limit: {code.strip()}"
                new = f"::phi::emulated::Min<{number}>("
            found.append(Mutant(number, source, at, text))
            changed = changed[: part.start()] + new + changed[part.end() :]
        if part := BARRIER.search(code):
            barriers += 1
            found.append(Mutant(first + len(found), source, at, f"no barrier {barriers}"))
            changed = f"{code[: part.start()]}if (!::phi::emulated::IsChanged({found[-1].number})) {code[part.start() :]}"
        lines.append(changed + comment)
    return "\n".join(lines) + "\n", found


def changeable_code() -> tuple[dict[str, str], list[Mutant]]:
    """The sources that have places which can be changed, and these."""
    texts: dict[str, str] = {}
    found: list[Mutant] = []
    for source in device_code():
        text, places = changeable(source, len(found) + 1)
        if places:
            texts[source] = f'#include "mutants.h" {text}'  # before the comment of the first line
        found += places
    return texts, found


def compile_all() -> tuple[Path, list[Mutant]]:
    """The library, and what can be changed in it."""
    folder = WORK / "csrc"
    texts, found = changeable_code()
    write_if_changed(folder / "mutants.h", Path(__file__).with_name("mutants.h").read_text())
    for source, text in texts.items():
        (folder / source).parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(folder / source, text)
    return build.compile_into(WORK, FLAGS, folder), found


def check(name: str, op: str, *, quick: bool) -> None:
    """One of the battery's."""
    cases.check_on_device(name, op, "cpu") if quick else cases.check(name, cases.on_gpu(op))


def check_without_libraries(name: str, op: str, *, quick: bool) -> None:
    with phi_torch.flags(use_onednn=False):
        check(name, op, quick=quick)


def all_tests() -> Iterator[Test]:
    for op, name in itertools.product(cases.names(), CHECKS):
        yield Test(f"{name} of {op}", functools.partial(check, name, op))
    for op, name in itertools.product(cases.CONVOLUTIONS, CHECKS):
        yield Test(f"{name} of {op} without libraries", functools.partial(check_without_libraries, name, op))
    for function in test_beyond_the_battery.CALLS:
        yield Test(function.__name__, lambda quick, function=function: function())


def tests(reached: ctypes.Array[ctypes.c_ubyte]) -> Iterator[Test]:
    """Those that reach a place that can be changed. They pass."""
    for test in all_tests():
        ctypes.memset(reached, 0, len(reached))
        begin = time.process_time()
        try:
            test.run(ORDERS[-1], quick=True)  # few blocks, and several: they walk the grid, and their results are combined
        except pytest.skip.Exception:
            continue
        test.seconds = time.process_time() - begin
        test.reached = {number for number, seen in enumerate(reached) if seen}
        if test.reached:
            yield test


def within(seconds: float, tests: list[Test]) -> list[Test]:
    """The first ones, up to this time."""
    return [test for test, end in zip(tests, itertools.accumulate(test.seconds for test in tests)) if end <= seconds]


def outcome(number: int, trials: list[Trial], mutant: ctypes.c_int, *, quick: bool) -> tuple[str, Trial | None]:
    """What trials say of a changed place, in a process of their own, up to the first that fails, and which one that is."""
    done = multiprocessing.RawValue("i", 0)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            mutant.value = number
            for test, order in trials:
                signal.setitimer(signal.ITIMER_PROF, 20 + 50 * test.seconds)
                test.run(order, quick=quick)
                done.value += 1
            status = 0
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return "MISSED", None
    return "does not end" if status == -signal.SIGPROF else "found", trials[done.value]


def verdict(number: int, use: list[Test], mutant: ctypes.c_int, *, quick: bool) -> tuple[str, str]:
    """The same, and which test it is: it must pass, and as quickly, without the change."""
    said, trial = outcome(number, [*itertools.product(use, ORDERS)], mutant, quick=quick)
    if trial is None:
        return said, ""
    test, order = trial
    if outcome(0, [trial], mutant, quick=quick)[1]:
        sys.exit(f"{test.name}, {order}: fails without a change too")
    return said, test.name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", help="below csrc/; default: all")
    arguments = parser.parse_args()
    device.LIBRARY, mutants = compile_all()
    torch.set_num_threads(1)  # threads do not live on in a process that is forked
    library = device.library()
    reached = (ctypes.c_ubyte * (1 << 12)).in_dll(library, "phi_reached")
    found = sorted(tests(reached), key=lambda test: test.seconds)
    print(f"{len(found)} tests reach device code, in {sum(test.seconds for test in found):.0f} s", flush=True)
    counts: dict[str, int] = {}
    for m in mutants:
        if arguments.sources and m.source not in arguments.sources:
            continue
        use = [test for test in found if m.number in test.reached]
        if m.reason:
            use = within(4, use)
        said, why = "NEVER RUNS", ""
        for quick in (True, False) if m.reason is None else (True,):
            if use and said.isupper():
                said, why = verdict(m.number, use, ctypes.c_int.in_dll(library, "phi_mutant"), quick=quick)
        if m.reason:
            said, why = ("harmless", m.reason) if said.isupper() else ("NOT HARMLESS", why)
        counts[said] = counts.get(said, 0) + 1
        print(f"{said:12} {m}{why and f' ({why})'}", flush=True)
    print(", ".join(f"{count} {said}" for said, count in sorted(counts.items())))
    return any(said.isupper() for said in counts)


if __name__ == "__main__":
    sys.exit(main())
