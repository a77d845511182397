"""The kernel that an operator is mapped to, and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .. import _C
from ._definition import definition, is_text
from .description import EMPTY, OpDesc

UNREGISTERED = "unregistered"  # the kernel where there is none for the kinds of variables in the slots
MAPPED = ("INT", "FLOAT", "STRING", "INTS", "FLOATS", "STRINGS", "BOOLEAN", "BOOLEANS", "LONG", "LONGS", "FLOAT64", "FLOAT64S")


class Signature(NamedTuple):
    """A kernel, the slots of its inputs, its attributes and the slots of its outputs, each in the kernel's order.

    An attribute may be an input slot, whose tensors hold the value.
    """

    kernel: str
    inputs: tuple[str, ...]
    attrs: tuple[str, ...]
    outputs: tuple[str, ...]

    def __str__(self) -> str:
        inputs, attrs, outputs = (",".join(names) for names in self[1:])
        return f"{self.kernel} ({inputs} ; {attrs} -> {outputs})"


def signature(op: OpDesc, kind: Callable[[str], str]) -> Signature | None:
    """What an operator is mapped to; `kind` says what a variable is. None for an operator that is unknown.

    Raises:
        ValueError: it lacks what the mapping asks for.
    """
    defined = definition(op.type)
    if defined is None:
        return None
    inputs, outputs = (
        {slot: [kind(name) for name in names if name != EMPTY] for slot, names in slots.items() if is_text(slot)}
        for slots in (op.inputs, op.outputs)
    )
    given = {**defined.defaults, **{name: one for name, one in op.attrs.items() if name in defined.attrs}}
    attrs = {name: tuple(one) for name, one in given.items() if one.type in MAPPED and _is_text(one.value)}
    try:
        found = Signature(*_C.map_arguments(op.type, inputs, outputs, attrs, False))
    except RuntimeError as error:
        raise ValueError(f"it has no mapping: {error}") from None
    return found._replace(kernel=f"legacy_{found.kernel}") if _assigns_otherwise(op) else found


def _assigns_otherwise(op: OpDesc) -> bool:
    """Whether a part that is assigned may go backwards, or has dimensions added: programs mean other ends and places."""
    if op.type != "set_value":
        return False
    steps, added = (op.attrs[name].value if name in op.attrs else [] for name in ("steps", "none_axes"))
    return bool(added or op.inputs.get("StepsTensorList")) or (isinstance(steps, list) and any(step < 0 for step in steps))


def _is_text(value: Any) -> bool:
    return all(map(is_text, value)) if isinstance(value, list) else is_text(value)


def signatures(type: str) -> list[Signature]:
    """All that an operator can be mapped to, without running its mapping.

    Raises:
        RuntimeError: there is no such operator.
    """
    return [Signature(*found) for found in _C.signatures(type)]
