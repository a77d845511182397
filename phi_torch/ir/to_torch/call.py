"""An operation as a call of an operator of torch: `pd_op.relu` is `torch.ops.phi.relu`."""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch import fx

from ... import ir
from ..._arguments import as_tensor
from ..._op_info import OpInfo
from ..._undifferentiated import undifferentiated
from ..paddle.names import torch_dtype
from .values import Values

# (operation, attribute) -> what it is here: it says how a gradient is held, and ours are dense
_HOW = {("pd_op.embedding", "sparse"): False}


class Call:
    """The arguments of an operation by the names of an overload's schema."""

    def __init__(self, op: ir.Operation, info: OpInfo, name: str, values: Values) -> None:
        self.op, self.info, self.values = op, info, values
        packet = getattr(getattr(torch.ops, info.namespace), name)
        self.operands = {one.name: value for one, value in zip(op.info.inputs, op.operands)}
        self.lists = {one.name for one in op.info.inputs if one.is_list}
        self.overload = packet.default
        self.constant = _constant_operands(op, info)
        self.numbers: set[str] = set()  # arguments that the overload for tensors takes as such
        if "tensor" in packet.overloads():
            self.numbers = {
                a.name
                for a, b in zip(packet.default._schema.arguments, packet.tensor._schema.arguments)
                if str(a.type) != str(b.type) and not a.type.isSubtypeOf(torch._C.TensorType.get())
            }
            if any(self._is_data(name) for name in self.numbers):
                self.overload = packet.tensor
            else:
                self.numbers = set()

    def _is_data(self, name: str) -> bool:
        """Whether an attribute is a number that only running the program tells."""
        value = self.operands.get(name)
        if value is None or self.op.attributes.get(name) is not None:
            return False
        return isinstance(self.values.known(value), fx.Node)

    def emit(self) -> fx.Node:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for argument in self.overload._schema.arguments:
            if argument.name == "device":
                continue
            if argument.name == "output_mask":
                kwargs["output_mask"] = [result.type is not None for result in self.op.results]
                continue
            found = self._argument(argument.name)
            if argument.kwarg_only or len(args) < self.overload._schema.arguments.index(argument):
                kwargs[argument.name] = found
            else:
                args.append(found)
        node = self.values.graph.call_function(self.overload, tuple(args), kwargs)
        node.meta["location"] = self.op.location
        return node

    def _argument(self, name: str) -> Any:
        if name in self.operands:
            value = self.operands[name]
            kind = next((one.kind for one in self.op.info.attributes if one.name == name), None)
            if kind is None:
                if value is not None and name in self.lists:
                    return self.values.as_tensor(self.values.elements(value))
                found = self.values.tensor(value)
                type = None if value is None else value.type
                is_constant = name in self.constant and type is not None and "float" in (type.dtype or "")
                return self.values.call(torch.detach, found) if is_constant else found
            if value is not None:
                if name in self.numbers:
                    return self.values.tensor(value)
                return self.values.numbers(value) if kind == "intarray" else self.values.number(value)
        return self._constant(name)

    def _constant(self, name: str) -> Any:
        value = _HOW.get((self.op.name, name), self.op.attributes.get(name))
        if name in self.numbers:
            return self.values.call(as_tensor, value)
        kind = next((one.kind for one in self.op.info.attributes if one.name == name), None)
        return torch_dtype(value) if kind == "dtype" and value is not None else value

    def results(self, node: fx.Node, written: dict[str, Any]) -> None:
        """Binds the results; `written` are those that the call does not return, by name."""
        outputs = [one.name for one in self.op.info.outputs]
        returned = [name for name in outputs if name not in written]
        single = len(self.overload._schema.returns) == 1
        for name, result in zip(outputs, self.op.results):
            if name in written:
                self.values[result] = written[name]
            elif single:
                self.values[result] = node
            elif result.uses or self.op.name.endswith("_"):
                self.values[result] = self.values.call(operator.getitem, node, returned.index(name))


def _constant_operands(op: ir.Operation, info: OpInfo) -> frozenset[str]:
    """Those that gradients do not flow to; a step of an optimizer is no part of what is differentiated."""
    if info.category == "optimizer":
        return frozenset(one.name for one in op.info.inputs) - {into for into, _ in info.inplace}
    return undifferentiated(info)
