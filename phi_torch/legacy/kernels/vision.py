"""Kernels of older networks of images, with their gradients: those of the operators that they are made of."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from ...decompositions.pooling import unpool_grad
from .._operators import Operands, operator
from ..lod import lod_of, with_lod
from .table import differentiated, expect, kernel, shaped, xshape

# ---- channels


def _window_sum(x: Tensor, n: int, axis: int) -> Tensor:
    """The sum of the n elements around each one along an axis."""
    around = F.pad(x.movedim(axis, -1), ((n - 1) // 2, n // 2))
    return around.unfold(-1, n, 1).sum(-1).movedim(-1, axis)


def _lrn_axis(x: Tensor, n: int, data_format: str) -> int:
    known = ("NCHW", "NHWC", "AnyLayout")
    expect("attribute data_format", data_format in known, ", ".join(known), repr(data_format))
    expect("slot X", x.dim() == 4, "4 dimensions", f"shape {[*x.shape]}")
    expect("attribute n", n > 0 and n % 2 == 1, "an odd number above 0", n)
    return 3 if data_format == "NHWC" else 1


_LRN = "int n, float k, float alpha, float beta, str data_format"


@kernel(f"lrn(Tensor x, {_LRN}) -> (Tensor, Tensor)")
def lrn(x: Tensor, n: int, k: float, alpha: float, beta: float, data_format: str) -> tuple[Tensor, Tensor]:
    middle = k + alpha * _window_sum(x * x, n, _lrn_axis(x, n, data_format))
    return x * middle**-beta, middle


@kernel(f"lrn_grad(Tensor x, Tensor out, Tensor mid_out, Tensor out_grad, {_LRN}) -> Tensor")
def lrn_grad(
    x: Tensor,
    out: Tensor,
    mid_out: Tensor,
    out_grad: Tensor,
    n: int,
    k: float,
    alpha: float,
    beta: float,
    data_format: str,
) -> Tensor:
    around = _window_sum(out_grad * out / mid_out, n, _lrn_axis(x, n, data_format))
    return out_grad * mid_out**-beta - 2 * alpha * beta * x * around


def _of_channels(x: Tensor, of: Tensor, slot: str, data_layout: str) -> Tensor:
    """A number for each channel, to broadcast with x: the second dimension of NCHW, the last one of any other layout."""
    axis = 1 if data_layout == "NCHW" else x.dim() - 1
    fits = x.dim() > 1 and of.shape == (x.shape[axis],)
    expect(f"slot {slot}", fits, f"one for each channel of shape {[*x.shape]}, {data_layout}", f"shape {[*of.shape]}")
    return of.reshape([-1 if at == axis else 1 for at in range(x.dim())])


def _affine(x: Tensor, scale: Tensor, bias: Tensor, data_layout: str) -> Tensor:
    return x * _of_channels(x, scale, "Scale", data_layout) + _of_channels(x, bias, "Bias", data_layout)


@operator("affine_channel")  # not a kernel, for which AnyLayout is NCHW
def affine_channel(op: Operands) -> None:
    out = _affine(op.input("X"), op.input("Scale"), op.input("Bias"), op.attr("data_layout"))
    op.set("Out", with_lod(out, lod_of(op.input("X"))))


@operator("affine_channel_grad")
def affine_channel_grad(op: Operands) -> None:
    x, scale, grad, layout = op.input("X"), op.input("Scale"), op.input("Out@GRAD"), op.attr("data_layout")
    inputs = x, scale, torch.zeros_like(scale)
    for slot, one in zip(("X", "Scale", "Bias"), differentiated(lambda x, a, b: _affine(x, a, b, layout), inputs, grad)):
        op.set(f"{slot}@GRAD", one)


# ---- windows


@kernel("spp(Tensor x, int pyramid_height, str pooling_type) -> Tensor")
def spp(x: Tensor, pyramid_height: int, pooling_type: str) -> Tensor:
    """Maxima or averages of the windows that an image falls into, for 1, 2, 4, ... of them along each side."""
    expect("slot X", x.dim() == 4 and min(x.shape[2:]) > 0, "4 dimensions, images with elements", f"shape {[*x.shape]}")
    expect("attribute pooling_type", pooling_type in ("max", "avg"), "max or avg", repr(pooling_type))
    expect("attribute pyramid_height", pyramid_height > 0, "a number above 0", pyramid_height)
    return torch.cat([_bins(x, 2**level, pooling_type).flatten(1) for level in range(pyramid_height)], 1)


def _bins(x: Tensor, bins: int, pooling_type: str) -> Tensor:
    height, width = (-(-size // bins) for size in x.shape[2:])
    top, left = (size * bins - of + 1 >> 1 for size, of in zip((height, width), x.shape[2:]))
    sides = (left, width * bins - x.shape[3] - left, top, height * bins - x.shape[2] - top)

    def windows(of: Tensor, value: float) -> Tensor:
        padded = F.pad(of, sides, value=value).reshape(*of.shape[:2], bins, height, bins, width)
        return padded.transpose(3, 4).flatten(4)

    if pooling_type == "max":
        return windows(x, torch.finfo(torch.float32).min).max(-1).values
    return windows(x, 0.0).sum(-1) / windows(torch.ones_like(x), 0.0).sum(-1)


@kernel("spp_grad(Tensor x, Tensor out, Tensor out_grad, int pyramid_height, str pooling_type) -> Tensor")
def spp_grad(x: Tensor, out: Tensor, out_grad: Tensor, pyramid_height: int, pooling_type: str) -> Tensor:
    return differentiated(lambda one: spp(one, pyramid_height, pooling_type), [x], out_grad)[0]


_UNPOOL = "int[] ksize, int[] strides, int[] paddings, int[] output_size, str data_format"


@kernel(f"unpool3d_grad(Tensor x, Tensor indices, Tensor out, Tensor out_grad, {_UNPOOL}) -> Tensor")
def unpool3d_grad(x: Tensor, indices: Tensor, out: Tensor, out_grad: Tensor, *attrs: Any) -> Tensor:
    return unpool_grad(x, indices, out, out_grad, *attrs)


# ---- shapes


@kernel("legacy_crop(Tensor x, Tensor? y, int[] offsets, int[] shape) -> Tensor")
def crop(x: Tensor, y: Tensor | None, offsets: Sequence[int] | Tensor, shape: Sequence[int]) -> Tensor:
    """Of the shape of y where it is given; -1 for the first dimension is that of x."""
    first = offsets.tolist() if isinstance(offsets, Tensor) else list(offsets)
    sizes = list(shape if y is None else y.shape)
    expect("attribute shape", len(sizes) == x.dim(), f"{x.dim()} numbers", sizes)
    expect("attribute offsets", len(first) == x.dim(), f"{x.dim()} numbers", first)
    sizes[0] = x.shape[0] if sizes[0] == -1 else sizes[0]
    for at, (begin, size, of) in enumerate(zip(first, sizes, x.shape)):
        inside = 0 <= begin and 0 <= size and begin + size <= of
        expect("attribute offsets", inside, f"a crop of size {size} inside of {of} in dimension {at}", begin)
    return x[tuple(slice(begin, begin + size) for begin, size in zip(first, sizes))].clone()


@kernel("legacy_crop_grad(Tensor x, Tensor? y, Tensor out_grad, int[] offsets, int[] shape) -> Tensor")
def crop_grad(x: Tensor, y: Tensor | None, out_grad: Tensor, offsets: Sequence[int] | Tensor, shape: Sequence[int]) -> Tensor:
    return differentiated(lambda one: crop(one, out_grad, offsets, shape), [x], out_grad)[0]


@kernel("flatten2(Tensor x, int axis) -> (Tensor, Tensor)")
def flatten2(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """A matrix, whose rows are the dimensions before the axis, and the shape of x for the gradient."""
    expect("attribute axis", 0 <= axis <= x.dim(), f"0 to {x.dim()}", axis)
    sizes = [math.prod(x.shape[:axis]), math.prod(x.shape[axis:])] if x.dim() else [1]
    return shaped(x, sizes), xshape(x)


@kernel("flatten2_grad(Tensor? x, Tensor xshape, Tensor out_grad, int axis) -> Tensor")
def flatten2_grad(x: Tensor | None, xshape: Tensor, out_grad: Tensor, axis: int) -> Tensor:
    return shaped(out_grad, xshape.shape[1:])


@operator("pad2d")
def pad2d(op: Operands) -> None:
    given = op.input("Paddings").tolist() if op.has("Paddings") else op.attr("paddings", [])
    op.set("Out", padded(op.input("X"), given, op.attr("pad_value"), op.attr("mode"), op.attr("data_format")))


def padded(x: Tensor, paddings: Sequence[int], value: float, mode: str, data_format: str) -> Tensor:
    """An image with more rows at its top and bottom, and columns at its left and right."""
    expect("slot X", x.dim() == 4, "4 dimensions", f"shape {[*x.shape]}")
    expect("attribute paddings", len(paddings) == 4, "4 numbers", paddings)
    expect("attribute mode", mode in ("constant", "reflect", "edge"), "constant, reflect or edge", repr(mode))
    expect("attribute data_format", data_format in ("NCHW", "NHWC"), "NCHW or NHWC", repr(data_format))
    rows = 2 if data_format == "NCHW" else 1
    top, bottom, left, right = paddings
    if mode == "constant":
        return F.pad(x, (*([0, 0] if rows == 1 else []), left, right, top, bottom), value=value)
    for axis, before, after in ((rows, top, bottom), (rows + 1, left, right)):
        size = x.shape[axis]
        at = torch.arange(-before, size + after, device=x.device)
        if mode == "reflect":
            expect("attribute paddings", max(before, after) < size, f"less than the {size} that are reflected", paddings)
            at = at.abs()
            at = torch.minimum(at, 2 * size - at - 2)
        x = x.index_select(axis, at.clamp(0, size - 1))
    return x


@kernel(
    "pad2d_grad(Tensor x, Tensor? paddings_tensor, Tensor out_grad, int[] paddings, float pad_value, str mode, str data_format)"
    " -> Tensor"
)
def pad2d_grad(
    x: Tensor,
    paddings_tensor: Tensor | None,
    out_grad: Tensor,
    paddings: Sequence[int],
    pad_value: float,
    mode: str,
    data_format: str,
) -> Tensor:
    given = paddings if paddings_tensor is None else paddings_tensor.tolist()
    return differentiated(lambda one: padded(one, given, pad_value, mode, data_format), [x], out_grad)[0]


@kernel("similarity_focus(Tensor x, int axis, int[] indexes) -> Tensor")
def similarity_focus(x: Tensor, axis: int, indexes: Sequence[int]) -> Tensor:
    """1 where an element of one of the slices is the largest of its row and column, among those without a larger one, else 0."""
    expect("slot X", x.dim() == 4, "4 dimensions", f"shape {[*x.shape]}")
    expect("attribute axis", axis in (1, 2, 3), "1, 2 or 3", axis)
    inside = len(indexes) > 0 and all(0 <= index < x.shape[axis] for index in indexes)
    expect("attribute indexes", inside, f"numbers from 0 to {x.shape[axis] - 1}", indexes)
    slices = x.movedim(axis, 1)
    focus = torch.zeros_like(slices[:, 0])
    for image, index in itertools.product(range(x.shape[0]), indexes):
        rows, columns = set[int](), set[int]()
        for at in slices[image, index].reshape(-1).argsort(descending=True, stable=True).tolist():
            row, column = divmod(at, slices.shape[3])
            if row not in rows and column not in columns:
                rows.add(row)
                columns.add(column)
                focus[image, row, column] = 1
    return focus[:, None].expand(slices.shape).movedim(1, axis).contiguous()
