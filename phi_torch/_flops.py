"""What `torch.utils.flop_counter` counts for products and convolutions: what it counts for those of ATen."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from types import ModuleType
from typing import Any

import torch

from ._after_import import after_import

Shape = list[int]


def register() -> None:
    """Gives the counter its formulas, as soon as it is imported."""
    after_import("torch.utils.flop_counter", _add)


def _add(module: ModuleType) -> None:
    for name, formula in FORMULAS.items():
        if hasattr(torch.ops.phi, name):  # a trimmed library has some alone
            module.register_flop_formula(getattr(torch.ops.phi, name))(formula)


def _matmul(x: Shape, y: Shape, transpose_x: bool = False, *_: Any, out_shape: Shape, **__: Any) -> int:
    """Of each element of the result as many products as the dimension has that is summed over."""
    return 2 * prod(out_shape) * x[-2 if transpose_x and len(x) > 1 else -1]


def _addmm(_: Shape, x: Shape, y: Shape, *__: Any, out_shape: Shape, **___: Any) -> int:
    return _matmul(x, y, out_shape=out_shape)


def _matmul_grad(
    x: Shape, y: Shape, grad: Shape, transpose_x: bool = False, *_: Any, output_mask: Any = (True, True), **__: Any
) -> int:
    return sum(output_mask) * _matmul(x, y, transpose_x, out_shape=grad)


def _addmm_grad(_: Shape, x: Shape, y: Shape, grad: Shape, *__: Any, output_mask: Any = (True,) * 3, **___: Any) -> int:
    return _matmul_grad(x, y, grad, output_mask=output_mask[1:])


def _fc(x: Shape, w: Shape, *_: Any, out_shape: Shape, **__: Any) -> int:
    return 2 * prod(out_shape) * w[0]


def _fc_grad(x: Shape, w: Shape, _: Any, out: Shape, *__: Any, output_mask: Any = (True,) * 3, **___: Any) -> int:
    return sum(output_mask[:2]) * _fc(x, w, out_shape=out)


def _convolution(is_transposed: bool) -> dict[str, Callable[..., int]]:
    """A filter has of one side's channels those of a group, so that each number of the other side meets a part of it."""

    def forward(x: Shape, filter: Shape, *_: Any, out_shape: Shape, **__: Any) -> int:
        return 2 * prod(x if is_transposed else out_shape) * prod(filter[1:])

    def backward(x: Shape, filter: Shape, grad: Shape, *_: Any, output_mask: Any = (True, True), **__: Any) -> int:
        return sum(output_mask) * forward(x, filter, out_shape=grad)

    return {"": forward, "_grad": backward}


def _attention(q: Shape, k: Shape, v: Shape, *_: Any, **__: Any) -> int:
    """Scores of all queries and keys, and the values' sums by them; [batch, length, heads, size]."""
    batch, length, heads, size = q
    return 2 * batch * heads * length * k[1] * (size + v[3])


def _attention_grad(q: Shape, k: Shape, v: Shape, *_: Any, **__: Any) -> int:
    """The scores once more, and two products for each one."""
    batch, length, heads, size = q
    return 2 * batch * heads * length * k[1] * (3 * size + 2 * v[3])


FORMULAS: dict[str, Callable[..., int]] = {
    "matmul": _matmul,
    "matmul_grad": _matmul_grad,
    "bmm": lambda x, y, **named: _matmul(x, y, **named),
    "bmm_grad": lambda x, y, grad, **named: _matmul_grad(x, y, grad, **named),
    "addmm": _addmm,
    "addmm_grad": _addmm_grad,
    "fc": _fc,
    "fc_grad": _fc_grad,
    "flash_attn": _attention,
    "flash_attn_grad": _attention_grad,
    **{
        f"{name}{suffix}": formula
        for name in ("conv2d", "depthwise_conv2d", "conv3d", "conv2d_transpose", "depthwise_conv2d_transpose", "conv3d_transpose")
        for suffix, formula in _convolution("transpose" in name).items()
    },
}
