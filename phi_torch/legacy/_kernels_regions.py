"""Kernels that read features where regions and displacements say, with their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from ._kernels import differentiated, kernel
from ._kernels_detection import expect, expect_boxes, one_image, rounded


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


_POOLING = (
    "bool no_trans, float spatial_scale, int output_dim, int[] group_size, int pooled_height, int pooled_width,"
    " int[] part_size, int sample_per_part, float trans_std"
)


@kernel(f"deformable_psroi_pooling(Tensor input, Tensor rois, Tensor trans, {_POOLING}) -> (Tensor, Tensor)")
def deformable_psroi_pooling(input: Tensor, rois: Tensor, trans: Tensor, *attrs: Any) -> tuple[Tensor, Tensor]:
    return pooled(input, rois, trans, one_image(rois), Pooling(*attrs))


@kernel(
    "deformable_psroi_pooling_grad(Tensor input, Tensor rois, Tensor trans, Tensor top_count, Tensor out_grad,"
    f" {_POOLING}) -> (Tensor, Tensor)"
)
def deformable_psroi_pooling_grad(
    input: Tensor, rois: Tensor, trans: Tensor, top_count: Tensor, out_grad: Tensor, *attrs: Any
) -> Sequence[Tensor]:
    return pooled_grad(input, rois, trans, out_grad, one_image(rois), Pooling(*attrs))


def pooled_grad(
    input: Tensor, rois: Tensor, trans: Tensor, out_grad: Tensor, offsets: Sequence[int], pooling: Pooling
) -> Sequence[Tensor]:
    return differentiated(lambda x, moved: pooled(x, rois, moved, offsets, pooling)[1], [input, trans], out_grad)


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
