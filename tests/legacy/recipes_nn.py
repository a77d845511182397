"""Recipes of operators that index, that make tensors, of networks and of optimizers."""

from __future__ import annotations

import math
from typing import Any

import torch

from phi_torch.legacy import Attribute

from .draw import FLOATS, WHOLE, Call, Draw
from .recipes import recipe


@recipe("gather")
def gather(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(1), draw.one(*FLOATS, *FLOATS, *WHOLE))
    axis = draw.number(0, x.dim() - 1) if draw.flag() else 0
    index = draw.whole([draw.number(1, 5)], x.shape[axis], draw.one(*WHOLE))
    more = {"Axis": torch.tensor([axis], dtype=draw.one(*WHOLE))} if draw.flag(0.3) else {}
    attrs = draw.some({"axis": 0}) if more or axis == 0 else {"axis": axis}
    wanted = ("X",) if x.dtype in FLOATS and axis == 0 else ()  # Paddle 2.6.2's gradient is wrong at other axes
    return Call({"X": x, "Index": index, **more}, attrs, wanted=wanted)


@recipe("index_select")
def index_select(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(1), draw.one(*FLOATS, *FLOATS, *WHOLE))
    axis = draw.axis(x.dim())
    index = draw.whole([draw.number(1, 5)], x.shape[axis], draw.one(*WHOLE))
    return Call({"X": x, "Index": index}, {"dim": axis}, wanted=("X",) if x.dtype in FLOATS else ())


@recipe("one_hot_v2")
def one_hot(draw: Draw) -> Call:
    depth, free = draw.number(2, 5), draw.flag()
    x = draw.whole(draw.sizes(1, 3), depth + free, draw.one(*WHOLE))
    more = {"depth_tensor": torch.tensor([depth], dtype=torch.int32)} if draw.flag(0.3) else {}
    attrs = {"depth": depth, "allow_out_of_range": free, "dtype": draw.one(torch.float32, torch.float64, *WHOLE)}
    return Call({"X": x, **more}, attrs, wanted=())


@recipe("arg_max")
def arg_max(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(1), draw.one(*FLOATS, *WHOLE))
    attrs = {"axis": Attribute("LONG", draw.axis(x.dim())), "dtype": draw.one(*WHOLE)}
    return Call({"X": x}, attrs | draw.some({"keepdims": draw.flag(), "flatten": draw.flag(0.2)}), wanted=())


def distinct(draw: Draw, sizes: list[int]) -> torch.Tensor:
    order = torch.randperm(math.prod(sizes), generator=draw.generator)
    return order.reshape(sizes).to(draw.one(*FLOATS))


@recipe("top_k_v2")
def top_k_v2(draw: Draw) -> Call:
    x = distinct(draw, draw.sizes(1))
    axis = draw.axis(x.dim())
    k = draw.number(1, x.shape[axis])
    more = {"K": torch.tensor([k], dtype=torch.int32)} if draw.flag(0.3) else {}
    attrs = {"k": k, "axis": axis, "largest": draw.flag(), "sorted": True}
    return Call({"X": x, **more}, attrs, {"Out": 1, "Indices": 1}, ("X",))


@recipe("top_k")
def top_k(draw: Draw) -> Call:
    x = distinct(draw, draw.sizes(1))
    k = draw.number(1, x.shape[-1])
    more = {"K": torch.tensor([k], dtype=torch.int32)} if draw.flag(0.3) else {}
    return Call({"X": x, **more}, {"k": k} if k != 1 or draw.flag() else {}, {"Out": 1, "Indices": 1}, ())


# ---- tensors from nothing


@recipe("fill_constant")
def fill_constant(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS, *WHOLE, torch.bool)
    value = float(draw.number(0, 3)) if dtype not in FLOATS else draw.real()
    more, attrs = draw.numbers_as_tensors("shape", draw.sizes(1, 3), "ShapeTensor", "ShapeTensorList")
    attrs = {"shape": Attribute("LONGS", attrs["shape"]), "dtype": dtype}
    form = draw.number(0, 3)
    if form == 0:
        more["ValueTensor"] = torch.tensor([value], dtype=dtype)
    elif form == 1:
        attrs["str_value"] = str(draw.number(0, 3) if dtype not in FLOATS else draw.real())
    return Call(more, attrs | {"value": value}, wanted=())


@recipe("fill_any_like")
def fill_any_like(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(0), draw.one(*FLOATS, *WHOLE))
    return Call({"X": x}, draw.some({"value": float(draw.number(-3, 3)), "dtype": draw.one(-1, *FLOATS, *WHOLE)}), wanted=())


