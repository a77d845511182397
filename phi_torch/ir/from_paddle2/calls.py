"""Kernels that programs of Paddle 2 name, as operators of the IR: which one, and with which arguments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from ... import ir
from ..._op_info import OpInfo
from ...legacy import _callee
from ...legacy._definition import definition
from ...legacy._signature import Signature
from ...legacy._step import BindError, _constant, _paired, _variables
from ...legacy.description import EMPTY, OpDesc
from ...legacy.kernels.table import strided_ends
from .blocks import Region

Operand = ir.Value | list[ir.Value] | None

XSHAPE = "XShape"  # the slot of what a gradient knows a shape by
SAME = {
    **{"assign_raw": "assign", "flatten_infer": "flatten", "legacy_expand": "tile", "legacy_reshape": "reshape"},
    **{"grad_add": "add", "topk_v1": "topk"},
}
_OF_SHAPES = ("reshape", "flatten", "squeeze", "unsqueeze")


class Call(NamedTuple):
    """An operator with the slots of its arguments, and attributes that are known. The operands are `aligned` where the second
    one's first dimension stands at the dimension `axis` of the first one's.
    """

    operator: OpInfo
    signature: Signature
    constants: dict[str, Any]
    aligned: bool = False


def call_of(found: Signature, op: OpDesc) -> Call | None:
    """What a kernel is as a call of an operator; None where there is none for it."""
    kernel, inputs, attrs, outputs = found
    constants: dict[str, Any] = {}
    aligned = False
    if outputs[1:] and outputs[-1] == XSHAPE:
        kernel, outputs = kernel.removesuffix("_with_xshape"), outputs[:-1]
    kernel = SAME.get(kernel, kernel)
    if kernel == "stack_grad" and len(inputs) == 1:
        kernel = "unbind"
    if kernel == "batch_norm_infer":
        kernel, constants = "batch_norm", {"is_test": True, "use_global_stats": False, "trainable_statistics": False}
        attrs = ("is_test", *attrs, "use_global_stats", "trainable_statistics")
    elif kernel == "prod_infer":
        kernel, constants, attrs = "prod", {"reduce_all": False}, (*attrs, "reduce_all")
    elif kernel in ("strided_slice_raw", "strided_slice_raw_grad") and not _given(op, attrs[-1]):
        kernel, attrs = kernel.replace("_raw", ""), attrs[:-2]  # no flags, and no axes that go
        if attrs[2:] == ("ends", "strides") and "ends" in op.attrs and "strides" in op.attrs:
            constants = {"ends": strided_ends(op.attrs["ends"].value, op.attrs["strides"].value)}
    elif kernel.endswith("_raw") and len(inputs) == 2 and attrs == ("axis",):
        kernel, attrs, aligned = kernel.removesuffix("_raw"), (), True
    elif kernel.endswith("_raw") and attrs[2:3] == ("reduce_all",):
        kernel, constants = kernel.removesuffix("_raw"), {attrs[0]: []} if _given(op, "reduce_all") else {}
        attrs = attrs[:2] if len(attrs) == 3 else (attrs[0], attrs[3], attrs[1])  # a sum takes its data type second
    operator = _callee.operator_of(kernel)
    return None if operator is None else Call(operator, Signature(kernel, inputs, attrs, outputs), constants, aligned)


def _given(op: OpDesc, attribute: str) -> bool:
    return attribute in op.attrs and bool(op.attrs[attribute].value)


def arguments(op: OpDesc, call: Call, region: Region) -> tuple[dict[str, Operand], dict[str, Any]]:
    """What a call's operator is given, by the names of its entry: values, and attributes that are known.

    Raises:
        ValueError: a slot or an attribute is missing, or is not what the operator takes.
    """
    callee, defined = _callee.of_operator(call.operator), definition(op.type)
    defaults = defined.defaults if defined is not None else {}
    operands: dict[str, Operand] = {}
    for slot, parameter in _paired(call.signature.inputs, callee.tensors, "input"):
        operands[parameter.name] = _operand(op, slot, parameter, region)
    attributes: dict[str, Any] = {}
    for name, parameter in _paired(call.signature.attrs, callee.attrs, "attribute"):
        given = [region.find(variable) for variable in (_variables(op, name, str) if name is not None else [])]
        if given:
            operands[parameter.name] = given[0] if len(given) == 1 else given
            continue
        value = call.constants[name] if name in call.constants else _constant(op, name, parameter, defaults, torch.float32)
        attributes[parameter.name] = str(value).removeprefix("torch.") if isinstance(value, torch.dtype) else value
    if call.aligned:
        (first, x), (second, y) = operands.items()
        assert isinstance(x, ir.Value) and isinstance(y, ir.Value)
        axis = op.attrs["axis"].value if "axis" in op.attrs else -1
        operands[first], operands[second] = align(region.builder, x, y, axis)
    if call.operator.category == "binary":
        (first, x), (second, y), *_ = operands.items()  # and tolerances, where they are tensors
        assert isinstance(x, ir.Value) and isinstance(y, ir.Value)
        operands[first], operands[second] = both_complex(region.builder, x, y)
    return operands, attributes


def dtype_of(value: ir.Value) -> torch.dtype | None:
    return None if value.type is None else getattr(torch, value.type.dtype, None)


def both_complex(builder: ir.Builder, x: ir.Value, y: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The operands, a real one beside a complex one made complex, as programs promote them."""
    first, second = dtype_of(x), dtype_of(y)
    if first is None or second is None or first.is_complex == second.is_complex:
        return x, y
    wanted = torch.promote_types(first, second)
    said = {"dtype": str(wanted).removeprefix("torch.")}
    made = [v if one == wanted else builder.create("pd_op.cast", [v], said).results[0] for v, one in ((x, first), (y, second))]
    return made[0], made[1]


