"""`torch.call` of a program as a call of its target in a graph of torch.fx."""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch import fx
from torch._ops import OpOverload

from ... import ir
from .._core import takes_strides
from ..paddle.names import torch_dtype
from .values import Values

_KINDS = {"ScalarType": torch_dtype, "Device": torch.device}  # what an attribute is text for, by the schema's type


def target_of(op: ir.Operation) -> OpOverload:
    """The overload that `torch.call` names.

    Raises:
        NotImplementedError: torch has none of that name.
    """
    name = str(op.attributes["target"])
    found: Any = torch.ops
    for part in name.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, OpOverload):
        raise NotImplementedError(f"'torch.call': torch.ops has no '{name}'; import what defines it")
    return found


def call_target(op: ir.Operation, values: Values) -> None:
    """Emits the call, and binds its results."""
    target = target_of(op)
    schema = target._schema
    names = op.attributes.get("inputs") or [one.name for one in schema.arguments]
    operands = dict(zip(names, op.operands))
    given: dict[str, Any] = {}
    for argument in schema.arguments:
        if argument.name in operands:
            given[argument.name] = _operand(operands[argument.name], argument, values)
            if isinstance(given[argument.name], fx.Node) and "Tensor" in str(argument.type) and not takes_strides(op):
                given[argument.name] = values.graph.call_method("contiguous", (given[argument.name],))
        elif argument.name in op.attributes:
            given[argument.name] = _constant(op.attributes[argument.name], argument)
        elif not argument.has_default_value():
            given[argument.name] = None
    node = values.graph.call_function(target, (), given)
    node.meta["location"] = op.location
    if values.mutates and any(one.alias_info is not None for one in schema.returns) and len(schema.returns) == 1:
        node = values.call(torch.clone, node)
    is_one = len(schema.returns) == 1 and "List" not in str(schema.returns[0].type)
    for index, result in enumerate(op.results):
        if result.type is not None:
            values[result] = node if is_one else _part(op, node, index, values)


def _part(op: ir.Operation, node: fx.Node, index: int, values: Values) -> fx.Node:
    """One of several results; a list that is the only one is the node."""
    is_list = len(op.results) == 1 and op.results[0].type is not None and op.results[0].type.kind == "vector"
    return node if is_list else values.call(operator.getitem, node, index)


def _operand(value: ir.Value | None, argument: Any, values: Values) -> Any:
    if value is None:
        return None
    kind = str(argument.type)
    if "Tensor" in kind:
        return values.as_tensor(values.elements(value)) if "List" in kind else values.tensor(value)
    return values.numbers(value) if "List" in kind else values.number(value)


def _constant(value: Any, argument: Any) -> Any:
    kind = str(argument.real_type).removeprefix("Optional[").removesuffix("]")
    if value is None or not isinstance(value, str):
        return value
    if kind in _KINDS:
        return _KINDS[kind](value)  # type: ignore[operator]
    return getattr(torch, value) if kind in ("Layout", "MemoryFormat") else value
