"""Kernels of detection that programs alone name: anchors, boxes, and how boxes overlap and match.

Rows of boxes that belong to several images are given by their offsets: those of image i are offsets[i] to offsets[i + 1].
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .._operators import Operands, operator
from ..lod import lod_of, with_lod
from .table import expect, kernel


def expect_boxes(slot: str, boxes: Tensor) -> None:
    expect(f"slot {slot}", boxes.dim() == 2 and boxes.shape[1] == 4, "shape [boxes, 4]", f"shape {[*boxes.shape]}")


def images_of(rows: Tensor) -> list[int]:
    """The offsets of the images that rows are of, which levels of detail say; without them all are of one."""
    lod = lod_of(rows)
    expect("levels of detail", len(lod) < 2, "one at most", lod)
    return lod[-1] if lod else [0, rows.shape[0]]


def attributes(op: Operands, names: Sequence[str]) -> list[Any]:
    """The values of attributes that the operator has to have."""
    values = [op.attr(name) for name in names]
    for name, value in zip(names, values):
        expect(f"attribute {name}", value is not None, "a value", "none")
    return values


def rounded(x: Tensor) -> Tensor:
    """As C rounds: halves away from 0."""
    return torch.where(x < 0, torch.ceil(x - 0.5), torch.floor(x + 0.5))


# ---- anchors


def _grid(input: Tensor, step_x: float | Tensor, step_y: float | Tensor) -> Tensor:
    """The positions [height, width, 1, (x, y)] of an image's elements times a step."""
    expect("slot Input", input.dim() == 4, "4 dimensions", f"shape {[*input.shape]}")
    y, x = (torch.arange(size, dtype=input.dtype, device=input.device) for size in input.shape[2:])
    return torch.stack(torch.broadcast_tensors(x * step_x, (y * step_y)[:, None]), -1)[:, :, None]


def _variances(variances: Sequence[float], boxes: Tensor) -> Tensor:
    expect("attribute variances", len(variances) == 4, "4 numbers", variances)
    return boxes.new_tensor(variances).expand(boxes.shape).contiguous()


@kernel(
    "anchor_generator(Tensor input, float[] anchor_sizes, float[] aspect_ratios, float[] variances, float[] stride, float offset)"
    " -> (Tensor, Tensor)"
)
def anchor_generator(
    input: Tensor,
    anchor_sizes: Sequence[float],
    aspect_ratios: Sequence[float],
    variances: Sequence[float],
    stride: Sequence[float],
    offset: float,
) -> tuple[Tensor, Tensor]:
    expect("attribute stride", len(stride) == 2 and min(stride) > 0, "2 numbers above 0", stride)
    ratios, sizes, step = (input.new_tensor(one) for one in (aspect_ratios, anchor_sizes, stride))
    width = rounded(torch.sqrt(step[0] * step[1] / ratios))
    height = rounded(width * ratios)
    extent = torch.stack([torch.outer(width, sizes / step[0]), torch.outer(height, sizes / step[1])], -1).reshape(-1, 2)
    center, half = _grid(input, step[0], step[1]) + offset * (step - 1), 0.5 * (extent - 1)
    anchors = torch.cat([center - half, center + half], -1)
    return anchors, _variances(variances, anchors)


