"""A ProgramDesc to the bytes of a `.pdmodel`."""

from __future__ import annotations

from typing import Any

from . import _schema
from .description import ATTRIBUTE_TYPES, DTYPE_NUMBERS, KIND_NUMBERS, TENSOR_KINDS, Attribute, OpDesc, ProgramDesc, VarDesc

ATTRIBUTE_NUMBERS = {type: (number, field) for number, (type, field) in enumerate(ATTRIBUTE_TYPES)}


def write_program(program: ProgramDesc) -> bytes:
    """The bytes of a file that `read_program` reads as the same program.

    Raises:
        ImportError: protobuf is not installed.
    """
    message = _schema.messages()["Program"]()
    for block in program.blocks:
        written = message.blocks.add(idx=block.idx, parent_idx=block.parent_idx, forward_block_idx=block.forward_block_idx)
        for var in block.vars.values():
            _variable(written.vars.add(), var)
        for op in block.ops:
            _operator(written.ops.add(), op)
    message.version.version = program.version
    for name, version in program.op_versions.items():
        pair = message.op_version_map.pair.add(op_name=_bytes(name))
        pair.op_version.version = version
    return message.SerializeToString()


def _variable(message: Any, var: VarDesc) -> None:
    message.name, message.type.type = _bytes(var.name), KIND_NUMBERS[var.kind]
    for flag in ("persistable", "need_check_feed", "is_parameter", "stop_gradient"):
        if getattr(var, flag):
            setattr(message, flag, True)
    if var.kind in TENSOR_KINDS and var.dtype is not None:
        described = getattr(message.type, var.kind)
        if var.kind in ("dense_tensor", "tensor_array"):
            described.lod_level = var.lod_level
            described = described.tensor
        described.data_type = DTYPE_NUMBERS[var.dtype]
        described.dims.extend(var.dims or ())


def _operator(message: Any, op: OpDesc) -> None:
    message.type = _bytes(op.type)
    if op.is_target:
        message.is_target = True
    for slots, written in ((op.inputs, message.inputs), (op.outputs, message.outputs)):
        for slot, names in slots.items():
            written.add(parameter=_bytes(slot), arguments=[_bytes(name) for name in names])
    for name, attribute in op.attrs.items():
        _attribute(message.attrs.add(name=_bytes(name)), attribute)


def _attribute(message: Any, attribute: Attribute) -> None:
    message.type, field = ATTRIBUTE_NUMBERS[attribute.type]
    value = attribute.value
    if attribute.type == "SCALAR":
        _scalar(message.scalar, value)
    elif attribute.type == "SCALARS":
        for one in value:
            _scalar(message.scalars.add(), one)
    elif attribute.type.endswith("S"):
        getattr(message, field).extend(_bytes(one) if isinstance(one, str) else one for one in value)
    else:
        setattr(message, field, _bytes(value) if isinstance(value, str) else value)


def _scalar(message: Any, value: complex) -> None:
    if isinstance(value, bool):
        message.type, message.b = 1, value
    elif isinstance(value, int):
        message.type, message.i = 2, value
    elif isinstance(value, float):
        message.type, message.r = 3, value
    else:
        message.type, message.c.r, message.c.i = 4, value.real, value.imag


def _bytes(value: str) -> bytes:
    return value.encode("utf-8", "surrogateescape")
