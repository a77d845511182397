"""Composites of interpolation: one axis after the other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import torch
from torch import Tensor
from torch.fx.experimental.symbolic_shapes import statically_known_true

from .widened import widened

_LARGEST_DENOMINATOR = 1 << 24


class _Axis:
    """Which pixels of an axis, and how much of each, make the pixels of its interpolation. Positions are float32."""

    def __init__(self, size: int, out: int, scale: float, method: str, align_corners: bool, align_mode: int, x: Tensor) -> None:
        self.size, self.is_nearest = size, method == "nearest"
        ratio = (size - 1) / (out - 1) if align_corners and out > 1 else 1 / scale if scale > 0 else size / out
        pixels = torch.arange(out, device=x.device, dtype=torch.float32)
        shift = 0.5 if align_mode == 0 and not align_corners and not self.is_nearest else 0.0
        if out == 1 and not (shift and method in ("linear", "trilinear")):
            position = torch.zeros_like(pixels)  # as Paddle's; these two take the middle
        else:
            position = (pixels + shift) * ratio - shift
        if self.is_nearest:
            self.lo = self._clamped((position.double() + (0.5 if align_corners else 0.0)).long())
            return
        position = position.clamp(min=0)
        self.lo = self._clamped(position.long())
        self.hi = self._clamped(self.lo + 1)
        self.weight = (position.double() - self.lo).clamp(max=1)

    def _clamped(self, index: Tensor) -> Tensor:
        return index.clamp(max=self.size - 1)

    def _weight(self, x: Tensor, dim: int) -> Tensor:
        return self.weight.to(x.dtype).reshape([-1 if d == dim else 1 for d in range(x.dim())])

    def interpolated(self, x: Tensor, dim: int) -> Tensor:
        lo = x.index_select(dim, self.lo)
        if self.is_nearest:
            return lo
        weight = self._weight(x, dim)
        return lo * (1 - weight) + x.index_select(dim, self.hi) * weight

    def share(self, x: Tensor, dim: int, is_high: bool) -> Tensor:
        """What the lower or the higher pixels are of it."""
        weight = self._weight(x, dim)
        return x.index_select(dim, self.hi if is_high else self.lo) * (weight if is_high else 1 - weight)

    def collected(self, grad: Tensor, dim: int) -> Tensor:
        """The transpose of `interpolated`."""
        shape = [self.size if d == dim else n for d, n in enumerate(grad.shape)]
        if self.is_nearest:
            return grad.new_zeros(shape).index_add(dim, self.lo, grad)
        weight = self._weight(grad, dim)
        lower = grad.new_zeros(shape).index_add(dim, self.lo, grad * (1 - weight))
        return lower.index_add(dim, self.hi, grad * weight)


class _CubicAxis:
    """The same for the cubic convolution with a = -0.75: four pixels, those outside of the axis being the nearest."""

    def __init__(self, size: int, out: int, scale: float, method: str, align_corners: bool, align_mode: int, x: Tensor) -> None:
        self.size = size
        ratio = (size - 1) / (out - 1) if align_corners and out > 1 else 1 / scale if scale > 0 else size / out
        step = torch.scalar_tensor(0.0 if out == 1 else ratio, dtype=torch.float32, device=x.device).double()
        pixels = torch.arange(out, device=x.device, dtype=torch.float64)
        position = (pixels * step).float().double() if align_corners else (pixels + 0.5) * step - 0.5
        first = position.floor()
        t = position - first
        self.taps = [(first.long() + k - 1).clamp(0, size - 1) for k in range(4)]
        self.weights = [self._far(t + 1), self._near(t), self._near(1 - t), self._far(2 - t)]

    @staticmethod
    def _near(d: Tensor) -> Tensor:
        return (1.25 * d - 2.25) * d * d + 1

    @staticmethod
    def _far(d: Tensor) -> Tensor:
        return ((-0.75 * d + 3.75) * d - 6) * d + 3

    def _weight(self, k: int, x: Tensor, dim: int) -> Tensor:
        return self.weights[k].to(x.dtype).reshape([-1 if d == dim else 1 for d in range(x.dim())])

    def interpolated(self, x: Tensor, dim: int) -> Tensor:
        return sum((x.index_select(dim, tap) * self._weight(k, x, dim) for k, tap in enumerate(self.taps)), x.new_zeros(()))

    def collected(self, grad: Tensor, dim: int) -> Tensor:
        """The transpose of `interpolated`."""
        found = grad.new_zeros([self.size if d == dim else n for d, n in enumerate(grad.shape)])
        for k, tap in enumerate(self.taps):
            found = found.index_add(dim, tap, grad * self._weight(k, grad, dim))
        return found


def _axis(size: int, out: int, scale: float, method: str, align_corners: bool, align_mode: int, x: Tensor) -> _Axis | _CubicAxis:
    kind = _CubicAxis if method == "bicubic" else _Axis
    return kind(size, out, scale, method, align_corners, align_mode, x)


def _spatial(x: Tensor, data_format: str) -> range:
    """The axes that are interpolated."""
    return range(1, x.dim() - 1) if data_format.endswith("C") else range(2, x.dim())


def _scales(n: int, size_tensor: Sequence[Tensor] | None, scale_tensor: Tensor | None, scale: Sequence[float]) -> list[float]:
    """Of each of `n` axes; 0 where the sizes say it."""
    if size_tensor:
        return [0.0] * n
    if scale_tensor is not None:
        values: list[float] = scale_tensor.flatten().tolist()
        return values if len(values) == n else values * n
    return list(scale) or [0.0] * n


def _sizes(
    old: Sequence[int],
    out_size: Tensor | None,
    size_tensor: Sequence[Tensor] | None,
    scales: Sequence[float],
    numbers: Sequence[int],
) -> list[int]:
    if size_tensor:
        return [int(t.item()) for t in size_tensor]
    if out_size is not None:
        return [int(n) for n in out_size.tolist()]
    if scales[0] > 0:
        return [_scaled(size, scale) for size, scale in zip(old, scales)]
    return list(numbers[-len(old) :])


def _is_same(a: int, b: int, scale: float) -> bool:
    """Whether an axis is copied; where no scale says otherwise each pixel is its own mean, so no trace need ask symbols."""
    return statically_known_true(a == b) if scale == 0 else a == b


def _scaled(size: int, scale: float) -> int:
    """The product in float64, rounded down; of a symbol by a fraction, unless that is whole and the product may lie below it."""
    part = Fraction(scale).limit_denominator(_LARGEST_DENOMINATOR)
    if isinstance(size, int) or (scale < part and size * part.numerator % part.denominator == 0):
        return int(int(size) * scale)
    return size * part.numerator // part.denominator


def interpolate(
    x: Tensor,
    out_size: Tensor | None = None,
    size_tensor: Sequence[Tensor] | None = None,
    scale_tensor: Tensor | None = None,
    data_format: str = "NCHW",
    out_d: int = 0,
    out_h: int = 0,
    out_w: int = 0,
    scale: Sequence[float] = (),
    interp_method: str = "bilinear",
    align_corners: bool = True,
    align_mode: int = 1,
) -> Tensor:
    """Of every method: the operators differ in the defaults of their entries alone."""
    dims = _spatial(x, data_format)
    old = [x.shape[dim] for dim in dims]
    scales = _scales(len(dims), size_tensor, scale_tensor, scale)
    sizes = _sizes(old, out_size, size_tensor, scales, (out_d, out_h, out_w))
    if all(_is_same(a, b, scale) for a, b, scale in zip(sizes, old, scales)):
        return x.clone()
    axes = [_axis(old[i], sizes[i], scales[i], interp_method, align_corners, align_mode, x) for i in range(len(dims))]
    if x.dtype is torch.uint8 and interp_method != "nearest":
        return _bytes(x, dict(zip(dims, axes)))
    out = x if interp_method == "nearest" else widened(x)
    for dim, axis in zip(dims, axes):
        out = axis.interpolated(out, dim)
    return out.to(x.dtype)


def _bytes(x: Tensor, axes: dict[int, Any]) -> Tensor:
    """As the kernel: each product is rounded to float32, their sum in a certain order is rounded down."""
    *rows, column = axes
    corners = list(product((False, True), repeat=len(rows)))
    order = [(corner, side) for side in (False, True) for corner in corners]
    if len(rows) == 2:  # a volume
        order = [(corner, side) for corner in corners for side in (False, True)]
    total = torch.zeros([], device=x.device)
    for corner, side in order:
        part = x.float()
        for dim, is_high in zip((*rows, column), (*corner, side)):
            part = axes[dim].share(part, dim, is_high)
        total = total + part
    return total.to(x.dtype)


def interpolate_grad(
    x: Tensor,
    out_size: Tensor | None,
    size_tensor: Sequence[Tensor] | None,
    scale_tensor: Tensor | None,
    output_grad: Tensor,
    data_format: str,
    out_d: int,
    out_h: int,
    out_w: int,
    scale: Sequence[float],
    interp_method: str,
    align_corners: bool,
    align_mode: int,
) -> Tensor:
    dims = _spatial(x, data_format)
    old, sizes = [x.shape[dim] for dim in dims], [output_grad.shape[dim] for dim in dims]
    scales = _scales(len(dims), size_tensor, scale_tensor, scale)
    if all(a == b for a, b in zip(sizes, old)):
        return output_grad.clone()
    grad = widened(output_grad)
    for i, dim in enumerate(dims):
        grad = _axis(old[i], sizes[i], scales[i], interp_method, align_corners, align_mode, x).collected(grad, dim)
    return grad.to(output_grad.dtype)