@kernel(
    "density_prior_box(Tensor input, Tensor image, float[] variances, bool clip, bool flatten_to_2d, float step_w, float step_h,"
    " float offset, float[] fixed_sizes, float[] fixed_ratios, int[] densities) -> (Tensor, Tensor)"
)
def density_prior_box(
    input: Tensor,
    image: Tensor,
    variances: Sequence[float],
    clip: bool,
    flatten_to_2d: bool,
    step_w: float,
    step_h: float,
    offset: float,
    fixed_sizes: Sequence[float],
    fixed_ratios: Sequence[float],
    densities: Sequence[int],
) -> tuple[Tensor, Tensor]:
    expect("slot Image", image.dim() == 4, "4 dimensions", f"shape {[*image.shape]}")
    same = len(densities) == len(fixed_sizes)
    expect("attribute densities", same, f"{len(fixed_sizes)} numbers, as fixed_sizes", densities)
    step = input.new_tensor([step_w, step_h])
    scale = input.new_tensor([image.shape[3], image.shape[2]])
    if not step.all():
        step = scale / input.new_tensor([input.shape[3], input.shape[2]])
    average = int((step[0] + step[1]) * 0.5)
    shifts, halves = [], []
    for size, density in zip(fixed_sizes, densities):
        expect("attribute densities", density > 0, "numbers above 0", densities)
        between = average // density
        at = torch.arange(density, dtype=input.dtype, device=input.device) * between + (between - average) / 2
        y, x = torch.meshgrid(at, at, indexing="ij")
        for ratio in fixed_ratios:
            shifts.append(torch.stack([x, y], -1).reshape(-1, 2))
            halves.append(input.new_tensor([size * ratio**0.5, size / ratio**0.5]).expand(density**2, 2) / 2)
    shift, half = (torch.cat(some) if some else input.new_empty(0, 2) for some in (shifts, halves))
    center = _grid(input, step[0], step[1]) + offset * step + shift
    boxes = torch.cat([((center - half) / scale).clamp(min=0), ((center + half) / scale).clamp(max=1)], -1)
    boxes = boxes.clamp(0, 1) if clip else boxes
    boxes = boxes.reshape(-1, 4) if flatten_to_2d else boxes
    return boxes, _variances(variances, boxes)


# ---- boxes


@operator("box_clip")
def box_clip(op: Operands) -> None:
    """Boxes inside the images: `ImInfo` says the height and width of each, and by what it was scaled."""
    boxes = op.input("Input")
    op.set("Output", with_lod(clipped(boxes, op.input("ImInfo"), images_of(boxes)), lod_of(boxes)))


def clipped(boxes: Tensor, im_info: Tensor, offsets: Sequence[int]) -> Tensor:
    images = len(offsets) - 1
    fits = im_info.dim() == 2 and im_info.shape[0] >= images and im_info.shape[1] == 3
    expect("slot ImInfo", fits, f"shape [{images}, 3]", f"shape {[*im_info.shape]}")
    expect("slot Input", boxes.dim() > 1 and boxes.shape[-1] == 4, "boxes of 4 numbers", f"shape {[*boxes.shape]}")
    last = rounded(im_info[:images, [1, 0]] / im_info[:images, 2:]) - 1
    counts = boxes.new_tensor(offsets, dtype=torch.int64).diff()
    corners = last.repeat_interleave(counts, 0).repeat(1, 2).reshape(-1, *[1] * (boxes.dim() - 2), 4)
    return torch.minimum(boxes, corners).clamp(min=0)


