"""Operators whose operands may be real and complex: Paddle makes them of one data type for the kernel."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ._step import Run, Values
from .description import EMPTY, OpDesc

# without the elementwise operators, whose kernels promote
_FORWARD = ("matmul_v2", "kron")
_ELEMENTWISE = tuple(f"elementwise_{name}" for name in ("add", "sub", "mul", "div"))
PROMOTED = {*_FORWARD, *(f"{name}_grad" for name in (*_FORWARD, *_ELEMENTWISE))}


def mixes(op: OpDesc, dtype: Callable[[str], torch.dtype | None]) -> bool:
    """Whether one operand is complex and the other one is not; `dtype` says what a variable is of."""
    if op.type not in PROMOTED:
        return False
    found = [dtype(name) for slot in ("X", "Y") for name in op.inputs.get(slot, [])]
    return len({one.is_complex for one in found if one is not None}) == 2


def promoted(run: Run, op: OpDesc, key: Callable[[str], str]) -> Run:
    """`run` on operands of one data type. The gradient of a real one is real."""
    places = {slot: key(op.inputs[slot][0]) for slot in ("X", "Y")}
    names = {slot: op.outputs.get(f"{slot}@GRAD", []) for slot in places}
    gradients = {slot: key(found[0]) for slot, found in names.items() if found and found[0] != EMPTY}
    written = {key(name) for found in op.outputs.values() for name in found}

    def both(values: Values) -> None:
        given = {slot: values[place] for slot, place in places.items()}
        wanted = torch.promote_types(*(one.dtype for one in given.values()))
        for slot, place in places.items():
            values[place] = given[slot].to(wanted)
        try:
            run(values)
        finally:
            values.update({place: given[slot] for slot, place in places.items() if place not in written})
        for slot, place in gradients.items():
            if not given[slot].is_complex():
                _make_real(values, place)

    return both


def with_real(run: Run, places: list[str]) -> Run:
    """`run`, after which these are real: the gradients of real numbers are, whatever a kernel gives."""

    def both(values: Values) -> None:
        run(values)
        for place in places:
            _make_real(values, place)

    return both


def with_dtype(run: Run, place: str, dtype: torch.dtype) -> Run:
    """`run`, after which what is at `place` has this data type."""

    def both(values: Values) -> None:
        run(values)
        values[place] = values[place].to(dtype)

    return both


def _make_real(values: Values, place: str) -> None:
    if isinstance(value := values.get(place), Tensor) and value.is_complex():
        values[place] = value.real.contiguous()
