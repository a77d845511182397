"""What Paddle does around the kernels of some operators: data types before and after it, results that nothing made."""

from __future__ import annotations

from collections.abc import Callable, Collection

import torch
from torch import Tensor

from ._step import Run, Values
from .description import EMPTY, OpDesc

Dtype = Callable[[str], torch.dtype | None]  # what a variable is declared to be of

_ZEROS = ("fill_any_like", "fill_zeros_like", "fill_zeros_like2")  # which stand for a gradient that nothing gives
# without the elementwise operators, whose kernels promote
_FORWARD = ("matmul_v2", "kron")
_ELEMENTWISE = tuple(f"elementwise_{name}" for name in ("add", "sub", "mul", "div"))
PROMOTED = {*_FORWARD, *(f"{name}_grad" for name in (*_FORWARD, *_ELEMENTWISE))}
_SEARCH = "searchsorted"


def adjusted(run: Run, op: OpDesc, key: Callable[[str], str], dtype: Dtype, of_branches: Collection[str] = ()) -> Run:
    """`run` with what surrounds it, or as it is. `of_branches` are variables that a branch which does not run leaves unset."""
    if mixes(op, dtype):
        run = _promoted(run, op, key)
    if op.type.endswith("_grad") and (real := _real_of_complex(op, dtype)):
        return _with_real(run, [key(name) for name in real])
    if op.type in _ZEROS and op.inputs["X"][0] in of_branches:
        return _if_set(run, key(op.inputs["X"][0]))
    # Paddle 2 counts in int32, Paddle 3 in int64, and the variable says which
    if op.type == "matrix_rank" and (declared := dtype(op.outputs["Out"][0])) is not None:
        return _with_dtype(run, key(op.outputs["Out"][0]), declared)
    return run


def mixes(op: OpDesc, dtype: Dtype) -> bool:
    """Whether one operand is complex and the other one is not, or where any may be so, they differ: they are made of one data type
    for the kernel.
    """
    if op.type not in PROMOTED and op.type != _SEARCH:
        return False
    found = [dtype(name) for slot in _slots(op) for name in op.inputs.get(slot, [])]
    return len({one if op.type == _SEARCH else one.is_complex for one in found if one is not None}) == 2


def _slots(op: OpDesc) -> tuple[str, str]:
    return ("SortedSequence", "Values") if op.type == _SEARCH else ("X", "Y")


def _promoted(run: Run, op: OpDesc, key: Callable[[str], str]) -> Run:
    """`run` on operands of one data type. The gradient of a real one is real."""
    places = {slot: key(op.inputs[slot][0]) for slot in _slots(op)}
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


def _with_real(run: Run, places: list[str]) -> Run:
    """`run`, after which these are real: the gradients of real numbers are, whatever a kernel gives."""

    def both(values: Values) -> None:
        run(values)
        for place in places:
            _make_real(values, place)

    return both


def _with_dtype(run: Run, place: str, dtype: torch.dtype) -> Run:
    """`run`, after which what is at `place` has this data type."""

    def both(values: Values) -> None:
        run(values)
        values[place] = values[place].to(dtype)

    return both


def _if_set(run: Run, place: str) -> Run:
    """`run`, unless nothing is there: a branch that did not run has no result, of which its gradient asks for zeros."""

    def checked(values: Values) -> None:
        if place in values:
            run(values)

    return checked


def _real_of_complex(op: OpDesc, dtype: Dtype) -> list[str]:
    """The results that are declared as real, of an operator that reads complex numbers."""

    def are_complex(slots: dict[str, list[str]]) -> dict[str, bool]:
        dtypes = {name: dtype(name) for names in slots.values() for name in names if name != EMPTY}
        return {name: found.is_complex for name, found in dtypes.items() if found is not None}

    if not any(are_complex(op.inputs).values()):
        return []
    return [name for name, is_complex in are_complex(op.outputs).items() if not is_complex]


def _make_real(values: Values, place: str) -> None:
    if isinstance(value := values.get(place), Tensor) and value.is_complex():
        values[place] = value.real.contiguous()
