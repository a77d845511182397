"""What operators cost to build: `python benchmarks/build_cost.py [--all | --sample N]`, or `--edit csrc/infermeta/unary.h`.

Compiles units of the last `make build` again, one at a time, without a compiler cache and into a temporary folder, and counts
their CPU seconds. An operator, its gradients included, costs its own units and its part, by the lines, of those that are
generated for many. `--all` compiles everything; a sample estimates a clean build from the means of each group. `--edit` adds a
comment to a header and counts what it takes until `make build` is done and a test of one operator has run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import ninja

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from codegen.load import load  # noqa: E402
from codegen.model.op import Op, OpSet  # noqa: E402

GENERATED = ROOT / "build" / "phi_gen"
ELEMENTWISE = ("unary", "binary")
TEST = "tests/ops/test_ops.py -k relu-values-cpu"
_ENTRY = re.compile(r"^ *// yaml/\S+, (\w+)$", re.MULTILINE)
_INCLUDED = re.compile(r'^#include "(\S+)"$', re.MULTILINE)
_SHARD = re.compile(r"(_\d+|_\w+)?\.cc\.o$")


@dataclass(frozen=True)
class Unit:
    """What one command compiles; `lines` of each operator in it, none in a unit that serves all."""

    output: str
    command: str
    folder: Path
    group: str
    lines: Mapping[str, int]

    def seconds(self) -> float:
        with tempfile.TemporaryDirectory() as temporary:
            command, _, _ = self.command.partition(" && ")  # without the checksum for a compiler cache
            return cpu_seconds(command.replace(self.output, f"{temporary}/out"), self.folder)


def cpu_seconds(command: str, folder: Path) -> float:
    """User and system seconds of a shell command and of all that it starts.

    Raises:
        SystemExit: it failed.
    """
    before = os.times()
    if subprocess.call(command, cwd=folder, shell=True, env={**os.environ, "CCACHE_DISABLE": "1"}, stdout=subprocess.DEVNULL):
        raise SystemExit(f"failed: {command}")
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def forward_of(op: Op, opset: OpSet) -> str:
    """The operator whose gradient this is, or itself."""
    known = op.forward is not None and op.forward.name in opset and op.forward.name != op.name
    return forward_of(opset[op.forward.name], opset) if known and op.forward else op.name


def units(opset: OpSet) -> list[Unit]:
    """All units of the last build."""
    built = (ROOT / "build").glob(f"{sys.implementation.cache_tag}-torch*/develop.ninja")
    file = max(built, key=lambda path: path.stat().st_mtime, default=None)
    if file is None:
        raise SystemExit("nothing is built; run `make build`")
    command = [Path(ninja.BIN_DIR) / "ninja", "-C", file.parent, "-f", file.name, "-t", "compdb", "cxx", "pch"]
    entries = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return [Unit(e["output"], e["command"], file.parent, *group_and_lines(e["output"], opset)) for e in entries]


def group_and_lines(output: str, opset: OpSet) -> tuple[str, Mapping[str, int]]:
    library, _, name = output.removeprefix("objects/").partition("/")
    if name.endswith(".gch"):
        return "precompiled headers", {}
    folder, stem = name.split("/")[0], Path(name).name
    source = GENERATED / name.removesuffix(".o")
    if folder == "kernels":
        files = _INCLUDED.findall(source.read_text()) if stem.startswith("together_") else [stem.removesuffix(".cc.o")]
        ops = [op for file in files if (op := Path(file).stem.removesuffix("_kernel")) in opset]
        return ("kernels", Counter(forward_of(opset[op], opset) for op in ops)) if ops else ("kernels of no operator", {})
    if not source.exists() or (stem.startswith("together_") and "infermeta" not in name):
        return f"{'cpu' if library.startswith('phi_cpu') else library}: {folder}", {}
    lines: dict[str, int] = defaultdict(int)
    marks = list(_ENTRY.finditer(text := source.read_text()))
    for mark, end in zip(marks, [mark.start() for mark in marks[1:]] + [len(text)]):
        lines[forward_of(opset[mark[1]], opset)] += text.count("\n", mark.start(), end)
    # what names no entry has about as much of each operator
    return f"generated {_SHARD.sub('', stem)}", lines or {op.name: 1 for op in opset.forward_ops}


def sample(found: list[Unit], ops: set[str], count: int) -> list[Unit]:
    """The kernels of these operators, and up to `count` units of each other group."""
    chosen: dict[str, list[Unit]] = defaultdict(list)
    for unit in random.Random(7).sample(found, len(found)):
        if not ops.isdisjoint(unit.lines) if unit.group == "kernels" else len(chosen[unit.group]) < count:
            chosen[unit.group].append(unit)
    return [unit for group in chosen.values() for unit in group]


def report(found: list[Unit], measured: Mapping[str, float], kinds: Mapping[str, list[str]]) -> None:
    """Prints the groups, the whole build, and the median operator of each kind."""
    groups: dict[str, list[Unit]] = defaultdict(list)
    for unit in found:
        groups[unit.group].append(unit)
    total, cost = 0.0, {name: 0.0 for names in kinds.values() for name in names}
    print(f"{'CPU seconds':32}{'units':>7}{'each':>8}{'all':>8}")
    for group, members in groups.items():
        known = [unit for unit in members if unit.output in measured]
        mean = statistics.mean(measured[unit.output] for unit in known)
        total += mean * len(members)
        print(f"{group:32}{len(members):7}{mean:8.1f}{mean * len(members):8.0f}")
        lines = sum(sum(unit.lines.values()) for unit in known)
        for unit in members if group != "kernels" else known:
            share = measured[unit.output] / sum(unit.lines.values()) if group == "kernels" else mean * len(known) / max(lines, 1)
            for op, count in unit.lines.items():
                cost[op] += share * count
    print(f"clean build: {total / 60:.1f} CPU minutes")
    compiled = {op for unit in found if unit.group == "kernels" and unit.output in measured for op in unit.lines}
    for kind, names in kinds.items():
        seconds = [cost[name] for name in names if name in compiled]
        print(f"{kind}: median {statistics.median(seconds):.1f} s of {len(seconds)} operators, the most {max(seconds):.1f} s")


def edit(header: Path) -> None:
    """Prints what an edit of a header costs, and takes it back."""
    text, start = header.read_text(), time.monotonic()
    try:
        header.write_text(f"{text}// an edit\n")
        build = cpu_seconds(f"{sys.executable} setup.py --quiet build_ext --inplace", ROOT)
        test = cpu_seconds(f"{sys.executable} -m pytest -q {TEST}", ROOT)
        print(f"{header.name} edited: {build:.0f} CPU s to build, {test:.0f} for a test; {time.monotonic() - start:.0f} s in all")
    finally:
        header.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description="What operators cost to build, in CPU seconds.")
    parser.add_argument("--all", action="store_true", help="compile every unit")
    parser.add_argument("--sample", type=int, default=8, metavar="N", help="operators of a kind, and units of a group; default 8")
    parser.add_argument("--edit", type=Path, metavar="HEADER", help="measure the edit of a header instead")
    options = parser.parse_args()
    if options.edit:
        return edit(options.edit.resolve())
    opset, diagnostics = load()
    assert not diagnostics, diagnostics.render()
    kinds: dict[str, list[str]] = {"elementwise": [], "general": []}
    for op in opset.forward_ops:
        kinds["elementwise" if op.category in ELEMENTWISE else "general"].append(op.name)
    found = units(opset)
    count = len(found) if options.all else options.sample
    ops = {name for names in kinds.values() for name in random.Random(7).sample(names, min(count, len(names)))}
    report(found, {unit.output: unit.seconds() for unit in sample(found, ops, count)}, kinds)


if __name__ == "__main__":
    main()