@kernel("polygon_box_transform(Tensor input) -> Tensor")
def polygon_box_transform(input: Tensor) -> Tensor:
    """Corners as distances from an element of an image that is a fourth as large, x and y in turn, become positions."""
    fits = input.dim() == 4 and input.shape[1] % 2 == 0
    expect("slot Input", fits, "4 dimensions, channels in pairs", f"shape {[*input.shape]}")
    return _grid(input, 4, 4).permute(2, 3, 0, 1).repeat(1, input.shape[1] // 2, 1, 1) - input


@operator("box_decoder_and_assign")
def box_decoder_and_assign(op: Operands) -> None:
    """Boxes of each class, and of these the one of the class with the highest score, but for the first class."""
    prior, variance, target, score = (op.input(slot) for slot in ("PriorBox", "PriorBoxVar", "TargetBox", "BoxScore"))
    expect_boxes("PriorBox", prior)
    expect("slot PriorBoxVar", variance.numel() == 4, "4 numbers", f"shape {[*variance.shape]}")
    count = prior.shape[0]
    fits = score.dim() == 2 and score.shape[0] == count and target.shape == (count, 4 * score.shape[1])
    expect("slot TargetBox", fits, "4 numbers for each of BoxScore", f"shapes {[*target.shape]} and {[*score.shape]}")
    delta = target.reshape(count, -1, 4) * variance.reshape(4)
    extent = prior[:, None, 2:] - prior[:, None, :2] + 1
    center = delta[:, :, :2] * extent + prior[:, None, :2] + extent / 2
    half = torch.exp(delta[:, :, 2:].clamp(max=op.attr("box_clip"))) * extent / 2
    boxes = torch.cat([center - half, center + half - 1], -1)
    op.set("DecodeBox", with_lod(boxes.reshape(target.shape), lod_of(prior)))
    if score.shape[1] < 2:
        op.set("OutputAssignBox", with_lod(prior.clone(), lod_of(prior)))
        return
    best, at = score[:, 1:].max(1)
    chosen = boxes[torch.arange(count, device=boxes.device), at + 1]
    op.set("OutputAssignBox", with_lod(torch.where((best > -1)[:, None], chosen, prior), lod_of(prior)))


# ---- how boxes overlap, and match


def intersection(x: Tensor, y: Tensor, one: float) -> Tensor:
    """The width and height [x, y, 2] of what two boxes share, below 0 where they are apart; `one` is the size of a pixel."""
    return torch.minimum(x[:, None, 2:], y[:, 2:]) - torch.maximum(x[:, None, :2], y[:, :2]) + one


def areas(boxes: Tensor, one: float) -> Tensor:
    return (boxes[:, 2:] - boxes[:, :2] + one).prod(1)


@kernel("iou_similarity(Tensor x, Tensor y, bool box_normalized) -> Tensor")
def iou_similarity(x: Tensor, y: Tensor, box_normalized: bool) -> Tensor:
    one = 0.0 if box_normalized else 1.0
    expect_boxes("X", x)
    expect_boxes("Y", y)
    shared = intersection(x, y, one).clamp(min=0).prod(-1)
    return shared / (areas(x, one)[:, None] + areas(y, one) - shared + 1e-10)


@operator("bipartite_match")
def bipartite_match(op: Operands) -> None:
    dist, kind, known = op.input("DistMat"), op.attr("match_type"), ("bipartite", "per_prediction")
    expect("slot DistMat", dist.dim() == 2, "2 dimensions", f"shape {[*dist.shape]}")
    expect("attribute match_type", kind in known, " or ".join(known), repr(kind))
    rows, distances = matched(dist, images_of(dist), op.attr("dist_threshold") if kind == "per_prediction" else None)
    op.set("ColToRowMatchIndices", rows)
    op.set("ColToRowMatchDist", distances)


def matched(dist: Tensor, offsets: Sequence[int], threshold: float | None) -> tuple[Tensor, Tensor]:
    """For each image, the row that each column matches, or -1, and the distance, int32 and as `dist` [images, columns].

    With a threshold, columns that are left match their nearest row from it on, which may match others.
    """
    rows, values = zip(*(_matched(dist[first:last], threshold) for first, last in itertools.pairwise(offsets)))
    return torch.stack(rows).to(torch.int32), torch.stack(values)


def _matched(dist: Tensor, threshold: float | None) -> tuple[Tensor, Tensor]:
    rows, columns = dist.shape
    least = 1e-6 if rows < 130 else 0.0  # as Paddle's two ways to find the largest one
    values, order = dist.t().reshape(-1).sort(descending=True, stable=True)
    candidates = order[values >= least if least else values > 0].tolist()
    row_of, column_of = dict[int, int](), dict[int, int]()
    for at in candidates:
        column, row = divmod(at, rows)
        if column not in row_of and row not in column_of:
            row_of[column], column_of[row] = row, column
            if len(row_of) == min(rows, columns):
                break
    match = torch.tensor([row_of.get(column, -1) for column in range(columns)], dtype=torch.int64, device=dist.device)
    if threshold is not None and rows > 0:
        nearest, row = dist.max(0)
        match = torch.where((match < 0) & (nearest >= max(threshold, 1e-6)), row, match)
    if rows == 0:
        return match, dist.new_zeros(columns)
    of_match = dist.gather(0, match.clamp(min=0)[None])[0]
    return match, torch.where(match < 0, dist.new_zeros(()), of_match)
