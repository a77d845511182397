"""Operators that PaddlePaddle 3 keeps for programs of Paddle 2, as calls of what runs these."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ... import ir
from ...legacy import ProgramError
from ...legacy._definition import Definition, definition
from ...legacy.description import DTYPE_NUMBERS, Attribute
from ..list_call import call_of_list
from ..operator_call import TARGET, described
from .document import Attr, Op
from .names import torch_dtype

# integers by the numbers of PHI, as `tdm_sampler` says its data type; those of programs of Paddle 2 are none of these
_OF_PHI = {7: torch.int32, 9: torch.int64}
IN_PLACE = "_"  # ends the name of an operator that writes its operands


def older(
    op: Op, operands: Sequence[ir.Value | None], types: Sequence[ir.Type | None], builder: ir.Builder, location: str
) -> list[ir.Value | None] | None:
    """The results of an operator; None for one that is not as PaddlePaddle writes it."""
    type = op.name.removeprefix("pd_op.").removesuffix(IN_PLACE)
    defined = definition(type)
    if defined is None or not _fits(defined, operands, types):
        return None
    try:
        attributes = _attributes(defined, op)
    except ProgramError:
        return None
    while types[-1] is None:
        types = types[:-1]
    slots = {slot: _count(value.type) for slot, value in zip(defined.inputs, operands) if value is not None}
    results = {slot: _count(one) or 1 for slot, one in zip(defined.outputs, types)}
    kinds = [each for one in types for each in _elements(one)]
    wanted = [index for index, one in enumerate(kinds) if one is not None]
    text = described(type, slots, attributes, results, (), wanted if len(wanted) < len(kinds) else None)
    given = _one_by_one(operands, builder, location)
    found = iter(call_of_list(builder, TARGET, text, given, [one for one in kinds if one is not None], location))
    made: list[ir.Value | None] = []
    for slot, one in zip(defined.outputs, types):
        parts = [next(found) for each in _elements(one) if each is not None]
        if op.name.endswith(IN_PLACE):
            parts = _written(parts, dict(zip(defined.inputs, operands)).get(_written_slot(slot)), builder, location)
        is_list = _count(one) is not None
        made.append(builder.create("builtin.combine", parts, location=location).results[0] if is_list else next(iter(parts), None))
    return made


def _written_slot(slot: str) -> str:
    """The input that an operator writes its output to: `Param` for `ParamOut`, `in_sum_1` for `out_sum_1`."""
    return f"in_{slot.removeprefix('out_')}" if slot.startswith("out_") else slot.removesuffix("Out")


def _written(values: list[ir.Value], to: ir.Value | None, builder: ir.Builder, location: str) -> list[ir.Value]:
    """The tensors that an operator in place has written its results to."""
    if to is None:
        return values
    combine = to.defining_op if _count(to.type) is not None else None
    targets = [to] if combine is None else combine.operands
    pairs = zip(values, targets, strict=True)
    return [builder.create("pd_op.assign_out_", pair, {}, location=location).results[0] for pair in pairs]


def _fits(defined: Definition, operands: Sequence[ir.Value | None], types: Sequence[ir.Type | None]) -> bool:
    if len(operands) != len(defined.inputs) or len(types) > len(defined.outputs) or not any(types):
        return False
    for value, slot in zip(operands, defined.inputs.values()):
        if value is None:
            if not slot.optional:
                return False
        elif (_count(value.type) is not None) != slot.is_list or not all(map(_is_dense, _elements(value.type))):
            return False
    return all(_is_dense(each) for one in types if one is not None for each in _elements(one))


def _is_dense(type: ir.Type | None) -> bool:
    return type is not None and type.kind == "dense_tensor"


def _count(type: ir.Type | None) -> int | None:
    """How many tensors a list has; None for one that is no list."""
    return len(type.elements) if type is not None and type.kind == "vector" else None


def _elements(type: ir.Type | None) -> Sequence[ir.Type | None]:
    return type.elements if type is not None and type.kind == "vector" else [type]


def _one_by_one(operands: Sequence[ir.Value | None], builder: ir.Builder, location: str) -> list[ir.Value]:
    """The tensors among the operands, and those of lists."""
    found: list[ir.Value] = []
    for one in operands:
        if one is not None and _count(one.type) is not None:
            types = list(_elements(one.type))
            found += builder.create("builtin.split", [one], result_types=types, location=location).results
        elif one is not None:
            found.append(one)
    return found


def _attributes(defined: Definition, op: Op) -> dict[str, Attribute]:
    """Those that the operator has in Paddle 2, where a name may have had capital letters."""
    names = {name.replace("_", "").lower(): name for name in defined.attrs}
    pairs = [(names.get(name.replace("_", "").lower()), attr) for name, attr in op.attributes.items()]
    return {name: _attribute(defined, name, attr) for name, attr in pairs if name is not None}


def _attribute(defined: Definition, name: str, attr: Attr) -> Attribute:
    value = attr.value
    dtype = torch_dtype(value) if attr.kind == "dtype" else _OF_PHI.get(value) if name == "dtype" else None
    if dtype in DTYPE_NUMBERS:
        value = DTYPE_NUMBERS[dtype]
    return Attribute(defined.attrs[name].type, list(value) if isinstance(value, tuple) else value)
