"""Operators whose attributes hold no symbols: with sizes that are numbers here they are traced nevertheless."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx

from ... import ir
from ...decompositions.found_sizes import spaced
from ...decompositions.interpolate import interpolate
from ..paddle.names import torch_dtype
from .values import Numbers, Values

if TYPE_CHECKING:
    from .graph import _Module


def resize(
    operator: Any, x: Tensor, sizes: list[int], data_format: str, method: str, align_corners: bool, align_mode: int
) -> Tensor:
    """An interpolation; in what is compiled or exported it is what it consists of."""
    run = interpolate if torch.compiler.is_compiling() else operator
    depth, height, width = [0] * (3 - len(sizes)) + sizes
    found: Tensor = run(x, None, None, None, data_format, depth, height, width, [], method, align_corners, align_mode)
    return found


def arange(start: int, end: int, step: int, dtype: torch.dtype) -> Tensor:
    run = torch.arange if torch.compiler.is_compiling() else torch.ops.phi.arange
    return run(start, end, step, dtype=dtype)


def eye(rows: int, columns: int, dtype: torch.dtype) -> Tensor:
    run = torch.eye if torch.compiler.is_compiling() else torch.ops.phi.eye
    return run(rows, columns, dtype=dtype)


def linspace(start: Tensor, stop: Tensor, number: int, dtype: torch.dtype | None) -> Tensor:
    if not torch.compiler.is_compiling():
        return torch.ops.phi.linspace(start, stop, torch.tensor(number), dtype)
    dtype = dtype or start.dtype
    return spaced(start.to(dtype), stop.to(dtype), number).to(dtype)


def emit_resize(self: _Module, op: ir.Operation, values: Values) -> None:
    sizes = _sizes(op, values)
    if sizes is None:
        return self.call(op, values)
    given = [op.attributes[name] for name in ("data_format", "interp_method", "align_corners", "align_mode")]
    operator = getattr(torch.ops.phi, op.name.partition(".")[2]).default
    values[op.results[0]] = values.call(resize, operator, values.tensor(op.operands[0]), sizes, *given)


def _sizes(op: ir.Operation, values: Values) -> list[Any] | None:
    """Those of `size_tensor`, else of `out_size`, where no scale says how far pixels are from each other."""
    x, out_size, size_tensor, scale_tensor = op.operands
    if size_tensor is not None:
        found = values.elements(size_tensor)
    elif scale_tensor is not None or op.attributes["scale"]:
        return None
    else:
        found = [values.known(out_size)]
    if x is None or x.type is None or not all(isinstance(one, Numbers) for one in found):
        return None
    sizes = [item for one in found for item in one.items]
    return sizes if len(sizes) == len(x.type.shape) - 2 else None


def _whole(known: Any) -> Any:
    """A number without a fraction; None if it is none, or not known."""
    if not isinstance(known, Numbers) or len(known.items) != 1:
        return None
    (item,) = known.items
    return item if isinstance(item, fx.Node) else int(item) if item == int(item) else None


def emit_range(self: _Module, op: ir.Operation, values: Values) -> None:
    """`arange` and `eye` of which a number is a size."""
    known = [_whole(values.known(one)) for one in op.operands]
    if None in known or not any(isinstance(one, fx.Node) for one in known):
        return self.call(op, values)
    dtype = op.attributes["dtype"]
    function = arange if op.name == "pd_op.arange" else eye
    values[op.results[0]] = values.call(function, *known, torch_dtype(dtype))


def emit_linspace(self: _Module, op: ir.Operation, values: Values) -> None:
    start, stop, number = op.operands
    known = values.known(number)
    if not isinstance(known, Numbers) or len(known.items) != 1 or "int" not in known.dtype:
        return self.call(op, values)
    dtype = torch_dtype(op.attributes["dtype"])
    values[op.results[0]] = values.call(linspace, values.tensor(start), values.tensor(stop), known.items[0], dtype)


def emit_full(self: _Module, op: ir.Operation, values: Values) -> None:
    value, shape = op.operands
    assert value is not None
    sizes = op.attributes["shape"] if shape is None else values.numbers(shape)
    dtype = torch_dtype(op.attributes["dtype"])
    number = values.known(value)
    if isinstance(number, Numbers) and not number.is_constant:
        values[op.results[0]] = values.call(torch.ops.phi.full_with_tensor.default, values.tensor(value), sizes, dtype)
    else:
        values[op.results[0]] = values.call(torch.ops.phi.full.default, sizes, values.number(value), dtype)


_METHODS = ("linear", "nearest", "bilinear", "bicubic", "trilinear")
SHAPE_CALLS: dict[str, Callable[[_Module, ir.Operation, Values], None]] = {
    "pd_op.arange": emit_range,
    "pd_op.eye": emit_range,
    "pd_op.linspace": emit_linspace,
    "pd_op.full_with_tensor": emit_full,
    **{f"pd_op.{method}_interp": emit_resize for method in _METHODS},
}
