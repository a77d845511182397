"""Bytes of a `.pdmodel` to a ProgramDesc."""

from __future__ import annotations

import sys
from typing import Any

from .._paddle.faults import Faults, op_place
from . import _schema
from ._check import check
from .description import (
    ATTRIBUTE_TYPES,
    DTYPES,
    KINDS,
    TENSOR_KINDS,
    Attribute,
    BlockDesc,
    OpDesc,
    ProgramDesc,
    ProgramError,
    VarDesc,
)

SCALAR_FIELDS = {1: "b", 2: "i", 3: "r", 4: "c"}
# as PaddlePaddle 2.6.2 writes them
FORMER_SLOTS = {("meshgrid_grad", "outputs@GRAD"): "Out@GRAD", ("abs_double_grad", "x"): "X"}


def read_program(data: bytes, source: str = "program") -> ProgramDesc:
    """The program that `data`, the bytes of a `.pdmodel` or `__model__` file, holds; `source` names it in errors.

    Raises:
        ProgramError: the bytes are no program, or one whose parts do not fit together; all faults at once.
        ImportError: protobuf is not installed.
    """
    message = _schema.messages()["Program"]()
    try:
        message.ParseFromString(data)
    except Exception as error:  # the runtime's DecodeError, whose module depends on its implementation
        raise ProgramError(f"{source}: no program: {error} ({len(data)} bytes)") from None
    faults = Faults(source)
    program = _Reader(faults).program(message)
    check(program, faults)
    faults.check()
    return program


def text(value: bytes) -> str:
    """Names are UTF-8; bytes that are not keep their value through a round trip."""
    return sys.intern(value.decode("utf-8", "surrogateescape"))


class _Reader:
    def __init__(self, faults: Faults) -> None:
        self.faults = faults

    def program(self, message: Any) -> ProgramDesc:
        blocks = [self.block(block, position) for position, block in enumerate(message.blocks)]
        versions = {text(pair.op_name): pair.op_version.version for pair in message.op_version_map.pair}
        return ProgramDesc(blocks, message.version.version, versions)

    def block(self, message: Any, position: int) -> BlockDesc:
        forward = message.forward_block_idx if message.HasField("forward_block_idx") else -1
        block = BlockDesc(message.idx, message.parent_idx, forward_block_idx=forward)
        for index, one in enumerate(message.vars):
            var = self.variable(one, f"block {position}, variable {index}")
            if var.name in block.vars:
                self.faults.add(f"block {position}", f"variable '{var.name}' is declared twice")
            block.vars[var.name] = var
        block.ops = [self.operator(one, position, index) for index, one in enumerate(message.ops)]
        return block

    def variable(self, message: Any, where: str) -> VarDesc:
        name, said = text(message.name), message.type
        where = f"{where} '{name}'" if name else where
        if not name:
            self.faults.add(where, "it has no name")
        kind = KINDS.get(said.type, "")
        if not kind:
            self.faults.add(where, f"type {said.type} is no kind of variable; expected one of {', '.join(KINDS.values())}")
        var = VarDesc(name, kind, persistable=message.persistable, is_parameter=message.is_parameter)
        var.stop_gradient, var.need_check_feed = message.stop_gradient, message.need_check_feed
        if kind in TENSOR_KINDS and said.HasField(kind):
            described = getattr(said, kind)
            if kind in ("dense_tensor", "tensor_array"):
                var.lod_level, described = described.lod_level, described.tensor
            var.dtype, var.dims = self.dtype(described.data_type, where), tuple(described.dims)
        return var

    def dtype(self, number: int, where: str) -> Any:
        if number not in DTYPES:
            self.faults.add(where, f"data type {number} is none of {', '.join(f'{n} ({d})' for n, d in DTYPES.items())}")
        return DTYPES.get(number)

    def operator(self, message: Any, block: int, index: int) -> OpDesc:
        op = OpDesc(text(message.type), is_target=message.is_target)
        where = op_place(block, index, op.type)
        if not op.type:
            self.faults.add(where, "it has no type")
        for slots, said in ((op.inputs, message.inputs), (op.outputs, message.outputs)):
            for slot in said:
                name = text(slot.parameter)
                name = FORMER_SLOTS.get((op.type, name), name)
                if name in slots:
                    self.faults.add(where, f"slot '{name}' is given twice")
                slots[name] = [text(argument) for argument in slot.arguments]
        for attribute in message.attrs:
            op.attrs[text(attribute.name)] = self.attribute(attribute, where)  # given twice, the last one counts
        return op

    def attribute(self, message: Any, where: str) -> Attribute:
        where = f"{where}, attribute '{text(message.name)}'"
        if not 0 <= message.type < len(ATTRIBUTE_TYPES):
            self.faults.add(where, f"type {message.type} is none of 0 to {len(ATTRIBUTE_TYPES) - 1}")
            return Attribute("INT", 0)
        type, field = ATTRIBUTE_TYPES[message.type]
        value = getattr(message, field)
        if type.endswith("S"):
            return Attribute(type, [self.single(one, where) for one in value])
        if not message.HasField(field):
            self.faults.add(where, f"its type is {type}, but it holds no {field}")
        return Attribute(type, self.single(value, where))

    def single(self, value: Any, where: str) -> Any:
        if isinstance(value, bytes):
            return text(value)
        if isinstance(value, (bool, int, float)):
            return value
        field = SCALAR_FIELDS.get(value.type)
        if field is None:
            self.faults.add(where, f"a scalar of type {value.type}; expected 1 to 4")
            return 0
        found = getattr(value, field)
        return complex(found.r, found.i) if field == "c" else found
