"""Kernels that read features where regions and displacements say, with their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from .._differentiable import differentiable
from .._lod_rules import LOD_FORMS
from .._operators import Operands
from ..lod import with_lod
from .detection import attributes, expect_boxes, images_of, rounded
from .table import differentiated, expect, kernel


class Pooling(NamedTuple):
    """Position-sensitive pooling: each part of a region reads its own group of channels, at samples that `trans` moves."""

    no_trans: bool
    spatial_scale: float
    output_dim: int
    group_size: Sequence[int]
    pooled_height: int
    pooled_width: int
    part_size: Sequence[int]
    sample_per_part: int
    trans_std: float


def _checked(input: Tensor, rois: Tensor, trans: Tensor, pooling: Pooling) -> None:
    expect("slot Input", input.dim() == 4, "4 dimensions", f"shape {[*input.shape]}")
    expect_boxes("ROIs", rois)
    for name in ("group_size", "part_size"):
        value = getattr(pooling, name)
        expect(f"attribute {name}", len(value) == 2 and min(value) > 0, "2 numbers above 0", value)
    for name in ("output_dim", "pooled_height", "pooled_width", "sample_per_part"):
        expect(f"attribute {name}", getattr(pooling, name) > 0, "a number above 0", getattr(pooling, name))
    channels = pooling.output_dim * pooling.group_size[0] * pooling.group_size[1]
    expect("slot Input", input.shape[1] == channels, f"{channels} channels", f"shape {[*input.shape]}")
    if not pooling.no_trans:
        fits = trans.dim() == 4 and trans.shape[0] == rois.shape[0] and trans.shape[1] % 2 == 0
        fits = fits and list(trans.shape[2:]) == [*pooling.part_size] and 0 < trans.shape[1] // 2 <= pooling.output_dim
        expect("slot Trans", fits, f"shape [{rois.shape[0]}, 2 * classes, *part_size]", f"shape {[*trans.shape]}")


def pooled(input: Tensor, rois: Tensor, trans: Tensor, offsets: Sequence[int], pooling: Pooling) -> tuple[Tensor, Tensor]:
    """How many samples of each part are in the image, and their mean. Regions belong to images as their offsets say.

    Both are [regions, output_dim, pooled_height, pooled_width].
    """
    _checked(input, rois, trans, pooling)
    expect("slot ROIs", len(offsets) - 1 == input.shape[0], f"regions of {input.shape[0]} images", f"of {len(offsets) - 1}")
    dims, rows, columns = (
        torch.arange(size, device=input.device) for size in (pooling.output_dim, pooling.pooled_height, pooling.pooled_width)
    )
    sizes = rois.new_tensor([pooling.pooled_width, pooling.pooled_height])
    start = rounded(rois[:, :2]) * pooling.spatial_scale - 0.5
    extent = ((rounded(rois[:, 2:]) + 1) * pooling.spatial_scale - 0.5 - start).clamp(min=0.1)
    at = torch.stack(torch.broadcast_tensors(columns, rows[:, None]), -1).to(rois.dtype)  # [height, width, (x, y)]
    first = (start[:, None, None] + at * (extent / sizes)[:, None, None])[:, None]
    if not pooling.no_trans:
        part = (at / sizes * rois.new_tensor([*pooling.part_size][::-1])).floor().long()
        of_class = dims // (pooling.output_dim // (trans.shape[1] // 2))
        moved = trans.unflatten(1, (-1, 2))[:, :, :, part[..., 1], part[..., 0]][:, of_class].movedim(2, -1)
        first = first + moved * pooling.trans_std * extent[:, None, None, None]
    steps = torch.arange(pooling.sample_per_part, device=input.device)
    steps = torch.stack(torch.broadcast_tensors(steps, steps[:, None]), -1).reshape(-1, 2)
    step = (extent / sizes / pooling.sample_per_part)[:, None, None, None, None] * steps
    samples = first[..., None, :] + step  # [regions, 1 or output_dim, height, width, samples, (x, y)]

    last = samples.new_tensor([input.shape[3] - 1, input.shape[2] - 1])
    inside = ((samples >= -0.5) & (samples <= last + 0.5)).all(-1)
    samples = torch.minimum(samples, last).clamp(min=0)
    group = (at * rois.new_tensor([*pooling.group_size][::-1]) / sizes).floor().long()
    channel = (dims[:, None, None] * pooling.group_size[0] + group[..., 1]) * pooling.group_size[1] + group[..., 0]
    counts = torch.tensor(offsets, device=input.device).diff()
    image = torch.arange(input.shape[0], device=input.device).repeat_interleave(counts)
    values = _bilinear(input, image[:, None, None, None, None], channel[..., None], samples) * inside
    count = inside.sum(-1).to(input.dtype).expand(values.shape[:-1])
    return count.contiguous(), values.sum(-1) / count.clamp(min=1)


def _bilinear(input: Tensor, image: Tensor, channel: Tensor, at: Tensor) -> Tensor:
    """Elements of images at positions (x, y) inside of them."""
    low, high = at.detach().floor(), at.detach().ceil()
    x, y = (at - low).unbind(-1)
    (x0, y0), (x1, y1) = low.long().unbind(-1), high.long().unbind(-1)
    top = input[image, channel, y0, x0] * (1 - x) + input[image, channel, y0, x1] * x
    bottom = input[image, channel, y1, x0] * (1 - x) + input[image, channel, y1, x1] * x
    return top * (1 - y) + bottom * y


@differentiable("deformable_psroi_pooling")
def deformable_psroi_pooling(op: Operands) -> None:
    rois, pooling = op.input("ROIs"), Pooling._make(attributes(op, Pooling._fields))
    count, out = pooled(op.input("Input"), rois, op.input("Trans"), images_of(rois), pooling)
    op.set("TopCount", count.detach())
    op.set("Output", out)


def _by_levels(type: str, attrs: Sequence[str], more: Sequence[str], gives: Sequence[str]) -> None:
    """For regions whose levels of detail say how many each image has, where no slot does."""

    def form(op: Operands) -> None:
        rois = op.input("ROIs")
        counts = op.input("RoisNum") if op.has("RoisNum") else torch.tensor(images_of(rois), dtype=torch.int32).diff()
        given = (with_lod(one, []) for one in (op.input("X"), rois, counts, *map(op.input, more)))
        found = getattr(torch.ops.phi, type)(*given, *attributes(op, attrs))
        for slot, one in zip(gives, [found] if isinstance(found, Tensor) else found):
            op.set(slot, one)

    LOD_FORMS[type] = form


_SIZES = ("pooled_height", "pooled_width")
for _type, _more, _attrs in (
    ("roi_align", (), (*_SIZES, "spatial_scale", "sampling_ratio", "aligned")),
    ("roi_pool", ("Argmax",), (*_SIZES, "spatial_scale")),
    ("psroi_pool", (), (*_SIZES, "output_channels", "spatial_scale")),
):
    _by_levels(_type, _attrs, (), ("Out", *_more))
    _by_levels(f"{_type}_grad", _attrs, (*_more, "Out@GRAD"), ("X@GRAD",))


# ---- how well an image fits another one that is moved


_CORRELATION = "int pad_size, int kernel_size, int max_displacement, int stride1, int stride2, int corr_type_multiply"


@kernel(f"correlation(Tensor input1, Tensor input2, {_CORRELATION}) -> Tensor")
def correlation(
    input1: Tensor,
    input2: Tensor,
    pad_size: int,
    kernel_size: int,
    max_displacement: int,
    stride1: int,
    stride2: int,
    corr_type_multiply: int,
) -> Tensor:
    """The mean product of the windows around each `stride1`th element, for each displacement by multiples of `stride2`:
    [images, displacements, height, width], of displacements in y and then in x.
    """
    expect("slot Input2", input1.dim() == 4 and input2.shape == input1.shape, f"{[*input1.shape]}", f"{[*input2.shape]}")
    for name, value, least in (
        *(("kernel_size", kernel_size, 1), ("stride1", stride1, 1), ("stride2", stride2, 1)),
        *(("pad_size", pad_size, 0), ("max_displacement", max_displacement, 0)),
    ):
        expect(f"attribute {name}", value >= least, f"{least} or more", value)
    radius, most = (kernel_size - 1) // 2, max_displacement // stride2
    sizes = [-(-(size + 2 * (pad_size - radius - max_displacement)) // stride1) for size in input1.shape[2:]]
    expect("attribute max_displacement", min(sizes) > 0, f"less than images of shape {[*input1.shape]} have", max_displacement)
    around = [pad_size + radius] * 4  # where a window leaves the padded image there is nothing
    first, second = F.pad(input1, around), F.pad(input2, around)
    height, width = ((size - 1) * stride1 + 2 * radius + 1 for size in sizes)

    def moved(image: Tensor, y: int, x: int) -> Tensor:
        return image[:, :, max_displacement + y :, max_displacement + x :][:, :, :height, :width]

    steps = [step * stride2 for step in range(-most, most + 1)]
    products = torch.stack([(moved(first, 0, 0) * moved(second, y, x)).mean(1) for y in steps for x in steps], 1)
    return F.avg_pool2d(products, 2 * radius + 1, stride1, divisor_override=kernel_size**2)


@kernel(f"correlation_grad(Tensor input1, Tensor input2, Tensor out_grad, {_CORRELATION}) -> (Tensor, Tensor)")
def correlation_grad(input1: Tensor, input2: Tensor, out_grad: Tensor, *attrs: Any) -> Sequence[Tensor]:
    return differentiated(lambda x, y: correlation(x, y, *attrs), [input1, input2], out_grad)
