"""`inspect` of a Paddle 3 program, of a `.phi` file or of a `.pt2` file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .. import ir
from ..ir.files import find_program
from . import _table


def lines(path: Path) -> Iterator[str]:
    """What the program is made of, and what of it is missing."""
    file = find_program(path)
    program = ir.load(file)
    operations = list(program.walk())
    blocks = 1 + sum(len(region.blocks) for op in operations for region in op.regions)
    yield f"{file}: {len(operations)} operators in {blocks} block{'s' * (blocks > 1)}, {len(program.weights)} parameters"
    for op in operations:
        if op.name in ("pd_op.data", "pd_op.fetch"):
            title = "input " if op.name == "pd_op.data" else "output"
            yield f"{title}  {op.attributes['name']} {op.results[0].type}"
    yield from _rows(program.block, "")
    yield from missing(operations)


def _rows(block: ir.Block, title: str) -> Iterator[str]:
    shown = [op for op in block.operations if op.name != "builtin.parameter"]
    yield title
    yield from _table.lines(("operator", "operands", "results"), [_row(op) for op in shown])
    for index, op in enumerate(shown):
        for number, region in enumerate(op.regions):
            for inner in region.blocks:
                yield from _rows(inner, f"\nregion {number} of operator {index} ({op.name}){title.replace(chr(10), ' of ')}")


def _row(op: ir.Operation) -> tuple[str, ...]:
    names = [one.name for one in op.info.inputs] if op.info.is_registered else []
    names += [""] * (len(op.operands) - len(names))
    operands = [
        f"{name}: {value.type}" if name else str(value.type) for name, value in zip(names, op.operands) if value is not None
    ]
    is_known = "" if op.info.is_registered else " (missing)"
    return op.name + is_known, "; ".join(operands), "; ".join(str(value.type) for value in op.results if value.type is not None)


def missing(operations: list[ir.Operation]) -> Iterator[str]:
    """The operators that nobody declares, and how often each is there."""
    counts = Counter(op.name for op in operations if not op.info.is_registered)
    if counts:
        total = sum(counts.values())
        yield f"\n{total} operator{'s' * (total > 1)} cannot run"
        yield from (f"  {count} x operator '{name}'" for name, count in counts.most_common())
