"""Recipes of operators on elements, of shapes and of indices: a `Call` for a `Draw`. `recipes_nn` has those of networks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from phi_torch.legacy import Attribute

from .draw import FLOATS, WHOLE, Call, Draw

Recipe = Callable[[Draw], Call]
RECIPES: dict[str, Recipe] = {}


def recipe(*types: str) -> Callable[[Recipe], Recipe]:
    def add(function: Recipe) -> Recipe:
        RECIPES.update(dict.fromkeys(types, function))
        return function

    return add


# ---- elements


def unary(low: float, high: float, dtypes: tuple[torch.dtype, ...] = FLOATS, **attrs: tuple[float, float]) -> Recipe:
    def call(draw: Draw) -> Call:
        dtype = draw.one(*dtypes)
        given = draw.some({name: draw.real(*bounds) for name, bounds in attrs.items()})
        return Call({"X": draw.tensor(draw.sizes(0), dtype, low, high)}, given, wanted=("X",) if dtype in FLOATS else ())

    return call


recipe("relu", "tanh", "sigmoid", "exp", "sin", "cos", "silu")(unary(-3, 3))
recipe("sqrt", "rsqrt", "log")(unary(0.1, 4))
recipe("abs", "square")(unary(-3, 3, FLOATS + WHOLE))
recipe("hard_sigmoid")(unary(-4, 4, slope=(0.1, 0.4), offset=(0.2, 0.8)))
recipe("hard_swish")(unary(-6, 6))
recipe("swish")(unary(-4, 4))
recipe("mean", "squared_l2_norm")(unary(-2, 2))


@recipe("gelu")
def gelu(draw: Draw) -> Call:
    return Call({"X": draw.tensor(draw.sizes(0), draw.one(*FLOATS))}, draw.some({"approximate": draw.flag()}))


@recipe("increment")
def increment(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS, *WHOLE)
    step = draw.real() if dtype in FLOATS else float(draw.number(-3, 3))
    return Call({"X": draw.tensor([1], dtype)}, draw.some({"step": step}), wanted=())


@recipe("scale")
def scale(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS, *FLOATS, *WHOLE)
    attrs = draw.some({"scale": draw.real(), "bias": draw.real(), "bias_after_scale": draw.flag()})
    inputs = {"X": draw.tensor(draw.sizes(0), dtype)}
    if draw.flag(0.3):
        inputs["ScaleTensor"] = draw.tensor([1], dtype if dtype in FLOATS else torch.float32)
    return Call(inputs, attrs, wanted=())


@recipe("pow")
def pow_(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS, *FLOATS, *WHOLE)
    factor = draw.real(-2, 3) if dtype in FLOATS else float(draw.number(0, 3))
    inputs = {"X": draw.tensor(draw.sizes(0), dtype, 0.2, 2)}
    if draw.flag(0.3):
        inputs["FactorTensor"] = torch.tensor([factor])
    return Call(inputs, draw.some({"factor": factor}, 0.8), wanted=("X",) if dtype in FLOATS else ())


@recipe("clip")
def clip(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS, *FLOATS, *WHOLE)
    low, high = draw.real(-2, 0), draw.real(0, 2)
    inputs = {"X": draw.tensor(draw.sizes(0), dtype)}
    if draw.flag(0.3):
        inputs |= {"Min": torch.tensor([low]).to(dtype), "Max": torch.tensor([high]).to(dtype)}
    return Call(inputs, {"min": low, "max": high}, wanted=("X",) if dtype in FLOATS else ())


def operands(draw: Draw) -> tuple[list[int], list[int], int]:
    """Shapes of two operands, and the dimension of the larger one that the other begins at."""
    x = draw.sizes(0)
    form = draw.number(0, 4)
    if form == 0 or not x:
        return x, list(x), draw.one(-1, -1, 0)
    if form == 1:
        return x, draw.broadcast(x), -1
    if form == 2:
        return draw.broadcast(x), x, -1
    first = draw.number(0, len(x) - 1)
    part = x[first : first + draw.number(1, len(x) - first)]
    part = [1 if draw.flag(0.2) else size for size in part]
    if draw.flag(0.2):
        part = part + [1] * draw.number(0, len(x) - first - len(part))
    return (x, part, first) if form == 3 or draw.flag() else (part, x, first)


def binary(positive: bool = False, axis_has_gradient: bool = True) -> Recipe:
    def call(draw: Draw) -> Call:
        dtype = draw.one(*FLOATS, *FLOATS, *WHOLE)
        x, y, axis = operands(draw)
        second = draw.tensor(y, dtype, 0.5 if positive else -2)
        inputs = {"X": draw.tensor(x, dtype), "Y": second + (positive and dtype in WHOLE)}
        attrs = {"axis": axis} if axis != -1 else draw.some({"axis": -1})
        if dtype not in FLOATS or not (axis == -1 or axis_has_gradient):
            return Call(inputs, attrs, wanted=())
        return Call(inputs, attrs, wanted=draw.one(("X", "Y"), ("X", "Y"), ("X",), ("Y",)))

    return call


recipe("elementwise_div")(binary(positive=True))
recipe(*(f"elementwise_{op}" for op in ("add", "sub", "mul")))(binary())
recipe(*(f"elementwise_{op}" for op in ("max", "min")))(binary(axis_has_gradient=False))


@recipe("equal", "not_equal", "less_than", "greater_than")
def compared(draw: Draw) -> Call:
    x, y, axis = operands(draw)
    dtype = draw.one(*FLOATS, *WHOLE)
    inputs = {"X": draw.tensor(x, dtype, -1, 1).round(), "Y": draw.tensor(y, dtype, -1, 1).round()}
    return Call(inputs, {"axis": axis} if axis != -1 else draw.some({"axis": -1}), wanted=())


def _logical(count: int) -> Recipe:
    def call(draw: Draw) -> Call:
        sizes = draw.sizes(0)
        kind = draw.one(torch.bool, *FLOATS, *WHOLE)
        given = [draw.truths(draw.broadcast(sizes) if i else sizes).to(kind) for i in range(count)]
        return Call(dict(zip(("X", "Y"), given)), wanted=())

    return call


recipe("logical_and")(_logical(2))
recipe("logical_not")(_logical(1))


@recipe("where")
def where(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(1), draw.one(*FLOATS, *WHOLE)
    inputs = {"Condition": draw.truths(sizes), "X": draw.tensor(sizes, dtype), "Y": draw.tensor(sizes, dtype)}
    return Call(inputs, wanted=("X", "Y") if dtype in FLOATS else ())


@recipe("cast")
def cast(draw: Draw) -> Call:
    dtypes = (*FLOATS, *WHOLE, torch.bool, torch.uint8, torch.int8, torch.int16)
    before, after = draw.one(*dtypes), draw.one(*dtypes)
    x = draw.whole(draw.sizes(0), 3).to(before) if before in (torch.bool, torch.uint8) else draw.tensor(draw.sizes(0), before)
    if after == torch.uint8:
        x = x.abs() if x.dtype != torch.bool else x
    return Call({"X": x}, {"in_dtype": before, "out_dtype": after}, wanted=())


@recipe("assign")
def assign(draw: Draw) -> Call:
    return Call({"X": draw.tensor(draw.sizes(0), draw.one(*FLOATS, *WHOLE))}, wanted=())


@recipe("cumsum")
def cumsum(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(1), draw.one(*FLOATS, *WHOLE))
    flags = draw.some({"flatten": draw.flag(0.2), "exclusive": draw.flag() and x.numel() > 1, "reverse": draw.flag()})
    axis = {} if flags.get("flatten") else {"axis": draw.axis(x.dim())}
    return Call({"X": x}, flags | axis, wanted=("X",) if x.dtype in FLOATS else ())


@recipe("reduce_sum", "reduce_mean", "reduce_max")
def reduced(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(1), draw.one(*FLOATS, *FLOATS, *WHOLE))
    count = draw.number(0, x.dim())
    dims = [axis - x.dim() * draw.flag(0.3) for axis in draw.random.sample(range(x.dim()), count)]
    attrs = draw.some({"dim": Attribute("INTS", dims), "keep_dim": draw.flag(), "reduce_all": draw.flag(0.3)})
    return Call({"X": x}, attrs, wanted=("X",) if x.dtype in FLOATS else ())


@recipe("sum")
def sum_(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(1), draw.one(*FLOATS, *WHOLE)
    return Call({"X": [draw.tensor(sizes, dtype) for _ in range(draw.number(1, 4))]}, wanted=())


# ---- matrices


@recipe("matmul_v2")
def matmul_v2(draw: Draw) -> Call:
    x, y, tx, ty = matrices(draw)
    return Call({"X": x, "Y": y}, draw.some({"trans_x": True}, tx) | draw.some({"trans_y": True}, ty), wanted=("X", "Y"))


def matrices(draw: Draw, vectors: bool = True) -> tuple[torch.Tensor, torch.Tensor, bool, bool]:
    m, k, n, dtype = *(draw.number(1, 4) for _ in range(3)), draw.one(*FLOATS)
    tx, ty, batch = draw.flag(), draw.flag(), draw.sizes(0, 2, 3)
    form = draw.number(0, 5)
    if form == 0 and vectors:
        return draw.tensor([k], dtype), draw.tensor([k], dtype), tx, ty
    first, second = [k, m] if tx else [m, k], [n, k] if ty else [k, n]
    if form == 1 and vectors:
        return draw.tensor([k], dtype), draw.tensor([*batch, *second], dtype), tx, ty
    if form == 2 and vectors:
        return draw.tensor([*batch, *first], dtype), draw.tensor([k], dtype), tx, ty
    if form == 3:
        return draw.tensor([*batch, *first], dtype), draw.tensor(second, dtype), tx, ty
    return draw.tensor([*batch, *first], dtype), draw.tensor([*batch, *second], dtype), tx, ty


@recipe("matmul")
def matmul(draw: Draw) -> Call:
    x, y, tx, ty = matrices(draw)
    tx, ty = tx and x.dim() > 1, ty and y.dim() > 1
    attrs = draw.some({"transpose_X": True}, tx) | draw.some({"transpose_Y": True}, ty) | draw.some({"alpha": draw.real()})
    return Call({"X": x, "Y": y}, attrs, wanted=("X", "Y"))


@recipe("bmm")
def bmm(draw: Draw) -> Call:
    b, m, k, n = (draw.number(1, 4) for _ in range(4))
    dtype = draw.one(*FLOATS)
    return Call({"X": draw.tensor([b, m, k], dtype), "Y": draw.tensor([b, k, n], dtype)}, wanted=("X", "Y"))


@recipe("mul")
def mul(draw: Draw) -> Call:
    dtype, rows, inner, columns = draw.one(*FLOATS), draw.sizes(1, 2), draw.sizes(1, 2), draw.sizes(1, 2)
    second = inner if draw.flag() else [math.prod(inner)]
    attrs = {"x_num_col_dims": len(rows), "y_num_col_dims": len(second)}
    given = {name: value for name, value in attrs.items() if value != 1 or draw.flag()}
    return Call({"X": draw.tensor([*rows, *inner], dtype), "Y": draw.tensor([*second, *columns], dtype)}, given, wanted=("X", "Y"))


@recipe("fc")
def fc(draw: Draw) -> Call:
    rows, inner, columns = draw.sizes(1, 3), draw.number(1, 4), draw.number(1, 4)
    inputs = {"Input": draw.tensor([*rows, inner]), "W": draw.tensor([inner, columns])}
    if draw.flag(0.8):
        inputs["Bias"] = draw.tensor([columns] if draw.flag() else [1, columns])
    attrs = draw.some({"activation_type": draw.one("", "relu")})
    return Call(inputs, {"in_num_col_dims": len(rows), **attrs}, wanted=())


# ---- shapes

WITH_XSHAPE = {"Out": 1, "XShape": 1}


def kept(draw: Draw) -> torch.Tensor:
    return draw.tensor(draw.sizes(1), draw.one(*FLOATS, *FLOATS, *WHOLE))


def for_floats(x: torch.Tensor) -> tuple[str, ...]:
    return ("X",) if x.dtype in FLOATS else ()


@recipe("reshape2")
def reshape2(draw: Draw) -> Call:
    x = kept(draw)
    sizes = list(x.shape)
    draw.random.shuffle(sizes)
    if len(sizes) > 1 and draw.flag():
        sizes[:2] = [sizes[0] * sizes[1]]
    more, attrs = draw.numbers_as_tensors("shape", sizes, "Shape", "ShapeTensor")
    if not more:
        at = draw.number(0, len(sizes) - 1)
        if draw.flag():
            attrs["shape"][at] = -1
        attrs["shape"] = [0 if i < x.dim() and s == x.shape[i] and draw.flag(0.3) else s for i, s in enumerate(attrs["shape"])]
    return Call({"X": x, **more}, attrs, WITH_XSHAPE, for_floats(x))


@recipe("reshape")
def reshape(draw: Draw) -> Call:
    x = kept(draw)
    sizes = [x.numel()] if draw.flag() else list(x.shape)[::-1]
    more, attrs = draw.numbers_as_tensors("shape", sizes, "Shape", "ShapeTensor")
    return Call({"X": x, **more}, attrs, wanted=())


@recipe("transpose2")
def transpose2(draw: Draw) -> Call:
    x = kept(draw)
    axes = draw.random.sample(range(x.dim()), x.dim())
    return Call({"X": x}, {"axis": axes}, WITH_XSHAPE, for_floats(x))


@recipe("transpose")
def transpose(draw: Draw) -> Call:
    x = kept(draw)
    return Call({"X": x}, {"axis": draw.random.sample(range(x.dim()), x.dim())}, wanted=for_floats(x))


@recipe("squeeze2")
def squeeze2(draw: Draw) -> Call:
    x = draw.tensor([1 if draw.flag() else size for size in draw.sizes(1, 4)], draw.one(*FLOATS, *WHOLE))
    ones = [axis - x.dim() * draw.flag(0.3) for axis in range(x.dim()) if x.shape[axis] == 1 and draw.flag()]
    return Call({"X": x}, {"axes": Attribute("INTS", ones)}, WITH_XSHAPE, for_floats(x))


@recipe("unsqueeze2")
def unsqueeze2(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(0, 3), draw.one(*FLOATS, *WHOLE))
    axes = [draw.axis(x.dim() + 1)]
    if draw.flag() and x.dim() > 0:
        axes.append(draw.number(0, x.dim()))
    more, attrs = draw.numbers_as_tensors("axes", axes, "AxesTensor", "AxesTensorList")
    return Call({"X": x, **more}, {"axes": Attribute("INTS", [])} if more else attrs, WITH_XSHAPE, for_floats(x))


@recipe("flatten_contiguous_range")
def flatten(draw: Draw) -> Call:
    x = kept(draw)
    start = draw.number(0, x.dim() - 1)
    stop = draw.number(start, x.dim() - 1)
    attrs = {"start_axis": start - x.dim() * draw.flag(0.3), "stop_axis": stop - x.dim() * draw.flag(0.3)}
    return Call({"X": x}, attrs, WITH_XSHAPE, for_floats(x))


@recipe("concat")
def concat(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(1), draw.one(*FLOATS, *FLOATS, *WHOLE)
    axis = draw.axis(len(sizes))
    parts = []
    for _ in range(draw.number(1, 3)):
        sizes[axis] = draw.number(1, 3)
        parts.append(draw.tensor(sizes, dtype))
    more = {"AxisTensor": torch.tensor([axis], dtype=draw.one(*WHOLE))} if draw.flag(0.3) else {}
    attrs = draw.some({"axis": 0}) if more or axis == 0 else {"axis": axis}
    return Call({"X": parts, **more}, attrs, wanted=("X",) if dtype in FLOATS else ())


@recipe("stack")
def stack(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(0, 3), draw.one(*FLOATS, *FLOATS, *WHOLE)
    parts = [draw.tensor(sizes, dtype) for _ in range(draw.number(1, 3))]
    attrs = {"axis": draw.axis(len(sizes) + 1)} if draw.flag(0.8) else {}
    return Call({"X": parts}, attrs, {"Y": 1}, ("X",) if dtype in FLOATS else ())


@recipe("split")
def split(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(1, 3), draw.one(*FLOATS, *WHOLE)
    axis, count = draw.number(0, len(sizes) - 1), draw.number(1, 3)  # Paddle's kernel splits wrongly at a negative one
    parts = [draw.number(1, 3) for _ in range(count)]
    equal = draw.flag()
    sizes[axis] = count * 2 if equal else sum(parts)
    attrs: dict[str, Any] = {"num": count} if equal else {"sections": list(parts), "num": 0}
    if not equal and draw.flag(0.3):
        attrs["sections"][draw.number(0, count - 1)] = -1
    more: dict[str, Any] = {}
    if draw.flag(0.3):
        more["AxisTensor"] = torch.tensor([axis], dtype=torch.int32)
    else:
        attrs["axis"] = axis
    if not equal and draw.flag(0.3):
        more["SectionsTensorList"] = [torch.tensor([part], dtype=torch.int32) for part in parts]
        attrs["sections"] = [-1] * count
    return Call({"X": draw.tensor(sizes, dtype), **more}, attrs, {"Out": count}, ())


@recipe("unbind")
def unbind(draw: Draw) -> Call:
    x = kept(draw)
    axis = draw.axis(x.dim())
    return Call({"X": x}, {"axis": axis} if axis or draw.flag() else {}, {"Out": x.shape[axis]}, ())


@recipe("slice")
def slice_(draw: Draw) -> Call:
    x = kept(draw)
    axes = sorted(draw.random.sample(range(x.dim()), draw.number(1, x.dim())))
    starts, ends = [], []
    for axis in axes:
        size = x.shape[axis]
        start = draw.number(0, size - 1)
        end = draw.number(start + 1, size)
        starts.append(start - size if draw.flag(0.3) else start)
        ends.append(end - size if end < size and draw.flag(0.3) else draw.one(end, end if end < size else 1000))
    one = [axis for axis, start, end in zip(axes, starts, ends) if len(range(*slice(start, end).indices(x.shape[axis]))) == 1]
    attrs: dict[str, Any] = {"axes": axes, "starts": starts, "ends": ends, "infer_flags": [1] * len(axes)}
    attrs["decrease_axis"] = Attribute("INTS", [axis for axis in one if draw.flag()])
    more: dict[str, Any] = {}
    for slot, many, name in (("StartsTensor", "StartsTensorList", "starts"), ("EndsTensor", "EndsTensorList", "ends")):
        form, dtype = draw.number(0, 4), draw.one(*WHOLE)
        if form < 2:
            values = attrs[name]
            more |= {slot: torch.tensor(values, dtype=dtype)} if form else {many: [torch.tensor([v], dtype=dtype) for v in values]}
            attrs |= {name: [-1] * len(axes), "infer_flags": [-1] * len(axes)}
    return Call({"Input": x, **more}, attrs, wanted=("Input",) if x.dtype in FLOATS else ())


@recipe("expand_v2")
def expand_v2(draw: Draw) -> Call:
    x = draw.tensor([draw.one(1, draw.number(1, 3)) for _ in range(draw.number(0, 3))], draw.one(*FLOATS, *FLOATS, *WHOLE))
    sizes = [draw.number(1, 3) for _ in range(draw.number(0, 2))]
    sizes += [draw.number(1, 3) if size == 1 else size for size in x.shape]
    sizes = sizes or [2]
    more, attrs = draw.numbers_as_tensors("shape", sizes, "Shape", "expand_shapes_tensor")
    if not more and x.dim() and draw.flag():
        attrs["shape"][-1] = -1
    return Call({"X": x, **more}, attrs, wanted=for_floats(x))


@recipe("expand")
def expand(draw: Draw) -> Call:
    x = kept(draw)
    more, attrs = draw.numbers_as_tensors(
        "expand_times", [draw.number(1, 3) for _ in x.shape], "ExpandTimes", "expand_times_tensor"
    )
    return Call({"X": x, **more}, attrs, wanted=())


@recipe("tile")
def tile(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(0, 3, 3), draw.one(*FLOATS, *FLOATS, *WHOLE))
    times = draw.sizes(1, 4, 3)
    more, attrs = draw.numbers_as_tensors("repeat_times", times, "RepeatTimes", "repeat_times_tensor")
    return Call({"X": x, **more}, attrs, wanted=for_floats(x))


@recipe("shape")
def shape(draw: Draw) -> Call:
    return Call({"Input": kept(draw)}, wanted=())


@recipe("tril_triu")
def tril_triu(draw: Draw) -> Call:
    x = draw.tensor([*draw.sizes(0, 1), draw.number(1, 4), draw.number(1, 4)], draw.one(*FLOATS, *WHOLE))
    return Call({"X": x}, draw.some({"diagonal": draw.number(-2, 2), "lower": draw.flag()}), wanted=for_floats(x))
