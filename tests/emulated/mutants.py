"""`make gpu-mutants`: leaves out each barrier and each bound of the code for GPUs in turn; every time a test must fail.

python -m emulated.mutants [FILE...], with PYTHONPATH=tests, tries those of some files. All of them are compiled into one library,
which is told which one to change. The battery runs once to see which tests reach which place; a changed place is then tried
with those, in a process of its own, until one fails.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch
from ops import cases
from ops.test_ops import ORDERS

from phi_torch._build import emulated as build
from phi_torch._build.ninja import write_if_changed

from . import device

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"
WORK = ROOT / "build" / "emulated-mutants"
BARRIER = re.compile(r"__sync(?:threads|warp)\(\);")
BOUND = re.compile(" < ")
CONSTANT = re.compile(r"\b(constexpr|alignas|template|const dim3)\b|^#")  # lines of which the compiler knows the values
TRAPS = ("-fsanitize=bounds", "-fsanitize-undefined-trap-on-error")  # where an index leaves an array of a thread or a block
CHECKS = ("values", "layouts", "gradients")  # of test_order
# (source, what becomes of the line or which barrier) -> why it makes no difference
HARMLESS: dict[tuple[str, str], str] = {}


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
    """A check of an operator, which places it reaches, and how long it takes in one order of blocks and threads."""

    op: str
    check: str
    reached: set[int] = field(default_factory=set)
    seconds: float = 0

    def run(self, order: tuple[str, int]) -> None:
        with device.emulated(*order):
            cases.check(self.check, self.op)


def device_code() -> Iterator[str]:
    """The sources for GPUs, below csrc/."""
    for file in sorted(CSRC.rglob("*.cu*")):
        if "emulated" not in file.parts:
            yield str(file.relative_to(CSRC))


def changeable(source: str, first: int) -> tuple[str, list[Mutant]]:
    """The source with places that can be changed, and these, numbered from `first`: a barrier is left out; a bound lets one more
    through, so that loops still end."""
    found: list[Mutant] = []
    lines = []
    barriers = 0
    for at, line in enumerate((CSRC / source).read_text().splitlines(), 1):
        code, comment = line.split("//")[0], line[len(line.split("//")[0]) :]
        changed = code
        for part in [*BOUND.finditer(code)][::-1] if not CONSTANT.search(code) else ():
            text = f"{code[: part.start()]} <= {code[part.end() :]}".strip()
            found.append(Mutant(first + len(found), source, at, text))
            changed = f"{changed[: part.start()]} <::phi::emulated::Less<{found[-1].number}>()> {changed[part.end() :]}"
        if part := BARRIER.search(code):
            barriers += 1
            found.append(Mutant(first + len(found), source, at, f"no barrier {barriers}"))
            changed = f"{code[: part.start()]}if (!::phi::emulated::IsChanged({found[-1].number})) {code[part.start() :]}"
        lines.append(changed + comment)
    return "\n".join(lines) + "\n", found


def compile_all() -> tuple[Path, list[Mutant]]:
    """The library, and what can be changed in it."""
    folder = WORK / "csrc"
    found: list[Mutant] = []
    write_if_changed(folder / "mutants.h", Path(__file__).with_name("mutants.h").read_text())
    for source in device_code():
        text, places = changeable(source, len(found) + 1)
        if places:
            (folder / source).parent.mkdir(parents=True, exist_ok=True)
            write_if_changed(folder / source, f'#include "mutants.h" {text}')  # before the comment of the first line
        found += places
    return build.compile_into(WORK, TRAPS, folder), found


def tests(reached: ctypes.Array[ctypes.c_ubyte]) -> Iterator[Test]:
    """Those that reach a place that can be changed. They pass."""
    for op in cases.names():
        for check in CHECKS:
            test = Test(op, check)
            ctypes.memset(reached, 0, len(reached))
            begin = time.process_time()
            try:
                test.run(ORDERS[-1])  # few blocks, and several: they walk the grid, and their results are combined
            except pytest.skip.Exception:
                break
            test.seconds = time.process_time() - begin
            test.reached = {number for number, seen in enumerate(reached) if seen}
            if test.reached:
                yield test


def outcome(number: int, tests: list[Test], mutant: ctypes.c_int) -> str:
    """What tests say of a changed place, in a process of their own, up to the first that fails."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            mutant.value = number
            for test, order in itertools.product(tests, ORDERS):
                signal.setitimer(signal.ITIMER_PROF, 10 + 10 * test.seconds)
                test.run(order)
            status = 0
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {0: "MISSED", -signal.SIGPROF: "does not end"}.get(status, "found")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", help="below csrc/; default: all")
    arguments = parser.parse_args()
    device.LIBRARY, mutants = compile_all()
    if unknown := sorted({*HARMLESS} - {(m.source, m.text) for m in mutants}):
        sys.exit(f"HARMLESS has what is not there: {unknown}")
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
        said = outcome(m.number, use, ctypes.c_int.in_dll(library, "phi_mutant")) if use else "NEVER RUNS"
        if said.isupper() and m.reason:
            said = "harmless"
        counts[said] = counts.get(said, 0) + 1
        print(f"{said:12} {m}{f' ({m.reason})' if said == 'harmless' else ''}", flush=True)
    print(", ".join(f"{count} {said}" for said, count in sorted(counts.items())))
    return any(said.isupper() for said in counts)


if __name__ == "__main__":
    sys.exit(main())
