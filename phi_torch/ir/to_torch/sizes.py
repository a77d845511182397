"""Results of operations as numbers: what follows from sizes and constants. Operators take these where they decide on sizes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import torch
from torch import fx

from ... import ir
from ..guessed_types import is_guessed
from .values import Numbers, Values

_MOST = 16  # numbers of a constant that may be a shape
_REAL = ("float32", "float64")  # which hold sizes as they are
_FAR = 2**62  # no size is as large

Rule = Callable[[ir.Operation, Values], Numbers | list[Any] | None]


def as_numbers(op: ir.Operation, values: Values) -> Numbers | list[Any] | None:
    """The result of an operation as numbers, or as a list of such; None if it is not known before it runs."""
    rule = _RULES.get(op.name)
    found = None if rule is None else rule(op, values)
    return found if all(_fits(one) for one in (found if isinstance(found, list) else [found])) else None


def _fits(found: Numbers | None) -> bool:
    """Whether the data type has these numbers: what overflows is left to the operator. No size is of fewer than 32 bits."""
    if found is None or "int" not in found.dtype:
        return True
    info = torch.iinfo(getattr(torch, found.dtype))
    return all(info.bits >= 32 if isinstance(one, fx.Node) else info.min <= one <= info.max for one in found.items)


def _operands(op: ir.Operation, values: Values) -> list[Numbers] | None:
    found = [values.known(one) for one in op.operands]
    return found if all(isinstance(one, Numbers) for one in found) else None  # type: ignore[return-value]


def _integers(op: ir.Operation, values: Values) -> list[Numbers] | None:
    found = _operands(op, values)
    return found if found is not None and all("int" in one.dtype for one in found) else None


def _full(op: ir.Operation, values: Values) -> Numbers | None:
    shape, dtype, value = op.attributes["shape"], op.attributes["dtype"], op.attributes["value"]
    count = math.prod(shape)
    if len(shape) > 1 or not 1 <= count <= (_MOST if "int" in dtype else 1) or "complex" in dtype:
        return None
    convert = bool if dtype == "bool" else float if "float" in dtype else int
    return Numbers((convert(value),) * count, len(shape), dtype)


def _int_array(op: ir.Operation, values: Values) -> Numbers:
    return Numbers(tuple(op.attributes["value"]), 1, op.attributes["dtype"])


def _shape(op: ir.Operation, values: Values) -> Numbers | None:
    (x,), type = op.operands, op.results[0].type
    if x is None or x.type is None or type is None or x.type.kind != "dense_tensor" or x in values.guessed_ranks:
        return None
    return Numbers(tuple(values.size(x, dim) for dim in range(len(x.type.shape))), 1, type.dtype)


def _numel(op: ir.Operation, values: Values) -> Numbers | None:
    (x,), type = op.operands, op.results[0].type
    if x is None or x.type is None or type is None or x.type.kind != "dense_tensor":
        return None
    is_known = min(x.type.shape, default=0) >= 0 and not is_guessed(x)
    count = math.prod(x.type.shape) if is_known else values.graph.call_method("numel", (values.tensor(x),))
    return Numbers((count,), len(type.shape), type.dtype)


def _slice(op: ir.Operation, values: Values) -> Numbers | None:
    bounds = [values.known(one) for one in op.operands[1:]]
    if not all(isinstance(one, Numbers) and one.is_constant and len(one.items) == 1 for one in bounds):
        return None
    if op.attributes["axes"] != [0]:
        return None
    start, *rest = (one.items[0] for one in bounds)  # type: ignore[union-attr]
    end, step = (*rest, 1)[:2]
    rank = 0 if op.attributes.get("decrease_axis") else 1
    found = values.known(op.operands[0])
    if rank == 0 and not isinstance(found, Numbers):
        return _size_of(op, start, values)
    if not isinstance(found, Numbers) or found.rank != 1 or step < 1:
        return None
    if rank == 0 and start == -1:
        end = len(found.items)
    return Numbers(found.items[start:end:step], rank, found.dtype)


def _size_of(op: ir.Operation, dim: int, values: Values) -> Numbers | None:
    """One size of what has another rank than its type says, maybe."""
    (result,), x = op.results, op.operands[0]
    shape = x.defining_op if x is not None else None
    if shape is None or shape.name not in _SHAPES or result.type is None:
        return None
    return Numbers((values.graph.call_method("size", (values.tensor(shape.operands[0]), dim)),), 0, result.type.dtype)


def _joined(op: ir.Operation, values: Values) -> Numbers | None:
    if op.operands[0] is None:
        return None
    found = values.elements(op.operands[0])
    rank = 0 if op.name == "pd_op.stack" else 1
    if not found or not all(isinstance(one, Numbers) and one.rank == rank for one in found):
        return None
    return Numbers(tuple(item for one in found for item in one.items), 1, found[0].dtype)


def _unbound(op: ir.Operation, values: Values) -> list[Any] | None:
    found = values.known(op.operands[0])
    if not isinstance(found, Numbers) or found.rank != 1:
        return None
    return [Numbers((item,), 0, found.dtype) for item in found.items]


def _gathered(op: ir.Operation, values: Values) -> Numbers | None:
    found = [values.known(one) for one in op.operands[:2]]
    numbers, indices = found
    if not isinstance(numbers, Numbers) or not isinstance(indices, Numbers) or not indices.is_constant or numbers.rank != 1:
        return None
    if not all(0 <= at < len(numbers.items) for at in indices.items):
        return None
    return Numbers(tuple(numbers.items[at] for at in indices.items), indices.rank, numbers.dtype)


def _cast(op: ir.Operation, values: Values) -> Numbers | None:
    found = _integers(op, values)
    if found is None:
        return None
    dtype = op.attributes.get("dtype", found[0].dtype)
    return found[0]._replace(dtype=dtype) if "int" in dtype or dtype in _REAL else None


def _reshaped(op: ir.Operation, values: Values) -> Numbers | None:
    found, type = _operands(op, values), op.results[0].type
    if found is None or type is None or len(type.shape) > 1 or (len(found[0].items) != 1 and not type.shape):
        return None
    return found[0]._replace(rank=len(type.shape))


def _arithmetic(function: Callable[[Any, Any], Any]) -> Rule:
    def rule(op: ir.Operation, values: Values) -> Numbers | None:
        found = _integers(op, values)
        if found is None or found[0].dtype != found[1].dtype:
            return None
        count = max(len(one.items) for one in found)
        columns = [one.items * count if len(one.items) == 1 else one.items for one in found]
        if {len(one) for one in columns} != {count}:
            return None
        if function in _DIVIDE and 0 in columns[1]:
            return None  # the operator says what that is
        items = tuple(_apply(function, values, a, b) for a, b in zip(*columns))
        return Numbers(items, max(one.rank for one in found), found[0].dtype)

    return rule


def _reduced(function: Callable[[Any, Any], Any]) -> Rule:
    def rule(op: ir.Operation, values: Values) -> Numbers | None:
        found, type = _integers(op, values), op.results[0].type
        if found is None or type is None or "int" not in type.dtype or found[0].rank != 1 or not found[0].items:
            return None
        item = reduce(lambda a, b: _apply(function, values, a, b), found[0].items)
        return Numbers((item,), len(type.shape), type.dtype)

    return rule


def _scale(op: ir.Operation, values: Values) -> Numbers | None:
    found, factor = values.known(op.operands[0]), values.known(op.operands[1])
    if not isinstance(found, Numbers) or "int" not in found.dtype:
        return None
    if factor is not None and not (isinstance(factor, Numbers) and factor.is_constant):
        return None
    scale, bias = op.attributes["scale"] if factor is None else factor.items[0], op.attributes["bias"]
    if scale != int(scale) or bias != int(bias) or not op.attributes["bias_after_scale"]:
        return None
    items: Sequence[Any] = found.items
    if scale != 1:
        items = [_apply(operator.mul, values, item, int(scale)) for item in items]
    if bias != 0:
        items = [_apply(operator.add, values, item, int(bias)) for item in items]
    return found._replace(items=tuple(items))


def _clip(op: ir.Operation, values: Values) -> Numbers | None:
    found, *bounds = [values.known(one) for one in op.operands]
    if not isinstance(found, Numbers) or "int" not in found.dtype:
        return None
    if not all(isinstance(one, Numbers) and one.is_constant and len(one.items) == 1 for one in bounds):
        return None
    low, high = (one.items[0] for one in bounds)  # type: ignore[union-attr]
    least, most = int(max(low, -_FAR)), int(min(high, _FAR))
    items = found.items
    if least > -_FAR:
        items = tuple(_apply(torch.sym_max, values, item, least) for item in items)
    if most < _FAR:
        items = tuple(_apply(torch.sym_min, values, item, most) for item in items)
    return found._replace(items=items)


def _apply(function: Callable[[Any, Any], Any], values: Values, a: Any, b: Any) -> Any:
    return values.call(function, a, b) if isinstance(a, fx.Node) or isinstance(b, fx.Node) else function(a, b)


_DIVIDE = (operator.floordiv, operator.mod)
_SHAPES = ("pd_op.shape", "pd_op.shape64")
_RULES: dict[str, Rule] = {
    "pd_op.full": _full,
    "pd_op.full_int_array": _int_array,
    **dict.fromkeys(_SHAPES, _shape),
    "pd_op.numel": _numel,
    "pd_op.slice": _slice,
    "pd_op.strided_slice": _slice,
    "pd_op.stack": _joined,
    "pd_op.concat": _joined,
    "pd_op.unbind": _unbound,
    "pd_op.gather": _gathered,
    "pd_op.index_select": _gathered,
    "pd_op.cast": _cast,
    "pd_op.assign": _cast,
    "pd_op.reshape": _reshaped,
    "pd_op.squeeze": _reshaped,
    "pd_op.unsqueeze": _reshaped,
    "pd_op.scale": _scale,
    "pd_op.clip": _clip,
    "pd_op.add": _arithmetic(operator.add),
    "pd_op.subtract": _arithmetic(operator.sub),
    "pd_op.multiply": _arithmetic(operator.mul),
    "pd_op.floor_divide": _arithmetic(operator.floordiv),
    "pd_op.remainder": _arithmetic(operator.mod),
    "pd_op.maximum": _arithmetic(torch.sym_max),
    "pd_op.minimum": _arithmetic(torch.sym_min),
    "pd_op.prod": _reduced(operator.mul),
    "pd_op.sum": _reduced(operator.add),
}