@recipe("range")
def range_(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS, *WHOLE)
    start, count, step = draw.number(-3, 3), draw.number(1, 6), draw.one(-2, -1, 1, 2)
    last = start + count * step
    return Call({name: torch.tensor([v], dtype=dtype) for name, v in (("Start", start), ("End", last), ("Step", step))}, wanted=())


@recipe("assign_value")
def assign_value(draw: Draw) -> Call:
    dtype, sizes = draw.one(torch.float32, *WHOLE, torch.bool), draw.sizes(1, 3)
    values = (
        draw.tensor(sizes, dtype).reshape(-1).tolist() if dtype != torch.bool else draw.truths(sizes).int().reshape(-1).tolist()
    )
    name = {torch.float32: "fp32_values", torch.int32: "int32_values", torch.int64: "int64_values", torch.bool: "bool_values"}[
        dtype
    ]
    kind = {torch.float32: "FLOATS", torch.int64: "LONGS"}.get(dtype, "INTS")
    return Call({}, {"shape": sizes, "dtype": dtype, name: Attribute(kind, values)}, wanted=())


# ---- networks


@recipe("lookup_table_v2")
def lookup_table_v2(draw: Draw) -> Call:
    rows = draw.number(2, 5)
    ids = draw.whole(draw.sizes(1, 3), rows, draw.one(*WHOLE))
    attrs = draw.some({"padding_idx": draw.number(0, rows - 1)})
    return Call({"Ids": ids, "W": draw.tensor([rows, draw.number(1, 4)], draw.one(*FLOATS))}, attrs, wanted=("W",))


@recipe("lookup_table")
def lookup_table(draw: Draw) -> Call:
    rows = draw.number(2, 5)
    ids = draw.whole([*draw.sizes(1, 2), 1], rows)
    attrs = draw.some({"padding_idx": draw.number(0, rows - 1)})
    return Call({"Ids": ids, "W": draw.tensor([rows, draw.number(1, 4)], draw.one(*FLOATS))}, attrs, wanted=())


def window(draw: Draw) -> dict[str, Any]:
    paddings = draw.one([draw.number(0, 2), draw.number(0, 2)], [draw.number(0, 1) for _ in range(4)])
    algorithm = draw.one("EXPLICIT", "EXPLICIT", "SAME", "VALID")
    return {"strides": [draw.number(1, 2), draw.number(1, 2)], "paddings": paddings, "padding_algorithm": algorithm}


def image(draw: Draw, channels: int, last: bool, least: int = 5) -> list[int]:
    height, width = draw.number(least, 7), draw.number(least, 7)
    return [draw.number(1, 2), height, width, channels] if last else [draw.number(1, 2), channels, height, width]


