"""Composites of norm, which scales rows by their norm."""

from __future__ import annotations

from torch import Tensor

from .widened import widened


def _length(x: Tensor, axis: int, epsilon: float) -> Tensor:
    return ((x * x).sum(axis, True) + epsilon).sqrt()


def norm(x: Tensor, axis: int, epsilon: float, is_test: bool = False) -> tuple[Tensor, Tensor]:
    wide = widened(x)
    length = _length(wide, axis, epsilon)
    return (wide / length).to(x.dtype), length.to(x.dtype)


def norm_grad(x: Tensor, norm: Tensor, out_grad: Tensor, axis: int, epsilon: float, is_test: bool = False) -> Tensor:
    wide, grad = widened(x), widened(out_grad)
    length = _length(wide, axis, epsilon)  # of x, of which further gradients are
    out = wide / length
    return ((grad - out * (grad * out).sum(axis, True)) / length).to(x.dtype)
