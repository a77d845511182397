"""Filters with channels last, which PaddlePaddle's fused convolution has where its images have them; here they are never last."""

from __future__ import annotations

from ... import ir
from .document import Attr

_CONVOLUTION, _FILTER = "pd_op.fused_conv2d_add_act", 1
_FIRST, _LAST = [0, 3, 1, 2], [0, 2, 3, 1]  # what puts channels before sizes, and back


def channels_first(
    name: str, operands: list[ir.Value | None], data_format: Attr | None, builder: ir.Builder
) -> list[ir.Value | None]:
    """The operands as they are here."""
    filter = operands[_FILTER] if name == _CONVOLUTION and len(operands) > _FILTER else None
    if (
        data_format is None
        or data_format.value != "NHWC"
        or filter is None
        or filter.type is None
        or len(filter.type.dims) != len(_FIRST)
    ):
        return operands
    moved = builder.create("pd_op.transpose", [filter], {"perm": _FIRST}).results
    return [*operands[:_FILTER], *moved, *operands[_FILTER + 1 :]]


def channels_last(program: ir.Program) -> ir.Program:
    """The program; or a copy whose filters are as they are in files."""
    if not any(map(_is_moved, program.walk())):
        return program
    program = program.clone()
    for op in filter(_is_moved, list(program.walk())):
        value = op.operands[_FILTER]
        made = value.defining_op if value is not None else None
        if made is not None and made.name == "pd_op.transpose" and list(made.attributes["perm"]) == _FIRST:
            op.set_operand(_FILTER, made.operands[0])
            if not made.results[0].uses:
                made.erase()
        else:
            builder = ir.Builder(program).before(op)
            op.set_operand(_FILTER, builder.create("pd_op.transpose", [value], {"perm": _LAST}).results[0])
    return program


def _is_moved(op: ir.Operation) -> bool:
    return op.name == _CONVOLUTION and op.attributes.get("data_format") == "NHWC"
