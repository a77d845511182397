"""Recipes of operators of detection: anchors, boxes and what is chosen of them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .draw import FLOATS, Call, Draw
from .recipes import recipe


def boxes(draw: Draw, count: int, dtype: torch.dtype, size: float = 10.0) -> Tensor:
    corner = draw.tensor([count, 2], dtype, 0, size)
    return torch.cat([corner, corner + draw.tensor([count, 2], dtype, 0.5, size)], 1)


def reals(draw: Draw, count: int, low: float, high: float) -> list[float]:
    return [draw.real(low, high) for _ in range(count)]


@recipe("anchor_generator")
def anchor_generator(draw: Draw) -> Call:
    x = draw.tensor([draw.number(1, 2), draw.number(1, 2), draw.number(1, 4), draw.number(1, 4)], draw.one(*FLOATS))
    attrs: dict[str, Any] = {"anchor_sizes": reals(draw, draw.number(1, 3), 8, 64), "variances": reals(draw, 4, 0.1, 1)}
    attrs["aspect_ratios"] = reals(draw, draw.number(1, 3), 0.3, 3)
    attrs |= draw.some({"stride": reals(draw, 2, 4, 20), "offset": draw.real(0, 1)})
    return Call({"Input": x}, attrs, {"Anchors": 1, "Variances": 1}, ())


@recipe("density_prior_box")
def density_prior_box(draw: Draw) -> Call:
    dtype, count = draw.one(*FLOATS), draw.number(1, 3)
    x = draw.tensor([1, 2, draw.number(1, 4), draw.number(1, 4)], dtype)
    image = draw.tensor([1, 3, draw.number(8, 40), draw.number(8, 40)], dtype)
    attrs = {"fixed_sizes": reals(draw, count, 2, 20), "fixed_ratios": reals(draw, draw.number(1, 2), 0.5, 2)}
    attrs |= {"densities": [draw.number(1, 3) for _ in range(count)], "variances": reals(draw, 4, 0.1, 1)}
    attrs |= draw.some({"clip": draw.flag(), "flatten_to_2d": draw.flag(), "offset": draw.real(0, 1)})
    attrs |= draw.some({"step_w": draw.one(0.0, draw.real(4, 9)), "step_h": draw.real(4, 9)})
    return Call({"Input": x, "Image": image}, attrs, {"Boxes": 1, "Variances": 1}, ())


@recipe("polygon_box_transform")
def polygon_box_transform(draw: Draw) -> Call:
    sizes = [draw.number(1, 2), 2 * draw.number(1, 3), draw.number(1, 4), draw.number(1, 4)]
    return Call({"Input": draw.tensor(sizes, draw.one(*FLOATS))}, {}, {"Output": 1}, ())


@recipe("box_decoder_and_assign")
def box_decoder_and_assign(draw: Draw) -> Call:
    dtype, count, classes = draw.one(*FLOATS), draw.number(1, 4), draw.number(1, 4)
    inputs = {"PriorBox": boxes(draw, count, dtype), "PriorBoxVar": draw.tensor([4], dtype, 0.1, 2)}
    inputs |= {"TargetBox": draw.tensor([count, 4 * classes], dtype), "BoxScore": draw.tensor([count, classes], dtype)}
    return Call(inputs, draw.some({"box_clip": draw.real(0.5, 4)}), {"DecodeBox": 1, "OutputAssignBox": 1}, ())


@recipe("iou_similarity")
def iou_similarity(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS)
    inputs = {slot: boxes(draw, draw.number(1, 4), dtype) for slot in ("X", "Y")}
    return Call(inputs, draw.some({"box_normalized": draw.flag()}), wanted=())


@recipe("bipartite_match")
def bipartite_match(draw: Draw) -> Call:
    sizes = [draw.one(*range(1, 6), 140), draw.number(1, 6)]
    dist = draw.tensor(sizes, draw.one(*FLOATS), draw.one(-1, 0, 0.2), 1)
    attrs = draw.some({"match_type": draw.one("bipartite", "per_prediction"), "dist_threshold": draw.real(0.2, 0.8)})
    return Call({"DistMat": dist}, attrs, {"ColToRowMatchIndices": 1, "ColToRowMatchDist": 1}, ())
