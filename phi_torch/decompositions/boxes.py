"""Composites of boxes that are seen from others, laid out over images, and spread over the levels of a pyramid."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .roi_pool import image_of


def center_and_size(boxes: Tensor, pixel: float) -> tuple[Tensor, Tensor]:
    """[..., 2] each, of boxes [..., 4]; `pixel` is 1 where the edges belong to a box."""
    size = boxes[..., 2:] - boxes[..., :2] + pixel
    return boxes[..., :2] + size / 2, size


def corners(center: Tensor, size: Tensor, pixel: float) -> Tensor:
    """The boxes [..., 4] of these centers and sizes."""
    return torch.cat([center - size / 2, center + size / 2 - pixel], -1)


def box_coder(
    prior_box: Tensor,
    prior_box_var: Tensor | None,
    target_box: Tensor,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
    variance: Sequence[float] = (),
) -> Tensor:
    pixel = 0.0 if box_normalized else 1.0
    decodes = code_type == "decode_center_size"
    along = axis if decodes else 0
    center, size = (t.unsqueeze(along) for t in center_and_size(prior_box, pixel))
    if prior_box_var is not None:
        factors = prior_box_var.unsqueeze(along)
    elif variance:
        factors = torch.stack([prior_box.new_full((), number) for number in variance])
    else:
        factors = prior_box.new_ones(4)
    if decodes:
        moved = target_box * factors
        return corners(moved[..., :2] * size + center, moved[..., 2:].exp() * size, pixel)
    target = target_box.unsqueeze(1)
    target_size = target[..., 2:] - target[..., :2] + pixel
    distance = ((target[..., :2] + target[..., 2:]) / 2 - center) / size
    return torch.cat([distance, (target_size / size).abs().log()], -1) / factors


def _ratios(aspect_ratios: Sequence[float], flip: bool) -> list[float]:
    """1 and the others, each once."""
    found = [1.0]
    for ratio in aspect_ratios:
        if all(abs(ratio - one) >= 1e-6 for one in found):
            found += [ratio, 1 / ratio] if flip else [ratio]
    return found


def prior_box(
    input: Tensor,
    image: Tensor,
    min_sizes: Sequence[float],
    max_sizes: Sequence[float] = (),
    aspect_ratios: Sequence[float] = (),
    variances: Sequence[float] = (),
    flip: bool = True,
    clip: bool = True,
    step_w: float = 0.0,
    step_h: float = 0.0,
    offset: float = 0.5,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Tensor, Tensor]:
    ratios = _ratios(aspect_ratios, flip)
    sizes: list[tuple[float, float]] = []
    for i, least in enumerate(min_sizes):
        of_ratio = [(least * math.sqrt(ratio), least / math.sqrt(ratio)) for ratio in ratios]
        square = [(math.sqrt(least * max_sizes[i]),) * 2] if max_sizes else []
        sizes += [of_ratio[0], *square, *of_ratio[1:]] if min_max_aspect_ratios_order else [*of_ratio, *square]
    fills = step_w == 0 or step_h == 0

    def edges(axis: int, step: float, which: int) -> tuple[Tensor, Tensor]:
        """Both edges of the boxes along the width (3) or the height (2): [places, boxes]."""
        number = torch.arange(input.shape[axis], dtype=input.dtype, device=input.device).unsqueeze(1)
        center = (number + offset) * (image.shape[axis] / torch.sym_max(input.shape[axis], 1) if fills else step)
        half = torch.stack([input.new_full((), size[which] / 2) for size in sizes])
        return (center - half) / image.shape[axis], (center + half) / image.shape[axis]

    (left, right), (top, bottom) = edges(3, step_w, 0), edges(2, step_h, 1)
    shape = (input.shape[2], input.shape[3], len(sizes))
    parts = (left.unsqueeze(0), top.unsqueeze(1), right.unsqueeze(0), bottom.unsqueeze(1))
    boxes = torch.stack([part.expand(shape) for part in parts], -1)
    of_box = torch.stack([input.new_full((), number) for number in variances])
    return boxes.clamp(0, 1) if clip else boxes, of_box.expand(*shape, 4).clone()


def distribute_fpn_proposals(
    fpn_rois: Tensor,
    rois_num: Tensor | None,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    pixel_offset: bool,
) -> tuple[list[Tensor], list[Tensor], Tensor]:
    rois_num = None if rois_num is None else rois_num.reshape(-1)  # of one image, a number
    size = fpn_rois[:, 2:] - fpn_rois[:, :2]
    area = torch.where((size >= 0).all(1), (size + (1.0 if pixel_offset else 0.0)).prod(1), 0)
    level = ((area.sqrt() / refer_scale + 1e-6).log2() + refer_level).floor().clamp(min_level, max_level)
    images = 1 if rois_num is None else rois_num.shape[0]
    image = torch.zeros_like(level, dtype=torch.int64) if rois_num is None else image_of(rois_num, fpn_rois.shape[0])
    is_of = torch.arange(images, device=image.device).unsqueeze(1) == image  # [images, boxes]
    boxes, counts = [], []
    for number in range(min_level, max_level + 1):
        here = level == number
        boxes.append(fpn_rois.index_select(0, here.nonzero().squeeze(1)))
        counts.append((is_of & here).sum(1, dtype=torch.int32))
    place = level.argsort(stable=True).argsort(stable=True)
    return boxes, counts, place.int().unsqueeze(1)
