"""What PaddlePaddle's programs pass as operands alone: attributes such as the axes of a sum, and what a result lies in."""

from __future__ import annotations

from typing import Any

from ... import ir

_VIEWS = {"pd_op.rnn": ((4, 1),)}  # the state of the dropout: operand, result


def with_operands(program: ir.Program) -> ir.Program:
    """The program; or a copy in which each of them that is absent is an operand too, made before its operation."""
    if not any(_lacking(op) or _memory(op) for op in program.walk()):
        return program
    program = program.clone()
    for op in list(program.walk()):
        builder = ir.Builder(program).before(op)
        for index, value in _lacking(op):
            op.set_operand(index, _made(builder, value))
        for index, type in _memory(op):
            attributes = {"shape": list(type.shape), "value": 0.0, "dtype": type.dtype}
            op.set_operand(index, builder.create("pd_op.full", attributes=attributes).results[0])
    return program


def _lacking(op: ir.Operation) -> list[tuple[int, Any]]:
    """Operands that are absent, whose attribute is known: their number and value."""
    if not op.name.startswith("pd_op.") or not op.info.is_registered:
        return []
    defaults = {one.name: one.default for one in op.info.attributes if one.has_default}
    found = []
    for index, (declared, value) in enumerate(zip(op.info.inputs, op.operands)):
        if declared.is_mutable_attribute and value is None:
            given = op.attribute(declared.name) if declared.name in op.attributes else defaults.get(declared.name)
            if given is not None:
                found.append((index, given))
    return found


def _memory(op: ir.Operation) -> list[tuple[int, ir.Type]]:
    """Operands that are absent, in whose memory a result lies there, and the types of these results."""
    shared = [(operand, op.results[result].type) for operand, result in _VIEWS.get(op.name, ()) if op.operands[operand] is None]
    return [(operand, type) for operand, type in shared if type is not None and -1 not in type.shape]


def _made(builder: ir.Builder, given: Any) -> ir.Value:
    value = given.value if isinstance(given, ir.Attribute) else given
    if isinstance(value, list | tuple):
        attributes = {"value": list(value), "dtype": "int64"}
        return builder.create("pd_op.full_int_array", attributes=attributes).results[0]
    said = given.dtype if isinstance(given, ir.Attribute) else type(value).__name__
    dtype = said if said in ("bool", "int32", "float64") else "int64" if isinstance(value, int) else "float32"
    return builder.create("pd_op.full", attributes={"shape": [1], "value": float(value), "dtype": dtype}).results[0]
