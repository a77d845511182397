"""Data types that a file does not tell: those of variables of loops after the first round, and of places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from ... import ir
from .names import torch_dtype

# give a value as it is, of whatever data type
_VIEWS = ("expand", "flatten", "reshape", "slice", "squeeze", "transpose", "unsqueeze")
_SAME = tuple(f"pd_op.{name}" for name in ("assign", "fetch", "share_data_", *_VIEWS))
# results of the attribute's data type, of which PaddlePaddle writes that of `x`
_OF_ATTRIBUTE = {"pd_op.unique_consecutive": (1, 2)}
_LOOKED_AT = frozenset((*_SAME, *_OF_ATTRIBUTE, "pd_op.if", "pd_op.while"))


def settle(op: ir.Operation) -> bool:
    """Gives the results of an operation the data types that they have, and what follows from it; False where they are as said.

    `s = 0; while ...: s = s + x` begins with an integer, of which the file says all types, and goes on with floating point: in
    PaddlePaddle a variable is what was assigned to it last. A round reads such a variable by a cast alone.
    """
    name = op.name
    if name not in _LOOKED_AT:
        return False
    for place in _OF_ATTRIBUTE.get(name, ()):
        if _is_tensor(op.results[place]) and op.attributes.get("dtype") in ("int32", "int64"):
            _set(op.results[place], op.attributes["dtype"])
    if name in _SAME and op.operands and op.results:
        _follow(op.results[0], op.operands[:1])
    blocks = [block for region in op.regions for block in region.blocks if len(block)]
    if name == "pd_op.if" and len(blocks) == 2:
        for result, *given in zip(op.results, *(block.operations[-1].operands for block in blocks)):
            _follow(result, given)
    if name == "pd_op.while" and len(blocks) == 1:
        _settle_loop(op, blocks[0])
    return True


def of_operands(
    types: list[ir.Type | None], builder: ir.Builder, name: str, operands: list[ir.Value | None], attributes: Mapping[str, Any]
) -> list[ir.Type | None]:
    """The types that a file says, with the data types that follow from the operands."""
    try:
        probe = builder.create(name, operands, attributes, undeclared=True)
    except (TypeError, ValueError, RuntimeError):
        return types
    found = [None if one is None else one.type for one in probe.results]
    probe.erase()
    return [_with_dtype(builder, *pair) for pair in zip(types, [*found, *types[len(found) :]])]


def _with_dtype(builder: ir.Builder, said: ir.Type | None, found: ir.Type | None) -> ir.Type | None:
    if said is None or found is None or said.kind != found.kind or said.kind not in ("dense_tensor", "vector"):
        return said
    if said.kind == "vector":
        return found
    return builder.program.context.tensor_like("dense_tensor", found.dtype, said.dims, said.layout)


def has_other_dtype(said: ir.Type | None, value: ir.Value | None) -> bool:
    """Whether a tensor, or one of a list, has another data type than a file says."""
    found = None if value is None else value.type
    if said is None or found is None or said.kind != found.kind:
        return False
    if said.kind == "vector":
        return [getattr(one, "dtype", None) for one in said.elements] != [getattr(one, "dtype", None) for one in found.elements]
    return said.kind == "dense_tensor" and said.dtype != found.dtype


def _is_tensor(value: ir.Value | None) -> bool:
    return value is not None and value.type is not None and value.type.kind == "dense_tensor"


def _set(value: ir.Value, dtype: str) -> None:
    assert value.type is not None
    value.type = value.owner_block.parent_op.program.context.tensor_like("dense_tensor", dtype, value.type.dims, value.type.layout)


def _follow(result: ir.Value, given: list[ir.Value | None]) -> None:
    if _is_tensor(result) and all(_is_tensor(one) for one in given):
        dtypes = {one.type.dtype for one in given}  # type: ignore[union-attr]
        if len(dtypes) == 1 and result.type.dtype not in dtypes:  # type: ignore[union-attr]
            _set(result, dtypes.pop())


def _settle_loop(loop: ir.Operation, block: ir.Block) -> None:
    end = block.operations[-1]
    places = range(min(len(block.arguments), len(loop.operands) - 1, len(end.operands) - 1, len(loop.results)))
    while any([_settle_one(loop, block.arguments[place], end, place) for place in places]):
        pass  # one may be the next value of another


def _settle_one(loop: ir.Operation, argument: ir.Value, end: ir.Operation, place: int) -> bool:
    first, following = loop.operands[place + 1], end.operands[place + 1]
    if not (_is_tensor(first) and _is_tensor(argument) and _is_tensor(following)):
        return False
    assert first is not None and first.type is not None and following is not None and following.type is not None
    dtype = first.type.dtype if following == argument else following.type.dtype
    if dtype == argument.type.dtype or not _holds(dtype, first.type.dtype):  # type: ignore[union-attr]
        return False
    if not all(user == end or (user.name == "pd_op.cast" and user.attributes.get("dtype") == dtype) for user, _ in argument.uses):
        return False
    if first.type.dtype != dtype:
        (cast,) = ir.Builder(loop.program).before(loop).create("pd_op.cast", [first], {"dtype": dtype}, [first.type]).results
        _set(cast, dtype)
        loop.set_operand(place + 1, cast)
    _set(argument, dtype)
    _set(loop.results[place], dtype)
    return True


def _holds(dtype: str, first: str) -> bool:
    """Whether tensors of a data type hold the numbers of another one, but for digits."""
    before, after = torch_dtype(first), torch_dtype(dtype)
    if before is None or after is None:
        return False
    return torch.promote_types(before, after) == after or (before.is_floating_point and after.is_floating_point)
