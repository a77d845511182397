"""Sequences of which each takes one of two branches of a program, by a mask: apart, and together again."""

from __future__ import annotations

import torch
from torch import Tensor

from .._operators import Operands, operator
from ..lod import lengths_of, lod_of, offsets_of, with_lod
from .rank_tables import gathered
from .sequences import same_count


def _mask(op: Operands) -> list[bool]:
    return [bool(one) for one in op.input("Mask").flatten().tolist()]


@operator("split_lod_tensor", inputs=["X", "Mask"], outputs=["OutTrue", "OutFalse"], attrs={"level": 0})
def split_lod_tensor(op: Operands) -> None:
    """The sequences of a level for which the mask is true, and the others; rows where there are no levels."""
    x, mask, level = op.input("X"), _mask(op), op.attr("level")
    lod = lod_of(x)
    if lod and not 0 <= level < len(lod):
        raise ValueError(f"attribute level: expected 0 to {len(lod) - 1}, got {level}")
    inner = lod[level:]
    same_count("X", len(inner[0]) - 1 if inner else x.shape[0], "Mask", len(mask))
    for slot, wanted in (("OutTrue", True), ("OutFalse", False)):
        some = [(at, at + 1) for at, one in enumerate(mask) if one == wanted]
        op.set(slot, gathered(x, inner, some) if some else with_lod(x, [])[:0])


@operator("merge_lod_tensor", inputs=["X", "Mask", "InTrue", "InFalse"], outputs=["Out"], attrs={"level": 0})
@operator("merge_lod_tensor_infer", inputs=["X", "Mask", "InTrue", "InFalse"], outputs=["Out"], attrs={"level": 0})
def merge_lod_tensor(op: Operands) -> None:
    """One after the other from where the mask says; levels above those are those of `X`. A branch without a sequence need not
    have run."""
    mask = _mask(op)
    branches = {True: _branch(op, "InTrue"), False: _branch(op, "InFalse")}
    for is_true, slot in ((True, "InTrue"), (False, "InFalse")):
        one = branches[is_true]
        has = 0 if one is None else len(lod_of(one)[0]) - 1 if lod_of(one) else one.shape[0]
        same_count(slot, has, "Mask", mask.count(is_true))
    given = [one for one in branches.values() if one is not None]
    if not given:
        raise ValueError("slots InTrue and InFalse: expected a tensor in one of them, got none")
    both = torch.cat([with_lod(one, []) for one in given])
    levels = max((lod_of(one) for one in given), key=len)
    first = mask.count(True) if branches[True] is not None else 0  # numbers of sequences of InFalse go on behind those of InTrue
    numbers, left = [], {True: 0, False: first}
    for is_true in mask:
        numbers.append(left[is_true])
        left[is_true] += 1
    joined = [offsets_of([length for one in given for length in lengths_of(lod_of(one)[at])]) for at in range(len(levels))]
    found = gathered(both, joined, [(at, at + 1) for at in numbers])
    coarse = lod_of(op.input("X"))[: op.attr("level")]
    op.set("Out", with_lod(found, [*coarse, *lod_of(found)]))


def _branch(op: Operands, slot: str) -> Tensor | None:
    values = op.inputs(slot)
    return values[0] if values else None
