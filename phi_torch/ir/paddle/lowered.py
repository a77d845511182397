"""Operators of PaddlePaddle that are several here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from ... import ir
from .names import torch_dtype

HALF = ("float16", "bfloat16")


@dataclass
class Call:
    """An operator of a file, and where the operators that it stands for go."""

    name: str
    operands: list[ir.Value]
    attributes: Mapping[str, Any]
    types: list[ir.Type | None]
    builder: ir.Builder
    location: str

    def made(self, op: str, *operands: ir.Value, **attributes: object) -> ir.Value:
        (result,) = self.builder.create(f"pd_op.{op}", list(operands), attributes, location=self.location).results
        return result

    def axes(self, *axes: int) -> ir.Value:
        return self.made("full_int_array", value=list(axes), dtype="int64")

    def number(self, value: float, dtype: str) -> ir.Value:
        return self.made("full", shape=[], value=value, dtype=dtype)

    def rank(self, value: ir.Value) -> int:
        assert value.type is not None
        return len(value.type.dims)

    def dtype(self, value: ir.Value) -> str:
        assert value.type is not None
        return str(value.type.dtype)

    def cast(self, value: ir.Value, dtype: str) -> ir.Value:
        return value if self.dtype(value) == dtype else self.made("cast", value, dtype=dtype)


def _closed_range(call: Call) -> list[ir.Value]:
    """From `start` up to `end` itself: `arange` to the middle of the step behind it, or for integers to the next number."""
    dtype = str(call.attributes.get("dtype", "float64"))
    whole = "float" not in dtype
    wide = "float64" if whole else "float32" if dtype in HALF else dtype
    start, end, step = (call.made("cast", one, dtype=dtype) for one in call.operands)
    a, b, by = (call.made("cast", one, dtype=wide) for one in (start, end, step))
    steps = call.made("floor", call.made("divide", call.made("subtract", b, a), by))
    beyond, none = (call.number(one, wide) for one in (1.0 if whole else 0.5, 0.0))
    count = call.made("maximum", call.made("add", steps, beyond), none)
    end = call.made("cast", call.made("add", a, call.made("multiply", count, by)), dtype=dtype)
    said = {"dtype": dtype}
    return list(call.builder.create("pd_op.arange", [start, end, step], said, call.types, 0, call.location).results)


def _extreme(call: Call) -> list[ir.Value]:
    """`max` along a dimension and where it is: values of the elements that are there, so that these get the gradient."""
    (x,) = call.operands
    dim, keepdim = int(call.attributes["dim"]), bool(call.attributes.get("keepdim", False))
    op = "argmax" if call.name == "pd_op.max_with_index" else "argmin"
    indices = call.made(op, x, call.number(dim, "int64"), keepdims=True, flatten=False, dtype="int64")
    found = [call.made("take_along_axis", x, indices, axis=dim), indices]
    return found if keepdim else [call.made("squeeze", one, call.axes(dim)) for one in found]


def _extreme_grad(call: Call) -> list[ir.Value]:
    x, _, indices, grad = call.operands
    dim = int(call.attributes["dim"])
    if not call.attributes.get("keepdim", False):
        indices, grad = (call.made("unsqueeze", one, call.axes(dim)) for one in (indices, grad))
    zeros = call.made("full_like", x, call.number(0.0, "float32"))
    return [call.made("put_along_axis", zeros, indices, grad, axis=dim)]


def _linear(call: Call) -> list[ir.Value]:
    """A product and a sum, as PaddlePaddle for others than GPUs writes it, so that passes find these."""
    x, weight, bias = call.operands
    transposed = bool(call.attributes.get("transpose_weight", False))
    product = call.made("matmul", x, weight, transpose_x=False, transpose_y=transposed)
    return list(call.builder.create("pd_op.add", [product, bias], {}, call.types, 0, call.location).results)


def _linear_grad(call: Call) -> list[ir.Value]:
    x, weight, bias, grad = call.operands
    said = {"transpose_x": False, "transpose_y": bool(call.attributes.get("transpose_weight", False))}
    of_product = call.builder.create("pd_op.matmul_grad", [x, weight, grad], said, location=call.location).results
    return [*of_product, call.made("reduce_as", grad, bias)]


def _product(call: Call) -> list[ir.Value] | None:
    """Of two data types, as of a half type and weights that stayed float32: PaddlePaddle computes in that of `y`, or in a complex
    one that holds both, which the result has whatever the file says of it.
    """
    x, y = call.operands
    assert x.type is not None and y.type is not None
    of_x, of_y = torch_dtype(x.type.dtype), torch_dtype(y.type.dtype)
    if of_x is None or of_y is None or of_x == of_y:
        return None
    is_complex = of_x.is_complex or of_y.is_complex
    dtype = str(torch.promote_types(of_x, of_y) if is_complex else of_y).removeprefix("torch.")
    x, y = (call.made("cast", one, dtype=dtype) for one in (x, y))
    said = {name: bool(call.attributes.get(name, False)) for name in ("transpose_x", "transpose_y")}
    return [call.made("matmul", x, y, **said)]


def _searchsorted(call: Call) -> list[ir.Value] | None:
    """Of two data types: PaddlePaddle compares numbers, whatever they are."""
    sequence, values = call.operands
    of_sequence, of_values = torch_dtype(call.dtype(sequence)), torch_dtype(call.dtype(values))
    if of_sequence is None or of_values is None or of_sequence == of_values:
        return None
    dtype = str(torch.promote_types(of_sequence, of_values)).removeprefix("torch.")
    said = {name: bool(call.attributes.get(name, False)) for name in ("out_int32", "right")}
    return [call.made("searchsorted", *(call.made("cast", one, dtype=dtype) for one in (sequence, values)), **said)]


def _nansum_grad(call: Call) -> list[ir.Value]:
    """That of the sum, where there is a number."""
    x, grad = call.operands
    said = {"keepdim": bool(call.attributes.get("keepdim", False)), "reduce_all": bool(call.attributes.get("reduce_all", False))}
    axes = call.axes(*call.attributes.get("axis", ()))
    of_sum = call.builder.create("pd_op.sum_grad", [x, grad, axes], said, location=call.location).results[0]
    zero = call.made("full_like", x, call.number(0, "float32"))
    return [call.made("where", call.made("isnan", x), zero, of_sum)]


def _quotient(call: Call) -> list[ir.Value] | None:
    """Of integers where the file says that it is one, as of older programs: cut off towards 0, so the whole number below it, and
    one more where that is below a fraction of another sign. Of bool where the file says bool.
    """
    x, y = call.operands
    dtypes = {one.dtype for one in (x.type, y.type, call.types[0]) if one is not None}
    (dtype,) = dtypes if len(dtypes) == 1 else (None,)
    if dtype == "bool":
        whole = (call.made("cast", one, dtype="int32") for one in (x, y))
        operands = [call.made("floor_divide", *whole)]
        return list(call.builder.create("pd_op.cast", operands, {"dtype": dtype}, call.types, 0, call.location).results)
    if dtype is None or "int" not in dtype:
        return None
    zero, below = call.number(0, dtype), call.made("floor_divide", x, y)
    other_sign = call.made("not_equal", call.made("less_than", x, zero), call.made("less_than", y, zero))
    is_fraction = call.made("not_equal", call.made("multiply", below, y), x)
    more = call.made("cast", call.made("logical_and", other_sign, is_fraction), dtype=dtype)
    return list(call.builder.create("pd_op.add", [below, more], {}, call.types, 0, call.location).results)


def _elements_of_each(call: Call, x: ir.Value, mean: ir.Value, wide: str) -> ir.Value:
    """How many elements of x are in each of the means."""
    return call.made("divide", *(call.made("cast", call.made("numel", one), dtype=wide) for one in (x, mean)))


def _corrected(call: Call, count: ir.Value, wide: str) -> ir.Value:
    less, zero = (call.number(one, wide) for one in (-float(call.attributes.get("correction", 1.0)), 0.0))
    return call.made("maximum", call.made("add", count, less), zero)


def _spread(call: Call) -> list[ir.Value]:
    """A variance or deviation, which PaddlePaddle for GPUs writes as one operator; half types are computed in float32."""
    (x,) = call.operands
    assert x.type is not None
    dtype, keepdim = str(x.type.dtype), bool(call.attributes.get("keepdim", False))
    x = call.made("cast", x, dtype="float32") if dtype in HALF else x
    wide = "float32" if dtype in HALF else dtype
    axes = call.axes(*(int(one) for one in call.attributes.get("axis", ())))
    centered = call.made("subtract", x, call.made("mean", x, axes, keepdim=True))
    mean = call.made("mean", call.made("multiply", centered, centered), axes, keepdim=keepdim)
    count = _elements_of_each(call, x, mean, wide)
    found = call.made("multiply", mean, call.made("divide", count, _corrected(call, count, wide)))
    found = call.made("sqrt", found) if call.name == "pd_op.std" else found
    return [call.made("cast", found, dtype=dtype) if dtype in HALF else found]


def _spread_grad(call: Call) -> list[ir.Value]:
    """`grad` * 2 (x - mean) / (n - correction) of a variance; a deviation is its root, and has the gradient 0 where it is 0."""
    x, grad = call.operands[0], call.operands[-1]
    assert x.type is not None
    dtype, rank = str(x.type.dtype), len(x.type.dims)
    wide = "float32" if dtype in HALF else dtype
    x, grad, *out = (call.made("cast", one, dtype=wide) for one in (x, grad, *call.operands[1:-1]))
    axis = [int(one) for one in call.attributes.get("axis", ())] or list(range(rank))
    if not call.attributes.get("keepdim", False):
        places = call.axes(*sorted(one % rank for one in axis))
        grad, *out = (call.made("unsqueeze", one, places) for one in (grad, *out))
    mean = call.made("mean", x, call.axes(*axis), keepdim=True)
    count, zero = _corrected(call, _elements_of_each(call, x, mean, wide), wide), call.number(0.0, wide)
    found = call.made("multiply", grad, call.made("divide", call.made("subtract", x, mean), count))
    if out:
        is_zero = call.made("equal", out[0], zero)
        found = call.made("where", is_zero, call.made("full_like", found, zero), call.made("divide", found, out[0]))
    else:
        found = call.made("add", found, found)
    return [call.made("cast", found, dtype=dtype)]


_ANTIALIAS = {"bilinear": "aten._upsample_bilinear2d_aa", "bicubic": "aten._upsample_bicubic2d_aa"}


def _antialias(call: Call) -> list[ir.Value] | None:
    """Images scaled as torch scales them: PaddlePaddle took that over."""
    x, attributes = call.operands[0], call.attributes
    sizes = x.type.dims if x.type is not None else ()
    target = _ANTIALIAS.get(str(attributes.get("interp_method")))
    if target is None or len(sizes) != 4 or attributes.get("data_format", "NCHW") != "NCHW":
        return None
    if len(call.operands) > 1 and not all(isinstance(size, int) for size in sizes):  # a gradient is told the sizes
        return None
    scales = [float(one) for one in attributes.get("scale", ())]
    scales = scales * 2 if len(scales) == 1 else scales
    wanted = [int(attributes.get(name, -1)) for name in ("out_h", "out_w")]
    if scales and not all(isinstance(size, int) for size in sizes[2:]):
        return None
    wanted = [int(int(size) * scale) for size, scale in zip(sizes[2:], scales)] if scales else wanted
    if min(wanted) < 1:
        return None
    said: dict[str, Any] = {"align_corners": bool(attributes.get("align_corners", False)), "output_size": wanted}
    said |= dict(zip(("scales_h", "scales_w"), scales))
    if len(call.operands) == 1:
        said |= {"target": f"{target}.default", "inputs": ["self"]}
    else:
        said |= {"target": f"{target}_backward.default", "inputs": ["grad_output"], "input_size": list(sizes)}
    made = call.builder.create("torch.call", call.operands[-1:], said, call.types, 0, call.location, undeclared=True)
    return list(made.results)


def _embedding(call: Call) -> list[ir.Value] | None:
    """Rows of a table, of which each gets the mean of its gradients: torch has that. A padding is looked up as zeros."""
    ids, weight = call.operands[:2]
    if ids.type is None or weight.type is None or len(weight.type.dims) != 2 or not isinstance(weight.type.dims[0], int):
        return None
    none, padding = -1, int(call.attributes.get("padding_idx", -1))
    ids = ids if ids.type.dtype in ("int32", "int64") else call.made("cast", ids, dtype="int64")
    said: dict[str, Any] = {"target": "aten.embedding.default", "inputs": ["weight", "indices"]}
    given = [weight, ids]
    if len(call.operands) == 3:
        said = {"target": "aten.embedding_dense_backward.default", "inputs": ["grad_output", "indices"]}
        said["num_weights"], given = weight.type.dims[0], [call.operands[2], ids]
    said |= {"padding_idx": padding, "scale_grad_by_freq": True}
    made = list(call.builder.create("torch.call", given, said, call.types, 0, call.location, undeclared=True).results)
    if padding == none or len(call.operands) == 3:
        return made
    is_padding = call.made("unsqueeze", call.made("equal", ids, call.number(padding, "int64")), call.axes(-1))
    return [call.made("where", is_padding, call.number(0, weight.type.dtype), made[0])]


def _one_memory(call: Call) -> list[ir.Value] | None:
    """Tensors that lie one after another in a tensor, with nothing between them: of the weights of an RNN, which nobody reads."""
    (x,) = call.operands
    if call.attributes.get("use_align", True) or x.type is None:
        return None
    parts = call.builder.create("builtin.split", [x], {}, list(x.type.elements), location=call.location).results
    if not call.attributes.get("copy_data", False):
        constant = call.attributes.get("constant", 0.0) if call.attributes.get("set_constant", False) else 0.0
        parts = [call.made("full_like", one, call.number(constant, "float32")) for one in parts]

    def together(values: list[ir.Value]) -> ir.Value:
        (result,) = call.builder.create("builtin.combine", values, location=call.location).results
        return result

    flat = together([call.made("reshape", one, call.axes(-1)) for one in parts])
    return [together(parts), call.made("concat", flat, call.number(0, "int64"))]


# name -> what it stands for, None where it is kept as it is, and how many operands it has
LOWERED: dict[str, tuple[Callable[[Call], list[ir.Value] | None], int]] = {
    "pd_op.coalesce_tensor": (_one_memory, 1),
    "pd_op.interp_antialias": (_antialias, 1),
    "pd_op.interp_antialias_grad": (_antialias, 2),
    "pd_op.divide": (_quotient, 2),
    "pd_op.embedding_with_scaled_gradient": (_embedding, 2),
    "pd_op.embedding_with_scaled_gradient_grad": (_embedding, 3),
    "pd_op.nansum_grad": (_nansum_grad, 2),
    "pd_op.range_v2": (_closed_range, 3),
    "pd_op.max_with_index": (_extreme, 1),
    "pd_op.min_with_index": (_extreme, 1),
    "pd_op.max_with_index_grad": (_extreme_grad, 4),
    "pd_op.min_with_index_grad": (_extreme_grad, 4),
    "pd_op.matmul": (_product, 2),
    "pd_op.searchsorted": (_searchsorted, 2),
    "pd_op.linear_v2": (_linear, 3),
    "pd_op.linear_v2_grad": (_linear_grad, 4),
    "pd_op.var": (_spread, 1),
    "pd_op.std": (_spread, 1),
    "pd_op.var_grad": (_spread_grad, 2),
    "pd_op.std_grad": (_spread_grad, 3),
}

_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("keepdim", "reduce_all", "flatten", "transpose_weight"), (bool,)),
    **dict.fromkeys(("dim", "out_h", "out_w", "padding_idx"), (int,)),
    **{"axis": (list, tuple), "scale": (list, tuple), "correction": (int, float), "dtype": (str,)},
}


def is_known(name: str, operands: Sequence[ir.Value | None], attributes: Mapping[str, Any]) -> bool:
    """Whether the operands and attributes of one of `LOWERED` are as PaddlePaddle writes them. Those of an extreme of a flattened
    tensor, which has no dimension, are not known.
    """
    if len(operands) != LOWERED[name][1] or attributes.get("flatten", False):
        return False
    expected = "vector" if name == "pd_op.coalesce_tensor" else "dense_tensor"
    if any(one is None or one.type is None or one.type.kind != expected for one in operands):
        return False
    if not all(isinstance(attributes[key], kind) for key, kind in _KINDS.items() if key in attributes):
        return False
    axes = [attributes["dim"]] if "dim" in attributes else attributes.get("axis", [])
    if not all(isinstance(one, int) and _has(operands[0], one) for one in axes):
        return False
    if not all(isinstance(one, (int, float)) for one in attributes.get("scale", ())):
        return False
    return "dim" in attributes or "_with_index" not in name


def _has(x: ir.Value | None, axis: int) -> bool:
    rank = len(x.type.dims) if x is not None and x.type is not None else 0
    return -rank <= axis < rank
