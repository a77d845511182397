"""`benchmarks/shapes.yaml`, read and checked: what is timed."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DIRECTIONS = ("forward", "recording", "forward+backward")
SIDES = ("ours", "aten", "paddle")
KINDS = ("normal", "data", "positive", "bool", "tensors", "zeros", "shape")
KEYS = {"inputs", "shapes", "ours", "ours_op", "aten", "aten_op", "paddle"}
OPTIONAL = {"setup", "result", "bytes", "directions", "dtypes", "compiled"}


@dataclass(frozen=True)
class Case:
    """What tells one row from another."""

    op: str  # the entry's name: an operator, and what is special about its inputs, as `sum axis 0`
    entry: str  # "call": phi_torch.X against torch.X; "op": torch.ops.phi.X against torch.ops.aten.X
    size: str
    dtype: str
    direction: str  # of DIRECTIONS; "recording" is forward with inputs that require gradients
    threads: int

    @property
    def operator(self) -> str:
        return self.op.split()[0]


@dataclass(frozen=True)
class Shapes:
    """The file's content."""

    sizes: Sequence[str]
    dtypes: Sequence[str]
    compiled: Sequence[str]
    figures: Sequence[Mapping[str, Any]]
    ops: Mapping[str, Mapping[str, Any]]

    def cases(self, only: str, sizes: Sequence[str], dtypes: Sequence[str], threads: int) -> Iterator[Case]:
        """The rows of the ops whose name contains `only`: the overhead of calls on one thread first, then throughput."""
        ops = {op: entry for op, entry in self.ops.items() if only in op}
        for op, entry in ops.items():
            if threads == 1 and "tiny" in sizes and "tiny" in entry["shapes"]:
                for direction in entry.get("directions", DIRECTIONS):
                    yield Case(op, "call", "tiny", self.dtypes[0], direction, threads)
                for direction in entry.get("directions", DIRECTIONS)[:2] if "aten_op" in entry else ():
                    yield Case(op, "op", "tiny", self.dtypes[0], direction, threads)
        for op, entry in ops.items():
            for dtype in (d for d in entry.get("dtypes", self.dtypes) if d in dtypes):
                for direction in entry.get("directions", ("forward", "forward+backward")):
                    for size in (s for s in self.sizes if s in sizes and s in entry["shapes"] and s != "tiny"):
                        yield Case(op, "call", size, dtype, direction, threads)

    def inputs(self, case: Case) -> list[dict[str, Any]]:
        """The inputs of a row: {name, kind, shape, below}."""
        entry = self.ops[case.op]
        kinds = _kinds(entry)
        shapes = dict(zip(kinds, entry["shapes"][case.size]))
        found = []
        for name, kind in kinds.items():
            below = None
            if match := re.fullmatch(r"(index|label)\((\w+)\)", kind):
                kind, below = match[1], shapes[match[2]][0 if match[1] == "index" else -1]
            found.append({"name": name, "kind": kind, "shape": shapes[name], "below": below})
        return found

    def call(self, case: Case, side: str) -> str | None:
        """The expression of a side, if it has one."""
        entry = self.ops[case.op]
        found: str | None = entry.get(side)
        if case.entry == "call":
            return found
        found = entry.get(f"{side}_op", found)
        return re.sub(rf"\bphi\.{case.operator}\(", f"phi.{case.operator}.default(", str(found)) if side == "ours" else found


def load(file: Path) -> Shapes:
    """
    Raises:
        ValueError: the file does not say what it must; the message names the entry.
        FileNotFoundError: there is no such file.
    """
    yaml: Any = importlib.import_module("yaml")  # by name: a checkout has a folder `yaml`, which hides it from mypy
    content = yaml.safe_load(file.read_text())
    for key in ("sizes", "dtypes", "ops"):
        if not isinstance(content, dict) or not content.get(key):
            raise ValueError(f"{file}: '{key}' is missing")
    for op, entry in content["ops"].items():
        if problem := _problem(entry, content["sizes"]):
            raise ValueError(f"{file}: op '{op}': {problem}")
    return Shapes(content["sizes"], content["dtypes"], content.get("compiled", []), content.get("figures", []), content["ops"])


def _kinds(entry: Mapping[str, Any]) -> dict[str, str]:
    inputs = entry["inputs"]
    return dict(inputs) if isinstance(inputs, dict) else {name: "normal" for name in inputs}


def _problem(entry: Mapping[str, Any], sizes: Sequence[str]) -> str:
    if missing := sorted({"inputs", "shapes", "ours", "aten"} - set(entry)):
        return f"'{missing[0]}' is missing"
    if unknown := sorted(set(entry) - KEYS - OPTIONAL):
        return f"there is no key '{unknown[0]}'; expected one of {', '.join(sorted(KEYS | OPTIONAL))}"
    kinds = _kinds(entry)
    for name, kind in kinds.items():
        match = re.fullmatch(r"(?:index|label)\((\w+)\)", kind)
        if kind not in KINDS and not (match and match[1] in kinds):
            return f"input '{name}' is '{kind}'; expected {', '.join(KINDS)}, or index(w), label(w) of an input w"
    for size, shapes in entry["shapes"].items():
        if size not in sizes:
            return f"there is no size '{size}'; expected one of {', '.join(sizes)}"
        if len(shapes) != len(kinds):
            return f"{size} has {len(shapes)} shapes for {len(kinds)} inputs ({', '.join(kinds)})"
    for direction in entry.get("directions", ()):
        if direction not in DIRECTIONS:
            return f"there is no direction '{direction}'; expected one of {', '.join(DIRECTIONS)}"
    return ""
