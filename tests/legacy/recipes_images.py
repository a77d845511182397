"""Recipes of operators on volumes and on positions in images."""

from __future__ import annotations

from typing import Any

import torch

from phi_torch.legacy import LoDTensor
from phi_torch.legacy.lod import offsets_of

from .draw import FLOATS, Call, Draw
from .recipes import recipe
from .recipes_nn import image


def volume(draw: Draw, channels: int, last: bool, least: int = 5) -> list[int]:
    sizes = [draw.number(least, least + 1) for _ in range(3)]
    return [draw.number(1, 2), *sizes, channels] if last else [draw.number(1, 2), channels, *sizes]


def window(draw: Draw) -> dict[str, Any]:
    paddings = [draw.number(0, 1) for _ in range(draw.one(3, 6))]
    algorithm = draw.one("EXPLICIT", "EXPLICIT", "SAME", "VALID")
    return {"strides": [draw.number(1, 2) for _ in range(3)], "paddings": paddings, "padding_algorithm": algorithm}


@recipe("conv3d")
def conv3d(draw: Draw) -> Call:
    groups, last, dtype = draw.number(1, 2), draw.flag(0.3), draw.one(*FLOATS)
    channels = groups * draw.number(1, 2)
    inputs = {"Input": draw.tensor(volume(draw, channels, last), dtype)}
    inputs["Filter"] = draw.tensor([groups * draw.number(1, 2), channels // groups, *(draw.number(1, 3) for _ in range(3))], dtype)
    attrs = draw.some({**window(draw), "dilations": [1, draw.number(1, 2), 1]}) if not last else draw.some(window(draw))
    layout = {"data_format": "NDHWC" if last else "NCDHW"}
    return Call(inputs, {**attrs, **layout, "groups": groups}, {"Output": 1}, ("Input", "Filter"))


@recipe("conv3d_transpose")
def conv3d_transpose(draw: Draw) -> Call:
    groups, last, dtype = draw.number(1, 2), draw.flag(0.3), draw.one(*FLOATS)
    channels = groups * draw.number(1, 2)
    inputs = {"Input": draw.tensor(volume(draw, channels, last), dtype)}
    inputs["Filter"] = draw.tensor([channels, draw.number(1, 2), *(draw.number(2, 3) for _ in range(3))], dtype)
    attrs = draw.some({**window(draw), "dilations": [1, draw.number(1, 2), 1]})
    layout = {"data_format": "NHWC" if last else "NCHW"}
    return Call(inputs, {**attrs, **layout, "groups": groups}, {"Output": 1}, ("Input", "Filter"))


@recipe("pool3d")
def pool3d(draw: Draw) -> Call:
    last, adaptive = draw.flag(0.3), draw.flag(0.2)
    x = draw.tensor(volume(draw, draw.number(1, 2), last), draw.one(*FLOATS))
    attrs: dict[str, Any] = {"ksize": [draw.number(2, 3) for _ in range(3)], "adaptive": adaptive}
    attrs |= {"pooling_type": "avg" if adaptive else draw.one("max", "avg")}  # Paddle has another operator for adaptive maxima
    attrs |= draw.some({"exclusive": draw.flag(), "ceil_mode": draw.flag()})
    if not adaptive:
        attrs |= draw.some({"global_pooling": draw.flag(0.2), **window(draw)})
    return Call({"X": x}, {**attrs, "data_format": "NDHWC" if last else "NCDHW"})


def max_pool_with_index(draw: Draw, sizes: list[int]) -> Call:
    axes, adaptive = len(sizes) - 2, draw.flag(0.3)
    x = draw.tensor(sizes, draw.one(*FLOATS))
    attrs: dict[str, Any] = {"ksize": [draw.number(2, 3) for _ in range(axes)], "adaptive": adaptive}
    if not adaptive:
        attrs |= {"strides": [draw.number(1, 2) for _ in range(axes)], "paddings": [draw.number(0, 1) for _ in range(axes)]}
        attrs |= draw.some({"global_pooling": draw.flag(0.3)})
    return Call({"X": x}, attrs, {"Out": 1, "Mask": 1}, ("X",))


@recipe("max_pool2d_with_index")
def max_pool2d_with_index(draw: Draw) -> Call:
    return max_pool_with_index(draw, image(draw, draw.number(1, 2), False))


@recipe("max_pool3d_with_index")
def max_pool3d_with_index(draw: Draw) -> Call:
    return max_pool_with_index(draw, volume(draw, draw.number(1, 2), False))


@recipe("instance_norm")
def instance_norm(draw: Draw) -> Call:
    channels, dtype = draw.number(1, 3), draw.one(*FLOATS)
    inputs = {"X": draw.tensor(image(draw, channels, False), dtype)}
    if draw.flag(0.8):
        inputs |= {name: draw.tensor([channels], dtype) for name in ("Scale", "Bias")}
    attrs = draw.some({"epsilon": 1e-4})
    return Call(inputs, attrs, {"Y": 1, "SavedMean": 1, "SavedVariance": 1}, tuple(inputs))


@recipe("grid_sampler")
def grid_sampler(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS)
    x = draw.tensor(image(draw, draw.number(1, 2), False, 2), dtype)
    grid = draw.tensor([x.shape[0], draw.number(1, 3), draw.number(1, 3), 2], dtype, -1.5, 1.5)
    attrs = draw.some({"padding_mode": draw.one("zeros", "border", "reflection"), "mode": draw.one("bilinear", "nearest")})
    return Call({"X": x, "Grid": grid}, {**attrs, **draw.some({"align_corners": draw.flag()})}, {"Output": 1})


@recipe("lerp")
def lerp(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS)
    x = draw.tensor(draw.sizes(1), dtype)
    sizes = draw.one(list(x.shape), list(x.shape[-1:]))
    weight = draw.one(list(x.shape), [1])
    return Call({"X": x, "Y": draw.tensor(sizes, dtype), "Weight": draw.tensor(weight, dtype, 0, 1)}, {}, wanted=("X", "Y"))


@recipe("roi_align")
def roi_align(draw: Draw) -> Call:
    dtype, batch, count = draw.one(*FLOATS), draw.number(1, 2), draw.number(1, 3)
    x = draw.tensor([batch, draw.number(1, 2), draw.number(3, 6), draw.number(3, 6)], dtype)
    corner = draw.tensor([count, 2], dtype, 0, 3)
    boxes = torch.cat([corner, corner + draw.tensor([count, 2], dtype, 1.5, 4)], 1)  # of a pixel at least
    numbers = torch.tensor([count] if batch == 1 else [count - 1, 1], dtype=torch.int32)
    attrs = {"pooled_height": draw.number(1, 3), "pooled_width": draw.number(1, 3)}
    attrs |= draw.some({"spatial_scale": 0.7, "sampling_ratio": draw.one(-1, 2), "aligned": draw.flag()})
    by_levels = {"X": x, "ROIs": LoDTensor(boxes, [offsets_of(numbers.tolist())])}
    return Call({"X": x, "ROIs": boxes, "RoisNum": numbers} if draw.flag(0.7) else by_levels, attrs, wanted=("X",))