def _operand(op: OpDesc, slot: str | None, parameter: _callee.Parameter, region: Region) -> Operand:
    names = [name for name in (op.inputs.get(slot, []) if slot is not None else []) if name != EMPTY]
    if parameter.is_list:
        return [region.find(name) for name in names] or (None if "Optional" in parameter.type else [])
    if len(names) > 1:
        raise BindError(f"slot {slot}", f"expected one variable, got {len(names)}")
    if not names and "Optional" not in parameter.type:
        raise BindError(f"slot {slot}", "expected a variable, got none")
    return region.find(names[0]) if names else None


def is_shape_gradient(found: Signature) -> bool:
    """Whether a kernel gives a gradient the shape that an XShape notes."""
    return found.inputs[:1] == (XSHAPE,) and found.kernel.removesuffix("_grad") in _OF_SHAPES


def align(builder: ir.Builder, x: ir.Value, y: ir.Value, axis: int) -> tuple[ir.Value, ir.Value]:
    """The operands of an elementwise operator for broadcasting by the last dimensions, as `legacy.kernels.table.aligned` has it.

    Raises:
        ValueError: the dimensions do not fit from `axis` on.
    """
    sizes, other = _sizes(x), _sizes(y)
    if axis == -1 or len(sizes) == len(other):
        return x, y
    if len(sizes) < len(other):
        y, x = align(builder, y, x, axis)
        return x, y
    left = len(other)
    while left > len(sizes) - axis and other[left - 1] == 1:
        left -= 1
    if not 0 <= axis <= len(sizes) - left:
        raise ValueError(f"attribute axis: expected -1, or 0 to {len(sizes) - left} for {x.type} and {y.type}, got {axis}")
    if left < len(other):
        y = builder.create("pd_op.squeeze", [y, None], {"axis": list(range(left, len(other)))}).results[0]
    added = list(range(left, len(sizes) - axis))
    return x, builder.create("pd_op.unsqueeze", [y, None], {"axis": added}).results[0] if added else y


def _sizes(value: ir.Value) -> list[int]:
    assert value.type is not None
    return value.type.shape


def constant(builder: ir.Builder, values: Sequence[Any], shape: Sequence[int], dtype: torch.dtype) -> ir.Value:
    """A tensor of these numbers.

    Raises:
        ValueError: they are not as many as the shape has elements.
    """
    if len(values) != math.prod(shape):
        raise ValueError(f"attribute values: expected {math.prod(shape)} for shape {[*shape]}, got {len(values)}")
    if any(isinstance(one, complex) for one in values):  # an operation has no such numbers
        numbers = [complex(one) for one in values]
        sides = [one.real for one in numbers], [one.imag for one in numbers]
        return builder.create("pd_op.complex", [constant(builder, one, shape, dtype.to_real()) for one in sides]).results[0]
    said = {"shape": list(shape), "dtype": str(dtype).removeprefix("torch.")}
    full = builder.create("pd_op.full", [], {**said, "value": values[0] if values else 0, "place": "cpu"}).results[0]
    if len(set(values)) <= 1:
        return full
    return builder.create("pd_op.assign_value_", [full], {**said, "values": list(values)}).results[0]
