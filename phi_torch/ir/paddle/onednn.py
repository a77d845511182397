"""Operators of `onednn_op`, which Paddle Inference puts in the place of others on CPUs: as these, and what it fused to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from ... import ir
from .document import Op
from .lowered import Call

ONEDNN, PLAIN = "onednn_op.", "pd_op."
# what says of integers how they are scaled, with the values that say nothing
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("scale_in", "scale_out", "scale_x", "scale_y"), (1.0,)),
    **{"scale_in_eltwise": (0.0, 1.0), "scale_weights": ((), (1.0,)), "force_fp32_output": (False,)},
}
_OF_LIBRARY = frozenset(
    (*_NEUTRAL, "data_format", "fuse_with_relu", "is_test", "mkldnn_data_type", "onednn_data_type", "use_quantizer")
)
_CONV = ("strides", "paddings", "padding_algorithm", "dilations", "groups", "data_format")
_ARITHMETIC = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide"}
_UNARY = ("abs", "relu", "sigmoid", "sqrt", "tanh")


def plain(op: Op, declared: Callable[[str], Collection[str] | None]) -> Op:
    """The same operator of `pd_op`, of whose attributes those stay that are declared; `op` itself where there is none."""
    name = PLAIN + op.name.removeprefix(ONEDNN)
    attributes = declared(name)
    if attributes is None or not _is_neutral({key: attr.value for key, attr in op.attributes.items()}):
        return op
    kept = {key: attr for key, attr in op.attributes.items() if key in attributes or key not in _OF_LIBRARY}
    return replace(op, name=name, attributes=kept)


def fused(call: Call) -> list[ir.Value | None] | None:
    """The results of an operator to which others were fused; None for another one."""
    kind = call.name.removeprefix(ONEDNN)
    make = _FUSED.get("elementwise" if kind.startswith("fused_elementwise_") else kind)
    return make(call) if make is not None and _is_neutral(call.attributes) else None


def _is_neutral(attributes: Mapping[str, Any]) -> bool:
    return all(attributes[key] in values for key, values in _NEUTRAL.items() if key in attributes)


def _said(call: Call, *names: str) -> dict[str, Any]:
    given = {name: call.attributes[name] for name in names if name in call.attributes}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


def _list(call: Call, name: str) -> list[int]:
    return [int(one) for one in call.attributes.get(name, ())]


def _scaled(call: Call, value: ir.Value, by: float) -> ir.Value:
    return value if by == 1.0 else call.made("scale", value, None, scale=by, bias=0.0)


def _reshaped(call: Call, value: ir.Value, sizes: list[int]) -> ir.Value:
    return call.made("reshape", value, call.axes(*sizes)) if sizes else value


def _transposed(call: Call, value: ir.Value, axes: list[int]) -> ir.Value:
    return call.made("transpose", value, perm=axes) if axes else value


def _unsqueezed(call: Call, value: ir.Value) -> ir.Value:
    axes = _list(call, "fused_unsqueeze2_axes")
    return call.made("unsqueeze", value, call.axes(*axes)) if axes else value


def _activated(call: Call, value: ir.Value) -> ir.Value | None:
    """With the activation that was fused, and the scale of its result; None for one that is not known."""
    name = str(call.attributes.get("fuse_activation", ""))
    alpha, beta = (float(call.attributes.get(f"fuse_{which}", 0.0)) for which in ("alpha", "beta"))
    dtype = "float32" if value.type is None else str(value.type.dtype)

    def clipped(x: ir.Value, least: float, most: float) -> ir.Value:
        return call.made("clip", x, call.number(least, dtype), call.number(most, dtype))

    if name in ("hard_swish", "hardswish", "hard_sigmoid"):
        part = clipped(call.made("scale", value, None, scale=alpha, bias=beta), 0.0, 1.0)
        value = part if name == "hard_sigmoid" else call.made("multiply", value, part)
    elif name in ("clip", "relu6"):
        value = clipped(value, alpha, beta)
    elif name == "leaky_relu":
        value = call.made("leaky_relu", value, negative_slope=alpha)
    elif name == "swish":
        value = call.made("multiply", value, call.made("sigmoid", _scaled(call, value, alpha)))
    elif name.startswith("gelu"):
        value = call.made("gelu", value, approximate=name == "gelu_tanh")
    elif name == "mish":
        value = call.made("mish", value, lambda_=20.0)
    elif name in _UNARY:
        value = call.made(name, value)
    elif name:
        return None
    return _scaled(call, value, float(call.attributes.get("fused_output_scale", 1.0)))


def _ended(call: Call, value: ir.Value, then: Callable[[ir.Value], ir.Value] = lambda value: value) -> list[ir.Value | None] | None:
    activated = _activated(call, value)
    return None if activated is None else [then(activated)]


def _with_bias(call: Call, value: ir.Value, bias: ir.Value | None) -> ir.Value:
    if bias is None:
        return value
    assert value.type is not None
    is_last = str(call.attributes.get("data_format", "NCHW")).endswith("C")
    sizes = [-1] if is_last else [1, -1, *[1] * (len(value.type.dims) - 2)]
    return call.made("add", value, _reshaped(call, bias, sizes))


def _conv(call: Call) -> list[ir.Value | None] | None:
    x, filter, bias, residual = [*call.operands, None, None][:4]
    found = _with_bias(call, call.made("conv2d", x, filter, **_said(call, *_CONV)), bias)
    return _ended(call, found if residual is None else call.made("add", found, residual))


def _transposed_conv(call: Call) -> list[ir.Value | None] | None:
    x, filter, bias, size = [*call.operands, None][:4]
    found = call.made("conv2d_transpose", x, filter, size, **_said(call, *_CONV, "output_padding"))
    return _ended(call, _with_bias(call, found, bias))


def _product(call: Call) -> list[ir.Value | None] | None:
    x, y, residual = [*call.operands, None][:3]
    x, y = (
        _transposed(call, _reshaped(call, one, _list(call, f"fused_reshape_{name}")), _list(call, f"fused_transpose_{name}"))
        for one, name in ((x, "x"), (y, "y"))
    )
    sides = {f"transpose_{name}": bool(call.attributes.get(f"trans_{name}", False)) for name in "xy"}
    found = _scaled(call, call.made("matmul", x, y, **sides), float(call.attributes.get("matmul_alpha", 1.0)))
    found = _transposed(call, found, _list(call, "fused_transpose_out"))
    found = _reshaped(call, found, _list(call, "fused_reshape_out"))
    return _ended(call, found if residual is None else call.made("add", found, residual))


def _elementwise(call: Call) -> list[ir.Value | None] | None:
    operator, (x, y) = _ARITHMETIC.get(call.name.rpartition("_")[2]), call.operands
    assert x.type is not None and y.type is not None
    if operator is None or (int(call.attributes.get("axis", -1)) != -1 and len(x.type.dims) != len(y.type.dims)):
        return None
    return _ended(call, call.made(operator, x, y), lambda value: _unsqueezed(call, value))


def _transpose(call: Call) -> list[ir.Value | None] | None:
    (x,), (scale, shift, dtype) = call.operands, (call.attributes.get(name) for name in ("scale", "shift", "output_data_type"))
    if scale not in (None, 1.0) or shift not in (None, 0.0) or dtype not in (None, "", "fp32"):
        return None
    if axes := _list(call, "fused_squeeze2_axes"):
        x = call.made("squeeze", x, call.axes(*axes))
    x = _unsqueezed(call, _transposed(call, x, _list(call, "axis")))
    return [_reshaped(call, x, _list(call, "fused_reshape2_shape"))]


def _fc(call: Call) -> list[ir.Value | None] | None:
    said = _said(call, "in_num_col_dims", "activation_type", "padding_weights")
    sizes = _list(call, "fused_reshape2_shape")
    if len(call.operands) != 3 or None in call.operands:
        return None
    return _ended(call, call.made("fc", *call.operands, **said), lambda value: _reshaped(call, value, sizes))


def _softplus(call: Call) -> list[ir.Value | None] | None:
    return _ended(call, call.made("softplus", *call.operands, **_said(call, "beta", "threshold")))


def _batch_norm(call: Call) -> list[ir.Value | None] | None:
    """With a relu, if there is one."""
    if not call.attributes.get("fuse_with_relu", False):
        return None
    names = ("is_test", "momentum", "epsilon", "data_format", "use_global_stats", "trainable_statistics")
    said = _said(call, *names)
    out, *others = call.builder.create("pd_op.batch_norm_", call.operands, said, call.types, 0, call.location).results
    return [call.made("relu", out), *others]


_FUSED: dict[str, Callable[[Call], list[ir.Value | None] | None]] = {
    **{"fused_conv2d": _conv, "conv2d_transpose_bias": _transposed_conv, "fused_matmul": _product, "elementwise": _elementwise},
    **{"fused_transpose": _transpose, "fc": _fc, "fused_softplus": _softplus, "batch_norm_": _batch_norm},
}
