"""Kernels of the first versions of interpolations, with their gradients: they round a scaled size, and know no other scale."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from torch import Tensor

from ... import ops as phi
from .._operators import Operands, operator
from ..lod import lod_of, with_lod
from .table import as_written, differentiated, expect, kernel

SIZES = ("out_d", "out_h", "out_w")
METHODS = {3: ("linear",), 4: ("bilinear", "nearest", "bicubic"), 5: ("trilinear",)}
_INPUTS = "Tensor? out_size, Tensor[]? size_tensor, Tensor? scale_tensor"
_ATTRIBUTES = "str data_layout, int out_d, int out_h, int out_w, float scale, str interp_method, bool align_corners, int align_mode"


def interpolated(
    x: Tensor,
    out_size: Tensor | None,
    size_tensor: Sequence[Tensor] | None,
    scale_tensor: Tensor | None,
    data_layout: str,
    out_d: int,
    out_h: int,
    out_w: int,
    scale: float,
    interp_method: str,
    align_corners: bool,
    align_mode: int,
) -> Tensor:
    """Of the size that one of the inputs says, or else the attributes; the method is what the attribute says."""
    expect("slot X", x.dim() in METHODS, "3 to 5 dimensions", f"shape {[*x.shape]}")
    methods = METHODS[x.dim()]
    expect("attribute interp_method", interp_method in methods, f"{' or '.join(methods)} for {x.dim()} dimensions", interp_method)
    expect("attribute align_mode", align_mode in (0, 1), "0 or 1", align_mode)
    axes = x.dim() - 2
    last = data_layout != "NCHW"  # Paddle takes NCDHW for a layout whose channels are last
    of = x.shape[1:-1] if last else x.shape[2:]
    factor = Fraction(str(as_written(scale))) if scale_tensor is None else scale_tensor.reshape(-1)[0].item()
    if size_tensor:
        sizes = [int(one) for one in size_tensor]
    elif out_size is not None:
        sizes = out_size.tolist()
    else:
        sizes = [_scaled(size, factor) for size in of] if factor > 0 else [out_d, out_h, out_w][-axes:]
    expect("attribute out_h", len(sizes) == axes and min(sizes) > 0, f"{axes} sizes above 0", sizes)
    layout = {3: "NHWC" if last else "NCHW", 4: "NHWC" if last else "NCHW", 5: "NDHWC" if last else "NCDHW"}[x.dim()]
    given = {**dict.fromkeys(SIZES, 0), **dict(zip(SIZES[-axes:], sizes))}
    function = getattr(phi, f"{interp_method}_interp")
    options: dict[str, Any] = {"interp_method": interp_method, "align_corners": align_corners, "align_mode": align_mode}
    return function(x, data_format=layout, **given, **options)  # type: ignore[no-any-return]


def _scaled(size: int, factor: Any) -> int:
    return size * factor.numerator // factor.denominator if isinstance(factor, Fraction) else int(size * factor)


def _grad(
    x: Tensor,
    out_size: Tensor | None,
    size_tensor: Sequence[Tensor] | None,
    scale_tensor: Tensor | None,
    out_grad: Tensor,
    *attrs: Any,
) -> Tensor:
    return differentiated(lambda one: interpolated(one, out_size, size_tensor, scale_tensor, *attrs), [x], out_grad)[0]


def _by_slots(op: Operands) -> None:
    tensors = (op.input(slot) if op.has(slot) else None for slot in ("OutSize", "Scale"))
    out_size, scale = tensors
    attrs = (op.attr(name) for name in ("data_layout", *SIZES, "scale", "interp_method", "align_corners", "align_mode"))
    out = interpolated(op.input("X"), out_size, op.inputs("SizeTensor"), scale, *attrs)
    op.set("Out", with_lod(out, [] if out_size is None else lod_of(op.input("X"))))


for _method in ("bilinear", "nearest"):
    kernel(f"legacy_{_method}_interp(Tensor x, {_INPUTS}, {_ATTRIBUTES}) -> Tensor")(interpolated)
for _method in ("linear", "bicubic", "trilinear"):
    operator(f"{_method}_interp")(_by_slots)
for _method in ("bilinear", "nearest", "linear", "bicubic", "trilinear"):
    kernel(f"legacy_{_method}_interp_grad(Tensor x, {_INPUTS}, Tensor out_grad, {_ATTRIBUTES}) -> Tensor")(_grad)
