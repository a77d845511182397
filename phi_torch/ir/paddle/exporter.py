"""A Program to a Document."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ... import ir
from ..._paddle.faults import Faults
from ..guessed_types import UNPROVEN
from .attribute_operands import with_operands
from .convert import SCALAR_KINDS, convert
from .document import (
    PARAMETER,
    PRESENT,
    Attr,
    Block,
    Document,
    Op,
    Opaque,
    Region,
    Result,
    ScalarType,
    TensorType,
    Type,
    VectorType,
)
from .filters import channels_last
from .gradient_forms import to_file
from .gradients import KEPT, STOP, Stops
from .importer import ASSIGN_OUT, LOCATION, SET_PARAMETER
from .json_reader import PARAMETER_FLAGS, PARAMETER_RESULT_FLAGS
from .leaves import Wrong
from .names import DECLARED_THERE, SCALAR_TYPE_NAMES, TENSOR_TYPE_NAMES, place_of

DIALECTS = ("phi", "pd_kernel", "torch", "machine")  # that PaddlePaddle has not
FUSED = "pd_kernel.fused_elementwise"
STANDARD = {"is_distributed": False, "is_parameter": True, "need_clip": True, "persistable": True, "trainable": True}


def to_document(program: ir.Program, source: str = "program") -> Document:
    """What a `.json` file says of a program, as PaddlePaddle 3.3.1 reads it.

    Raises:
        ProgramError: it has operators, types or attributes that PaddlePaddle has not; all of them are named.
    """
    exporter = _Exporter(Faults(source))
    document = Document(block=exporter.block(channels_last(with_operands(program)).block, ""))
    exporter.faults.check()
    return document


class _Exporter:
    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.ids: dict[ir.Value, int] = {}
        self.weights: dict[str, ir.Value] = {}
        self.results = self.arguments = 0
        self.stops = Stops()

    def block(self, block: ir.Block, where: str) -> Block:
        return Block(
            tuple([self.argument(value, where) for value in block.arguments]),
            ops=self.operations(block.operations, where),
        )

    def store(self, op: ir.Operation, weight: ir.Value) -> Op:
        """PaddlePaddle runs no `set_parameter` but in programs that make the weights: others write them in place."""
        (value,) = op.operands
        assert value is not None
        self.results += 1
        made = Op(ASSIGN_OUT, (self.ids[value], self.ids[weight]), results=(Result(self.results, self.type(weight.type, op.name)),))
        self.stops.complete(made)
        return made

    def operations(self, operations: Sequence[ir.Operation], where: str) -> list[Op]:
        made = []
        for index, op in enumerate(operations):
            if op.name == FUSED:  # PaddlePaddle has what it consists of
                *parts, end = op.regions[0].blocks[0].operations
                made += self.operations(parts, f"{where}operation {index} ({op.name}): ")
                (result,) = end.operands
                assert result is not None
                self.ids[op.results[0]] = self.ids[result]
            else:
                made.append(self.op(op, f"{where}operation {index} ({op.name})"))
        return made

    def argument(self, value: ir.Value, where: str) -> Result:
        self.arguments -= 1
        self.ids[value] = self.arguments
        return Result(self.arguments, self.type(value.type, where))

    def result(self, value: ir.Value, where: str) -> Result:
        self.results += 1
        self.ids[value] = self.results
        return Result(self.results, self.type(value.type, where))

    def op(self, op: ir.Operation, where: str) -> Op:
        if op.name == SET_PARAMETER and op.attributes["parameter_name"] in self.weights:
            return self.store(op, self.weights[op.attributes["parameter_name"]])
        if op.name.partition(".")[0] in DIALECTS:
            self.faults.add(where, "PaddlePaddle has no such operator")
        made = Op(op.name, tuple([0 if value is None else self.ids[value] for value in to_file(op.name, op.operands)]))
        made.results = tuple([self.result(value, where) for value in op.results])
        attributes = self.attributes(op, where)
        if op.name == PARAMETER:
            self.weights[op.attributes["name"]] = op.results[0]
            self.parameter(made, attributes)
            self.stops.define(made, {})
            return made
        made.result_attributes = {name: attributes.pop(name) for name in (KEPT, STOP) if name in attributes}
        made.attributes = attributes
        made.regions = tuple([Region(tuple([self.block(block, f"{where}: ") for block in region.blocks])) for region in op.regions])
        self.stops.complete(made)
        return made

    def parameter(self, op: Op, attributes: dict[str, Attr]) -> None:
        stops = not attributes.get("trainable", PRESENT).value
        attributes.pop("state_names", None)  # which are torch's
        flags = {name: Attr("bool", value) for name, value in (STANDARD | {STOP: stops}).items()} | attributes
        op.attributes = {"parameter_name": flags.pop("name")} | {name: flags.pop(name) for name in PARAMETER_FLAGS}
        op.result_attributes = {name: flags.pop(name) for name in PARAMETER_RESULT_FLAGS}
        op.attributes |= flags

    def attributes(self, op: ir.Operation, where: str) -> dict[str, Attr]:
        """The attributes in their order; those that an operand stands for are left out."""
        info, operands = op.info, op.operands
        given = {one.name for one, value in zip(info.inputs, operands) if one.is_mutable_attribute and value is not None}
        attributes: dict[str, Attr] = {}
        for name in op.attributes:
            if name == UNPROVEN:
                continue
            value, place = op.attribute(name), f"{where}, attribute '{name}'"
            if name in given or value is None:
                continue
            attributes[name] = attr = self.attribute(value, place)
            with suppress(Wrong):  # PaddlePaddle says what is wrong with it
                attributes[name] = convert(attr, DECLARED_THERE.get((op.name, name), "any"))
        if op.location:
            attributes[LOCATION] = Attr("str", op.location)
        return attributes

    def attribute(self, value: ir.Attribute | None, where: str) -> Attr:
        if value is None:
            return Attr("null", None)
        kind = value.kind
        if kind == "array":
            items = [self.attribute(item, where) for item in value.items]
            kinds = {item.kind for item in items}
            same = kinds.pop() if len(kinds) == 1 else ""
            if same and not same.startswith(("array", "opaque", "type")):
                return Attr(f"array<{same}>", tuple([item.value for item in items]))
            return Attr("array", tuple(items))
        if kind == "scalar":
            return scalar(value.dtype, value.value)
        if kind == "place":
            return Attr("place", place_of(value.value))
        if kind == "opaque":
            return Attr("opaque", opaque(*value.value))
        if kind == "intarray":
            return Attr("intarray", tuple(value.value))
        if kind == "type":
            return Attr("type", self.type(value.value, where))
        if kind in ("dict", "tensor", "kernel_key"):
            self.faults.add(where, f"PaddlePaddle has no attribute of the kind {kind}")
        return Attr(kind, value.value)

    def type(self, type: ir.Type | None, where: str) -> Type:
        if type is None:
            return None
        if type.kind == "scalar" and type.dtype in SCALAR_TYPE_NAMES:
            return ScalarType(type.dtype)
        if type.kind == "vector":
            return VectorType(tuple([self.type(element, where) for element in type.elements]))
        if type.kind == "opaque":
            return opaque(type.name, type.data)
        if type.kind in TENSOR_TYPE_NAMES and type.dtype in SCALAR_TYPE_NAMES:
            return TensorType(type.kind, type.dtype, tuple(type.shape), type.layout)
        self.faults.add(where, f"PaddlePaddle has no type {type}")
        return None


def opaque(name: str, data: str) -> Opaque:
    return Opaque(name, data or None)


def scalar(dtype: str, value: Any) -> Attr:
    """A scalar is an attribute of its dtype's kind, where there is one: so PaddlePaddle writes it, too."""
    return Attr(SCALAR_KINDS[dtype], value) if dtype in SCALAR_KINDS else Attr("scalar", (dtype, value))
