"""What Paddle's passes for oneDNN fused to operators: once, for operations of a program and for tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol


class Fused(Protocol):
    """An operator with what was fused to it, and how its parts are made of values, which are whatever `made` takes."""

    @property
    def operands(self) -> Sequence[Any]:
        """In the order of PaddlePaddle 3, None for one that is absent."""

    @property
    def attributes(self) -> Mapping[str, Any]:
        """By their names in PaddlePaddle 3."""

    def made(self, op: str, *operands: Any, **attributes: object) -> Any:
        """The result of an operator."""

    def axes(self, *axes: int) -> Any: ...
    def number(self, value: float, dtype: Any) -> Any: ...
    def rank(self, value: Any) -> int: ...
    def dtype(self, value: Any) -> Any: ...
    def cast(self, value: Any, dtype: str) -> Any: ...


Result = Any | None  # None where what is fused is not known
# what says of integers how they are scaled, with the values that say nothing
NEUTRAL: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("scale_in", "scale_out", "scale_x", "scale_y"), (1.0,)),
    **{"scale_in_eltwise": (0.0, 1.0), "scale_weights": ((), (1.0,))},
}
_CONV = ("strides", "paddings", "padding_algorithm", "dilations", "groups", "data_format")
_ARITHMETIC = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide"}
_UNARY = ("abs", "relu", "sigmoid", "sqrt", "tanh")


def said(call: Fused, *names: str) -> dict[str, Any]:
    given = {name: call.attributes[name] for name in names if name in call.attributes}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


def _list(call: Fused, name: str) -> list[int]:
    return [int(one) for one in call.attributes.get(name, ())]


def _scaled(call: Fused, value: Any, by: float) -> Any:
    return value if by == 1.0 else call.made("scale", value, None, scale=by, bias=0.0)


def _reshaped(call: Fused, value: Any, sizes: list[int]) -> Any:
    return call.made("reshape", value, call.axes(*sizes)) if sizes else value


def _transposed(call: Fused, value: Any, axes: list[int]) -> Any:
    return call.made("transpose", value, perm=axes) if axes else value


def _unsqueezed(call: Fused, value: Any) -> Any:
    axes = _list(call, "fused_unsqueeze2_axes")
    return call.made("unsqueeze", value, call.axes(*axes)) if axes else value


def _activated(call: Fused, value: Any) -> Any:
    """With the activation that was fused, and the scale of its result; None for one that is not known."""
    name = str(call.attributes.get("fuse_activation", ""))
    alpha, beta = (float(call.attributes.get(f"fuse_{which}", 0.0)) for which in ("alpha", "beta"))
    dtype = call.dtype(value)

    def clipped(x: Any, least: float, most: float) -> Any:
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


def _ended(call: Fused, value: Any, then: Callable[[Any], Any] = lambda value: value) -> Result:
    activated = _activated(call, value)
    return None if activated is None else then(activated)


def _with_bias(call: Fused, value: Any, bias: Any) -> Any:
    if bias is None:
        return value
    is_last = str(call.attributes.get("data_format", "NCHW")).endswith("C")
    sizes = [-1] if is_last else [1, -1, *[1] * (call.rank(value) - 2)]
    return call.made("add", value, _reshaped(call, bias, sizes))


def _conv(call: Fused) -> Result:
    x, filter, bias, residual = [*call.operands, None, None][:4]
    given = said(call, *_CONV)
    if call.rank(x) == 5:  # of volumes, too, it says NCHW
        given["data_format"] = "NDHWC" if str(given.get("data_format")).endswith("C") else "NCDHW"
    found = _with_bias(call, call.made("conv2d" if call.rank(x) == 4 else "conv3d", x, filter, **given), bias)
    return _ended(call, found if residual is None else call.made("add", found, residual))


def _transposed_conv(call: Fused) -> Result:
    x, filter, bias, size = [*call.operands, None][:4]
    found = call.made("conv2d_transpose", x, filter, size, **said(call, *_CONV, "output_padding", "output_size"))
    return _ended(call, _with_bias(call, found, bias))


def _product(call: Fused) -> Result:
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


def _aligned(call: Fused, larger: Any, smaller: Any) -> Any:
    """The smaller operand with its first dimension at `axis` of the larger one; None where it does not fit."""
    axis, rank = int(call.attributes.get("axis", -1)), call.rank(smaller)
    missing = call.rank(larger) - rank - axis
    if axis == -1 or call.rank(larger) == rank or missing == 0:
        return smaller
    return call.made("unsqueeze", smaller, call.axes(*range(rank, rank + missing))) if axis >= 0 and missing > 0 else None


def _elementwise(operator: str, call: Fused) -> Result:
    x, y = call.operands
    if call.rank(x) < call.rank(y):
        x = _aligned(call, y, x)
    else:
        y = _aligned(call, x, y)
    if x is None or y is None:
        return None
    return _ended(call, call.made(operator, x, y), lambda value: _unsqueezed(call, value))


def _transpose(call: Fused) -> Result:
    (x,), (scale, shift, dtype) = call.operands, (call.attributes.get(name) for name in ("scale", "shift", "output_data_type"))
    if scale not in (None, 1.0) or shift not in (None, 0.0) or dtype not in (None, "", "fp32"):
        return None
    if axes := _list(call, "fused_squeeze2_axes"):
        x = call.made("squeeze", x, call.axes(*axes))
    x = _unsqueezed(call, _transposed(call, x, _list(call, "axis")))
    return _reshaped(call, x, _list(call, "fused_reshape2_shape"))


def _fc(call: Fused) -> Result:
    sizes = _list(call, "fused_reshape2_shape")
    if len(call.operands) != 3 or any(one is None for one in call.operands):
        return None
    found = call.made("fc", *call.operands, **said(call, "in_num_col_dims", "activation_type", "padding_weights"))
    return _ended(call, found, lambda value: _reshaped(call, value, sizes))


def _softplus(call: Fused) -> Result:
    return _ended(call, call.made("softplus", *call.operands, **said(call, "beta", "threshold")))


FUSED: dict[str, Callable[[Fused], Result]] = {
    **{"fused_conv2d": _conv, "fused_conv3d": _conv, "conv2d_transpose_bias": _transposed_conv, "fused_matmul": _product},
    **{"fused_transpose": _transpose, "fc": _fc, "fused_softplus": _softplus},
    **{f"fused_elementwise_{name}": partial(_elementwise, operator) for name, operator in _ARITHMETIC.items()},
}


def made(kind: str, call: Fused) -> Result:
    """The result of `fused_conv2d` and its like; None for another operator, and where something is fused that is not known."""
    if kind not in FUSED or not is_neutral(call.attributes):
        return None
    if not (str(call.dtype(call.operands[0])).endswith("bfloat16") or says_bfloat16(call.attributes)):
        return FUSED[kind](call)
    found = FUSED[kind](_InFloat32(call))
    return found if found is None or call.attributes.get("force_fp32_output") else call.cast(found, "bfloat16")


def says_bfloat16(attributes: Mapping[str, Any]) -> bool:
    """Whether Paddle's pass for bfloat16 chose that for an operator."""
    return any(attributes.get(f"{engine}_data_type") == "bfloat16" for engine in ("mkldnn", "onednn"))


class _InFloat32:
    """A call of bfloat16 as oneDNN computes it: of weights that are rounded to it, with all that was fused, in float32."""

    def __init__(self, call: Fused) -> None:
        rounded = [one if one is None or at > 1 else call.cast(one, "bfloat16") for at, one in enumerate(call.operands)]
        self._call, self.operands = call, [one if one is None else call.cast(one, "float32") for one in rounded]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._call, name)


def is_neutral(attributes: Mapping[str, Any]) -> bool:
    """Whether the operator is none of integers."""
    return not not_neutral(attributes)


def not_neutral(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """What it says of integers."""
    said = {key: tuple(one) if isinstance(one, list) else one for key, one in attributes.items() if key in NEUTRAL}
    return {key: one for key, one in said.items() if one not in NEUTRAL[key]}
