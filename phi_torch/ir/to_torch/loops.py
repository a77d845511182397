"""Loops whose rounds are known before they run: `scan` and `map` of torch, and loops over a range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ... import ir
from .values import Numbers, Values


class Rounds(NamedTuple):
    """The number that a loop counts with: which of its values that is, and its range."""

    counter: int
    start: Numbers
    stop: int
    step: int


def known_rounds(op: ir.Operation, values: Values) -> Rounds | None:
    """Of a `pd_op.while` that fills or reads arrays, which have no place in a `torch.while_loop`; None where only a run tells."""
    (block,) = op.regions[0].blocks
    inner = list(_inside(block))
    if not any(_is_array(value) for one in inner for value in one.operands):
        return None
    again, *ends = block.operations[-1].operands
    test = again.defining_op if again is not None else None
    first = op.operands[0].defining_op if op.operands[0] is not None else None
    if test is None or first is None or {test.name, first.name} != {"pd_op.less_than"}:
        return None
    after, limit = test.operands
    counts = after.defining_op if after is not None and after in ends else None
    if counts is None or counts.name != "pd_op.scale":
        return None
    index = ends.index(after)
    counter = block.arguments[index]
    if counts.operands[0] != counter or first.operands != [op.operands[1 + index], limit]:
        return None
    if _are_written(inner, {counter, after, limit}):
        return None
    start, stop = (_constant(one, values) for one in first.operands)
    scale = counts.attributes["scale"] if counts.operands[1] is None else None
    step = counts.attributes["bias"]
    if start is None or stop is None or scale != 1 or step < 1 or step != int(step):
        return None
    return Rounds(index, start, stop.items[0], int(step))


def _inside(block: ir.Block) -> Iterator[ir.Operation]:
    for op in block.operations:
        yield op
        for region in op.regions:
            for one in region.blocks:
                yield from _inside(one)


def _is_array(value: ir.Value | None) -> bool:
    return value is not None and value.type is not None and value.type.kind == "dense_tensor_array"


def _are_written(operations: list[ir.Operation], values: set[ir.Value | None]) -> bool:
    return any(op.operands[i] in values for op in operations for i in op.effects.written)


def _constant(value: ir.Value | None, values: Values) -> Numbers | None:
    """One number that is known here."""
    known = values.known(value)
    is_one = isinstance(known, Numbers) and known.is_constant and len(known.items) == 1 and "int" in known.dtype
    return known if is_one else None  # type: ignore[return-value]