@recipe("conv2d", "depthwise_conv2d")
def conv2d(draw: Draw) -> Call:
    groups, last, dtype = draw.number(1, 2), draw.flag(0.3), draw.one(*FLOATS)
    channels = groups * draw.number(1, 2)
    inputs = {"Input": draw.tensor(image(draw, channels, last), dtype)}
    inputs["Filter"] = draw.tensor([groups * draw.number(1, 2), channels // groups, draw.number(1, 3), draw.number(1, 3)], dtype)
    attrs = draw.some({**window(draw), "dilations": [draw.number(1, 2), 1]})
    layout = {"data_format": draw.one("NHWC") if last else draw.one("NCHW", "AnyLayout")}
    return Call(
        inputs, {**attrs, **layout, "groups": groups}, {"Output": 1}, draw.one(("Input", "Filter"), ("Filter",), ("Input",))
    )


@recipe("depthwise_conv2d")
def depthwise_conv2d(draw: Draw) -> Call:
    channels, last, times, dtype = draw.number(1, 3), draw.flag(0.3), draw.number(1, 2), draw.one(*FLOATS)
    inputs = {"Input": draw.tensor(image(draw, channels, last), dtype)}
    inputs["Filter"] = draw.tensor([channels * times, 1, draw.number(1, 3), draw.number(1, 3)], dtype)
    attrs = draw.some({**window(draw), "dilations": [draw.number(1, 2), 1]})
    layout = {"data_format": "NHWC" if last else "NCHW"}
    return Call(inputs, {**attrs, **layout, "groups": channels}, {"Output": 1}, ("Input", "Filter"))


@recipe("conv2d_transpose")
def conv2d_transpose(draw: Draw) -> Call:
    groups, last, dtype = draw.number(1, 2), draw.flag(0.3), draw.one(*FLOATS)
    channels = groups * draw.number(1, 2)
    inputs = {"Input": draw.tensor(image(draw, channels, last), dtype)}
    inputs["Filter"] = draw.tensor([channels, draw.number(1, 2), draw.number(2, 3), draw.number(2, 3)], dtype)
    attrs = draw.some({**window(draw), "dilations": [draw.number(1, 2), 1]})
    if draw.flag(0.3) and attrs.get("strides") == [2, 2]:
        attrs["output_padding"] = [draw.number(0, 1), draw.number(0, 1)]
    layout = {"data_format": "NHWC" if last else "NCHW"}
    return Call(inputs, {**attrs, **layout, "groups": groups}, {"Output": 1}, ("Input", "Filter"))


@recipe("pool2d")
def pool2d(draw: Draw) -> Call:
    last, adaptive = draw.flag(0.3), draw.flag(0.2)
    x = draw.tensor(image(draw, draw.number(1, 3), last), draw.one(*FLOATS))
    attrs = {"ksize": [draw.number(2, 3), draw.number(2, 3)], "pooling_type": draw.one("max", "avg"), "adaptive": adaptive}
    attrs |= draw.some({"exclusive": draw.flag(), "ceil_mode": draw.flag()})
    if adaptive:  # Paddle has another operator for adaptive maxima
        attrs["pooling_type"] = "avg"
    else:
        attrs |= draw.some({"global_pooling": draw.flag(0.2)})
        around = window(draw)
        around["paddings"] = [min(one, 1) for one in around["paddings"]]
        attrs |= draw.some(around)
    return Call({"X": x}, {**attrs, "data_format": "NHWC" if last else "NCHW"})


@recipe("batch_norm")
def batch_norm(draw: Draw) -> Call:
    channels, last = draw.number(1, 3), draw.flag(0.3)
    sizes = draw.one([4, channels], image(draw, channels, last))
    dtype = draw.one(*FLOATS)
    inputs = {"X": draw.tensor(sizes, dtype)}
    inputs |= {
        name: draw.tensor([channels], dtype, low) for name, low in (("Scale", -2), ("Bias", -2), ("Mean", -1), ("Variance", 0.2))
    }
    if draw.flag(0.2):
        inputs["MomentumTensor"] = torch.tensor([0.3])
    attrs = draw.some({"is_test": draw.flag(), "use_global_stats": draw.flag(0.3)})
    if not attrs.get("is_test"):  # where Paddle's gradient is not that of its forward
        attrs |= draw.some({"trainable_statistics": draw.flag(0.2)})
    attrs |= draw.some({"momentum": 0.7, "epsilon": 1e-4}) | {"data_layout": "NHWC" if last else "NCHW"}
    outputs = dict.fromkeys(("Y", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance", "ReserveSpace"), 1)
    saved = ("SavedMean", "SavedVariance") if attrs.get("use_global_stats") else ()
    return Call(inputs, attrs, outputs, () if attrs.get("is_test") else ("X", "Scale", "Bias"), saved)


@recipe("layer_norm")
def layer_norm(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(2, 4), draw.one(*FLOATS)
    axis = draw.number(1, len(sizes) - 1)
    inputs = {"X": draw.tensor(sizes, dtype)}
    inputs |= draw.some({name: draw.tensor([math.prod(sizes[axis:])], dtype) for name in ("Scale", "Bias")}, 0.8)
    attrs = draw.some({"epsilon": 1e-4}) | ({"begin_norm_axis": axis} if axis != 1 or draw.flag() else {})
    return Call(inputs, attrs, {"Y": 1, "Mean": 1, "Variance": 1}, tuple(inputs))


@recipe("softmax", "log_softmax")
def softmax(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(1), draw.one(*FLOATS))
    return Call({"X": x}, {"axis": draw.axis(x.dim())} if draw.flag(0.8) else {})


@recipe("softmax_with_cross_entropy")
def softmax_with_cross_entropy(draw: Draw) -> Call:
    logits = draw.tensor([draw.number(2, 4) for _ in range(draw.number(2, 3))], draw.one(*FLOATS))
    axis, soft = draw.axis(logits.dim()), draw.flag(0.3)
    sizes = list(logits.shape)
    sizes[axis] = 1
    label = torch.softmax(draw.tensor(logits.shape, logits.dtype), axis) if soft else draw.whole(sizes, logits.shape[axis])
    attrs = draw.some({"axis": axis}, 1.0 if axis % logits.dim() != logits.dim() - 1 else 0.5)
    attrs |= {"soft_label": soft, "ignore_index": draw.one(-100, 1)} | draw.some({"numeric_stable_mode": True, "use_softmax": True})
    return Call({"Logits": logits, "Label": label}, attrs, {"Softmax": 1, "Loss": 1}, ("Logits",))


@recipe("dropout")
def dropout(draw: Draw) -> Call:
    attrs = {"dropout_prob": draw.one(0.0, 0.3, 1.0), "dropout_implementation": draw.one("downgrade_in_infer", "upscale_in_train")}
    x = draw.tensor(draw.sizes(1), draw.one(*FLOATS))
    return Call({"X": x}, {**attrs, "is_test": True}, {"Out": 1, "Mask": 1}, ())


def interp(draw: Draw, method: str) -> Call:
    last, dtype = draw.flag(0.3), draw.one(*FLOATS)
    x = draw.tensor(image(draw, draw.number(1, 2), last, 2), dtype)
    attrs: dict[str, Any] = {"align_corners": draw.flag(), "data_layout": "NHWC" if last else "NCHW", "interp_method": method}
    attrs |= draw.some({"align_mode": draw.number(0, 1)})
    form, sizes = draw.number(0, 4), [draw.number(2, 8), draw.number(2, 8)]
    scales = [draw.one(0.5, 1.5, 2.0), draw.one(0.5, 1.5, 2.0)]
    more: dict[str, Any] = {}
    if form == 0:
        more["OutSize"] = torch.tensor(sizes, dtype=torch.int32)
    elif form == 1:
        more["SizeTensor"] = [torch.tensor([size], dtype=torch.int32) for size in sizes]
    elif form == 2:
        more["Scale"] = torch.tensor(scales[: draw.number(1, 2)])
    if form in (0, 1, 4):
        attrs |= {"out_h": sizes[0], "out_w": sizes[1]}
    else:
        attrs |= {"out_h": -1, "out_w": -1, "scale": scales[: draw.number(1, 2) if more else 2]}
    return Call({"X": x, **more}, attrs)


recipe("bilinear_interp_v2")(lambda draw: interp(draw, "bilinear"))
recipe("nearest_interp_v2")(lambda draw: interp(draw, "nearest"))


# ---- optimizers


@recipe("sgd")
def sgd(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(1, 3), draw.one(*FLOATS)
    rate = draw.tensor([1], dtype, 0.01, 0.5)
    return Call(
        {"Param": draw.tensor(sizes, dtype), "Grad": draw.tensor(sizes, dtype), "LearningRate": rate}, {}, {"ParamOut": 1}, ()
    )


@recipe("momentum")
def momentum(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(1, 3), draw.one(*FLOATS)
    inputs = {name: draw.tensor(sizes, dtype) for name in ("Param", "Grad", "Velocity")}
    inputs["LearningRate"] = draw.tensor([1], dtype, 0.01, 0.5)
    attrs = {"mu": 0.9} | draw.some({"use_nesterov": draw.flag()})  # Paddle's CPU kernel ignores rescale_grad
    if draw.flag():
        attrs |= {"regularization_method": "l2_decay", "regularization_coeff": 0.1}
    return Call(inputs, attrs, {"ParamOut": 1, "VelocityOut": 1}, ())


def adam(draw: Draw, weights: bool) -> Call:
    sizes, dtype = draw.sizes(1, 3), draw.one(*FLOATS)
    inputs = {name: draw.tensor(sizes, dtype) for name in ("Param", "Grad", "Moment1")}
    inputs |= {"Moment2": draw.tensor(sizes, dtype, 0), "LearningRate": draw.tensor([1], dtype, 0.01, 0.5)}
    inputs |= {"Beta1Pow": torch.tensor([0.81], dtype=dtype), "Beta2Pow": torch.tensor([0.998], dtype=dtype)}
    for slot, value in (("Beta1Tensor", 0.8), ("Beta2Tensor", 0.99), ("EpsilonTensor", 1e-5)):
        if draw.flag(0.15):
            inputs[slot] = torch.tensor([value])
    if draw.flag(0.2):
        inputs["SkipUpdate"] = draw.truths([1])
    attrs = draw.some({"beta1": 0.85, "beta2": 0.95, "epsilon": 1e-6, "use_global_beta_pow": draw.flag(0.3)}, 0.5)
    if weights:  # Paddle's CPU kernel scales the decay alone by lr_ratio
        attrs |= {"with_decay": draw.flag(), "coeff": 0.1}
    outputs = ("ParamOut", "Moment1Out", "Moment2Out", "Beta1PowOut", "Beta2PowOut")
    return Call(inputs, attrs, dict.fromkeys(outputs, 1), ())


recipe("adam")(lambda draw: adam(draw, False))
recipe("adamw")(lambda draw: adam(draw, True))
