"""Types of results that are a guess, as inference of types notes: PaddlePaddle's compiler takes sizes for others than a run may."""

from __future__ import annotations

from ._core import Operation, Value

UNPROVEN = "unproven_types"  # the attribute of such an operation


def gives_guesses(op: Operation) -> bool:
    return UNPROVEN in op.attributes


def is_guessed(value: Value) -> bool:
    return value.defining_op is not None and gives_guesses(value.defining_op)


class GuessedRanks:
    """Values that may be of another rank than their type's: what a squeeze of a size that nobody knows gives, and all after it.

    Operations are noted in their order.
    """

    def __init__(self) -> None:
        self._values: set[Value] = set()

    def __contains__(self, value: Value | None) -> bool:
        return value in self._values

    def note(self, op: Operation) -> None:
        if gives_guesses(op) and (op.regions or _squeezes_unknown(op) or any(one in self._values for one in op.operands)):
            self._values.update(op.results)


def _squeezes_unknown(op: Operation) -> bool:
    """Whether an operation drops sizes of which the types do not say that they are 1."""
    if op.name.rstrip("_") != "pd_op.squeeze":
        return False
    (x, axes), (result, *_) = op.operands, op.results
    if x is None or x.type is None or result.type is None:
        return True
    found = op.attributes.get("axis") if axes is None else axes.defining_op and axes.defining_op.attributes.get("value")
    return not isinstance(found, list) or not found or any(x.type.shape[axis] != 1 for axis in found)
