"""Operators that PaddlePaddle 3 keeps for programs of Paddle 2, as calls of what runs these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import ir
from ...legacy import ProgramError
from ...legacy._definition import Definition, definition
from ...legacy.description import Attribute
from ..list_call import call_of_list
from ..operator_call import TARGET, described
from .document import Op


def older(
    op: Op, operands: Sequence[ir.Value | None], types: Sequence[ir.Type | None], builder: ir.Builder, location: str
) -> list[ir.Value | None] | None:
    """The results of an operator; None for one that is not as PaddlePaddle writes it."""
    type = op.name.removeprefix("pd_op.")
    defined = definition(type)
    if defined is None or not _fits(defined, operands, types):
        return None
    try:
        attributes = {name: _attribute(defined, name, attr.value) for name, attr in op.attributes.items() if name in defined.attrs}
    except ProgramError:
        return None
    slots: dict[str, int | None] = {slot: None for slot, value in zip(defined.inputs, operands) if value is not None}
    results = dict.fromkeys(list(defined.outputs)[: len(types)], 1)
    wanted = [index for index, one in enumerate(types) if one is not None]
    text = described(type, slots, attributes, results, (), wanted if len(wanted) < len(results) else None)
    given, kinds = [one for one in operands if one is not None], [one for one in types if one is not None]
    found = iter(call_of_list(builder, TARGET, text, given, kinds, location))
    return [next(found) if one is not None else None for one in types]


def _fits(defined: Definition, operands: Sequence[ir.Value | None], types: Sequence[ir.Type | None]) -> bool:
    if len(operands) != len(defined.inputs) or len(types) > len(defined.outputs) or not any(types):
        return False
    if any(value is None and not slot.optional for slot, value in zip(defined.inputs.values(), operands)):
        return False
    kinds = [value.type for value in operands if value is not None] + [one for one in types if one is not None]
    return all(one is not None and one.kind == "dense_tensor" for one in kinds)


def _attribute(defined: Definition, name: str, value: Any) -> Attribute:
    return Attribute(defined.attrs[name].type, list(value) if isinstance(value, tuple) else value)
