"""Operators to which Paddle's passes for oneDNN fused others, by names of their own, or as attributes of the first one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from ... import ops as phi
from ..._paddle import fused
from .._operators import FORMS, Operands, operator
from ..description import OpDesc
from ..lod import lod_of, with_lod

_CONV, _BINARY = ("Input", "Filter", "Bias", "ResidualData"), ("X", "Y")
SLOTS: dict[str, tuple[str, ...]] = {  # in the order of the operands
    **{"fused_conv2d": _CONV, "fused_conv3d": _CONV, "conv2d_transpose_bias": _CONV[:3], "fused_matmul": (*_BINARY, _CONV[3])},
    **{"fused_transpose": ("X",), "fused_softplus": ("X",), "fc": ("Input", "W", "Bias")},
    **{f"fused_elementwise_{name}": _BINARY for name in ("add", "sub", "mul", "div")},
}
_ELEMENTWISE = frozenset(("fused_softplus", *(kind for kind in SLOTS if kind.startswith("fused_elementwise"))))
# what Paddle before 2.6 called those that are other operators today
_FORMER = {
    **{"conv2d": "fused_conv2d", "depthwise_conv2d": "fused_conv2d", "conv3d": "fused_conv3d"},
    **{"matmul": "fused_matmul", "matmul_v2": "fused_matmul"},
    **{"conv2d_transpose": "conv2d_transpose_bias", "depthwise_conv2d_transpose": "conv2d_transpose_bias"},
    **{"transpose2": "fused_transpose", "softplus": "fused_softplus", "fc": "fc"},
    **{f"elementwise_{name}": f"fused_elementwise_{name}" for name in ("add", "sub", "mul", "div")},
}


_OF_MATMUL = {"transpose_x": "trans_x", "transpose_y": "trans_y", "alpha": "matmul_alpha"}  # attributes of the first one


def kind_of(op: OpDesc) -> str | None:
    """Which of SLOTS an operator is, None for one to which nothing was fused."""
    if op.type in SLOTS and op.type not in _FORMER:
        return op.type
    return _FORMER[op.type] if op.type in _FORMER and _has_more(op) else None


def _has_more(op: OpDesc) -> bool:
    said = {name: one.value for name, one in op.attrs.items() if name.startswith("fuse")}
    scale, reads = said.pop("fused_output_scale", 1.0), "conv" in op.type and any(op.inputs.get(slot) for slot in _CONV[2:])
    return (
        reads
        or scale != 1.0
        or _mixes_types(op)
        or any(value for name, value in said.items() if not name.endswith(("_alpha", "_beta")))
    )


def _mixes_types(op: OpDesc) -> bool:
    """Whether oneDNN takes weights of another type than bfloat16 beside what is that, or gives float32 for it."""
    said = {name: one.value for name, one in op.attrs.items()}
    is_layer = op.type == "fc" and bool(said.get("use_mkldnn") or said.get("use_onednn"))  # which does not say it
    return fused.says_bfloat16(said) or is_layer or bool(said.get("force_fp32_output"))


def attributes_of(op: OpDesc) -> dict[str, Any]:
    """By their names in PaddlePaddle 3, which have no capital letters."""
    renamed = _OF_MATMUL if op.type == "matmul" else {}
    found = {renamed.get(name.lower(), name.lower()): one.value for name, one in op.attrs.items()}
    return {**found, "fuse_activation": "relu"} if found.get("fuse_relu", False) else found


def not_known(op: OpDesc) -> str:
    said = attributes_of(op)
    got = fused.not_neutral(said) or {"fuse_activation": said.get("fuse_activation")}
    return f"operator '{op.type}': expected tensors of floating point and a known activation, got {got}"


class _Tensors:
    """Whose values are tensors."""

    def __init__(self, operands: Sequence[Tensor | None], attributes: Mapping[str, Any]) -> None:
        self.operands, self.attributes = operands, attributes

    def made(self, op: str, *operands: Any, **attributes: object) -> Any:
        return getattr(phi, op)(*(one for one in operands if one is not None), **attributes)

    def axes(self, *axes: int) -> list[int]:
        return [*axes]

    def number(self, value: float, dtype: torch.dtype) -> float:
        return value

    def rank(self, value: Tensor) -> int:
        return value.dim()

    def dtype(self, value: Tensor) -> torch.dtype:
        return value.dtype

    def cast(self, value: Tensor, dtype: str) -> Tensor:
        return value.to(getattr(torch, dtype))


def _run(kind: str, op: Operands) -> None:
    operands = [op.input(slot) if op.has(slot) else None for slot in SLOTS[kind]]
    found = fused.made(kind, _Tensors(operands, attributes_of(op.op)))
    if found is None:
        raise ValueError(not_known(op.op))
    levels = lod_of(op.input("X")) if kind in _ELEMENTWISE else []
    op.set("Output" if "conv" in kind else "Out", with_lod(found, levels) if levels else found)


for _kind in SLOTS.keys() - _FORMER.keys():
    operator(_kind)(partial(_run, _kind))
for _type, _kind in _FORMER.items():
    FORMS[_type] = _has_more, partial(_run, _kind)


def has_relu(op: OpDesc) -> bool:
    return op.type == "batch_norm" and "fuse_with_relu" in op.attrs and bool(op.attrs["fuse_with_relu"].value)


def _batch_norm_relu(op: Operands) -> None:
    """Of inference, which leaves the mean and the variance as they are."""
    x, mean, variance, scale, bias = (op.input(slot) for slot in ("X", "Mean", "Variance", "Scale", "Bias"))
    numbers = {"momentum": op.attr("momentum", 0.9), "epsilon": op.attr("epsilon", 1e-5)}
    layout = op.attr("data_layout", "NCHW")
    found = phi.batch_norm(x, mean, variance, scale, bias, is_test=True, data_format=layout, use_global_stats=True, **numbers)
    op.set("Y", phi.relu(found[0]))
    for slot, kept in (("MeanOut", mean), ("VarianceOut", variance)):
        op.set(slot, kept)


FORMS["batch_norm"] = has_relu, _batch_norm_relu
