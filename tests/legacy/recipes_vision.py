"""Recipes of operators of older networks of images."""

from __future__ import annotations

from typing import Any

import torch

from .draw import FLOATS, Call, Draw
from .recipes import recipe


@recipe("lrn")
def lrn(draw: Draw) -> Call:
    x = draw.tensor([draw.number(1, 2), *(draw.number(1, 5) for _ in range(3))])
    attrs = draw.some({"n": draw.one(1, 3, 5, 7), "k": draw.real(0.5, 3), "alpha": draw.real(0.01, 1), "beta": draw.real(0.3, 1.5)})
    return Call({"X": x}, {**attrs, **draw.some({"data_format": draw.one("NCHW", "NHWC", "AnyLayout")})}, {"Out": 1, "MidOut": 1})


@recipe("affine_channel")
def affine_channel(draw: Draw) -> Call:
    dtype, channels, layout = draw.one(*FLOATS), draw.number(1, 4), draw.one("NCHW", "NHWC", "AnyLayout")
    sizes = [draw.number(1, 3), draw.number(1, 4), draw.number(1, 4)][: draw.one(1, 3)]
    sizes = [sizes[0], channels, *sizes[1:]] if layout == "NCHW" else [*sizes, channels]
    inputs = {"X": draw.tensor(sizes, dtype), "Scale": draw.tensor([channels], dtype), "Bias": draw.tensor([channels], dtype)}
    attrs = draw.some({"data_layout": layout}) if layout == "AnyLayout" else {"data_layout": layout}
    return Call(inputs, attrs, wanted=draw.one(("X",), ("X", "Scale", "Bias"), ("Scale", "Bias")))


@recipe("spp")
def spp(draw: Draw) -> Call:
    kind = draw.one("max", "avg")
    sizes = range(1, 10) if kind == "max" else (4, 6, 7, 8)  # of which no window is empty: there averages are NaN
    x = draw.tensor([draw.number(1, 2), draw.number(1, 2), draw.one(*sizes), draw.one(*sizes)], draw.one(*FLOATS))
    return Call({"X": x}, {"pyramid_height": draw.number(1, 3), "pooling_type": kind})


@recipe("unpool3d")
def unpool3d(draw: Draw) -> Call:
    sizes = [draw.number(1, 2), draw.number(1, 2), *(draw.number(1, 3) for _ in range(3))]
    x, output = draw.tensor(sizes, draw.one(*FLOATS)), [2 * size for size in sizes[2:]]
    offset = draw.whole(sizes, 2)  # each index in a window of its own
    at = [2 * torch.arange(size).reshape([-1 if a == axis else 1 for a in range(3)]) for axis, size in enumerate(sizes[2:])]
    index = ((at[0] * output[1] + at[1]) * output[2] + at[2] + offset).to(torch.int32)
    attrs = {"ksize": [2, 2, 2], "output_size": output, **draw.some({"strides": [2, 2, 2], "paddings": [0, 0, 0]})}
    return Call({"X": x, "Indices": index}, attrs)


@recipe("crop")
def crop(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(1, 4), draw.one(*FLOATS))
    offsets = [draw.number(0, size - 1) for size in x.shape]
    shape = [draw.number(1, size - offset) for size, offset in zip(x.shape, offsets)]
    inputs, attrs = {"X": x}, dict[str, Any]()
    if draw.flag(0.3):
        inputs["Y"] = draw.tensor(shape, x.dtype)
    else:
        attrs["shape"] = [-1, *shape[1:]] if offsets[0] == 0 and shape[0] == x.shape[0] else shape
    if draw.flag(0.3):
        inputs["Offsets"] = torch.tensor(offsets, dtype=torch.int32)
    else:
        attrs["offsets"] = offsets
    return Call(inputs, attrs)


@recipe("flatten2")
def flatten2(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(1, 4), draw.one(*FLOATS))
    return Call({"X": x}, draw.some({"axis": draw.number(0, x.dim())}), {"Out": 1, "XShape": 1})


@recipe("similarity_focus")
def similarity_focus(draw: Draw) -> Call:
    x, axis = draw.tensor([draw.number(1, 4) for _ in range(4)], draw.one(*FLOATS)), draw.number(1, 3)
    indexes = [draw.number(0, x.shape[axis] - 1) for _ in range(draw.number(1, 2))]
    return Call({"X": x}, {"axis": axis, "indexes": indexes}, wanted=())


def interpolation(draw: Draw, axes: int, methods: tuple[str, ...]) -> Call:
    last = draw.flag(0.4)
    sizes = [draw.number(1, 5) for _ in range(axes)]
    channels = draw.number(1, 2)
    x = draw.tensor([draw.number(1, 2), *([*sizes, channels] if last else [channels, *sizes])], draw.one(*FLOATS))
    may_be_one = axes == 2  # else PaddlePaddle 2.6.2 takes the first pixel, 3.3.1 the middle
    wanted = [draw.number(1 if may_be_one else 2, 7) for _ in range(axes)]
    attrs: dict[str, Any] = dict(zip(("out_d", "out_h", "out_w")[-axes:], wanted))
    inputs: dict[str, Any] = {"X": x}
    form, scale = draw.number(0, 4), draw.one(0.5, 0.7, 1.3, 2.0) if may_be_one and min(sizes) > 1 else 2.0
    if form == 0:
        inputs["OutSize"] = torch.tensor(wanted, dtype=torch.int32)
    elif form == 1:
        inputs["SizeTensor"] = [torch.tensor([one], dtype=torch.int32) for one in wanted]
    elif form == 2:
        inputs["Scale"] = torch.tensor([scale])
    elif form == 3:
        attrs["scale"] = scale
    attrs |= draw.some({"align_corners": draw.flag(), "align_mode": draw.number(0, 1)})
    layout = draw.one("NHWC", "NHWC", "NCDHW", "NDHWC") if last else "NCHW"
    return Call(inputs, {**attrs, "interp_method": draw.one(*methods), "data_layout": layout})


@recipe("bilinear_interp", "nearest_interp", "bicubic_interp")
def images(draw: Draw) -> Call:
    return interpolation(draw, 2, ("bilinear", "nearest", "bicubic"))


@recipe("linear_interp")
def lines(draw: Draw) -> Call:
    return interpolation(draw, 1, ("linear",))


@recipe("trilinear_interp")
def volumes(draw: Draw) -> Call:
    return interpolation(draw, 3, ("trilinear",))
