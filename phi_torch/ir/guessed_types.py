"""Types of results that are a guess, as inference of types notes: PaddlePaddle's compiler takes sizes for others than a run may."""

from __future__ import annotations

from ._core import Operation, Value

UNPROVEN = "unproven_types"  # the attribute of such an operation


def gives_guesses(op: Operation) -> bool:
    return UNPROVEN in op.attributes


def is_guessed(value: Value) -> bool:
    return value.defining_op is not None and gives_guesses(value.defining_op)
